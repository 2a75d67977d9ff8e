// Other equations on the way, or another method: where those in use serve badly the same motion goes on by others.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "accuracy.hpp"
#include "costs.hpp"
#include "run.hpp"
#include "stiffness.hpp"
#include "time_text.hpp"

namespace cetaev {

// Other rows or dependent velocities; the motion does not notice.
void Run::choose_anew() {
  next_ = Next::go_on;
  if (!jumps_.empty()) return cross();
  // also where steps over a bend have failed
  if (wants_as_derived_) return take_as_derived();
  if (at_a_bend_ || over_a_bend_) return pass_bend();
  if (wants_finer_) return take_finer_steps();
  if (wants_bdf_) return change_to_bdf();
  if (wants_digits_) return leave_the_form_for_digits();
  if (wants_series_) return take_series();
  if (wants_algebra_) return take_by_algebra();
  if (std::exchange(wants_for_the_rest_, false)) return take_for_the_rest();
  if (at_a_jump_in_time_) {
    if (!leap_in_time()) return;
  } else {
    take_state(change_at_);
  }
  const double t = change_at_;
  const MotionPoint& here = view_->at(t, y_, false);
  if (!prepared_->equations.form().lambda.empty()) lambda_.assign(here.multipliers.begin(), here.multipliers.end());
  remember_variations(here);
  const State now = view_->state();
  // what has been seen so far decides what is near zero
  const std::unique_ptr<MotionWatches> before = std::move(watch_);
  if (left_ && before->fold->serves() && takes_over_again(now)) {
    left_ = nullptr;
  } else if (left_ || instead_ || before->regularity.given_serve_badly(t, y_)) {
    leave_the_form(now);
  } else if (!near_a_set_ && !prepared_->equations.form().chosen.empty() && before->regularity.close_to_zero()) {
    leave_the_form_near_a_set(now);
  } else {
    choose_others(now, near_a_set_ && (lost_digits_ || !before->regularity.well_away()));
  }
  watch_->inherit(*before);
}

// What a form makes of a state beyond the place where it served badly may be another one, or none: its closed forms are of one branch, and there is no root of less than nothing.
bool Run::takes_over_again(const State& now) {
  try {
    follow(left_, now);
    return true;
  } catch (const Error&) {
    serves_no_more_ = true;
    return false;
  }
}

void Run::choose_others(const State& now, bool still_near) {
  const std::shared_ptr<const PreparedMotion> old = prepared_;
  const bool was_near = std::exchange(near_a_set_, still_near);
  try {
    // near a set the rows of the multipliers serve badly, not they
    const std::shared_ptr<const PreparedMotion> other =
        still_near ? ask_the_plan().prepare_instead({now, false, {}}, sides(), nullptr)
                   : ask_the_plan().prepare({now, false, {}}, sides());
    follow(other, now);
    ++summary_.reselections;
  } catch (const Error&) {
    if (!was_near) {  // none serves the form
      leave_the_form(now);
      return;
    }
    near_a_set_ = was_near;
    may_choose_ = false;  // on with these
    follow(old, now);
  }
}

// All forms of d'Alembert–Lagrange have the same motion: where one serves badly it is followed in multipliers, which need no choice.
void Run::follow_instead(const State& now, const PreparedMotion* of) {
  const std::shared_ptr<const PreparedMotion> made = ask_the_plan().prepare_instead({now, false, {}}, sides(), of);
  if (of != nullptr) instead_ = made;
  follow(made, now);
}

void Run::leave_the_form(const State& now) {
  // the rows that multipliers have chosen may serve badly, too
  const bool others = left_ || !instead_;
  if (!left_) left_ = prepared_;
  if (!others) {
    follow(instead_, now);
    return;
  }
  const std::string served =
      GivenVelocities::of(left_->equations.form())
          ? "where the quasi-velocities of the model serve badly"
          : "where the dependent velocities of " + summary_.form.name() + " serve badly and no others serve it";
  say_once(served + ", the same motion is followed in multipliers");
  follow_instead(now, left_.get());
}

void Run::leave_the_form_near_a_set(const State& now) {
  near_a_set_ = true;
  say_once("near a singular set, where " + summary_.form.name() +
           " divides by what vanishes there, the same motion is followed in multipliers");
  follow_instead(now, nullptr);
}

bool Run::wants_the_form_again() const {
  if (left_) return !serves_no_more_ && watch_->fold->serves();
  return near_a_set_ && !lost_digits_ && may_choose_ && watch_->regularity.well_away();
}

// Looked at less and less often, and where steps have become half as long as ever. A mass matrix whose eigenvalues grow apart takes digits from forms that invert it by
// itself: then steps are held down by what rounding leaves of the rates, and not by the motion. So they are next to a place where formulas of a form are 0/0.
void Run::watch_digits() {
  if (lost_digits_) return;
  const double length = std::abs(stepper_->time() - stepper_->previous_time());
  // what serves everywhere is 0/0 nowhere
  const bool shorter = length < shortest_in_form_ / 2 && stepper_->time() != t_end_ &&
                       !prepared_->equations.form().global && !watch_->regularity.close_to_zero();
  const bool after_many = options_.form && ++steps_in_form_ >= next_look_at_digits_;
  if (after_many) next_look_at_digits_ *= 2;
  const double shortest = shorter ? std::exchange(shortest_in_form_, length) : shortest_in_form_;
  const bool has_become_shorter = shorter && std::isfinite(shortest);
  if (!after_many && !has_become_shorter) return;
  const MotionEquations& equations = prepared_->equations;
  if (!may_choose_ || equations.form().form == Form::multipliers || left_ || near_a_set_) return;
  RoundingErrors errors(equations.rates());
  const std::span<const double> y = stepper_->state();
  const double t = stepper_->time();
  wants_digits_ = !errors.surely_small(y, t, parameters_) && errors(y, t, parameters_) > much_rounding;
}

void Run::leave_the_form_for_digits() {
  wants_digits_ = false;
  lost_digits_ = near_a_set_ = true;
  say_once("where " + summary_.form.name() +
           " loses digits that multipliers keep, the same motion is followed in multipliers");
  go_on_with([&](const State& now) { return ask_the_plan().prepare_instead({now, false, {}}, sides(), nullptr); });
}

// What a form cannot do at a place may be the form's: its formulas may be 0/0 where nothing is singular. Multipliers, which have none of their own, tell from there what is so.
bool Run::leaves_the_form_at(double t) {
  const MotionEquations& equations = prepared_->equations;
  if (!may_choose_ || !equations.dalembert_lagrange() || equations.form().form == Form::multipliers) return false;
  if (left_ || near_a_set_ || over_a_bend_ || at_a_bend_ || equations.has_accelerations()) return false;
  wants_digits_ = true;
  change_at_ = t;
  next_ = Next::prepare;
  return true;
}

// Nor is a set where J loses rank, near which a method gives up, one that the motion meets: bars that pass a dead point by a millionth are too much for methods that
// hold ten digits. Series tell.
bool Run::leaves_the_method_at(double t) {
  if (!watch_->regularity.is_of_rank()) return false;
  if (method_ == Method::taylor || options_.through_singular || over_a_bend_ || at_a_bend_) return false;
  wants_series_ = true;
  change_at_ = t;
  next_ = Next::prepare;
  return true;
}

void Run::take_series() {
  wants_series_ = false;
  const double t = change_at_;
  take_state(t);
  by_series_from_ = t;
  method_ = Method::taylor;
  set_out_again(t);
}

bool Run::asks_finer_steps() const {
  return method_ != Method::taylor && step_tolerance_ > accuracy::coarse_steps && !over_a_bend_ && !at_a_bend_;
}

void Run::take_finer_steps() {
  wants_finer_ = false;
  step_tolerance_ = accuracy::fine_steps;
  const double t = change_at_;
  take_state(t);
  say("from " + time_text(t) +
      " on steps are finer than the tolerance asks for: near a singular set coarse ones go astray");
  set_out_again(t);
}

// Looked at less and less often, as long as nothing is seen. Without forces nothing decays fast.
void Run::watch_stiffness() {
  const bool by_method = method_ == Method::taylor || (method_ == Method::dop853 && plan_.chooses_method());
  if (!has_forces_ || stiff_ || !by_method || ++steps_seen_ < next_look_) return;
  if (!field_) field_ = new_field();
  const double h = stepper_->time() - stepper_->previous_time();
  if (looks_stiff(*field_, stepper_->time(), stepper_->state(), h)) {
    stiff_ = ++stiff_looks_ >= 3;
    next_look_ = steps_seen_ + 20;
    wants_bdf_ = stiff_ && plan_.chooses_method() && bdf_goes_further();
  } else {
    stiff_looks_ = 0;
    next_look_ = 2 * steps_seen_;
  }
}

// Tried for as many steps as it takes to become quick, of which the last ones count: ten times as far for the same work, since bdf holds fewer
// digits.
bool Run::bdf_goes_further() {
  constexpr std::size_t tried = 2000, count = 40;
  const double own_pace = std::abs(stepper_->time() - stepper_->previous_time());
  const Method own = std::exchange(method_, Method::bdf);
  const std::unique_ptr<Stepper> trial = new_stepper();
  method_ = own;
  trial->start(stepper_->time(), stepper_->state(), t_end_);
  const Program& rates = prepared_->equations.rates();
  const double own_cost = cost_of_one_step(own, rates, y_.size(), options_.tolerance, prepared_->equations.steps());
  double from = trial->time();
  for (std::size_t i = 1; i <= tried; ++i) {
    if (trial->step(t_end_) != StepStatus::done) return false;
    if (trial->time() == t_end_) return true;
    if (i % count != 0) continue;
    const double pace = std::abs(trial->time() - from) / count;
    const double evaluations = static_cast<double>(trial->counts().rhs_evaluations) / static_cast<double>(i);
    if (pace / cost_of_bdf(rates, evaluations, y_.size()) > accuracy::further_by_bdf * own_pace / own_cost) return true;
    from = trial->time();
  }
  return false;
}

void Run::change_to_bdf() {
  wants_bdf_ = false;
  const double t = change_at_;
  take_state(t);
  say("the equations are stiff: from " + time_text(t) + " on the motion is followed by bdf, which holds fewer digits");
  method_ = summary_.method = Method::bdf;
  set_out_again(t);
}

// Near a set of the form in use a basis that serves everywhere loses nothing. Where there is none, equations as they were derived may lose digits that
// others keep: looked at as often as half of the way to the set is left behind.
void Run::watch_algebra() {
  const MotionEquations& equations = prepared_->equations;
  if (tried_algebra_ || options_.form || !equations.taken_plain() || !watch_->regularity.close_to_zero()) return;
  // where J loses rank, no basis serves everywhere, and digits are lost by the state: no algebra finds them again
  if (watch_->regularity.rank_falls()) return;
  if (!std::exchange(tried_everywhere_, true) && !equations.serve_everywhere()) {
    wants_algebra_ = Algebra::everywhere;
    return;
  }
  const double nearness = watch_->regularity.nearness();
  if (nearness > looked_as_near_ / 2) return;
  looked_as_near_ = nearness;
  if (rounding_error(equations.rates(), stepper_->state(), stepper_->time(), parameters_) > much_rounding)
    wants_algebra_ = Algebra::all;
}

void Run::take_by_algebra() {
  const Algebra algebra = *std::exchange(wants_algebra_, std::nullopt);
  tried_algebra_ = algebra == Algebra::all;
  go_on_with([&](const State& now) {
    try {
      // near a set there are about as many steps ahead as behind
      Effort effort = algebra;
      effort.steps = static_cast<double>(steps_taken_);
      auto other = ask_the_plan().prepare_anew({now, false, {}}, sides(), effort);
      (void)other->equations.state(now, {});
      return other;
    } catch (const Error&) {
      return prepared_;  // on with these
    }
  });
}

// Equations and code are made with as much work as the steps are worth that the pace of the start lets expect. A motion that has taken twice as
// many, and has as many before it as behind it, is worth more; not one that comes to an end in ever shorter steps.
bool Run::outlasts_its_equations() {
  if (static_cast<double>(++steps_taken_) < look_at_pace_) return false;
  look_at_pace_ = 2 * static_cast<double>(steps_taken_);
  const bool spared = prepared_->code->in_tables() || prepared_->equations.taken_plain();
  // another principle has no choice of dependent velocities, and the rest takes none
  const bool is_held = !may_choose_ && prepared_->equations.dalembert_lagrange();
  const bool others = left_ || instead_ || near_a_set_ || over_a_bend_ || as_derived_ || lost_digits_ || is_held;
  const double pace = std::abs(stepper_->time() - stepper_->previous_time());
  const double behind = std::abs(stepper_->time() - start_.t), before = std::abs(t_end_ - stepper_->time());
  const double at_this_pace = static_cast<double>(steps_taken_) * pace;
  return spared && !others && before > at_this_pace && at_this_pace > accuracy::much_shorter * behind;
}

// The same rows and dependent velocities: others would meet other sets.
void Run::take_for_the_rest() {
  const double t = change_at_;
  const double rest = static_cast<double>(steps_taken_) * std::abs(t_end_ - t) / std::abs(t - start_.t);
  go_on_with([&](const State& now) {
    try {
      Effort effort = Effort::worth(rest);
      if (tried_algebra_) effort.algebra = Algebra::all;
      auto other = ask_the_plan().prepare_anew({now, false, {}}, sides(), effort);
      const FirstOrderSystem &there = other->equations.form(), &here = prepared_->equations.form();
      return there.rows == here.rows && there.chosen == here.chosen ? other : prepared_;
    } catch (const Error&) {
      return prepared_;  // on with these
    }
  });
}

void Run::take_as_derived() {
  wants_as_derived_ = over_a_bend_ = false;
  as_derived_ = true;
  go_on_with([&](const State& now) { return ask_the_plan().prepare_anew({now, false, {}}, sides(), Algebra::none); });
}

template <class Prepare>
void Run::go_on_with(const Prepare& prepare) {
  const double t = change_at_;
  take_state(t);
  const MotionPoint& here = view_->at(t, y_, false);
  if (!prepared_->equations.form().lambda.empty()) lambda_.assign(here.multipliers.begin(), here.multipliers.end());
  remember_variations(here);
  const State now = view_->state();
  const std::unique_ptr<MotionWatches> before = std::move(watch_);
  follow(prepare(now), now);
  watch_->inherit(*before);
}

}  // namespace cetaev
