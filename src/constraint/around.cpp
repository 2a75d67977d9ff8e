#include "cetaev/detail/constraint/around.hpp"

#include <cmath>

namespace cetaev {

Ball but_for_rounding(double value) {
  const double last_bits = 0x1.0p-50 * std::fabs(value);
  return Ball::between(value - last_bits, value + last_bits);
}

std::vector<Ball> around(std::span<const double> x, double known) {
  const double off = state_error(x, known);
  std::vector<Ball> result;
  for (const double value : x) result.push_back(Ball::between(value - off, value + off));
  return result;
}

std::vector<Ball> around_state(std::span<const double> inputs, std::size_t n) {
  std::vector<Ball> result = around(inputs.first(n));
  for (Ball& v : around(inputs.subspan(n, n))) result.push_back(std::move(v));
  for (const double value : inputs.subspan(2 * n)) result.push_back(but_for_rounding(value));
  return result;
}

std::vector<double> row_errors(std::span<const Ball> entries, std::size_t columns) {
  std::vector<double> result(columns == 0 ? 0 : entries.size() / columns);
  for (std::size_t i = 0; i < result.size(); ++i) {
    double size = 0;
    for (const Ball& entry : entries.subspan(i * columns, columns))
      size = entry.is_finite() ? std::hypot(size, entry.radius()) : HUGE_VAL;
    result[i] = std::isfinite(size) ? size : 0;
  }
  return result;
}

}  // namespace cetaev
