#include "cetaev/expr/evaluate.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "cetaev/detail/expr/elementary.hpp"
#include "cetaev/detail/expr/elliptic_orders.hpp"
#include "cetaev/detail/expr/walk.hpp"
#include "cetaev/error.hpp"
#include "elliptic.hpp"
#include "require_value.hpp"

namespace cetaev {

namespace {

double power(double base, const Rational& exponent) {
  if (const auto n = exponent.to_long()) {
    if (*n == 1) return base;
    if (*n == 2) return base * base;
    if (*n == -1) return 1 / base;
    return std::pow(base, static_cast<double>(*n));
  }
  if (exponent == Rational(1, 2)) return std::sqrt(base);
  return std::pow(base, exponent.to_double());
}

double node_value(Expr e, const std::vector<double>& values, const Places& place) {
  const auto value = [&](Expr x) { return values[place[x]]; };
  switch (e.kind()) {
    case Kind::number: return e.number().to_double();
    case Kind::pi: return std::numbers::pi;
    case Kind::symbol: return value(e);
    case Kind::sum: {
      double total = e.constant().to_double();
      for (std::size_t i = 0; i < e.size(); ++i) total += e.coefficient(i).to_double() * value(e.term(i));
      return total;
    }
    case Kind::product: {
      double total = 1;
      for (std::size_t i = 0; i < e.size(); ++i) total *= power(value(e.base(i)), e.exponent(i));
      return total;
    }
    case Kind::power: return std::pow(value(e.operands()[0]), value(e.operands()[1]));
    case Kind::function:
      if (e.operands().size() == 2) return function_value(e.function(), value(e.operands()[0]), value(e.operands()[1]));
      return function_value(e.function(), value(e.operands()[0]));
  }
  return std::nan("");
}

}  // namespace

double function_value(Function f, double x) { return elementary(f, x); }

double function_value(Function f, double x, double y) {
  switch (f) {
    case Function::atan2: return std::atan2(x, y);
    case Function::elliptic_f: return elliptic::first_kind(x, y);
    case Function::elliptic_e: return elliptic::second_kind(x, y);
    case Function::amplitude: return elliptic::jacobi(x, y).am;
    case Function::delta: return elliptic::jacobi(x, y).dn;
    case Function::epsilon: return elliptic::epsilon(x, y);
    default: return parameter_order(f) > 0 ? elliptic::in_balls(f, x, y) : std::nan("");
  }
}

void require_value(bool known, Expr symbol) {
  if (!known) throw Error(ErrorCode::unknown_name, "no value given for " + std::string(symbol.name()));
}

std::vector<double> evaluate(std::span<const Expr> roots, std::span<const Value> given) {
  const std::vector<Expr> order = topological(roots);
  const Places place(order);
  std::vector<double> values(order.size());
  std::vector<bool> known(order.size());
  for (const auto& [symbol, value] : given) {
    const std::uint32_t i = place.find(symbol);
    if (i == Places::nowhere) continue;
    values[i] = value;
    known[i] = true;
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i].is_symbol()) require_value(known[i], order[i]);
    values[i] = node_value(order[i], values, place);
  }
  std::vector<double> results;
  results.reserve(roots.size());
  for (const Expr root : roots) results.push_back(values[place[root]]);
  return results;
}

double evaluate(Expr e, std::span<const Value> values) { return evaluate(std::array{e}, values)[0]; }

}  // namespace cetaev
