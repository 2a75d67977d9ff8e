#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "cetaev/algebra/degree.hpp"
#include "cetaev/detail/algebra/switching.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/error.hpp"
#include "cetaev/expr/derivative.hpp"
#include "sample.hpp"

namespace cetaev {

namespace {

using Degree = std::optional<Rational>;  // nothing: not evident from the structure

// Degrees that follow from those of the parts: sums of equal degree, products, powers, functions of degree 0. A part
// that vanishes identically has every degree, so the result only counts for expressions that do not vanish.
class EvidentDegrees {
 public:
  explicit EvidentDegrees(std::span<const Expr> symbols) : symbols_(symbols) {}

  Degree of(Expr root) {
    for (const Expr e : topological(std::array{root})) known_.emplace(e.id(), degree(e));
    return known_.at(root.id());
  }

 private:
  const Degree& at(Expr e) const { return known_.at(e.id()); }
  bool is_zero_degree(Expr e) const { return at(e) && at(e)->is_zero(); }

  Degree degree(Expr e) const {
    switch (e.kind()) {
      case Kind::number:
      case Kind::pi: return Rational(0);
      case Kind::symbol: return Rational(std::find(symbols_.begin(), symbols_.end(), e) != symbols_.end() ? 1 : 0);
      case Kind::sum: return degree_of_sum(e);
      case Kind::product: {
        Rational total;
        for (std::size_t i = 0; i < e.size(); ++i) {
          if (!at(e.base(i))) return std::nullopt;
          total += e.exponent(i) * *at(e.base(i));
        }
        return total;
      }
      case Kind::power:
        if (is_zero_degree(e.operands()[0]) && is_zero_degree(e.operands()[1])) return Rational(0);
        return std::nullopt;
      case Kind::function: return degree_of_function(e);
    }
    return std::nullopt;
  }

  Degree degree_of_sum(Expr e) const {
    Degree common;
    if (!e.constant().is_zero()) common = Rational(0);
    for (std::size_t i = 0; i < e.size(); ++i) {
      const Degree& own = at(e.term(i));
      if (!own || (common && *common != *own)) return std::nullopt;
      common = own;
    }
    return common;
  }

  Degree degree_of_function(Expr e) const {
    const Expr argument = e.operands()[0];
    if (e.function() == Function::abs) return at(argument);
    if (e.function() == Function::atan2) {
      const Degree& y = at(argument);
      const Degree& x = at(e.operands()[1]);
      return y && x && *y == *x ? Degree(0) : std::nullopt;
    }
    const auto arguments = e.operands();
    return std::all_of(arguments.begin(), arguments.end(), [&](Expr x) { return is_zero_degree(x); }) ? Degree(0)
                                                                                                      : std::nullopt;
  }

  std::span<const Expr> symbols_;
  std::unordered_map<std::uint32_t, Degree> known_;
};

constexpr long largest_denominator = 60;
constexpr double largest_degree = 1000;

// The only fraction with a small denominator that the ball can contain.
Degree simple_rational(const Ball& ball) {
  const double middle = ball.midpoint();
  if (!ball.is_finite() || std::fabs(middle) > largest_degree || ball.radius() > 1e-9) return std::nullopt;
  for (long q = 1; q <= largest_denominator; ++q) {
    const double p = std::round(middle * static_cast<double>(q));
    if (std::fabs(p - middle * static_cast<double>(q)) > 1e-7) continue;
    const Rational candidate(static_cast<long>(p), q);
    if (ball.overlaps(Ball(candidate))) return candidate;
  }
  return std::nullopt;
}

// The ratio v·∂e/∂v : e at random points where e is not zero; nothing when it is not the same simple number at all.
Degree degree_from_points(Expr e, Expr euler) {
  const Expr ratio = euler / e;
  const std::vector<Expr> symbols = free_symbols(std::array{e, euler});
  Degree common;
  int found = 0;
  for (unsigned n = 0; n < 24 && found < 3; ++n) {
    const Ball ball = algebra::value_at(ratio, algebra::sample_point(symbols, n), 200);
    if (!ball.is_finite() || ball.radius() > 1e-9) continue;
    const Degree own = simple_rational(ball);
    if (!own || (common && *common != *own)) return std::nullopt;
    common = own;
    ++found;
  }
  return common;
}

}  // namespace

std::optional<Rational> homogeneity_degree(Expr e, std::span<const Expr> symbols) {
  if (vanishes(e)) return std::nullopt;
  if (Degree evident = EvidentDegrees(symbols).of(e)) return evident;
  const std::vector<Expr> derivatives = gradient(e, symbols);
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < symbols.size(); ++i) terms.push_back(symbols[i] * derivatives[i]);
  const Expr euler = e.context().sum(terms);
  Degree candidate = degree_from_points(e, euler);
  if (!candidate) return std::nullopt;
  const Expr difference = euler - *candidate * e;
  // |v + 9| − 9 is v wherever one looks first
  const bool bent = !switching(std::array{e}, symbols).empty();
  const bool holds = bent ? prove_zero(difference).verdict == Verdict::proved : vanishes(difference);
  return holds ? candidate : std::nullopt;
}

}  // namespace cetaev
