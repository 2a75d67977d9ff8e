// Where a number within the equations is too large for a double, what is divided by it vanishes: sinh u/√(1 + cosh² u) is 0 from u = 355 on,
// where it is 1. Rates are finite then, and wrong. The processor tells of such numbers by a flag, and balls, which know none that are too
// large, tell what the rates are; for 1/(1 + exp u) it is indeed 0.
#include <cfenv>
#include <cmath>

#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/expr/ball.hpp"
#include "inputs.hpp"
#include "run.hpp"

namespace cetaev {

// Series have no finite terms there.
bool Run::rates_are_lost() {
  constexpr long bits = 128;
  constexpr double digits = 1e-6, beside_others = 1e-12;  // of a rate, and of the largest: rounding takes less
  if (method_ == Method::taylor && !over_a_bend_) return false;
  if (std::fetestexcept(FE_OVERFLOW) == 0) return false;
  const std::span<const double> y = stepper_->state();
  std::vector<double> rates(y.size());
  if (!field_) field_ = new_field();
  if (!have_rates(stepper_->time(), y, rates)) return false;  // told by the next step
  std::vector<Ball> inputs, exact;
  MotionInputs values(prepared_->equations, parameters_);
  for (const double value : values.at(stepper_->time(), y)) inputs.push_back(Ball::from_double(value));
  const bool known = run_in_balls(prepared_->equations.rates(), inputs, exact, bits) < 0;
  std::feclearexcept(FE_OVERFLOW);
  if (!known) return false;
  double largest = 0;
  for (const Ball& rate : exact) {
    if (!rate.is_finite()) return false;
    largest = std::max(largest, std::abs(rate.midpoint()));
  }
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double allowed = exact[i].radius() + digits * std::abs(exact[i].midpoint()) + beside_others * largest;
    if (!(std::abs(rates[i] - exact[i].midpoint()) <= allowed)) return true;
  }
  return false;
}

// The step counts for nothing.
void Run::end_before_lost_rates() {
  const double t = stepper_->previous_time();
  stepper_->interpolate(t, y_);
  stepper_->start(t, y_, t_end_);
  end_at_failure(StepStatus::non_finite);
}

}  // namespace cetaev
