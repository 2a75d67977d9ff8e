#include "step_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "accuracy.hpp"

namespace cetaev {

namespace {

// Points in an unusual step of equations that may hide something.
constexpr int closely = 32;

}  // namespace

void StepPolynomial::at(double h, double* y, double* dy) const {
  const double* term = c + order * size * stride;
  for (std::size_t i = 0; i < size; ++i) y[i] = term[i * stride], dy[i] = 0;
  for (unsigned k = order; k-- > 0;) {
    term -= size * stride;
    for (std::size_t i = 0; i < size; ++i) {
      dy[i] = dy[i] * h + y[i];
      y[i] = y[i] * h + term[i * stride];
    }
  }
}

StepCheck::StepCheck(const SeriesProgram& series, double tolerance)
    : hides_(series.may_hide()),
      limit_(accuracy::defect(tolerance)),
      y_(series.state_count()),
      slope_(series.state_count()),
      rates_(series.state_count()) {}

// Zero where the equations themselves cannot be solved, which is another question; infinite where they are not finite.
double StepCheck::defect(double t, double h, double length, const StepPolynomial& polynomial, const double* weight) {
  polynomial.at(h, y_.data(), slope_.data());
  if (field_->rates(t + h, y_.data(), rates_.data()) >= 0) return 0;
  double largest = 0;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    // beside the size of the variable, of which there may be little before the step
    const double size = std::max({1 / weight[i * polynomial.stride], std::abs(y_[i]), std::abs(slope_[i]) * length});
    const double apart = std::abs(rates_[i] - slope_[i]) * length / size;
    if (!std::isfinite(apart)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, apart);
  }
  return largest;
}

// As a part of the length; above 1 where there is none.
double StepCheck::first_failure(double t, double direction, double length, int points, const StepPolynomial& polynomial,
                                const double* weight) {
  constexpr double golden = std::numbers::phi - 1;
  turn_ += golden;
  turn_ -= std::floor(turn_);
  for (int i = 0; i <= points; ++i) {
    const double part = i < points ? (i + turn_) / points : 1;
    const double apart = defect(t, direction * part * length, length, polynomial, weight);
    if (apart <= allowed_) continue;
    // what rounding makes of the rates where the step begins it may make of them anywhere
    allowed_ = std::max(allowed_, accuracy::rounding_elsewhere * defect(t, 0, length, polynomial, weight));
    if (!(apart <= allowed_)) return part;
  }
  return 2;
}

double StepCheck::verified(Field& field, double t, double direction, double length, double usual,
                           const StepPolynomial& polynomial, const double* weight) {
  field_ = &field;
  crossed_ = false;
  const double least = std::max(accuracy::surely_later(std::abs(t)), accuracy::least_of_a_step * length);
  if (length <= least) return length;
  const int points = !hides_ ? 0 : length > accuracy::unusual * usual ? closely : 1;  // before the end
  for (double checked = length; checked > least;) {
    allowed_ = limit_;
    const double failure = first_failure(t, direction, checked, points, polynomial, weight);
    if (failure > 1) return checked;
    checked *= failure / 2;
  }
  // across a jump leads what the rates do in so short a time; a series that leads elsewhere leads nowhere
  polynomial.at(direction * least, y_.data(), slope_.data());
  for (std::size_t i = 0; i < y_.size(); ++i) {
    const double start = polynomial.c[i * polynomial.stride],
                 rate = polynomial.c[(polynomial.size + i) * polynomial.stride];
    if (!(std::abs(y_[i] - start - direction * least * rate) * weight[i * polynomial.stride] <= limit_)) return 0;
  }
  crossed_ = true;
  return least;
}

}  // namespace cetaev
