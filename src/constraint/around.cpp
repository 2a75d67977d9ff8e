#include "cetaev/detail/constraint/around.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/detail/expr/walk.hpp"

namespace cetaev {

namespace {

bool is_of_an_angle(Function f) { return f == Function::sin || f == Function::cos || f == Function::tan; }

}  // namespace

Ball but_for_rounding(double value) {
  const double last_bits = 0x1.0p-50 * std::fabs(value);
  return Ball::between(value - last_bits, value + last_bits);
}

Kinds kinds_of(const System& system) {
  std::vector<Expr> written, pure;
  for (const Constraint& constraint : system->constraints) written.push_back(constraint.expression);
  for (const Expr node : topological(written)) {
    if (node.kind() != Kind::function || !is_of_an_angle(node.function())) continue;
    const Expr inside = node.operands()[0];
    pure.push_back(inside);
    if (inside.kind() == Kind::sum)
      for (std::size_t i = 0; i < inside.size(); ++i) pure.push_back(inside.term(i));
  }
  Kinds kinds;
  for (std::size_t i = 0; i < system->size(); ++i) {
    const std::string_view unit = system->unit_of(system->coordinates[i]);
    kinds.pure.push_back(unit == "rad" || unit == "1" || std::ranges::find(pure, system->motion.q[i]) != pure.end());
  }
  return kinds;
}

std::vector<Ball> around(std::span<const double> x, const Kinds& kinds, double known) {
  const std::vector<double> off = state_errors(x, kinds, known);
  std::vector<Ball> result;
  for (std::size_t i = 0; i < x.size(); ++i) result.push_back(Ball::between(x[i] - off[i], x[i] + off[i]));
  return result;
}

std::vector<Ball> around_state(std::span<const double> inputs, std::size_t n, const Kinds& kinds) {
  std::vector<Ball> result = around(inputs.first(n), kinds);
  for (Ball& v : around(inputs.subspan(n, n), kinds)) result.push_back(std::move(v));
  for (const double value : inputs.subspan(2 * n)) result.push_back(but_for_rounding(value));
  return result;
}

std::vector<double> row_errors(std::span<const Ball> entries, std::size_t columns) {
  return row_errors(entries, std::vector<double>(columns, 1.0));
}

std::vector<double> row_errors(std::span<const Ball> entries, std::span<const double> units) {
  const std::size_t columns = units.size();
  std::vector<double> result(columns == 0 ? 0 : entries.size() / columns);
  for (std::size_t i = 0; i < result.size(); ++i) {
    double size = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      const Ball& entry = entries[i * columns + j];
      size = entry.is_finite() ? std::hypot(size, entry.radius() * units[j]) : HUGE_VAL;
    }
    result[i] = std::isfinite(size) ? size : 0;
  }
  return result;
}

}  // namespace cetaev
