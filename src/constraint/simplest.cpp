#include "simplest.hpp"

#include <vector>

#include "cetaev/detail/algebra/normal.hpp"

namespace cetaev {

Expr exponential_of(Expr f) {
  Context& context = f.context();
  const auto is_logarithm = [](Expr e) { return e.kind() == Kind::function && e.function() == Function::log; };
  if (is_logarithm(f)) return f.operands()[0];
  if (f.kind() != Kind::sum) return exp(f);
  Expr product = context.one();
  std::vector<Context::Term> rest;
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (is_logarithm(f.term(i))) {
      product = product * pow(f.term(i).operands()[0], f.coefficient(i));
    } else {
      rest.push_back({f.term(i), f.coefficient(i)});
    }
  }
  return rest.empty() ? product : product * exp(context.linear_combination(Rational(0), rest));
}

namespace {

// Σ cᵢ log gᵢ + rest becomes Π gᵢ^cᵢ exp(rest), with whole cᵢ: defined where the gᵢ are negative, too
Expr without_logarithms(Expr f) {
  Rational common;
  if (f.kind() == Kind::function && f.function() == Function::log) common = Rational(1);
  for (std::size_t i = 0; f.kind() == Kind::sum && i < f.size(); ++i) {
    const Expr term = f.term(i);
    if (term.kind() == Kind::function && term.function() == Function::log) common = gcd(common, f.coefficient(i));
  }
  return common.is_zero() ? f : exponential_of(common.inverse() * f);
}

// Without additive constants, numerical factors and common powers.
Expr without_content(Expr f) {
  Context& context = f.context();
  if (f.kind() == Kind::sum) {
    Rational common;
    for (std::size_t i = 0; i < f.size(); ++i) common = gcd(common, f.coefficient(i));
    if (f.coefficient(0).sign() < 0) common = -common;
    std::vector<Context::Term> terms;
    for (std::size_t i = 0; i < f.size(); ++i) terms.push_back({f.term(i), f.coefficient(i) / common});
    f = context.linear_combination(Rational(0), terms);
  }
  if (f.kind() == Kind::product) {
    Rational common;
    for (std::size_t i = 0; i < f.size(); ++i) common = gcd(common, f.exponent(i));
    if (f.exponent(0).sign() < 0) common = -common;
    std::vector<Context::Term> factors;
    for (std::size_t i = 0; i < f.size(); ++i) factors.push_back({f.base(i), f.exponent(i) / common});
    f = context.power_product(Rational(1), factors);
  }
  return f;
}

}  // namespace

Expr simplest_function_of(Expr f) {
  f = without_logarithms(f);
  const Expr other = normal(f);
  if (written_size(other) < written_size(f)) f = other;
  return without_content(f);
}

}  // namespace cetaev
