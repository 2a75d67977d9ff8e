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

// What small is beside: one for a motion that begins at zero, as for its steps.
double Run::scale_of(std::span<const double> y) const {
  return std::max(size_at_start_ > 0 ? size_at_start_ : 1, largest_magnitude(y));
}

// |f(t, y + d) − f(t, y)| beside |d|, in a few directions, for d that are small and for others that are smaller by far: it stays bounded where f
// is Lipschitz-continuous and grows like a power of 1/|d| where it is not. Around the end of its domain f has no value on one side.
bool Run::rates_change_with_the_state(double t, std::span<const double> y) {
  constexpr int directions = 4;
  constexpr double small = accuracy::near_by, smaller = accuracy::half_the_digits;
  const std::size_t size = y.size();
  std::vector<double> here(size), there(size), direction(size), near_by(size);
  if (!have_rates(t, y, here)) return false;
  const double scale = scale_of(y);
  const auto change_to = [&](double time) -> std::optional<double> {
    if (!have_rates(time, near_by, there)) return std::nullopt;
    double change = 0;
    for (std::size_t j = 0; j < size; ++j) change = std::max(change, std::abs(there[j] - here[j]));
    return change;
  };
  Random random(1);
  std::vector<std::pair<double, double>> slopes;  // wide and narrow
  double rounded = 0, most = 0;  // by what rounding of the state changes rates, and by what a little more does
  for (int i = 0; i < 2 * directions; ++i) {
    // there and back
    if (i % 2 == 0)
      for (double& component : direction) component = random.uniform(-1, 1);
    const double sign = i % 2 == 0 ? 1 : -1;
    const auto change = [&](double length) -> std::optional<double> {
      for (std::size_t j = 0; j < size; ++j) near_by[j] = y[j] + sign * length * scale * direction[j];
      if (!change_to(t + length * (t_end_ - t))) return std::nullopt;
      return change_to(t);
    };
    const std::optional<double> wide = change(small), narrow = change(smaller);
    if (!wide || !narrow) return false;
    slopes.emplace_back(*wide / (small * scale), *narrow / (smaller * scale));
    most = std::max(most, *narrow);
    for (std::size_t j = 0; j < size; ++j)
      near_by[j] = y[j] + sign * direction[j] * accuracy::told_apart(std::abs(y[j]));
    rounded = std::max(rounded, change_to(t).value_or(0));
  }
  // at the foot of a wall that is stiff enough to show it
  if (rounded > accuracy::foot_of_a_wall * most) rounded = 0;
  const double rounding = (accuracy::rounding_of_a_row(largest_magnitude(here)) + rounded) / (smaller * scale);
  return std::all_of(slopes.begin(), slopes.end(),
                     [&](const auto& slope) { return slope.second <= accuracy::slope_grows * slope.first + rounding; });
}

// Rates come to those here as the distance falls, along the motion and beside it.
bool Run::rates_are_continuous(double t, std::span<const double> y, double span) {
  constexpr double small = accuracy::near_by, falls = accuracy::slope_grows;
  constexpr int directions = 4;
  const std::size_t size = y.size();
  std::vector<double> here(size), there(size), beyond(size), direction(size);
  if (!have_rates(t, y, here)) return false;
  const double scale = scale_of(y);
  const auto change = [&](double later) {
    if (!have_rates(later, beyond, there)) return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (std::size_t j = 0; j < size; ++j) largest = std::max(largest, std::abs(there[j] - here[j]));
    return largest;
  };
  const auto ahead = [&](double part) {
    for (std::size_t j = 0; j < size; ++j) beyond[j] = y[j] + part * span * here[j];
    return change(t + part * span);
  };
  const auto beside = [&](double part) {
    for (std::size_t j = 0; j < size; ++j) beyond[j] = y[j] + part * scale * direction[j];
    return change(t);
  };
  const double rounding = accuracy::rounding_of_a_row(largest_magnitude(here));
  if (!(falls * ahead(accuracy::half_the_digits) <= ahead(small) + rounding)) return false;
  if (largest_magnitude(here) > 0) return true;
  Random random(1);
  for (int i = 0; i < directions; ++i) {
    for (double& component : direction) component = random.uniform(-1, 1);
    if (!(falls * beside(accuracy::beside_nothing) <= beside(small))) return false;
  }
  return true;
}

// Of motions that begin nearer by far the distance grows by no other factor: it would by one that goes to infinity where several motions begin at
// one state. Around a state of rest in which others swing, as at the bottom of |x|^p with 1 < p < 2, it grows like the power p/2 of what it begins
// with, and stays small.
bool Run::motions_stay_together(double t, std::span<const double> y) {
  constexpr int directions = 4;
  constexpr int most = 1000;  // steps: a power α > 0 of the distance takes hundreds
  using accuracy::apart, accuracy::less_apart, accuracy::no_swing;
  const std::size_t size = y.size();
  std::vector<double> here(size), from(size);
  if (!have_rates(t, y, here)) return false;
  const double scale = scale_of(y), speed = largest_magnitude(here);
  const double whole = std::abs(t_end_ - t);
  const double span = direction_ * (speed > 0 ? std::min(accuracy::followed * scale / speed, whole) : whole);
  if (!rates_are_continuous(t, y, span)) return false;

  const std::unique_ptr<Stepper> stepper = make_dop853(*field_, accuracy::dop853_step(0)),
                                 other = make_dop853(*field_, accuracy::dop853_step(0));
  // By how much it parts from the motion from y, at most; until then, or as long as it takes to be gone, or as steps suffice.
  struct Way {
    double distance, until;
  };
  const auto follow = [&](double until) -> std::optional<Way> {
    Way way{0, t};
    stepper->start(t, from, until);
    other->start(t, y, until);
    for (int i = 0; i < most && way.until != until && way.distance <= no_swing * scale; ++i) {
      if (stepper->step(until) != StepStatus::done) return std::nullopt;
      way.until = stepper->time();
      for (int j = 0; other->time() != way.until; ++j)
        if (j == most || other->step(way.until) != StepStatus::done) return std::nullopt;
      for (std::size_t j = 0; j < size; ++j)
        way.distance = std::max(way.distance, std::abs(stepper->state()[j] - other->state()[j]));
    }
    return way;
  };
  Random random(1);
  std::vector<double> direction(size);
  double widest = 0, narrowest = 0;
  for (int i = 0; i < directions; ++i) {
    for (double& component : direction) component = random.uniform(-1, 1);
    const auto begin_beside = [&](double length) {
      for (std::size_t j = 0; j < size; ++j) from[j] = y[j] + length * scale * direction[j];
    };
    begin_beside(apart);
    const auto wide = follow(t + span);
    if (!wide) return false;
    begin_beside(less_apart);
    const auto narrow = follow(wide->until);
    if (!narrow) return false;
    widest = std::max(widest, wide->distance / (apart * scale));
    narrowest = std::max(narrowest, narrow->distance / (less_apart * scale));
  }
  return narrowest <= (widest * apart <= no_swing ? accuracy::swings_together : accuracy::together) * widest;
}

namespace {

// At the very zero a formula may have no value where what it stands for has one: x log |x| at x = 0. There it is the mean of those on both sides,
// as near as numbers allow.
class FieldAtZeros final : public Field {
 public:
  explicit FieldAtZeros(std::unique_ptr<Field> field)
      : field_(std::move(field)), beside_(field_->size()), other_(field_->size()), direction_(field_->size()) {
    Random random(1);
    for (double& component : direction_) component = random.uniform(0.5, 1);
  }
  std::size_t size() const override { return field_->size(); }
  int rates(double t, const double* y, double* dy) override {
    const std::span<double> here(dy, size());
    if (const int singular = field_->rates(t, y, dy); singular < 0 && all_finite(here)) return singular;
    move(y, 1);
    if (const int singular = field_->rates(t, beside_.data(), dy); singular >= 0) return singular;
    move(y, -1);
    if (const int singular = field_->rates(t, beside_.data(), other_.data()); singular >= 0) return singular;
    for (std::size_t i = 0; i < here.size(); ++i) here[i] = here[i] / 2 + other_[i] / 2;
    return -1;
  }
  int jacobian(double t, const double* y, double* entries) override { return field_->jacobian(t, y, entries); }

 private:
  void move(const double* y, double side) {
    for (std::size_t i = 0; i < size(); ++i)
      beside_[i] = y[i] + side * direction_[i] * (accuracy::told_apart(std::abs(y[i])) + accuracy::beside_zero);
  }

  std::unique_ptr<Field> field_;
  std::vector<double> beside_, other_, direction_;
};

}  // namespace

std::unique_ptr<Field> Run::new_field() const {
  std::unique_ptr<Field> field = prepared_->code->field(parameters_);
  if (!at_zeros_) return field;
  return std::make_unique<FieldAtZeros>(std::move(field));
}

bool Run::have_rates(double t, std::span<const double> y, std::vector<double>& into) {
  return field_->rates(t, y.data(), into.data()) < 0 && all_finite(into);
}

bool Run::formulas_have_values() {
  std::vector<double> rates(y_.size());
  return prepared_->code->field(parameters_)->rates(stepper_->time(), stepper_->state().data(), rates.data()) < 0 &&
         all_finite(rates);
}

// From now on with those at zeros, where it takes these.
bool Run::has_rates_here(double t, std::span<const double> y) {
  if (!field_) field_ = new_field();
  std::vector<double> rates(y.size());
  if (have_rates(t, y, rates)) return true;
  if (at_zeros_) return false;
  at_zeros_ = true;
  std::unique_ptr<Field> before = std::exchange(field_, new_field());
  if (have_rates(t, y, rates)) {
    // the stepper may hold the one before
    replaced_.push_back(std::move(before));
    return true;
  }
  at_zeros_ = false;
  field_ = std::move(before);
  return false;
}

bool Run::equations_only_bend(double t, std::span<const double> y) {
  return has_rates_here(t, y) && (rates_change_with_the_state(t, y) || motions_stay_together(t, y));
}

// Friction like −v/√|v| brings a motion to rest in a finite time, and there it stays: variables that have fallen to nothing, and whose rates vanish
// with them, more slowly than they do. From there on they are zero; steps would have them go to and fro about it.
bool Run::comes_to_rest(double t, std::span<const double> y) {
  constexpr double nearer = accuracy::half_the_digits;  // than what has fallen to nothing
  const std::size_t size = prepared_->equations.form().state.size();
  const double nothing = accuracy::known_on_the_way(options_.tolerance) * scale_of(y);
  std::vector<double> rates(y.size());
  if (!has_rates_here(t, y) || !have_rates(t, y, rates)) return false;
  std::vector<std::size_t> fallen;
  for (std::size_t i = 0; i < size; ++i)
    if (y[i] != 0 && std::abs(y[i]) <= nothing && direction_ * y[i] * rates[i] < 0) fallen.push_back(i);
  if (fallen.empty()) return false;
  // beside the state of rest, by a part of what has fallen
  const auto rates_beside = [&](double part) {
    rest_.assign(y.begin(), y.end());
    for (const std::size_t i : fallen) rest_[i] = part * std::copysign(nothing, y[i]);
    return have_rates(t, rest_, rates);
  };
  std::vector<double> far_away(size);
  if (!rates_beside(1)) return false;
  for (const std::size_t i : fallen) far_away[i] = rates[i];
  if (!rates_beside(nearer)) return false;
  for (const std::size_t i : fallen)
    if (!(direction_ * rates[i] * y[i] < 0) ||
        !(std::abs(rates[i]) > accuracy::comes_to_rest * nearer * std::abs(far_away[i])))
      return false;
  rest_.assign(y.begin(), y.end());
  for (const std::size_t i : fallen) rest_[i] = 0;
  if (!has_rates_here(t, rest_) || !have_rates(t, rest_, rates)) return false;
  return std::all_of(fallen.begin(), fallen.end(), [&](std::size_t i) { return rates[i] == 0; });
}

// Of a zero that the watch has just found.
bool Run::rests_at(double t) {
  if (!watch_->regularity.is_a_root_beside_the_constraints()) return false;
  std::vector<double> y(y_.size());
  stepper_->interpolate(t, y);
  return comes_to_rest(t, y);
}
bool Run::bends_at(double t) {
  if (!watch_->regularity.is_a_root_beside_the_constraints()) return false;
  std::vector<double> y(y_.size());
  stepper_->interpolate(t, y);
  const bool rests = !at_rest_.empty() && std::ranges::all_of(at_rest_, [&](std::size_t i) { return y[i] == 0; });
  return rests || equations_only_bend(t, y);
}

// After a step of the method taylor that failed: at a root, or where terms of the series are too large for doubles and the equations are not.
bool Run::may_bend_here(StepStatus status) {
  if (method_ != Method::taylor || over_a_bend_ || has_escaped()) return false;
  const bool again = bend_passed_ == stepper_->time();
  steps_over_ = again ? 2 * steps_over_ : 1;
  if (status != StepStatus::non_finite && steps_over_ > most_steps_over) return false;
  // along a set on which formulas are 0/0
  if (again && at_zeros_ && !formulas_have_values()) return true;
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
  const bool here = std::exchange(at_a_bend_, false);
  if (here && comes_to_rest(t, y_)) {
    at_rest_.clear();
    for (std::size_t i = 0; i < y_.size(); ++i)
      if (y_[i] != rest_[i]) at_rest_.push_back(i);
    y_ = rest_;
  }
  over_a_bend_ = here && method_ == Method::taylor;
  if (!over_a_bend_) bend_passed_ = t;
  steps_left_ = steps_over_;
  set_out_again(t);
  watch_->regularity.let_roots_vanish(over_a_bend_);
}

}  // namespace cetaev
