#include <algorithm>
#include <array>
#include <unordered_set>
#include <vector>

#include "cetaev/algebra/degree.hpp"
#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/algebra/switching.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/error.hpp"
#include "cetaev/expr/derivative.hpp"
#include "sample.hpp"

namespace cetaev {

namespace {

// A polynomial of degree one at most, as it is written?
bool written_affine(Expr e, std::span<const Expr> symbols) {
  std::unordered_set<std::uint32_t> found;  // nodes that depend on the symbols, all to the first degree
  const auto depends = [&](Expr node) { return found.contains(node.id()); };
  for (const Expr node : topological(std::array{e})) {
    if (node.is_symbol()) {
      if (std::find(symbols.begin(), symbols.end(), node) != symbols.end()) found.insert(node.id());
      continue;
    }
    const auto dependent = std::ranges::count_if(node.operands(), depends);
    if (dependent == 0) continue;
    if (node.kind() == Kind::product) {
      if (dependent > 1) return false;
      for (std::size_t i = 0; i < node.size(); ++i)
        if (depends(node.base(i)) && !node.exponent(i).is_one()) return false;
    } else if (node.kind() != Kind::sum) {
      return false;
    }
    found.insert(node.id());
  }
  return true;
}

// Does a derivative keep its value when the symbols move? Compared with its value at fixed numbers rather than
// differentiated again: the second derivative of |v| is zero on both sides of 0.
std::optional<Expr> constant_in(Expr derivative, std::span<const Expr> symbols) {
  if (!depends_on(derivative, symbols)) return derivative;
  for (unsigned n = 0; n < 4; ++n) {
    std::vector<Replacement> numbers;
    for (const auto& [symbol, value] : algebra::sample_point(symbols, n)) {
      numbers.emplace_back(symbol, derivative.context().number(value));
    }
    try {
      const Expr there = substitute(derivative, numbers);
      const ZeroTest test = prove_zero(derivative - there);
      if (test.verdict == Verdict::refuted) return std::nullopt;
      if (test.verdict == Verdict::proved) return there;
      // Not defined at these numbers, perhaps: look elsewhere.
      if (test.points > 0) return vanishes(derivative - there) ? std::optional(there) : std::nullopt;
    } catch (const Error&) {
      continue;
    }
  }
  return std::nullopt;
}

// Where nothing bends or jumps, a function with constant derivatives is affine.
std::optional<Affine> smooth_affine(Expr e, std::span<const Expr> symbols) {
  if (!switching(std::array{e}, symbols).empty()) return std::nullopt;
  Affine result{{}, e};
  for (const Expr slope : gradient(e, symbols)) {
    const std::optional<Expr> constant = constant_in(slope, symbols);
    if (!constant) return std::nullopt;
    result.slopes.push_back(*constant);
  }
  std::vector<Replacement> zero;
  for (const Expr s : symbols) zero.emplace_back(s, e.context().zero());
  result.rest = substitute(e, zero);
  return result;
}

// Are there two points, all else the same, at which a slope has different values? That is a proof, and takes no algebra.
bool slopes_differ(std::span<const Expr> slopes, std::span<const Expr> symbols) {
  constexpr long working_bits = 128;
  constexpr unsigned places = 2;
  const std::vector<Expr> all = free_symbols(slopes);
  for (unsigned n = 0; n < places; ++n) {
    const auto here = algebra::sample_point(all, n), elsewhere = algebra::sample_point(all, n + places);
    auto there = here;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (std::ranges::find(symbols, all[i]) != symbols.end()) there[i].second = elsewhere[i].second;
    const std::vector<Ball> first = algebra::values_at(slopes, here, working_bits),
                            second = algebra::values_at(slopes, there, working_bits);
    for (std::size_t i = 0; i < slopes.size(); ++i)
      if (first[i].is_finite() && second[i].is_finite() && !(first[i] - second[i]).contains_zero()) return true;
  }
  return false;
}

bool free_of(std::span<const Expr> expressions, std::span<const Expr> symbols) {
  for (const Expr e : expressions)
    if (depends_on(e, symbols)) return false;
  return true;
}

}  // namespace

std::optional<Affine> affine_in(Expr e, std::span<const Expr> symbols) {
  Affine result{gradient(e, symbols), e};
  Context& context = e.context();
  if (written_affine(e, symbols)) {
    std::vector<Replacement> zero;
    for (const Expr s : symbols) zero.emplace_back(s, context.zero());
    result.rest = substitute(e, zero);
    return result;
  }
  try {
    if (slopes_differ(result.slopes, symbols)) return std::nullopt;
    result.slopes = normal(result.slopes);
    if (!free_of(result.slopes, symbols)) return smooth_affine(e, symbols);
    std::vector<Expr> terms = {e};
    for (std::size_t i = 0; i < symbols.size(); ++i) terms.push_back(-(result.slopes[i] * symbols[i]));
    result.rest = normal(context.sum(terms));
    return free_of(std::array{result.rest}, symbols) ? result : smooth_affine(e, symbols);
  } catch (const Error&) {
    return std::nullopt;  // a division by what vanishes identically
  }
}

Linearity linearity_in(Expr e, std::span<const Expr> symbols) {
  if (!depends_on(e, symbols)) return Linearity::none;
  const std::optional<Affine> affine = affine_in(e, symbols);
  if (!affine) return Linearity::nonlinear;
  bool any = false;
  for (const Expr slope : affine->slopes) any = any || !(slope.is_zero() || vanishes(slope));
  if (!any) return Linearity::none;
  return vanishes(affine->rest) ? Linearity::linear : Linearity::affine;
}

}  // namespace cetaev
