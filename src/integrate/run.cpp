#include "run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <utility>

#include "accuracy.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/interruption.hpp"
#include "time_text.hpp"

namespace cetaev {

namespace {

// Steps between two questions whether to go on.
constexpr std::size_t steps_between_questions = 64;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Run::Run(const MotionPlan& plan, const MotionStart& start, Recorder& recorder, std::size_t samples,
         std::span<const double> parameters)
    : plan_(plan),
      system_(plan.system()),
      options_(plan.options()),
      t_end_(start.t_end.value_or(options_.t_end)),
      recorder_(recorder),
      recording_(options_, t_end_, samples, recorder, summary_, start.state.t),
      parameters_(parameters.begin(), parameters.end()),
      lambda_(parameters.empty() ? plan.lambda(start.state) : plan.lambda(start.state, parameters)),
      changes_(start.changes.empty() ? plan.initial_changes() : start.changes),
      start_(start.state),
      direction_(t_end_ < start_.t ? -1 : 1),
      reached_(start_.t),
      step_tolerance_(options_.tolerance),
      method_(*options_.method),
      sizes_(system_->coordinates),
      progress_(start_.t),
      positions_asked_about_(system_->size()) {
  summary_.method = method_;
  summary_.backend = options_.backend;
  summary_.event_counts.assign(system_->events.size(), 0);
  for (const Expr force : system_->forces) has_forces_ = has_forces_ || !force.is_zero();
}

MotionSummary Run::operator()() {
  follow(plan_.prepared(), start_);
  if (watch_->regularity.serves_badly()) follow(ask_the_plan().prepare({start_, false, {}}, sides()), start_);
  if (watch_->projection) put_on_constraints(start_.t);
  require_rates();
  require_rates_in_doubles();
  search_time_terms();
  expect_jumps();
  recording_.begin(view_->at(start_.t, y_));
  if (jumps_in_time(start_.t)) {
    change_at_ = start_.t;
    choose_anew();
  }
  while (next_ == Next::go_on) {
    segment();
    if (next_ != Next::prepare) continue;
    choose_anew();
    if (next_ == Next::go_on) ask_whether_to_go_on(stepper_->time());
  }
  finish();
  return std::move(summary_);
}

// The equations from a state on; the work done so far is kept.
void Run::follow(std::shared_ptr<const PreparedMotion> prepared, const State& at) {
  const double work = prepared_ && prepared_->equations.has_work() ? y_.back() : 0;
  prepared_ = std::move(prepared);
  if (std::find(followed_.begin(), followed_.end(), prepared_.get()) == followed_.end()) {
    followed_.push_back(prepared_.get());
    summary_.compile_seconds += prepared_->seconds;
  }
  const MotionEquations& equations = prepared_->equations;
  if (!left_ && !near_a_set_) summary_.form = equations.form().form;
  // other principles than d'Alembert–Lagrange are different equations for different dependent velocities
  may_choose_ = may_choose_ && equations.dalembert_lagrange();
  look_at_pace_ = std::max(look_at_pace_, static_cast<double>(steps_taken_) + 2 * equations.steps());
  const bool begins = !std::exchange(begun_, true);
  if (parameters_.empty()) parameters_ = equations.parameters();
  y_ = equations.state(at, lambda_, parameters_);
  if (equations.variational() != nullptr) equations.vary(at, parameters_, changes_, y_);
  if (equations.has_work()) y_.back() = work;
  if (begins) take_sides(at.t);
  sizes_.follow(equations.form().state, y_.size());
  sizes_.note(at);
  set_out(at.t);
  require_same_velocities(at);
  for (const double value : y_) size_at_start_ = std::max(size_at_start_, std::abs(value));
}

// What the equations make of a state is that state, and not one on another branch of a root: that is further away than what a tolerance leaves.
void Run::require_same_velocities(const State& at) {
  const double far = accuracy::other_branch(options_.tolerance) * largest_magnitude(at.v);
  const MotionPoint& here = view_->at(at.t, y_, false);
  for (std::size_t i = 0; i < at.v.size(); ++i) {
    if (std::abs(here.v[i] - at.v[i]) > far)
      throw Error(ErrorCode::internal_error, "the state of " + prepared_->equations.form().form.name() +
                                                 " has other velocities than it was made of");
  }
}

void Run::set_out(double t) {
  watch_ = std::make_unique<MotionWatches>(*prepared_, parameters_);
  if (!watch_->regularity.empty()) way_.make_room(system_->size(), prepared_->equations.constraint_count());
  witness_.reset();
  if (prepared_->has_witness(parameters_))
    witness_.emplace(prepared_->equations, prepared_->own_steps.get(), prepared_->branches, options_.form.has_value(),
                     parameters_, options_.tolerance);
  make_stepper();
  view_ = new_view(*stepper_);
  start_stepper(t);
  watch_->start(t, y_);
}

// From y_.
void Run::start_stepper(double t) {
  stepper_->start(t, y_, t_end_);
  stepper_->has_been(sizes_.of_variables());
}

// The state of the last step at a time; at its start there is no step to look into.
void Run::take_state(double t) {
  if (t == stepper_->time()) {
    std::copy(stepper_->state().begin(), stepper_->state().end(), y_.begin());
  } else {
    stepper_->interpolate(t, y_);
  }
}

// The same equations, on other sides or by another method: what was seen on the way is kept.
void Run::set_out_again(double t) {
  const std::unique_ptr<MotionWatches> before = std::move(watch_);
  set_out(t);
  watch_->inherit(*before);
  watch_->events.inherit(before->events);
}

std::unique_ptr<MotionView> Run::new_view(const LastStep& step) const {
  auto view = std::make_unique<MotionView>(std::make_unique<Observer>(prepared_->equations, prepared_->reaction.get(),
                                                                      options_.tolerance, prepared_->observing.get()),
                                           step, y_.size());
  view->set_parameters(parameters_);
  if (leapt_) view->leave_out(leapt_->before, leapt_->beyond);
  return view;
}

void Run::put_on_constraints(double t) {
  switch (watch_->projection->place(t, y_)) {
    case ManifoldProjection::Placed::there: return;
    case ManifoldProjection::Placed::moved: break;
    case ManifoldProjection::Placed::nowhere:
      throw Error(ErrorCode::inconsistent_initial_state, "the state to begin with cannot be put on the constraints");
  }
  stepper_->start(t, y_, t_end_);
  watch_->start(t, y_);
}

// Pulses in time, before a step can miss them.
void Run::search_time_terms() {
  if (prepared_->time_terms.empty()) return;
  TimeTerms::Stops found = prepared_->time_terms.stops(parameters_, start_.t, t_end_, options_.tolerance);
  stops_ = StopsAhead(std::move(found.times));
  jumps_in_time_.assign(found.jumps.rbegin(), found.jumps.rend());
  if (!found.searched)
    say("the terms in t alone vary too often to be searched for short pulses: one that is over between two looks of a "
        "step can be missed");
}

// Before anything is recorded: a motion whose equations have no values where it starts is none.
void Run::require_rates() {
  if (starts_on_a_jump_)
    throw Error(
        ErrorCode::non_finite,
        "the equations of motion have no value at the state to begin with: they jump there, and the motion does "
        "not go on to one side alone");
  if (has_rates_here(start_.t, y_)) {
    if (!at_zeros_) return;
    if (equations_only_bend(start_.t, y_)) {
      set_out(start_.t);
      return;
    }
  }
  ask_the_plan().require_finite(start_);
}

void Run::make_stepper() {
  stepper_.reset();
  field_.reset();
  replaced_.clear();
  const MotionCode& code = *prepared_->code;
  written_anew_ = written_anew_ || code.written_anew();
  summary_.from_cache = (summary_.from_cache || code.from_cache()) && !written_anew_;
  summary_.tables = code.in_tables();
  if (std::string refusal = code.cache_refusal(); !refusal.empty()) say_once(std::move(refusal));
  if (method_ != Method::taylor || over_a_bend_) field_ = new_field();
  stepper_ = new_stepper();
}

std::unique_ptr<Stepper> Run::new_stepper() {
  switch (method_) {
    case Method::dop853: return make_dop853(*field_, step_tolerance_, !watch_->projection);
    case Method::adams: return make_adams(*field_, step_tolerance_);
    case Method::bdf: {
      const bool instead = options_.method != Method::bdf;
      return make_bdf(*field_, instead ? accuracy::bdf_instead(step_tolerance_) : step_tolerance_,
                      watch_->projection ? &*watch_->projection : nullptr);
    }
    default:
      if (over_a_bend_) return make_dop853(*field_, options_.tolerance);
      if (!by_series_from_) return prepared_->code->taylor(parameters_);
      series_ = make_code(prepared_->equations, {Backend::interpreter, false, true, options_.tolerance});
      return series_->taylor(parameters_);
  }
}

// Steps until the motion ends or other equations are needed.
void Run::segment() {
  const auto start = std::chrono::steady_clock::now();
  if (stepper_->time() == t_end_) next_ = Next::stop;
  std::size_t since_question = 0;
  const bool watches = !watch_->regularity.empty(), quiet = is_quiet();
  while (next_ == Next::go_on) {
    const StepStatus status = stepper_->step(stops_.limit(stepper_->time(), t_end_));
    if (status != StepStatus::done) {
      end_at_failure(status);
      continue;
    }
    if (quiet && passes_quietly(since_question)) continue;
    if (rates_are_lost()) {
      end_before_lost_rates();
      continue;
    }
    if (passed_a_narrow_place()) continue;
    watch_stiffness();
    watch_digits();
    if (options_.through_singular) remember_step();
    if (const auto jump = may_jump_ ? find_jump() : std::nullopt) {
      end_where_constraints_jump(jump->second);
      record(jump->first);
      break;
    }
    const std::optional<double> jump = next_jump();
    const PartOfStep piece(*stepper_, jump.value_or(stepper_->time()), piece_end_);
    const std::optional<double> before = watches && may_choose_ ? watch_->regularity.worn_at(piece) : std::nullopt;
    if (watches && !before && watch_->regularity.in_the_neighbourhood() && jumps_in_energy()) {
      if (began_at_a_bend()) break;
      const double before_it = stepper_->previous_time();
      (void)watch_->regularity.nearly_lost();  // what is, for the diagnosis
      if (!leaves_the_form_at(before_it) && !leaves_the_method_at(before_it)) end_at_the_jump();
      continue;
    }
    const auto [worn, singular, bend] = watches ? met_in_step(piece, before) : Met();
    at_a_bend_ = bend.has_value();
    if (watches && !options_.through_singular) remember_the_way();
    const double t = bend ? *bend : worn.value_or(piece.time());
    if (worn || bend) jumps_.clear();
    double end = t;
    if (singular && asks_finer_steps() && !watch_->regularity.is_of_rank()) {
      change_at_ = stepper_->previous_time();
      wants_finer_ = true;
      next_ = Next::prepare;
      break;
    }
    if (singular && options_.through_singular && method_ != Method::taylor && leaps_from_before(*singular)) continue;
    if (singular && ends_by_a_series(*singular)) break;
    if (singular && !goes_through(*singular)) {
      end_as_singular(*singular, diagnosis());
      end = *singular;
      // nothing is known of states that are further ahead than a step is long
      if (direction_ * (end - stepper_->time()) > std::abs(stepper_->time() - stepper_->previous_time()))
        end = stepper_->time();
    }
    if (const auto fold = watch_->fold ? watch_->fold->find(PartOfStep(*stepper_, end, part_end_)) : std::nullopt) {
      end_as_singular(*fold, watch_->fold->diagnosis());
      end = *fold;
    }
    // before anything beyond the set is told
    if (next_ == Next::go_on && !worn && went_through_just_now() && lost_energy()) {
      take_back_passage("the energy is lost beyond the singular set: the continuation is no motion of the system");
      end_as_singular(*went_through_, diagnosis());
      end = *went_through_;
    }
    if (next_ == Next::go_on && is_another_motion(end)) {
      end_before_another_motion();
      break;
    }
    if (!record(end) || next_ == Next::stop) break;
    if (t == stepper_->time()) sizes_.note(stepper_->state());
    if (watches) watch_algebra();
    if (t != t_end_ && (worn || jump || bend || over_the_bend() || wants_bdf_ || wants_digits_ ||
                        wants_the_form_again() || wants_algebra_)) {
      change_at_ = t;
      next_ = Next::prepare;
      break;
    }
    if (watches && t == stepper_->time() && t != t_end_ && leap_before_it_is_met()) continue;
    const bool outlasts = outlasts_its_equations();
    // the last step is gone after a projection
    if (!makes_progress() && !((stands_by_its_history() || held_back_by_rounding()) && stepper_->ask_for_less()))
      end_at_failure(StepStatus::too_small, "the steps are so short at " + time_text(stepper_->time()) + " that " +
                                                time_text(t_end_) + " is out of reach");
    if (next_ == Next::go_on && watch_->projection && method_ != Method::bdf) project();
    if (next_ == Next::go_on && !changes_.empty()) keep_variations_small();
    if (next_ == Next::stop) break;
    if (t == t_end_) next_ = Next::stop;
    if (next_ == Next::go_on && jumps_in_time(t)) {
      change_at_ = t;
      next_ = Next::prepare;
    } else if (next_ == Next::go_on && outlasts) {
      change_at_ = t;
      next_ = Next::prepare;
      wants_for_the_rest_ = true;
    }
    if (++since_question >= steps_between_questions) {
      since_question = 0;
      ask_whether_to_go_on(t);
    }
  }
  add_counts();
  summary_.integration_seconds += seconds_since(start);
}

// Is there nothing to be looked for in a step of these equations by series, but what comes with the count of steps?
bool Run::is_quiet() const {
  const MotionWatches& watch = *watch_;
  const bool watched = !watch.regularity.empty() || watch.fold || watch.jumps || watch.narrow || watch.projection ||
                       !watch.events.empty() || may_jump_ || !jumps_in_time_.empty();
  const bool form_may_fail = !lost_digits_ && (options_.form || !prepared_->equations.form().global);
  const bool others = left_ || near_a_set_ || over_a_bend_ || at_a_bend_ || options_.through_singular;
  return method_ == Method::taylor && !watched && !form_may_fail && !others && changes_.empty() &&
         !recorder_.wants_steps();
}

// The last step, where there is no sample in it and no count of steps asks for more.
bool Run::passes_quietly(std::size_t& since_question) {
  const double t = stepper_->time();
  if (t == t_end_ || t == stepper_->previous_time() || recording_.due(t)) return false;
  if (since_question + 1 >= steps_between_questions || static_cast<double>(steps_taken_ + 1) >= look_at_pace_)
    return false;
  if (has_forces_ && !stiff_ && steps_seen_ + 1 >= next_look_) return false;
  if ((witness_ && witness_->wants_next()) || progress_.asks_next()) return false;
  if (witness_) witness_->pass();
  progress_.pass();
  ++since_question, ++steps_taken_, ++steps_seen_;
  stood_ = 0;
  reached_ = t;
  sizes_.note(stepper_->state());
  return true;
}

// If so, the step is taken again, as far as the flank of that place.
bool Run::passed_a_narrow_place() {
  const auto flank = watch_->narrow ? watch_->narrow->flank(*stepper_) : std::nullopt;
  if (!flank) return false;
  stops_.add(*flank);
  const double t = stepper_->previous_time();
  stepper_->interpolate(t, y_);
  start_stepper(t);
  watch_->narrow->start(t, y_);
  return true;
}

Run::Met Run::met_in_step(const LastStep& step, std::optional<double> worn) {
  RegularityWatch& regularity = watch_->regularity;
  // a set that is told by the way to it may be ahead, and beyond the end of the motion
  const auto find = [&]() -> std::optional<double> {
    const auto set = regularity.find(PartOfStep(step, worn.value_or(step.time()), part_end_));
    return set && direction_ * *set > direction_ * t_end_ ? std::nullopt : set;
  };
  const auto singular = find();
  const bool rests = singular && rests_at(*singular);
  if (rests || (singular && bends_at(*singular))) {
    if (rests || method_ == Method::taylor) return {std::nullopt, std::nullopt, singular};
    // other methods step over it
    regularity.let_roots_vanish(true);
    const auto other = find();
    regularity.let_roots_vanish(false);
    return {worn, other, std::nullopt};
  }
  if (!singular || worn || !may_choose_) return {worn, singular, std::nullopt};
  // met again by better equations, where there are some
  if (const auto earlier = regularity.worn_before(step, *singular)) return {earlier, std::nullopt, std::nullopt};
  return {std::nullopt, singular, std::nullopt};
}

// What there is to see up to `end` within the last step.
bool Run::record(double end) {
  try {
    if (!watch_->events.empty()) end = record_events(end);
    if (!recording_.samples(*view_, end)) {
      interrupt();
      reached_ = recording_.stopped_at();
      return false;
    }
    if (recorder_.wants_steps()) recorder_.step(stepper_->previous_time(), end, dense_);
    reached_ = end;
  } catch (const Error& error) {
    // the state is there, but not what belongs to it
    if (error.code() == ErrorCode::cannot_write) throw;
    end_at_state(error);
    reached_ = record_up_to(summary_.singular_at ? end : view_->asked());
  }
  return true;
}

// Events of the last step that come before `end`; returns the time of one that stops the motion, or `end`.
double Run::record_events(double end) {
  // what lies beyond a jump is found when it has been crossed
  const double looked_until = jumps_.empty() ? stepper_->time() : end;
  for (const Crossing& crossing : watch_->events.find(PartOfStep(*stepper_, looked_until, part_end_))) {
    if (direction_ * crossing.t > direction_ * end) break;
    if (record_event(*view_, crossing)) return crossing.t;
  }
  return end;
}

// With the samples before it. True where the motion ends there.
bool Run::record_event(MotionView& view, const Crossing& crossing) {
  if (!recording_.samples(view, crossing.t)) return true;
  recording_.event(view, crossing);
  if (!system_->events[crossing.event].stop) return false;
  summary_.status = MotionStatus::event;
  summary_.stopping_event = crossing.event;
  summary_.diagnosis.reset();
  summary_.singular_at.reset();
  next_ = Next::stop;
  return true;
}

void Run::add_counts() {
  const StepCounts& counts = stepper_->counts();
  summary_.steps += counts.steps;
  summary_.rejected += counts.rejected;
  summary_.rhs_evaluations += counts.rhs_evaluations;
  if (stepper_->loosened() > loosened_.to) loosened_ = {stepper_->loosened(), method_};
}

void Run::ask_whether_to_go_on(double t) {
  if (!options_.keep_going) may_end_here(steps_between_questions * units_of_a_step);
  if (options_.keep_going && !options_.keep_going(t)) interrupt();
}

void Run::interrupt() {
  summary_.status = MotionStatus::interrupted;
  next_ = Next::stop;
}

// In which the state changes as a whole, by its last step.
double Run::time_scale() {
  for (const double value : stepper_->state()) largest_state_ = std::max(largest_state_, std::abs(value));
  stepper_->interpolate(stepper_->previous_time(), y_);
  double change = 0;
  for (std::size_t i = 0; i < y_.size(); ++i) change = std::max(change, std::abs(stepper_->state()[i] - y_[i]));
  return std::max(largest_state_, size_at_start_) * std::abs(stepper_->time() - stepper_->previous_time()) / change;
}

bool Run::makes_progress() {
  constexpr std::size_t most = 64;  // steps that time does not tell: they grow by factors where they may
  stood_ = stepper_->time() == stepper_->previous_time() ? stood_ + 1 : 0;
  return stood_ < most && progress_.made(
                              stepper_->time(), [&] { return watch_->regularity.zero_ahead(); },
                              [&] {
                                const double whole = std::abs(t_end_ - start_.t);
                                // fmin: a state that does not change at all has no scale
                                return positions_stand() ? whole : std::fmin(whole, time_scale());
                              });
}

// Since it was asked last: steps so short that rounding leaves nothing of what they add to positions change velocities all the same.
bool Run::positions_stand() {
  const std::span<const double> here = stepper_->state().first(system_->size());
  const bool stand = std::ranges::equal(here, positions_asked_about_);
  positions_asked_about_.assign(here.begin(), here.end());
  return stand;
}

// What multistep methods keep of steps before is rounded with each step, and after a fresh start their order does not rise where the tolerance asks for more
// digits than that leaves. So near to a singular set that its time can be told they need not go on.
bool Run::stands_by_its_history() const {
  const RegularityWatch& regularity = watch_->regularity;
  return (method_ == Method::adams || method_ == Method::bdf) &&
         !(regularity.in_the_neighbourhood() && regularity.nearness() < accuracy::worth_enclosing(options_.tolerance));
}

// Is what rounding of the state makes of the rates more than the tolerance lets a step of this length have? So it is beside the pole of an angle: the
// sine of an angle that is π but for 10⁻⁷ has lost half of its digits.
bool Run::held_back_by_rounding() {
  if (!field_) field_ = new_field();
  const std::span<const double> y = stepper_->state();
  const double t = stepper_->time(), h = std::abs(t - stepper_->previous_time());
  std::vector<double> here(y.size()), there(y.size()), beside(y.begin(), y.end());
  for (std::size_t i = 0; i < y.size(); ++i) beside[i] *= 1 + (i % 2 == 0 ? 1 : -1) * accuracy::rounding;
  if (!have_rates(t, y, here) || !have_rates(t, beside, there)) return false;
  const double largest = largest_magnitude(y);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double size = std::max(std::abs(y[i]), accuracy::least_part * largest);
    if (std::abs(here[i] - there[i]) * h > accuracy::noticed_of_tolerance * options_.tolerance * size) return true;
  }
  return false;
}

// Where the residual has passed the tolerance: back to the constraints, and the energy that takes is written down.
void Run::project() {
  try {
    const double t = stepper_->time();
    ManifoldProjection& projection = *watch_->projection;
    const double residual = projection.relative_residual(t, stepper_->state());
    if (!watch_->off_constraints(residual, options_.tolerance)) {
      if (watch_->regularity.close_to_zero()) project_close_to_a_set(t);
      return;
    }
    std::copy(stepper_->state().begin(), stepper_->state().end(), y_.begin());
    const double before = view_->at(t, y_, false).E;
    if (!projection.project(t, y_)) {
      if (!(residual <= accuracy::gross_error(options_.tolerance))) end_off_the_constraints();
      return;
    }
    const double change = view_->at(t, y_, false).E - before;
    account(change);
    stepper_->start(t, y_, t_end_);
  } catch (const Error& error) {
    end_at_state(error);
  }
}

// Near a set where the constraints lose rank what is off them grows like one over the distance, while their terms and with these the residual become
// small. A state that is put back by little beside what is left of the way has not been carried across.
void Run::project_close_to_a_set(double t) {
  ManifoldProjection& projection = *watch_->projection;
  const double allowed = accuracy::drift_off_small_terms(options_.tolerance);
  if (!projection.is_off_present_terms(t, stepper_->state(), allowed)) return;
  std::copy(stepper_->state().begin(), stepper_->state().end(), y_.begin());
  const double before = view_->at(t, y_, false).E;
  if (!projection.project_where_terms_are_small(t, y_) || !watch_->regularity.is_as_near(t, y_)) return;
  account(view_->at(t, y_, false).E - before);
  stepper_->start(t, y_, t_end_);
}

void Run::remember_variations(const MotionPoint& here) {
  changes_.assign(here.variations.begin(), here.variations.end());
}

void Run::keep_variations_small() {
  std::copy(stepper_->state().begin(), stepper_->state().end(), y_.begin());
  if (prepared_->equations.shrink_variations(y_)) stepper_->start(stepper_->time(), y_, t_end_);
}

void Run::account(double energy) {
  ++summary_.projections;
  summary_.projection_energy += energy;
  summary_.projection_energy_absolute += std::abs(energy);
}

void Run::note_last() {
  const MotionPoint& last = view_->at(reached_, false);
  recording_.note(last, view_->work());
  summary_.last = view_->state();
  if (!prepared_->equations.form().lambda.empty())
    summary_.lambda.assign(last.multipliers.begin(), last.multipliers.end());
  summary_.variations.clear();
  for (std::size_t k = 0; k < options_.variations.size(); ++k) {
    const std::size_t n = system_->size();
    const auto q = last.variations.begin() + static_cast<std::ptrdiff_t>(2 * n * k);
    const auto v = q + static_cast<std::ptrdiff_t>(n);
    summary_.variations.push_back({options_.variations[k], {q, v}, {v, v + static_cast<std::ptrdiff_t>(n)}});
  }
  if (summary_.stopping_event) vary_event(*summary_.stopping_event);
}

// The energy off its balance, beside what the energies of its parts are made of: those of a long fall are many times their sum.
bool Run::drift_is_noticeable() {
  const double allowed = accuracy::noticeable_drift(options_.tolerance);
  const double size = std::max({1.0, std::abs(summary_.E_start), std::abs(summary_.E_end)});
  if (!(summary_.energy_drift > size * allowed)) return false;
  try {
    return summary_.energy_drift >
           accuracy::adds_up_to(options_.tolerance) * energy_of_the_state(stepper_->time(), summary_.E_end);
  } catch (const Error&) {
    return true;
  }
}

void Run::finish() {
  try {
    try {
      note_last();
    } catch (const Error&) {
      reached_ = record_up_to(reached_);
      note_last();
    }
  } catch (const Error&) {
    summary_.last = recording_.last_seen();
  }
  if (method_ != Method::bdf && (stepper_->stiff() || stiff_))
    say("the steps were held down by stability, not by accuracy: the equations are stiff here; `--method bdf` is made "
        "for that");
  if (by_series_from_ && summary_.status != MotionStatus::singular)
    say("near " + time_text(*by_series_from_) + " " + to_string(summary_.method) +
        " does not get on: from there the motion is followed by taylor");
  if (accuracy::is_coarser(loosened_.to, options_.tolerance)) {
    char text[200];
    std::snprintf(
        text, sizeof text,
        "rounding errors of the equations do not let %s hold the tolerance all the way: it was loosened to %.0e",
        to_string(loosened_.by).c_str(), loosened_.to);
    say(text);
  }
  if (summary_.status == MotionStatus::finished && drift_is_noticeable()) {
    char text[160];
    std::snprintf(text, sizeof text,
                  "the energy is off by %.2g from its balance: do not trust the end of this motion; try a smaller "
                  "tolerance or another method",
                  summary_.energy_drift);
    say(text);
  }
  const MotionEquations& equations = prepared_->equations;
  if (const auto note = note_on_reactions(equations.system(), equations.form().rows.size(),
                                          equations.dalembert_lagrange() ? "" : equations.form().form.name()))
    say(*note);
  for (Note& note : notes_) summary_.notes.push_back(std::move(note.text));
  for (const std::string& text : equations.form().notes) summary_.notes.push_back(text);
}

}  // namespace cetaev
