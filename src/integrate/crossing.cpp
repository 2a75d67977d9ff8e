// Where the state crosses a set at which the equations jump: on with those of the other side, if there are such.
#include <algorithm>
#include <cmath>

#include "accuracy.hpp"
#include "cetaev/constraint/initial_variation.hpp"
#include "run.hpp"
#include "sides.hpp"
#include "time_text.hpp"

namespace cetaev {

std::span<double> Run::sides() { return std::span(parameters_).last(prepared_->jumps.size()); }

// Does the motion lead from the state in y_, where u vanishes, to the side of the jump that is in use? By u' there, or, where that vanishes, too,
// by the value that u has a little later.
bool Run::leads_to_its_side(std::size_t jump, double t) {
  const std::size_t count = prepared_->jumps.size();
  std::vector<double> values(2 * count);
  MotionInputs inputs(prepared_->equations, parameters_);
  Interpreter across(prepared_->across_jumps);
  if (across(inputs.at(t, y_), values) >= 0) return false;
  const double side = sides()[jump], rate = values[count + jump];
  if (rate != 0) return direction_ * side * rate > 0;
  const std::unique_ptr<Field> field = prepared_->code->field(parameters_);
  std::vector<double> rates(y_.size()), later(y_.size()), rates_later(y_.size());
  if (field->rates(t, y_.data(), rates.data()) >= 0) return false;
  const double size = std::max(largest_magnitude(y_), size_at_start_), speed = largest_magnitude(rates);
  double span = std::abs(t_end_ - t);
  if (size > 0 && speed > 0) span = std::min(span, size / speed);
  const double h = direction_ * accuracy::a_little_later * span;
  for (std::size_t i = 0; i < y_.size(); ++i) later[i] = y_[i] + h * rates[i];
  if (field->rates(t + h, later.data(), rates_later.data()) >= 0) return false;
  for (std::size_t i = 0; i < y_.size(); ++i) later[i] = y_[i] + h * (rates[i] + rates_later[i]) / 2;
  return across(inputs.at(t + h, later), values) < 0 && side * values[jump] > 0;
}

// Those of the state in y_. On the set itself the one to which it leads.
void Run::take_sides(double t) {
  if (prepared_->jumps.empty()) return;
  MotionInputs inputs(prepared_->equations, parameters_);
  Interpreter(prepared_->at_jumps)(inputs.at(t, y_), sides());
  std::vector<std::size_t> between;
  for (std::size_t i = 0; i < sides().size(); ++i) {
    if (!(sides()[i] != 0)) between.push_back(i);
    sides()[i] = std::copysign(1.0, sides()[i]);
  }
  for (const std::size_t i : between) {
    const bool there = leads_to_its_side(i, t);
    sides()[i] *= -1;
    const bool here = leads_to_its_side(i, t);
    if (there) sides()[i] *= -1;
    // neither, and it stays there; both, and nothing says which
    starts_on_a_jump_ = starts_on_a_jump_ || here == there;
  }
}

// The first time within the last step at which the equations jump; in `jumps_` which of them.
std::optional<double> Run::next_jump() {
  jumps_.clear();
  if (!watch_->jumps) return std::nullopt;
  const std::vector<Crossing>& found = watch_->jumps->find(*stepper_);
  if (found.empty()) return std::nullopt;
  const double first = found.front().t;
  for (const Crossing& crossing : found) {
    if (std::abs(crossing.t - first) <= accuracy::told_apart(std::abs(first))) jumps_.push_back(crossing.event);
  }
  return first;
}

// Positions and velocities are those that the motion has come with, and satisfy the constraints there.
bool Run::goes_on_beyond(double t, double leap) {
  const auto [t_before, q, v] = view_->state();
  view_->set_parameters(parameters_);
  const MotionPoint& beyond = view_->at(t, y_, false);
  double size = 1, apart = beyond.residual;
  for (std::size_t i = 0; i < v.size(); ++i) {
    size = std::max({size, std::abs(q[i]), std::abs(v[i])});
    apart = std::max(apart, std::abs(beyond.v[i] - v[i]));
  }
  const double gross = accuracy::gross_error(options_.tolerance);
  if (apart > gross * size + leap) return false;
  // velocities that belong to the state satisfy the constraints on positions differentiated, too
  if (!prepared_->projection) return true;
  ManifoldProjection projection(*prepared_->projection, parameters_);
  if (watch_->projection) projection.has_been(*watch_->projection);
  return projection.residual_beside_all(t, y_) <= gross;
}

// Where the Lagrangian jumps with the place, or momenta with anything, it takes an impact to get beyond: forces are derivatives and show nothing of it.
bool Run::takes_an_impact(double t, std::span<const double> parameters_before, double t_beyond, bool at_a_place) {
  const Program& program = prepared_->lagrangian_and_momenta;
  if (program.output_count() == 0) return false;
  std::vector<double> before(program.output_count()), beyond(before.size());
  Interpreter run(program);
  if (run(MotionInputs(prepared_->equations, parameters_before).at(t, y_), before) >= 0) return true;
  if (run(MotionInputs(prepared_->equations, parameters_).at(t_beyond, y_), beyond) >= 0) return true;
  const double gross = accuracy::gross_error(options_.tolerance);
  const auto differ = [&](std::size_t first, std::size_t last, double size) {
    for (std::size_t i = first; i < last; ++i) size = std::max({size, std::abs(before[i]), std::abs(beyond[i])});
    for (std::size_t i = first; i < last; ++i)
      if (std::abs(beyond[i] - before[i]) > gross * size) return true;
    return false;
  };
  return differ(1, before.size(), 0) || (at_a_place && differ(0, 1, std::abs(view_->at(t, y_, false).E)));
}

bool Run::depends_on_the_state(Expr u) const {
  std::vector<Expr> of = system_->motion.q;
  of.insert(of.end(), system_->motion.v.begin(), system_->motion.v.end());
  const std::lock_guard lock(system_->context->mutex());
  return depends_on(u, of);
}

std::string Run::place_of_jump(std::size_t jump) const {
  const MotionEquations& equations = prepared_->equations;
  const std::lock_guard lock(system_->context->mutex());
  return to_string(without_sides(equations.system(), equations.jumps(), equations.jumps()[jump]));
}

void Run::cross() {
  const double t = change_at_;
  const std::vector<std::size_t> crossed = std::move(jumps_);
  jumps_.clear();
  const bool at_once = std::abs(t - last_jump_) <= accuracy::told_apart(std::abs(t));
  jumps_at_once_ = at_once ? jumps_at_once_ + 1 : 0;
  last_jump_ = t;
  stepper_->interpolate(t, y_);
  const std::vector<double> before = parameters_;
  const auto end_here = [&] {
    parameters_ = before;
    view_->set_parameters(before);
  };
  try {
    const double E = view_->at(t, y_, false).E;
    for (const std::size_t i : crossed) sides()[i] *= -1;
    if (!goes_on_beyond(t)) {
      end_here();
      end_where_constraints_jump(t);
      return;
    }
    const bool at_a_place = std::any_of(crossed.begin(), crossed.end(), [&](std::size_t i) {
      return depends_on_the_state(prepared_->equations.jumps()[i]);
    });
    if (takes_an_impact(t, before, t, at_a_place)) {
      const std::string where = place_of_jump(crossed.front());
      end_here();
      end_as_singular(t,
                      Error(ErrorCode::non_finite, "the Lagrangian jumps where " + where +
                                                       " vanishes: beyond it leads an impact, which the equations of "
                                                       "motion do not give"));
      return;
    }
    recording_.energy_jumps(view_->at(t, y_, false).E - E);
    const auto leads_back = [&](std::size_t i) { return !leads_to_its_side(i, t); };
    const auto back = std::find_if(crossed.begin(), crossed.end(), leads_back);
    if (back != crossed.end() || jumps_at_once_ > 2 * prepared_->jumps.size()) {
      const std::string where = place_of_jump(back != crossed.end() ? *back : crossed.front());
      end_here();
      end_as_singular(t,
                      Error(ErrorCode::non_finite, "the equations of motion jump where " + where +
                                                       " vanishes, and lead back to it from both sides: they give no "
                                                       "accelerations for a motion that stays there"));
      return;
    }
  } catch (const Error& error) {
    end_here();
    end_at_state(error);
    return;
  }
  if (!changes_.empty()) vary_across_jump(t, crossed.front(), before);
  set_out_again(t);
}

// Do rates have a value as the time comes to t from another one, and no pole? At the state in y_; into `here`.
bool Run::rates_come_to_values(double t, double from, std::vector<double>& here) {
  if (!field_) field_ = new_field();
  std::vector<double> there(y_.size());
  here.resize(y_.size());
  if (field_->rates(t, y_.data(), here.data()) >= 0 || field_->rates(from, y_.data(), there.data()) >= 0) return false;
  if (!all_finite(here) || !all_finite(there)) return false;
  const double size = std::max(largest_magnitude(here), largest_magnitude(there));
  for (std::size_t i = 0; i < here.size(); ++i)
    if (std::abs(here[i] - there[i]) > accuracy::comes_to_a_value * size) return false;
  return true;
}

// How a jump at a time depends on what varies: by differences, as it is searched again.
double Run::shift_of_jump(std::size_t direction, double t) {
  const std::vector<Parameter>& own = system_->parameters;
  std::vector<double> changes(own.size());
  {
    const std::lock_guard lock(system_->context->mutex());
    std::vector<Expr> symbols;
    for (const auto& parameter : own) symbols.push_back(parameter.symbol);
    const Program program(parameter_changes(system_, options_.variations[direction]), symbols);
    Interpreter run(program);
    run(parameters_, changes);
  }
  const auto most = static_cast<std::size_t>(
      std::ranges::max_element(changes, {}, [](double x) { return std::abs(x); }) - changes.begin());
  if (changes.empty() || changes[most] == 0) return 0;
  const double size = parameters_[most] != 0 ? std::abs(parameters_[most]) : 1;
  const double h = accuracy::a_third_of_the_digits * size / std::abs(changes[most]);
  const auto at = [&](double by) -> std::optional<double> {
    std::vector<double> others = parameters_;
    for (std::size_t i = 0; i < others.size(); ++i) others[i] += by * changes[i];
    std::optional<double> nearest;
    for (const TimeTerms::Jump& jump :
         prepared_->time_terms.stops(others, start_.t, t_end_, options_.tolerance).jumps) {
      const double there = jump.middle();
      if (!nearest || std::abs(there - t) < std::abs(*nearest - t)) nearest = there;
    }
    return nearest;
  };
  const auto later = at(h), earlier = at(-h);
  return later && earlier ? (*later - *earlier) / (2 * h) : 0;
}

// Does what depends on time alone jump next to the state of the stepper? At a pole the motion ends.
bool Run::jumps_in_time(double t) {
  const auto passed = [&] { return direction_ * jumps_in_time_.back().before < direction_ * t; };
  while (!jumps_in_time_.empty() && passed()) jumps_in_time_.pop_back();
  if (jumps_in_time_.empty()) return false;
  if (jumps_in_time_.back().pole && t == jumps_in_time_.back().far && ends_at_a_pole(t)) return false;
  if (jumps_in_time_.back().pole && t == jumps_in_time_.back().near && adds_up_over_a_pole(t)) {
    at_a_jump_in_time_ = true;
    return true;
  }
  if (jumps_in_time_.back().before != t) return false;
  const double beyond = jumps_in_time_.back().beyond, aside = accuracy::half_the_digits * (t_end_ - start_.t);
  if (beyond == t_end_) return false;
  take_state(t);
  std::vector<double> here(y_.size()), there(y_.size());
  if (jumps_in_time_.back().cusp) {
    if (!field_) field_ = new_field();
    at_a_jump_in_time_ = have_rates(t, y_, here) && have_rates(beyond, y_, there);
  } else {
    at_a_jump_in_time_ = (t == start_.t || rates_come_to_values(t, t - aside, here)) &&
                         rates_come_to_values(beyond, beyond + aside, there);
  }
  if (!at_a_jump_in_time_) {
    // methods that remember their steps go over a pole without seeing it
    if (const auto why = lost_divisor(t)) end_as_singular(t, *why);
    return false;
  }
  // somewhere in between, where times are hardly told apart; what the energy changes by is counted by itself
  leap_.assign(y_.size(), 0.0);
  for (std::size_t i = 0; i < moved_variables(); ++i) leap_[i] = (beyond - t) * (here[i] + there[i]) / 2;
  vary_leap(t + (beyond - t) / 2, here, there);
  return true;
}

// Those of the motion, without its variations and its work.
std::size_t Run::moved_variables() const {
  const VariationalSystem* const variational = prepared_->equations.variational();
  return variational != nullptr ? variational->size() : prepared_->equations.form().state.size();
}

void Run::vary_leap(double t, std::span<const double> here, std::span<const double> there) {
  const VariationalSystem* const variational = prepared_->equations.variational();
  if (variational == nullptr) return;
  const std::size_t moved = moved_variables();
  for (std::size_t k = 0; k < variational->directions(); ++k) {
    const std::size_t first = variational->first(k);
    const double later = y_[first + moved] * shift_of_jump(k, t);
    for (std::size_t i = 0; i < moved; ++i) leap_[first + i] = (here[i] - there[i]) * later;
  }
}

// Positions and velocities stay as they are, if they may. True where other equations are needed beyond.
bool Run::leap_in_time() {
  const double before = jumps_in_time_.back().before, beyond = jumps_in_time_.back().beyond;
  const bool of_constraints = jumps_in_time_.back().of_constraints;
  at_a_jump_in_time_ = false;
  try {
    const double E = view_->at(before, y_, false).E;
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] += leap_[i];
    if (!goes_on_beyond(beyond, largest_magnitude(std::span(leap_).first(moved_variables())))) {
      end_where_constraints_jump(beyond);
      return false;
    }
    if (takes_an_impact(before, parameters_, beyond, false)) {
      end_as_singular(before, Error(ErrorCode::non_finite,
                                    "the momenta jump at " + time_text(before) +
                                        ": beyond leads an impact, which the equations of motion do not give"));
      return false;
    }
    recording_.energy_jumps(view_->at(beyond, y_, false).E - E);
  } catch (const Error& error) {
    end_at_state(error);
    return false;
  }
  change_at_ = beyond;
  leapt_ = jumps_in_time_.back();
  if (!of_constraints) set_out_again(beyond);
  return of_constraints;
}

// Motions beside this one cross earlier or later by δt = −δu/u', and follow the rates of one side in the place of those of the other for so
// long: s + (f − f beyond) δt.
void Run::vary_across_jump(double t, std::size_t jump, std::span<const double> parameters_before) {
  const VariationalSystem& variational = *prepared_->equations.variational();
  const std::size_t jumps = prepared_->jumps.size();
  MotionInputs inputs(prepared_->equations, parameters_before);
  std::vector<double> changes(prepared_->jumps_varied.output_count()), values(2 * jumps);
  std::vector<double> rates(y_.size()), beyond(y_.size());
  if (Interpreter(prepared_->jumps_varied)(inputs.at(t, y_), changes) >= 0 ||
      Interpreter(prepared_->across_jumps)(inputs.at(t, y_), values) >= 0 ||
      prepared_->code->field(parameters_before)->rates(t, y_.data(), rates.data()) >= 0 ||
      prepared_->code->field(parameters_)->rates(t, y_.data(), beyond.data()) >= 0)
    return;
  for (std::size_t k = 0; k < variational.directions(); ++k) {
    const double later = -changes[k * jumps + jump] / values[jumps + jump];
    for (std::size_t i = 0; i < variational.size(); ++i) y_[variational.first(k) + i] += (rates[i] - beyond[i]) * later;
  }
}

// Motions beside this one reach the event g = 0 later by δt = −δg/g', and are at δq + q' δt and δv + v' δt there.
void Run::vary_event(std::size_t event) {
  if (summary_.variations.empty()) return;
  const VariationalSystem& variational = *prepared_->equations.variational();
  const std::size_t n = system_->size(), events = system_->events.size();
  take_state(reached_);
  MotionInputs inputs(prepared_->equations, parameters_);
  std::vector<double> changes(prepared_->stops_varied.output_count()), values(2 * (events + n));
  if (Interpreter(prepared_->stops_varied)(inputs.at(reached_, y_), changes) >= 0 ||
      Interpreter(prepared_->across_stops)(inputs.at(reached_, y_), values) >= 0)
    return;
  for (std::size_t k = 0; k < summary_.variations.size(); ++k) {
    MotionSummary::Variation& by = summary_.variations[k];
    const double w = y_[variational.first(k) + variational.size()];
    const double later = -changes[k * events + event] / w / values[events + n + event];
    if (!std::isfinite(later)) continue;
    MotionSummary::Variation::AtEvent there{later, by.q, by.v};
    for (std::size_t i = 0; i < n; ++i) {
      there.q[i] += values[events + i] * later;
      there.v[i] += values[events + n + events + i] * later;
    }
    by.at_event = std::move(there);
  }
}

}  // namespace cetaev
