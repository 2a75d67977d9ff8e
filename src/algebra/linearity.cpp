#include <vector>

#include "cetaev/algebra/degree.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/error.hpp"
#include "cetaev/expr/derivative.hpp"
#include "sample.hpp"

namespace cetaev {

namespace {

// Does a derivative keep its value when the symbols move? Compared with its value at fixed numbers rather than
// differentiated again: the second derivative of |v| is zero on both sides of 0.
bool is_constant_in(Expr derivative, std::span<const Expr> symbols) {
  if (!depends_on(derivative, symbols)) return true;
  for (unsigned n = 0; n < 4; ++n) {
    std::vector<Replacement> numbers;
    for (const auto& [symbol, value] : algebra::sample_point(symbols, n)) {
      numbers.emplace_back(symbol, derivative.context().number(value));
    }
    try {
      const ZeroTest test = prove_zero(derivative - substitute(derivative, numbers));
      if (test.verdict == Verdict::refuted) return false;
      if (test.verdict == Verdict::proved) return true;
      // Not defined at these numbers, perhaps: look elsewhere.
      if (test.points > 0) return vanishes(derivative - substitute(derivative, numbers));
    } catch (const Error&) {
      continue;
    }
  }
  return false;
}

}  // namespace

Linearity linearity_in(Expr e, std::span<const Expr> symbols) {
  if (!depends_on(e, symbols)) return Linearity::none;
  const std::vector<Expr> derivatives = gradient(e, symbols);
  std::vector<Expr> linear_part;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    if (derivatives[i].is_zero() || vanishes(derivatives[i])) continue;
    if (!is_constant_in(derivatives[i], symbols)) return Linearity::nonlinear;
    linear_part.push_back(symbols[i] * derivatives[i]);
  }
  if (linear_part.empty()) return Linearity::none;
  return vanishes(e - e.context().sum(linear_part)) ? Linearity::linear : Linearity::affine;
}

}  // namespace cetaev
