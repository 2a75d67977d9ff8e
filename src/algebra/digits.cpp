#include "cetaev/detail/algebra/digits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "cetaev/interruption.hpp"

namespace cetaev {

namespace {

constexpr std::size_t most_sums = 16;
constexpr int points_per_sum = 6, points_per_zero = 6;
constexpr double two_digits = 100;
constexpr long bits = 256;

std::vector<Expr> sums_in(std::span<const Expr> expressions) {
  std::vector<Expr> sums;
  for (const Expr e : topological(expressions)) {
    if (e.kind() == Kind::sum && e.size() + (e.constant().is_zero() ? 0 : 1) > 1) sums.push_back(e);
    if (sums.size() == most_sums) break;
  }
  return sums;
}

// A symbol in which the sum is affine, and the coefficient.
std::optional<std::pair<Expr, Expr>> affine_symbol(Expr sum) {
  for (const Expr symbol : free_symbols(sum)) {
    const Expr slope = derivative(sum, symbol);
    if (!slope.is_zero() && !depends_on(slope, std::span(&symbol, 1))) return std::pair(symbol, slope);
  }
  return std::nullopt;
}

// What is large in them, rounding makes much of, whatever the form.
std::vector<Expr> symbols_in_functions(std::span<const Expr> expressions) {
  std::vector<Expr> arguments;
  for (const Expr e : topological(expressions))
    if (e.kind() == Kind::function) arguments.insert(arguments.end(), e.operands().begin(), e.operands().end());
  return free_symbols(arguments);
}

// What sines and cosines are taken of, each with a symbol in which it is affine and the coefficient of that.
struct Angle {
  Expr argument, symbol, slope;
};
std::vector<Angle> angles_in(std::span<const Expr> expressions) {
  std::vector<Angle> result;
  for (const Expr e : topological(expressions)) {
    if (e.kind() != Kind::function || (e.function() != Function::sin && e.function() != Function::cos)) continue;
    const Expr argument = e.operands()[0];
    if (std::ranges::find(result, argument, &Angle::argument) != result.end()) continue;
    if (const auto affine = affine_symbol(argument)) result.push_back({argument, affine->first, affine->second});
    if (result.size() == most_sums) break;
  }
  return result;
}

// The largest errors so far, relative to the values.
struct Worst {
  double before = std::numeric_limits<double>::epsilon(), after = 0;

  double nodes = 0;  // of both together

  void look_at(std::span<const Expr> one, std::span<const Expr> other, const std::vector<Value>& at) {
    may_end_here(nodes);  // in balls each takes about as long as it takes to make it
    const std::vector<double> x = evaluate(one, at), y = evaluate(other, at);
    std::vector<BallValue> exactly;
    for (const auto& [symbol, value] : at) exactly.emplace_back(symbol, Ball::from_double(value));
    const std::vector<Ball> truth = evaluate_balls(one, exactly, bits);
    for (std::size_t i = 0; i < one.size(); ++i) {
      const double value = truth[i].midpoint();
      if (!truth[i].is_finite() || value == 0 || !std::isfinite(value) || !std::isfinite(x[i])) continue;
      before = std::max(before, std::abs((x[i] - value) / value));
      // what is not finite alone is as bad as can be
      const double off = std::abs((y[i] - value) / value);
      after = std::isfinite(off) ? std::max(after, off) : HUGE_VAL;
    }
  }
};

}  // namespace

bool keeps_digits(std::span<const Expr> before, std::span<const Expr> after) {
  if (std::ranges::equal(before, after)) return true;
  const std::vector<Expr> symbols = free_symbols(before);
  std::vector<Expr> all(before.begin(), before.end());
  all.insert(all.end(), after.begin(), after.end());
  const std::vector<Expr> angles = symbols_in_functions(all);
  Random random(13);
  Worst worst;
  worst.nodes = static_cast<double>(topological(all).size());
  const auto anywhere = [&] {
    std::vector<Value> at;
    for (const Expr s : symbols) {
      const double size = std::ranges::find(angles, s) == angles.end() ? std::pow(10.0, random.uniform(-4, 4)) : 2;
      at.emplace_back(s, size * random.uniform(-1, 1));
    }
    return at;
  };
  // next to the zeros of sines and cosines, where 1 − cos² u has lost what sin² u has
  for (const auto& [argument, symbol, slope] : angles_in(all)) {
    for (int point = 0; point < 4 * points_per_zero; ++point) {
      std::vector<Value> at = anywhere();
      const auto own = std::ranges::find(at, symbol, &Value::first);
      if (own == at.end()) break;  // it drops out
      const double zero = point % 4 * std::numbers::pi / 2 + 1e-5 * random.uniform(0.5, 1);
      const double there = own->second + (zero - evaluate(argument, at)) / evaluate(slope, at);
      if (!std::isfinite(there)) continue;
      own->second = there;
      worst.look_at(before, after, at);
    }
  }
  for (const Expr sum : sums_in(all)) {
    const auto affine = affine_symbol(sum);
    if (!affine) continue;
    const auto [symbol, slope] = *affine;
    for (int point = 0; point < points_per_sum; ++point) {
      std::vector<Value> at = anywhere();
      const auto own = std::ranges::find(at, symbol, &Value::first);
      if (own == at.end()) continue;  // it drops out
      const double zero = own->second - evaluate(sum, at) / evaluate(slope, at);
      if (!std::isfinite(zero)) continue;
      if (std::ranges::find(angles, symbol) == angles.end()) own->second = zero * (1 + 1e-5);
      worst.look_at(before, after, at);
    }
  }
  return worst.after <= two_digits * worst.before;
}

}  // namespace cetaev
