#include <algorithm>
#include <cmath>

#include "cetaev/detail/program/elimination.hpp"
#include "cetaev/detail/series/coefficients.hpp"
#include "cetaev/detail/series/series.hpp"
#include "cetaev/expr/evaluate.hpp"

namespace cetaev {

// One trajectory in doubles.
struct SeriesInterpreterBackend {
  using Value = double;

  SeriesInterpreter& s;
  const std::size_t stride = s.order_ + 1;
  double* const registers = s.registers_.data();
  double* const rest = s.scratch_.data();
  std::uint32_t rest_size = 0;

  double get(std::uint32_t r, std::int32_t k) const { return registers[r * stride + k]; }
  void set(std::uint32_t r, std::int32_t k, double value) {
    registers[r * stride + k] = value;
    if (k == 0) s.reciprocals_[r] = 1 / value;
  }
  static double zero() { return 0; }
  static double add(double x, double y) { return x + y; }
  static double subtract(double x, double y) { return x - y; }
  static double negate(double x) { return -x; }
  static double multiply(double x, double y) { return x * y; }
  static double divide(double x, double y) { return x / y; }
  static double square_root(double x) { return std::sqrt(x); }
  static double scale(double factor, double x) { return factor * x; }
  static double quotient(double x, std::int32_t k) { return x / k; }
  double dot(std::uint32_t a, std::uint32_t b, std::int32_t k, std::int32_t lo, std::int32_t hi) const {
    const double* const x = registers + a * stride;
    const double* const y = registers + b * stride + k;
    double even = 0, odd = 0;
    std::int32_t j = lo;
    for (; j < hi; j += 2) {
      even += x[j] * y[-j];
      odd += x[j + 1] * y[-j - 1];
    }
    if (j == hi) even += x[j] * y[-j];
    return even + odd;
  }
  double reciprocal(std::uint32_t r) const { return s.reciprocals_[r]; }
  double sign(std::uint32_t r) const { return std::copysign(1.0, get(r, 0)); }
  double start(const SeriesInstruction& i) const {
    const double b = get(i.b, 0);
    if (i.start == Operation::power) return std::pow(b, get(i.c, 0));
    if (i.start == Operation::function_of_two) return function_value(i.function, b, get(i.c, 0));
    return function_value(i.function, b);
  }

  double entry(std::uint32_t r) const { return s.program_->degree(r) < 0 ? 0 : get(r, 0); }

  void factor(std::uint32_t number, const Program::System& system) {
    const std::size_t n = system.size, m = system.right_hand_sides;
    std::vector<double>& inverse = s.inverses_[number];
    double* const matrix = s.scratch_.data();
    for (std::size_t i = 0; i < n * n; ++i) {
      matrix[i] = entry(system.matrix[i]);
      inverse[i] = i % (n + 1) == 0 ? 1 : 0;
    }
    if (eliminate(n, n, matrix, inverse.data()) == 0 && s.singular_ < 0) s.singular_ = static_cast<int>(number);
    // x = M⁻¹F, once more for what is left of F
    for (std::size_t side = 0; side < m; ++side) {
      const auto unknown = [&](std::size_t i) { return static_cast<std::uint32_t>(system.solution + i * m + side); };
      if (s.program_->degree(unknown(0)) < 0) continue;
      for (std::size_t i = 0; i < n; ++i) rest[i] = entry(system.right[i * m + side]);
      for (std::size_t i = 0; i < n; ++i) set(unknown(i), 0, row(inverse.data() + i * n, n));
      for (std::size_t i = 0; i < n; ++i) {
        double r = entry(system.right[i * m + side]);
        for (std::size_t j = 0; j < n; ++j) r -= entry(system.matrix[i * n + j]) * get(unknown(j), 0);
        rest[i] = r;
      }
      for (std::size_t i = 0; i < n; ++i) {
        set(unknown(i), 0, get(unknown(i), 0) + row(inverse.data() + i * n, n));
      }
    }
  }
  double row(const double* inverse, std::size_t n) const {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += inverse[j] * rest[j];
    return sum;
  }
  void begin_rest(std::uint32_t size) { rest_size = size; }
  void set_rest(std::uint32_t i, std::optional<double> value) { rest[i] = value.value_or(0); }
  double times_inverse(std::uint32_t number, const Program::System& system, std::uint32_t i) const {
    return row(s.inverses_[number].data() + std::size_t{i} * system.size, system.size);
  }
};

SeriesInterpreter::SeriesInterpreter(const SeriesProgram& program, unsigned order, std::span<const double> parameters)
    : program_(&program),
      order_(order),
      registers_(program.register_count() * (order + 1)),
      reciprocals_(program.register_count()) {
  const std::vector<double> values = program.static_values(parameters);
  for (std::size_t i = 0; i < values.size(); ++i) {
    registers_[i * (order + 1)] = values[i];
    reciprocals_[i] = 1 / values[i];
  }
  std::size_t largest = 0;
  for (const Program::System& system : program.systems()) {
    largest = std::max<std::size_t>(largest, system.size);
    inverses_.emplace_back(system.size * system.size);
  }
  scratch_.resize(largest * largest + largest);
}

int SeriesInterpreter::operator()(double t, std::span<const double> y, std::span<double> coefficients) {
  const SeriesProgram& p = *program_;
  singular_ = -1;
  SeriesInterpreterBackend backend{*this};
  for (std::size_t i = 0; i < p.state_count(); ++i) backend.set(p.state(i), 0, y[i]);
  backend.set(p.time(), 0, t);
  if (order_ > 0) backend.set(p.time(), 1, 1);
  SeriesCoefficients<SeriesInterpreterBackend> series(p, backend);
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(order_); ++k) {
    series.round(k);
    if (singular_ >= 0) return singular_;
  }
  if (order_ > 0) series.advance_state(static_cast<std::int32_t>(order_));
  double* out = coefficients.data();
  for (unsigned k = 0; k <= order_; ++k) {
    for (std::size_t i = 0; i < p.state_count(); ++i) *out++ = registers_[p.state(i) * (order_ + 1) + k];
  }
  for (unsigned k = 0; k < order_; ++k) {
    for (const std::uint32_t r : p.further()) *out++ = registers_[r * (order_ + 1) + k];
  }
  return -1;
}

}  // namespace cetaev
