#include "sample.hpp"

#include <array>
#include <cmath>

#include "cetaev/detail/algebra/switching.hpp"
#include "cetaev/detail/expr/rational_of.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev::algebra {

namespace {

// Values lie between these, in steps of 2⁻²⁰ of the interval.
struct Region {
  Rational from, to;
};

const std::array<Region, 8>& regions() {
  static const std::array<Region, 8> list = {{{Rational(1, 2), Rational(3, 2)},
                                              {Rational(-2), Rational(2)},
                                              {Rational(0), Rational(1, 8)},
                                              {Rational(2), Rational(12)},
                                              {Rational(-1000), Rational(1000)},
                                              {Rational(-2), Rational(0)},
                                              {Rational(-1, 8), Rational(1, 8)},
                                              {Rational(0), Rational(4)}}};
  return list;
}

}  // namespace

std::vector<std::pair<Expr, Rational>> sample_point(std::span<const Expr> symbols, unsigned n) {
  const auto count = static_cast<unsigned>(regions().size());
  // First every region for all symbols together; later also each symbol in a region of its own.
  const bool mixed = n >= count && n % 2 == 1;
  Random random(0x6365746165760000U + n);
  std::vector<std::pair<Expr, Rational>> point;
  point.reserve(symbols.size());
  for (const Expr symbol : symbols) {
    const Region& region = regions()[mixed ? random.next() % count : n % count];
    // Odd numerators: never an end of the interval, never its middle.
    const auto k = static_cast<long>((random.next() >> 44) | 1U);
    point.emplace_back(symbol, region.from + (region.to - region.from) * Rational(k, 1L << 20));
  }
  return point;
}

std::optional<std::vector<std::pair<Expr, Rational>>> sample_point_near(Expr e, std::span<const Expr> symbols,
                                                                        unsigned n) {
  std::vector<std::pair<Expr, Rational>> point = sample_point(symbols, n);
  std::vector<Value> at;
  for (const auto& [symbol, value] : point) at.emplace_back(symbol, value.to_double());
  for (std::size_t k = 0; k < at.size(); ++k) {
    double& x = at[k].second;
    const double before = x;
    const Expr slope = derivative(e, at[k].first);
    // Newton's method along one symbol
    constexpr int steps = 30;
    double value = evaluate(e, at);
    for (int step = 0; step < steps && std::fabs(value) > 1; ++step) {
      x -= value / evaluate(slope, at);
      value = evaluate(e, at);
    }
    if (std::isfinite(x) && std::fabs(value) < seen_from) {
      point[k].second = rational_of(x);
      return point;
    }
    x = before;
  }
  return std::nullopt;
}

std::vector<Ball> values_at(std::span<const Expr> expressions, std::span<const std::pair<Expr, Rational>> point,
                            long bits) {
  std::vector<BallValue> values;
  values.reserve(point.size());
  for (const auto& [symbol, value] : point) values.emplace_back(symbol, Ball(value, bits));
  return evaluate_balls(expressions, values, bits);
}

Ball value_at(Expr e, std::span<const std::pair<Expr, Rational>> point, long bits) {
  return std::move(values_at(std::array{e}, point, bits).front());
}

}  // namespace cetaev::algebra
