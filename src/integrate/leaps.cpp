// Over singular sets, and up to them: a motion that is smooth where its equations are not is followed by a series from a distance.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "accuracy.hpp"
#include "run.hpp"

namespace cetaev {

// Of the last question to the view.
Run::Place Run::place(const MotionPoint& here) const {
  Place result{view_->state(), {}, here.E, view_->work()};
  if (!prepared_->equations.form().lambda.empty())
    result.lambda.assign(here.multipliers.begin(), here.multipliers.end());
  return result;
}

// Of places whose distance is the least part of how far they lie back one is forgotten.
void Run::remember_step() {
  constexpr std::size_t most = 96;
  const double from = stepper_->previous_time(), now = stepper_->time();
  const auto remember = [&](const MotionPoint& here) { places_.push_back(place(here)); };
  try {
    if (method_ == Method::taylor) {
      // a series goes far in one step
      constexpr int places = 8;
      for (int i = 0; i < places; ++i) remember(view_->at(from + (now - from) * i / places, false));
    } else {
      // what multistep methods have within a step is not on the constraints
      remember(view_->at(now, stepper_->state(), false));
    }
  } catch (const Error&) {
    // from there nothing begins
  }
  const auto time = [&](std::size_t i) { return places_[i].state.t; };
  while (places_.size() > most) {
    std::size_t closest = 1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i + 1 < places_.size(); ++i) {
      const double part = (time(i + 1) - time(i - 1)) / (now - time(i - 1));
      if (part < least) least = part, closest = i;
    }
    places_.erase(places_.begin() + static_cast<std::ptrdiff_t>(closest));
  }
}

// Where the last steps began, a place for each half of the way nearer to a set. In memory of its own: there are motions that come near to sets all the time.
void Run::remember_the_way() {
  const RegularityWatch& regularity = watch_->regularity;
  const bool near = regularity.in_the_neighbourhood();
  const double as_near = std::exchange(was_as_near_, near ? regularity.nearness() : accuracy::near);
  if (!near) {
    way_.clear();
    return;
  }
  while (!way_.empty() && way_.last().as_near < as_near) way_.drop_last();  // of another approach
  if (way_.empty() || 2 * as_near <= way_.last().as_near) remember_begin_of_step(as_near);
}

void Run::remember_begin_of_step(double nearness) {
  try {
    const MotionPoint& here = view_->at(stepper_->previous_time(), false);
    way_.add(here, prepared_->equations.form().lambda.empty() ? std::span<const double>() : here.multipliers,
             view_->work(), nearness);
  } catch (const Error&) {
    // from there nothing begins
  }
}

// Where steps are held down by what a set does to the equations, and not by the motion, they would go on to be for as long as they last.
bool Run::leap_before_it_is_met() {
  RegularityWatch& regularity = watch_->regularity;
  if (!regularity.close_to_zero()) {
    leap_tried_as_near_ = 1;
    return false;
  }
  const std::optional<double> set = regularity.zero_ahead();
  const double t = stepper_->time(), length = std::abs(t - stepper_->previous_time());
  if (!set || !(direction_ * (*set - t) > 0) || length > accuracy::held_down * std::abs(*set - t)) return false;
  if (regularity.nearness() > leap_tried_as_near_ / 2) return false;
  leap_tried_as_near_ = regularity.nearness();
  (void)regularity.nearly_lost();  // the diagnosis is about it
  return options_.through_singular ? leaps_over(*set, diagnosis()) : ends_by_a_series(*set);
}

// Nothing of the last step counts.
bool Run::leaps_from_before(double t) {
  const double from = stepper_->previous_time();
  std::erase_if(places_, [&](const Place& place) { return direction_ * place.state.t > direction_ * from; });
  return leaps_over(t, diagnosis());
}

bool Run::leaps_over(double t, const Error& why) {
  const std::optional<double> met = leap_over(t);
  if (!met) return false;
  if (stopped_before(*met)) return true;
  went_through_ = *met;
  note_passage(*met, why);
  return true;
}

// Near the set errors grow like one over the distance, and with each of ever shorter steps. The motion itself is smooth there, and a
// series taken at a distance knows nothing of the set: of the places on the way the one is left again, by a step that is continued to beyond
// the set, that is on the constraints there and has its energy best. Stages and histories of other methods know nothing of what is beyond: where the motion goes
// by one of them, series are made for the leap. It ends before a limit.
std::optional<Run::Leap> Run::find_leap(std::span<const Place> places, double t, double limit) {
  if (places.empty()) return std::nullopt;
  Leap leap;
  leap.own = method_ == Method::taylor || !prepared_->equations.dalembert_lagrange();
  leap.by = leap.own ? prepared_ : ask_the_plan().prepare_series({places.back().state, false, {}}, sides());
  const MotionEquations& equations = leap.by->equations;
  // by series also where a bend was believed to be ahead, which is passed by other steps
  leap.step = method_ == Method::taylor || !leap.own ? series_of(*leap.by) : new_stepper();
  leap.view = std::make_unique<MotionView>(
      std::make_unique<Observer>(equations, leap.by->reaction.get(), options_.tolerance), *leap.step, equations.size());
  Stepper& again = *leap.step;
  MotionView& view = *leap.view;
  view.set_parameters(parameters_);
  if (leapt_) view.leave_out(leapt_->before, leapt_->beyond);
  std::optional<ManifoldProjection> of_series;
  if (!leap.own && leap.by->projection) of_series.emplace(*leap.by->projection, parameters_);
  std::optional<ManifoldProjection>& projection = leap.own ? watch_->projection : of_series;
  struct Tried {
    const Place* from;
    double beyond, error, drift, change;
    std::vector<double> y;
  };
  const auto take = [&](const Place& from) -> std::optional<Tried> {
    std::vector<double> y = equations.state(from.state, from.lambda, parameters_);
    if (equations.has_work()) y.back() = from.work;
    double E = from.E;
    // multistep methods are off the constraints by their tolerance, and what others leave grows on the way
    if (projection) {
      if (!projection->put_on(from.state.t, y)) return std::nullopt;
      E = view.at(from.state.t, y, false).E;
    }
    again.start(from.state.t, y, limit);
    if (again.step(limit) != StepStatus::done) return std::nullopt;
    const double length = std::abs(again.time() - from.state.t);
    const double beyond =
        direction_ * std::max(direction_ * again.time(), direction_ * t + accuracy::beyond_the_set * length);
    if (direction_ * beyond > direction_ * limit) return std::nullopt;
    if (std::abs(beyond - from.state.t) > accuracy::furthest_leap * length) return std::nullopt;
    again.interpolate(beyond, y);
    double error = 0;  // before anything is put right
    const double before = view.at(beyond, y, false).E;
    if (projection) {
      error = projection->relative_residual(beyond, y);
      if (!projection->put_on(beyond, y)) return std::nullopt;
    }
    const MotionPoint& there = view.at(beyond, y, false);
    const double lost = std::abs((there.E - view.work()) - (E - from.work));
    error = std::max(error, lost / (1 + std::abs(recording_.E_reference())));
    const double drift = recording_.drift(there, view.work());
    return Tried{&from, beyond, error, std::max(error, drift), there.E - before, std::move(y)};
  };
  // by the tolerance that the steps to here were held to; of what the motion has drifted so far an error may take away as much as it adds
  const double held = std::max({options_.tolerance, loosened_.to, stepper_->loosened()});
  std::optional<Tried> best;
  for (const Place& from : places) {
    try {
      auto tried = take(from);
      const bool serves = tried && tried->error <= accuracy::known_on_the_way(held);
      if (serves && (!best || tried->drift < best->drift)) best = std::move(tried);
    } catch (const Error&) {
      // not from there
    }
  }
  if (!best) return std::nullopt;
  (void)take(*best->from);
  leap.from = best->from->state;
  leap.beyond = best->beyond;
  leap.change = best->change;
  leap.y = std::move(best->y);
  // told by a state at a distance the time is better known than by what the way there was
  std::vector<double> room(equations.size());
  again.interpolate(leap.from.t, room);
  RegularityWatch watch(leap.by->regularity, parameters_);
  watch.start(leap.from.t, room);
  watch.inherit(watch_->regularity);
  leap.met = watch.find(PartOfStep(again, leap.beyond, room));
  return leap;
}

// Events up to where the motion was followed are known. Returns the time of one that stops the motion, or `end`.
double Run::record_leap(Leap& leap, double end) {
  const MotionEquations& equations = leap.by->equations;
  std::vector<double> room(equations.size());
  leap.step->interpolate(leap.from.t, room);
  EventWatch events(equations, leap.by->events, parameters_);
  events.start(leap.from.t, room);
  for (const Crossing& crossing : events.find(PartOfStep(*leap.step, end, room))) {
    if (direction_ * crossing.t <= direction_ * reached_) continue;
    if (!record_event(*leap.view, crossing)) continue;
    end = crossing.t;
    leap.step->interpolate(end, leap.y);
    leap.change = 0;
    break;
  }
  return end;
}

// Not by steps over a bend, and by tables where the method is another one.
std::unique_ptr<Stepper> Run::series_of(const PreparedMotion& by) const {
  const MotionCode& code = by.method == Method::taylor ? *by.code : *series_;
  return code.taylor(parameters_);
}

std::optional<double> Run::leap_over(double t) {
  std::optional<Leap> leap = find_leap(places_, t, t_end_);
  if (!leap) return std::nullopt;
  next_ = Next::go_on;
  const double end = record_leap(*leap, leap->beyond);
  account(leap->change);
  if (next_ == Next::go_on && !recording_.samples(*leap->view, end)) interrupt();
  reached_ = end;
  if (leap->own) {
    y_ = std::move(leap->y);
  } else {
    (void)leap->view->at(end, leap->y, false);
    const double work = leap->view->work();
    y_ = prepared_->equations.state(leap->view->state(), lambda_, parameters_);
    if (prepared_->equations.has_work()) y_.back() = work;
  }
  // measured by what is here: just beyond the set errors grow by one over the distance from it, and finer steps are worth it
  sizes_.forget();
  stepper_->start(end, y_, t_end_);
  watch_->start(end, y_);
  places_.clear();
  return leap->met.value_or(t);
}

// A motion that ends where J loses rank ends on the series of such a leap, which tells the time, and the states up to it.
bool Run::ends_by_a_series(double t) {
  if (options_.through_singular || !options_.variations.empty() || !watch_->regularity.is_of_rank()) return false;
  // equations of other principles are series only where the motion goes by one
  if (method_ != Method::taylor && !prepared_->equations.dalembert_lagrange()) return false;
  if (way_.empty()) remember_begin_of_step(accuracy::near);
  if (way_.empty()) return false;
  std::vector<Place> places;
  for (std::size_t i = 0; i < way_.size(); ++i)
    places.push_back({way_.state(i), way_.lambda(i), way_.place(i).E, way_.place(i).work});
  std::optional<Leap> leap = find_leap(places, t, t + (t - places.front().state.t));
  if (!leap || !leap->met) return false;
  if (direction_ * *leap->met > direction_ * t_end_) {
    next_ = Next::stop;
  } else {
    end_as_singular(*leap->met, diagnosis());
  }
  double end = direction_ * std::min(direction_ * *leap->met, direction_ * t_end_);
  const double seen = reached_;
  bool all = true;
  try {
    end = record_leap(*leap, end);
    if (!recording_.samples(*leap->view, end)) {
      interrupt();
      end = recording_.stopped_at();
    }
  } catch (const Error& error) {
    if (error.code() == ErrorCode::cannot_write) throw;
    all = false;  // there may be no multipliers on the set itself
  }
  add_counts();
  for (const std::string& text : prepared_->equations.form().notes) say_once(text);
  prepared_ = std::move(leap->by);
  stepper_ = std::move(leap->step);
  view_ = std::move(leap->view);
  y_.resize(prepared_->equations.size());
  reached_ = all ? end : record_up_to(end);
  if (recorder_.wants_steps() && direction_ * seen < direction_ * reached_) recorder_.step(seen, reached_, dense_);
  return true;
}

}  // namespace cetaev
