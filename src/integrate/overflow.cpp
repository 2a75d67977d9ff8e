// Where a number within the equations is too large for a double, what is divided by it vanishes: sinh u/√(1 + cosh² u) is 0 from u = 355 on,
// where it is 1. Rates are finite then, and wrong. The processor tells of such numbers by a flag, and balls, which know none that are too
// large, tell what the rates are; for 1/(1 + exp u) it is indeed 0.
#include <cfenv>
#include <cmath>

#include "accuracy.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/expr/ball.hpp"
#include "inputs.hpp"
#include "run.hpp"

namespace cetaev {

// Of a state that has rates in doubles: are these others than in balls?
bool Run::rates_are_others(double t, std::span<const double> y) {
  constexpr long bits = 128;
  std::vector<double> rates(y.size());
  if (!field_) field_ = new_field();
  if (!have_rates(t, y, rates)) return false;
  std::vector<Ball> inputs, exact;
  MotionInputs values(prepared_->equations, parameters_);
  for (const double value : values.at(t, y)) inputs.push_back(Ball::from_double(value));
  if (run_in_balls(prepared_->equations.rates(), inputs, exact, bits) >= 0) return false;
  double largest = 0;
  for (const Ball& rate : exact) {
    if (!rate.is_finite()) return false;
    largest = std::max(largest, std::abs(rate.midpoint()));
  }
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double allowed = exact[i].radius() + accuracy::lost_rate * std::abs(exact[i].midpoint()) +
                           accuracy::lost_beside_others * largest;
    if (!(std::abs(rates[i] - exact[i].midpoint()) <= allowed)) return true;
  }
  return false;
}

// In a step that was taken. Series have no finite terms there.
bool Run::rates_are_lost() {
  if (method_ == Method::taylor && !over_a_bend_) return false;
  if (std::fetestexcept(FE_OVERFLOW) == 0) return false;
  const bool lost = rates_are_others(stepper_->time(), stepper_->state());
  std::feclearexcept(FE_OVERFLOW);
  return lost;
}

// Or in numbers that are too small: 10⁻²⁰⁰ x'' = −10⁻²⁰⁰ x has no force where x is 10⁻¹⁵⁰.
void Run::require_rates_in_doubles() {
  std::feclearexcept(FE_OVERFLOW | FE_UNDERFLOW);
  if (!has_rates_here(start_.t, y_) || std::fetestexcept(FE_OVERFLOW | FE_UNDERFLOW) == 0) return;
  if (rates_are_others(start_.t, y_))
    throw Error(ErrorCode::non_finite,
                "numbers within the equations of motion are too large or too small for doubles at the state to begin "
                "with: write the model in other units");
}

// The step counts for nothing.
void Run::end_before_lost_rates() {
  const double t = stepper_->previous_time();
  stepper_->interpolate(t, y_);
  stepper_->start(t, y_, t_end_);
  end_at_failure(StepStatus::non_finite);
}

}  // namespace cetaev
