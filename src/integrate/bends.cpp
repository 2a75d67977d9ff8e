// Where what stands under a root vanishes and the equations go on, as with a drag −|v| v at rest: rates have values there and change no
// faster than the state does, so that the motion is determined. Series end there, dop853 needs none: it takes the one step that begins there.
#include <algorithm>
#include <cmath>

#include "accuracy.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "run.hpp"

namespace cetaev {

// |f(t, y + d) − f(t, y)| beside |d|, in a few directions, for d that are small and for others that are smaller by far: it stays bounded where f
// is Lipschitz-continuous and grows like a power of 1/|d| where it is not. Around the end of its domain f has no value on one side.
bool Run::equations_only_bend(double t, std::span<const double> y) {
  constexpr int directions = 4;
  constexpr double small = 1e-3, smaller = 1e-8;  // beside the state: differences of f keep half of its digits
  constexpr double grows = 2;                     // as (small/smaller)^0.06 does
  if (!field_) field_ = prepared_->code->field(parameters_);
  const std::size_t size = y.size();
  std::vector<double> here(size), there(size), direction(size), near_by(size);
  const auto finite_at = [&](double time, std::span<const double> at, std::vector<double>& rates) {
    return field_->rates(time, at.data(), rates.data()) < 0 && all_finite(rates);
  };
  if (!finite_at(t, y, here)) return false;
  double scale = std::max(size_at_start_, largest_magnitude(y));
  if (scale == 0) scale = 1;
  const double rounding = accuracy::rounding_of_a_row(largest_magnitude(here)) / (smaller * scale);
  Random random(1);
  for (int i = 0; i < directions; ++i) {
    for (double& component : direction) component = random.uniform(-1, 1);
    const auto slope = [&](double length) -> std::optional<double> {
      for (std::size_t j = 0; j < size; ++j) near_by[j] = y[j] + length * scale * direction[j];
      const double later = t + length * (options_.t_end - t);
      if (!finite_at(later, near_by, there) || !finite_at(t, near_by, there)) return std::nullopt;
      double change = 0;
      for (std::size_t j = 0; j < size; ++j) change = std::max(change, std::abs(there[j] - here[j]));
      return change / (length * scale);
    };
    const std::optional<double> wide = slope(small), narrow = slope(smaller);
    if (!wide || !narrow || *narrow > grows * *wide + rounding) return false;
  }
  return true;
}

// Of a zero that the watch has just found.
bool Run::bends_at(double t) {
  if (!watch_->regularity.is_a_root_beside_the_constraints()) return false;
  std::vector<double> y(y_.size());
  stepper_->interpolate(t, y);
  return equations_only_bend(t, y);
}

// After a step of the method taylor that failed: at a root, or where terms of the series are too large for doubles and the equations are not.
bool Run::may_bend_here(StepStatus status) {
  if (method_ != Method::taylor || over_a_bend_ || has_escaped()) return false;
  const bool again = bend_passed_ == stepper_->time();
  if (status != StepStatus::non_finite && (again || !watch_->regularity.has_roots())) return false;
  steps_over_ = again ? 2 * steps_over_ : 1;
  return equations_only_bend(stepper_->time(), stepper_->state());
}

void Run::pass_bend() {
  const double t = change_at_;
  take_state(t);
  over_a_bend_ = std::exchange(at_a_bend_, false);
  if (!over_a_bend_) bend_passed_ = t;
  steps_left_ = steps_over_;
  set_out_again(t);
  watch_->regularity.let_roots_vanish(over_a_bend_);
}

}  // namespace cetaev
