#include "cetaev/expr/expr.hpp"

#include <array>
#include <string>

#include "cetaev/detail/expr/elliptic_orders.hpp"
#include "context.hpp"

namespace cetaev {

namespace {

constexpr std::array<std::string_view, function_count> plain_names = {
    "sin",   "cos",   "tan", "asin", "acos", "atan",      "atan2",     "sinh", "cosh", "tanh",           "asinh",
    "acosh", "atanh", "exp", "log",  "abs",  "ellipticF", "ellipticE", "am",   "dn",   "ellipticEpsilon"};

// am_m, am_mm, …
std::array<std::string, all_function_count> all_names() {
  std::array<std::string, all_function_count> names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto f = static_cast<Function>(i);
    names[i] = plain_names[static_cast<std::size_t>(without_parameter_order(f))];
    if (const unsigned order = parameter_order(f); order > 0) names[i] += "_" + std::string(order, 'm');
  }
  return names;
}

}  // namespace

std::string_view name_of(Function function) {
  static const std::array<std::string, all_function_count> names = all_names();
  return names[static_cast<std::size_t>(function)];
}

Expr operator+(Expr a, Expr b) {
  const std::array<Expr, 2> terms = {a, b};
  return a.context().sum(terms);
}

Expr operator-(Expr a, Expr b) {
  const std::array<Context::Term, 2> terms = {{{a, 1}, {b, -1}}};
  return a.context().linear_combination(0, terms);
}

Expr operator*(Expr a, Expr b) {
  const std::array<Expr, 2> factors = {a, b};
  return a.context().product(factors);
}

Expr operator/(Expr a, Expr b) {
  const std::array<Context::Term, 2> factors = {{{a, 1}, {b, -1}}};
  return a.context().power_product(1, factors);
}

Expr operator-(Expr a) { return Rational(-1) * a; }

Expr operator+(Expr a, const Rational& b) {
  const std::array<Context::Term, 1> terms = {{{a, 1}}};
  return a.context().linear_combination(b, terms);
}

Expr operator-(Expr a, const Rational& b) { return a + (-b); }

Expr operator*(const Rational& a, Expr b) {
  const std::array<Context::Term, 1> terms = {{{b, a}}};
  return b.context().linear_combination(0, terms);
}

Expr pow(Expr base, Expr exponent) { return base.context().power(base, exponent); }
Expr pow(Expr base, const Rational& exponent) { return base.context().power(base, exponent); }
Expr sqrt(Expr a) { return pow(a, Rational(1, 2)); }

Expr apply(Function function, Expr a) {
  const std::array<Expr, 1> arguments = {a};
  return a.context().function(function, arguments);
}

Expr apply(Function function, Expr a, Expr b) {
  const std::array<Expr, 2> arguments = {a, b};
  return a.context().function(function, arguments);
}

Expr sin(Expr a) { return apply(Function::sin, a); }
Expr cos(Expr a) { return apply(Function::cos, a); }
Expr tan(Expr a) { return apply(Function::tan, a); }
Expr exp(Expr a) { return apply(Function::exp, a); }
Expr log(Expr a) { return apply(Function::log, a); }
Expr abs(Expr a) { return apply(Function::abs, a); }

Expr atan2(Expr y, Expr x) { return apply(Function::atan2, y, x); }

}  // namespace cetaev
