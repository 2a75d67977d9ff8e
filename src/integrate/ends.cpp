// Where motions end, and how they may go on beyond.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "accuracy.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "run.hpp"
#include "time_text.hpp"

namespace cetaev {

Error Run::diagnosis() const {
  const std::lock_guard lock(system_->context->mutex());
  return watch_->regularity.diagnosis();
}

void Run::end_at_failure(StepStatus status, const std::string& too_small) {
  const double t = reached_ = stepper_->time();
  if (asks_finer_steps() && !(watch_->regularity.nearly_lost() && watch_->regularity.is_of_rank())) {
    change_at_ = t;
    wants_finer_ = true;
    next_ = Next::prepare;
    return;
  }
  // where terms of a series or of a stage are too large for numbers, linear systems look singular; what is watched is not
  const bool watched = method_ == Method::taylor || prepared_->equations.dalembert_lagrange();
  if (status == StepStatus::singular && watched && !watch_->regularity.nearly_lost() && has_rates(t))
    status = StepStatus::non_finite;
  if (may_bend_here(status) || (watch_->regularity.has_roots() && comes_to_rest(t, stepper_->state()))) {
    at_a_bend_ = true;
    change_at_ = t;
    next_ = Next::prepare;
    return;
  }
  next_ = Next::stop;
  if (const auto end = watch_->regularity.near_end(*stepper_)) {
    if (ends_by_a_series(*end) || leaves_the_method_at(t)) return;
    const Error why = diagnosis();
    if (goes_through(*end)) {
      if (leap_over(*end)) {
        if (stopped_before(*end)) drop_passage();
        return;
      }
      take_back_passage(
          "just beyond the singular set there is no state on the constraints with the same energy: the motion cannot "
          "be carried on");
    }
    end_as_singular(*end, why);
    return;
  }
  const bool by_numbers = status == StepStatus::non_finite || status == StepStatus::singular;
  if (by_numbers && !as_derived_ && !watch_->regularity.nearly_lost() && !has_escaped() && finite_at(t)) {
    wants_as_derived_ = true;
    change_at_ = t;
    next_ = Next::prepare;
    return;
  }
  if (by_numbers && !watch_->regularity.nearly_lost() && !has_escaped() && leaves_the_form_at(t)) return;
  // a quotient 0/0 among the forces makes the linear systems look singular, too
  if (status == StepStatus::singular && !finite_at(t)) status = StepStatus::non_finite;
  if (status == StepStatus::singular) {
    Error why = prepared_->equations.diagnosis(stepper_->singular_system());
    // equations of their own for every choice can take no other
    if (!prepared_->equations.dalembert_lagrange() && watch_->regularity.lost_the_choice())
      why = singular_dependent(system_, prepared_->equations.form().chosen, {});
    // of a set that is approached for ever
    if (watch_->regularity.nearly_lost())
      why = Error(diagnosis().code(),
                  "so near to a singular set that rounding errors hide the accelerations: " + diagnosis().message());
    end_as_singular(t, why);
    return;
  }
  if (const auto why = lost_divisor(t)) {
    end_as_singular(t, *why);
    return;
  }
  // on the set itself
  if (const auto problem = prepared_->equations.dalembert_lagrange() ? problem_at(t) : std::nullopt;
      problem && problem->code() != ErrorCode::non_finite) {
    end_as_singular(t, *problem);
    return;
  }
  summary_.status = MotionStatus::failed;
  const std::string where = " at " + time_text(t);
  if (has_escaped()) {
    summary_.diagnosis = Error(ErrorCode::finite_escape, "the motion leaves every bound" + where);
  } else if (status == StepStatus::non_finite) {
    summary_.diagnosis =
        Error(ErrorCode::non_finite, finite_at(t) ? "numbers within the equations of motion become too large" + where
                                                  : "the equations of motion are not finite" + where);
  } else {
    std::string message = too_small.empty() ? "no step that time can resolve meets the tolerance" + where : too_small;
    if (status == StepStatus::failed) message = std::string(stepper_->message()) + where;
    summary_.diagnosis = Error(ErrorCode::step_too_small, message);
  }
}

std::optional<Error> Run::lost_divisor(double t) {
  const std::lock_guard lock(system_->context->mutex());
  return watch_->regularity.lost_divisor(t, stepper_->state());
}

// Work grows without the motion going anywhere. What is far away after a long time has not escaped: that grows ever faster.
bool Run::has_escaped() {
  const std::size_t count = stepper_->state().size() - (prepared_->equations.has_work() ? 1 : 0);
  const double size = largest_magnitude(stepper_->state().first(count));
  if (!(size > accuracy::escaped * (1 + size_at_start_))) return false;
  if (!field_) field_ = new_field();
  std::vector<double> rates(y_.size());
  if (!have_rates(stepper_->time(), stepper_->state(), rates)) return true;
  return largest_magnitude(std::span(rates).first(count)) * std::abs(stepper_->time() - start_.t) >
         accuracy::ever_faster * size;
}

// Errors grow like one over the distance from the set, in many short steps as in a single long one: what is lost counts from where the
// distance was at most twice of what it is.
bool Run::jumps_in_energy() {
  try {
    const MotionPoint& before = view_->at(stepper_->previous_time(), false);
    const double E = std::abs(before.E), nearness = watch_->regularity.nearness();
    if (!(nearness <= on_the_way_.nearness && nearness > on_the_way_.nearness / 2))
      on_the_way_ = {nearness, recording_.drift(before, view_->work())};
    const MotionPoint& after = view_->at(stepper_->time(), false);
    const double size = std::max({1.0, std::abs(summary_.E_start), E, std::abs(after.E)});
    const double lost = recording_.drift(after, view_->work()) - on_the_way_.drift;
    return lost > accuracy::gross_error(options_.tolerance) * size &&
           lost > accuracy::known_on_the_way(options_.tolerance) * energy_of_the_state(stepper_->time(), after.E);
  } catch (const Error&) {
    return false;  // told where it is recorded
  }
}

// Σ |yᵢ ∂E/∂yᵢ|: what a relative error of the state makes of the energy. Fast particles have more of it than energy.
double Run::energy_of_the_state(double t, double E) {
  constexpr double part = accuracy::half_the_digits;
  std::copy(stepper_->state().begin(), stepper_->state().end(), y_.begin());
  double sum = 0;
  for (double& value : y_) {
    const double kept = value;
    value -= part * value;
    sum += std::abs(view_->at(t, y_, false).E - E) / part;
    value = kept;
  }
  return sum;
}

// A step near a singular set that the equations cannot have made: the motion ends before it, or goes on beyond the set.
void Run::end_at_the_jump() {
  const auto zero = watch_->regularity.zero_ahead();
  reached_ = stepper_->previous_time();
  if (zero && (options_.through_singular ? leaps_from_before(*zero) : ends_by_a_series(*zero))) return;
  end_as_singular(zero.value_or(reached_), diagnosis());
  say("so near to the singular set the energy is lost: the motion ends before it");
}

void Run::end_off_the_constraints() {
  end_at_failure(StepStatus::too_small);
  if (summary_.status == MotionStatus::failed)
    summary_.diagnosis =
        Error(ErrorCode::step_too_small,
              "the motion has left the constraints and cannot be put back on them at " + time_text(stepper_->time()));
}

// By the second witness. Near a singular set it is the energy that is watched, and steps over a bend begin where rates have no derivative.
bool Run::is_another_motion(double end) {
  if (!witness_ || !witness_->wants()) return false;
  if (over_a_bend_ || at_a_bend_ || watch_->regularity.in_the_neighbourhood() || went_through_just_now()) return false;
  return witness_->contradicts(*view_, *stepper_, end);
}

void Run::end_before_another_motion() {
  const double t = reached_ = stepper_->previous_time();
  const std::string form(prepared_->equations.form().form.name());
  summary_.status = MotionStatus::failed;
  summary_.diagnosis = Error(ErrorCode::internal_error,
                             "after " + time_text(t) + " what is followed by " + form +
                                 " is no motion: the velocities change otherwise than by the accelerations " +
                                 (prepared_->own_steps ? "that the principle has there; a smaller tolerance goes on"
                                                       : "of the equations with multipliers; another form or a smaller "
                                                         "tolerance goes on"));
  next_ = Next::stop;
}

bool Run::has_rates(double t) {
  if (!field_) field_ = new_field();
  std::vector<double> rates(y_.size());
  return field_->rates(t, stepper_->state().data(), rates.data()) < 0 && all_finite(rates);
}

// Are the equations numbers at the last state of the stepper, singular or not?
bool Run::finite_at(double t) {
  const auto problem = problem_at(t);
  return !problem || problem->code() != ErrorCode::non_finite;
}

std::optional<Error> Run::problem_at(double t) {
  try {
    view_->at(t, stepper_->state(), false);
    return ask_the_plan().problem_at(view_->state());
  } catch (const Error& error) {
    return error;
  }
}

void Run::end_as_singular(double t, const Error& why) {
  summary_.status = MotionStatus::singular;
  summary_.singular_at = t;
  summary_.diagnosis = why;
  next_ = Next::stop;
}

// Where a state of the last step could not be observed.
void Run::end_at_state(const Error& error) {
  next_ = Next::stop;
  if (summary_.diagnosis) return;
  summary_.status = error.code() == ErrorCode::non_finite ? MotionStatus::failed : MotionStatus::singular;
  if (summary_.status == MotionStatus::singular) summary_.singular_at = view_->asked();
  summary_.diagnosis = error;
}

// The motion did not get through after all.
void Run::drop_passage() {
  const auto last =
      std::find_if(notes_.rbegin(), notes_.rend(), [](const Note& note) { return note.about == Note::About::passage; });
  if (last != notes_.rend()) notes_.erase(std::next(last).base());
}
void Run::take_back_passage(const char* why) {
  drop_passage();
  say(why);
}

// By an event, on the way over a set that is met later.
bool Run::stopped_before(double set) const {
  return summary_.stopping_event && direction_ * reached_ < direction_ * set;
}

// On the singular set itself there may be no multipliers, or no state at all: as near before it as there are. Returns the
// last time that has a state.
double Run::record_up_to(double end) {
  const double begin = stepper_->previous_time();
  const auto last_before = [&](double t, const auto& observe) {
    for (double part = accuracy::rounding; part <= 1; part *= 2) {
      const double before = t - part * (t - begin);
      if (direction_ * before <= direction_ * recording_.last_seen().t) break;
      try {
        observe(before);
        return before;
      } catch (const Error& error) {
        if (error.code() == ErrorCode::cannot_write) throw;
      }
    }
    return recording_.last_seen().t;
  };
  try {
    view_->at(end, false);
  } catch (const Error&) {
    end = last_before(end, [&](double t) { view_->at(t, false); });
  }
  if (recording_.due(end)) last_before(recording_.next_time(), [&](double t) { recording_.sample_at(*view_, t); });
  return end;
}

// Is the motion to be carried on beyond a singular set? Not when it comes back to the set at once.
bool Run::goes_through(double t) {
  if (!options_.through_singular) return false;
  const double span = std::abs(t_end_ - start_.t);
  if (went_through_ && std::abs(t - *went_through_) < accuracy::the_same_set * span) {
    take_back_passage("beyond the singular set the motion returns to it at once: it cannot be carried on");
    return false;
  }
  went_through_ = t;
  note_passage(t, diagnosis());
  return true;
}

void Run::note_passage(double t, const Error& why) {
  notes_.push_back(
      {Note::About::passage, "went through a singular set at " + time_text(t) + ": " + why.message() +
                                 "; the motion beyond it is the smooth continuation, put on the constraints again"});
}

bool Run::went_through_just_now() const {
  return went_through_ && direction_ * *went_through_ >= direction_ * stepper_->previous_time();
}

// At the end of the step, on the constraints: the smooth continuation of a root, say, is on its other branch.
bool Run::lost_energy() {
  try {
    const double t = stepper_->time();
    std::copy(stepper_->state().begin(), stepper_->state().end(), y_.begin());
    if (watch_->projection && !watch_->projection->put_on(t, y_)) return true;
    const MotionPoint& here = view_->at(t, y_, false);
    const double drift = recording_.drift(here, view_->work());
    return !(drift <= accuracy::gross * (1 + std::abs(recording_.E_reference())));
  } catch (const Error&) {
    return true;
  }
}

}  // namespace cetaev
