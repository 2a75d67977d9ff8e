#include "cetaev/detail/algebra/certain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/expr/elliptic_orders.hpp"
#include "cetaev/error.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "field.hpp"
#include "lowest_terms.hpp"
#include "real_zeros.hpp"

namespace cetaev {

namespace {

// r + s π
struct Bound {
  Rational r, s;
  bool strict = false;  // never attained

  int sign() const {
    if (s.is_zero() || r.sign() == s.sign()) return r.sign();
    if (r.is_zero()) return s.sign();
    // closer to each other than doubles tell, nothing is certain
    const double value = r.to_double() + s.to_double() * std::numbers::pi;
    return value > 1e-12 * std::abs(r.to_double()) ? 1 : -1;
  }
};

// What k e is not below, by how e is written.
std::optional<Bound> lower_bound(Expr e, const Rational& k) {
  const int side = k.sign();
  const auto above = [&](const Rational& low, bool strict) {
    return side > 0 ? std::optional<Bound>({k * low, {}, strict}) : std::nullopt;
  };
  if (e.kind() == Kind::pi) return Bound{{}, k, false};
  if (e.kind() == Kind::function) {
    switch (e.function()) {
      case Function::tanh: return Bound{-k.abs(), {}, true};
      case Function::atan: return Bound{{}, -(k.abs() / Rational(2)), true};
      case Function::sin:
      case Function::cos: return Bound{-k.abs(), {}, false};
      case Function::exp: return above(Rational(0), true);
      case Function::cosh: return above(Rational(1), false);
      default: break;
    }
  }
  return e.is_nonnegative() ? above(Rational(0), false) : std::nullopt;
}

// side · e > 0, by how e is written.
bool is_certain(Expr e, int side) {
  if (e.is_number()) return e.number().sign() == side;
  Bound sum;
  const auto add = [&](Expr term, const Rational& k) {
    const std::optional<Bound> own = lower_bound(term, Rational(side) * k);
    if (own) sum = {sum.r + own->r, sum.s + own->s, sum.strict || own->strict};
    return own.has_value();
  };
  if (e.kind() != Kind::sum) return add(e, Rational(1)) && (sum.sign() > 0 || (sum.sign() == 0 && sum.strict));
  sum.r = Rational(side) * e.constant();
  for (std::size_t i = 0; i < e.size(); ++i)
    if (!add(e.term(i), e.coefficient(i))) return false;
  return sum.sign() > 0 || (sum.sign() == 0 && sum.strict);
}

// c·t with a number c is t.
Expr bare(Expr e) { return e.kind() == Kind::sum && e.size() == 1 && e.constant().is_zero() ? e.term(0) : e; }

// When its symbols may be anything.
bool enclosure_excludes_zero(Expr e) {
  std::vector<BallValue> anywhere;
  for (const Expr symbol : free_symbols(e)) anywhere.emplace_back(symbol, Ball::anything());
  const Ball value = evaluate_ball(e, anywhere, Ball::working_bits);
  return value.is_finite() && !value.contains_zero();
}

// What is zero exactly where a function is.
std::optional<Expr> zero_with(Expr e) {
  if (e.kind() != Kind::function) return std::nullopt;
  const Expr u = e.operands()[0];
  switch (e.function()) {
    case Function::log: return u - e.context().one();
    case Function::abs:
    case Function::sinh:
    case Function::asinh:
    case Function::tanh:
    case Function::atanh:
    case Function::atan:
    case Function::asin: return u;
    default: return std::nullopt;
  }
}

// Functions take some of their values only, which makes zeros fewer, not more.
bool polynomial_excludes_zero(Expr e) {
  try {
    algebra::Budget budget(algebra::zero_test_units);
    algebra::Field field(std::array{e}, budget);
    return algebra::has_no_real_zero(algebra::lowest_terms(field(e)).numerator);
  } catch (const algebra::Exhausted&) {
    return false;
  } catch (const algebra::ZeroDenominator&) {
    return false;
  }
}

}  // namespace

int certain_sign(Expr e) { return is_certain(e, 1) ? 1 : is_certain(e, -1) ? -1 : 0; }

bool never_zero(Expr e) {
  const Expr whole = bare(e);
  if (whole.kind() == Kind::product) {
    for (std::size_t i = 0; i < whole.size(); ++i)
      if (whole.exponent(i).sign() > 0 && !never_zero(whole.base(i))) return false;
    return true;
  }
  if (certain_sign(whole) != 0 || enclosure_excludes_zero(whole)) return true;
  if (const std::optional<Expr> argument = zero_with(whole)) return never_zero(*argument);
  return whole.kind() == Kind::sum && polynomial_excludes_zero(whole);
}

namespace {

bool base_allows(Expr base, const Rational& exponent) {
  if (exponent.is_integer()) return exponent.sign() >= 0 || never_zero(base);
  return certain_sign(base) > 0 || (exponent.sign() > 0 && base.is_nonnegative());
}

// Where its arguments are defined.
bool function_is_defined(Expr e) {
  switch (e.function()) {
    case Function::sin:
    case Function::cos:
    case Function::atan:
    case Function::sinh:
    case Function::cosh:
    case Function::tanh:
    case Function::asinh:
    case Function::exp:
    case Function::abs:
    case Function::amplitude:
    case Function::delta:
    case Function::epsilon: return true;
    case Function::log: return certain_sign(e.operands()[0]) > 0;
    default: return parameter_order(e.function()) > 0 && without_parameter_order(e.function()) >= Function::amplitude;
  }
}

}  // namespace

bool defined_for_all(Expr e, std::span<const Expr> symbols) {
  return std::ranges::all_of(topological(std::array{e}), [&](Expr part) {
    if (!depends_on(part, symbols)) return true;
    if (part.kind() == Kind::function) return function_is_defined(part);
    if (part.kind() == Kind::power) return certain_sign(part.operands()[0]) > 0;
    if (part.kind() != Kind::product) return true;
    for (std::size_t i = 0; i < part.size(); ++i)
      if (!base_allows(part.base(i), part.exponent(i))) return false;
    return true;
  });
}

namespace {

constexpr double largest_to_factor = 400;  // nodes

// The product of the factors without the symbols, where all others are never zero.
std::optional<Expr> rest_of_product(Expr product, std::span<const Expr> symbols) {
  Expr rest = product.context().one();
  for (std::size_t i = 0; i < product.size(); ++i) {
    if (!depends_on(product.base(i), symbols)) {
      rest = rest * pow(product.base(i), product.exponent(i));
    } else if (product.exponent(i).sign() > 0 && !never_zero(product.base(i))) {
      return std::nullopt;
    }
  }
  return rest;
}

// Factors that are never zero have one sign: at one place e has one sign whatever the symbols are. A cheap reason not to look for factors.
bool changes_sign(Expr e, std::span<const Expr> symbols) {
  constexpr std::array sizes = {1.0, -1.0, 0.1, -0.1, 30.0, -30.0};
  int sign = 0;
  for (std::size_t trial = 0; trial < sizes.size(); ++trial) {
    std::vector<Value> at;
    double next = 0.37;
    for (const Expr symbol : free_symbols(e)) {
      next = std::fmod(next + 0.618033988749895, 1.0);
      const bool one = std::ranges::find(symbols, symbol) != symbols.end();
      // each on either side of zero, not all on the same
      at.emplace_back(
          symbol, one ? sizes[trial] * (std::fmod(next + 0.41 * static_cast<double>(trial), 1.0) - 0.4) : 0.3 + next);
    }
    const double value = evaluate(e, at);
    if (!std::isfinite(value) || value == 0) continue;
    if (sign != 0 && (value > 0) != (sign > 0)) return true;
    sign = value > 0 ? 1 : -1;
  }
  return false;
}

}  // namespace

std::optional<Expr> zeros_without(Expr e, std::span<const Expr> symbols) {
  const Expr whole = bare(e);
  std::optional<Expr> rest;
  if (whole.kind() == Kind::product) rest = rest_of_product(whole, symbols);
  if (!rest && changes_sign(whole, symbols)) return std::nullopt;
  if (!rest && written_size(whole) <= largest_to_factor) {
    const std::optional<Quotient> fraction = quotient(whole, Shape::factored);
    const Expr numerator = fraction ? bare(fraction->numerator) : whole;
    if (numerator.kind() == Kind::product) rest = rest_of_product(numerator, symbols);
    // what is divided by stays, where it belongs to the rest
    if (rest && !depends_on(fraction->denominator, symbols)) rest = *rest / fraction->denominator;
  }
  return rest && !rest->is_number() && defined_for_all(e, symbols) ? rest : std::nullopt;
}

}  // namespace cetaev
