// Where what stands under a root vanishes and the equations go on: rates have values there and change no faster than the state does, as with a
// drag −|v| v at rest, or at least motions that begin near one another stay so, as those that cross the zero of √|x|. Then the motion is
// determined. Series end there, dop853 needs none: it takes the steps that begin there.
#include <algorithm>
#include <cmath>
#include <limits>

#include "accuracy.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "run.hpp"

namespace cetaev {

namespace {

// Steps of dop853 grow by factors from the zero on: so many lead from what time resolves to where there are series, or there are none.
constexpr std::size_t most_steps_over = 256;

}  // namespace

// What small is beside; one where all is zero.
double Run::scale_of(std::span<const double> y) const {
  const double size = std::max(size_at_start_, largest_magnitude(y));
  return size > 0 ? size : 1;
}

// |f(t, y + d) − f(t, y)| beside |d|, in a few directions, for d that are small and for others that are smaller by far: it stays bounded where f
// is Lipschitz-continuous and grows like a power of 1/|d| where it is not. Around the end of its domain f has no value on one side.
bool Run::rates_change_with_the_state(double t, std::span<const double> y) {
  constexpr int directions = 4;
  constexpr double small = 1e-3, smaller = 1e-8;  // beside the state: differences of f keep half of its digits
  constexpr double grows = 2;                     // as (small/smaller)^0.06 does
  const std::size_t size = y.size();
  std::vector<double> here(size), there(size), direction(size), near_by(size);
  const auto finite_at = [&](double time, std::span<const double> at, std::vector<double>& rates) {
    return field_->rates(time, at.data(), rates.data()) < 0 && all_finite(rates);
  };
  if (!finite_at(t, y, here)) return false;
  const double scale = scale_of(y);
  const double rounding = accuracy::rounding_of_a_row(largest_magnitude(here)) / (smaller * scale);
  Random random(1);
  for (int i = 0; i < directions; ++i) {
    for (double& component : direction) component = random.uniform(-1, 1);
    const auto slope = [&](double length) -> std::optional<double> {
      for (std::size_t j = 0; j < size; ++j) near_by[j] = y[j] + length * scale * direction[j];
      const double later = t + length * (t_end_ - t);
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

// Rates beyond come to those here as the distance falls, and of motions that begin nearer by far the distance grows by no other factor: it would
// by one that goes to infinity where several motions begin at one state.
bool Run::motions_stay_together(double t, std::span<const double> y) {
  constexpr int directions = 4;
  constexpr double apart = 1e-6, nearer = 1e-10;  // beside the state: differences keep four digits
  constexpr double followed = 0.1;                // of the time in which the state changes as a whole
  constexpr double continuous = 2;                // rates change by less, from 1e-3 to 1e-8 of that time
  constexpr double grows = 10;  // of apart/nearer = 10⁴, which it is where the end has nothing to do with the beginning
  constexpr int most = 1000;    // steps: a power α > 0 of the distance takes hundreds
  const std::size_t size = y.size();
  std::vector<double> here(size), there(size), beyond(size), from(size), end(size);
  const auto rates = [&](double time, std::span<const double> at, std::vector<double>& into) {
    return field_->rates(time, at.data(), into.data()) < 0 && all_finite(into);
  };
  if (!rates(t, y, here)) return false;
  const double scale = scale_of(y);
  const double speed = largest_magnitude(here);
  if (!(speed > 0)) return false;  // a state of rest, from which others may lead away
  const double span = direction_ * std::min(followed * scale / speed, std::abs(t_end_ - t));
  const auto change = [&](double part) {
    for (std::size_t j = 0; j < size; ++j) beyond[j] = y[j] + part * span * here[j];
    if (!rates(t + part * span, beyond, there)) return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (std::size_t j = 0; j < size; ++j) largest = std::max(largest, std::abs(there[j] - here[j]));
    return largest;
  };
  if (!(continuous * change(1e-8) <= change(1e-3) + accuracy::rounding_of_a_row(speed))) return false;

  const std::unique_ptr<Stepper> stepper = make_dop853(*field_, accuracy::dop853_step(0));
  const auto follow = [&](std::span<const double> start, std::vector<double>& into) {
    stepper->start(t, start, t + span);
    for (int i = 0; i < most && stepper->time() != t + span; ++i) {
      if (stepper->step(t + span) != StepStatus::done) return false;
    }
    std::copy(stepper->state().begin(), stepper->state().end(), into.begin());
    return stepper->time() == t + span;
  };
  if (!follow(y, end)) return false;
  Random random(1);
  std::vector<double> direction(size);
  double widest = 0, narrowest = 0;
  for (int i = 0; i < directions; ++i) {
    for (double& component : direction) component = random.uniform(-1, 1);
    const auto growth = [&](double length) -> std::optional<double> {
      for (std::size_t j = 0; j < size; ++j) from[j] = y[j] + length * scale * direction[j];
      if (!follow(from, beyond)) return std::nullopt;
      double largest = 0;
      for (std::size_t j = 0; j < size; ++j) largest = std::max(largest, std::abs(beyond[j] - end[j]));
      return largest / (length * scale);
    };
    const std::optional<double> wide = growth(apart), narrow = growth(nearer);
    if (!wide || !narrow) return false;
    widest = std::max(widest, *wide);
    narrowest = std::max(narrowest, *narrow);
  }
  return narrowest <= grows * widest;
}

// At the very zero a formula may have no value where what it stands for has one: x log |x| at x = 0. No state is known better than to rounding, and
// those beside it have one.
bool Run::has_rates_beside(double t, std::span<double> y) {
  constexpr int most = 8;
  if (!field_) field_ = prepared_->code->field(parameters_);
  std::vector<double> rates(y.size());
  const auto found = [&] { return field_->rates(t, y.data(), rates.data()) < 0 && all_finite(rates); };
  if (found()) return true;
  const std::vector<double> at(y.begin(), y.end());
  const double scale = scale_of(y);
  Random random(1);
  for (int i = 0; i < most; ++i) {
    for (std::size_t j = 0; j < y.size(); ++j)
      y[j] = at[j] + std::numeric_limits<double>::epsilon() * scale * random.uniform(-1, 1);
    if (found()) return true;
  }
  return false;
}

bool Run::equations_only_bend(double t, std::span<const double> y) {
  std::vector<double> beside(y.begin(), y.end());
  return has_rates_beside(t, beside) && (rates_change_with_the_state(t, beside) || motions_stay_together(t, beside));
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
  steps_over_ = again ? 2 * steps_over_ : 1;
  if (status != StepStatus::non_finite && steps_over_ > most_steps_over) return false;
  return equations_only_bend(stepper_->time(), stepper_->state());
}

// A series from the very zero is worth nothing, and so is the step that was taken by it.
bool Run::began_at_a_bend() {
  if (method_ != Method::taylor || over_a_bend_ || bend_passed_ == stepper_->previous_time()) return false;
  const double t = stepper_->previous_time();
  stepper_->interpolate(t, y_);
  if (!equations_only_bend(t, y_)) return false;
  jumps_.clear();
  steps_over_ = 1;
  at_a_bend_ = true;
  change_at_ = t;
  next_ = Next::prepare;
  return true;
}

void Run::pass_bend() {
  const double t = change_at_;
  take_state(t);
  (void)has_rates_beside(t, y_);
  over_a_bend_ = std::exchange(at_a_bend_, false);
  if (!over_a_bend_) bend_passed_ = t;
  steps_left_ = steps_over_;
  set_out_again(t);
  watch_->regularity.let_roots_vanish(over_a_bend_);
}

}  // namespace cetaev
