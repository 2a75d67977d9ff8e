// Simplified expressions: equal to what was given, and as short as a person would write them.
#include "cetaev/algebra/simplify.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>

#include "cetaev/expr/evaluate.hpp"
#include "random_expression.hpp"

namespace cetaev {
namespace {

struct Simplify : testing::Test {
  Context c;
  Expr x = c.symbol("x");
  Expr y = c.symbol("y");
  Expr z = c.symbol("z");
  Expr a = c.symbol("a");
  Expr b = c.symbol("b");
  Expr m = c.symbol("m");
  Expr k = c.symbol("k");
  Expr n(long p, long q = 1) { return c.number(Rational(p, q)); }
  Expr square(Expr u) { return pow(u, Rational(2)); }
  Simplifier simplifier{10};

  // The same in balls of 200 bits at random points where both are defined; how many points there were.
  int expect_equal(Expr e, Expr other, Dice& dice, const std::string& what) {
    int compared = 0;
    const std::array<Expr, 2> roots = {e - other, e};
    for (int i = 0; i < 3; ++i) {
      std::vector<BallValue> at;
      for (const Expr s : free_symbols(roots)) at.emplace_back(s, Ball(Rational(dice.number(-300, 300), 97), 200));
      const std::vector<Ball> values = evaluate_balls(roots, at, 200);
      if (!values[0].is_finite() || !values[1].is_finite()) continue;
      ++compared;
      EXPECT_TRUE(values[0].contains_zero()) << what << ": " << to_string(e) << " became " << to_string(other);
      EXPECT_LT(values[0].magnitude_log10(), std::max(0.0, values[1].magnitude_log10()) - 25) << what;
    }
    return compared;
  }
};

TEST_F(Simplify, WritesTheShorterOfEqualForms) {
  EXPECT_EQ(simplifier.simplify(square(x) + n(2) * x * y + square(y)), square(x + y));
  EXPECT_EQ(simplifier.simplify(m - m * square(cos(a))), m * square(sin(a)));
  EXPECT_EQ(simplifier.simplify((n(1) - square(sin(a))) / cos(a)), cos(a));
  EXPECT_EQ(simplifier.simplify(sin(a) * cos(b) - cos(a) * sin(b)), sin(a - b));
  EXPECT_EQ(simplifier.simplify(x * cos(a) * cos(b) - x * sin(a) * sin(b)), x * cos(a + b));
  EXPECT_EQ(simplifier.simplify(exp(a) * exp(b) * exp(-a)), exp(b));
  EXPECT_EQ(simplifier.simplify(m * square(a) + k * square(a)), square(a) * (m + k));
  EXPECT_EQ(simplifier.simplify(square(sqrt(square(x) + square(y))) - square(y)), square(x));
  EXPECT_EQ(simplifier.simplify(apply(Function::tan, a) * cos(a)), sin(a));
  const Expr hyperbolic = square(apply(Function::cosh, a)) - square(apply(Function::sinh, a));
  EXPECT_EQ(simplifier.simplify(hyperbolic), n(1));
  EXPECT_TRUE(simplifier.complete());
}

TEST_F(Simplify, LeavesAloneWhatIsShortAlready) {
  for (const Expr e :
       {x * (y + z), square(x - y) + square(z), sin(a + b), m * sqrt(square(x) + square(y)), x / (y + z)}) {
    EXPECT_EQ(simplifier.simplify(e), e) << to_string(e);
  }
}

TEST_F(Simplify, KeepsDifferencesTogether) {
  simplifier.expect_differences({{x, y}});
  const Expr expanded = square(x) - n(2) * x * y + square(y) + square(z);
  EXPECT_EQ(simplifier.simplify(expanded), square(x - y) + square(z));
  EXPECT_EQ(simplifier.simplify(m * x + k * y), m * x + k * y);
}

TEST_F(Simplify, CollectsByVelocities) {
  const std::array v = {x, y};
  const auto found = simplifier.collect(square(x) * m / n(2) + square(x) * k / n(2) + x * y * sin(a) - m * k * z, v);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].expr(), n(1, 2) * ((m + k) * square(x)));
  EXPECT_EQ(found[1].expr(), x * y * sin(a));
  EXPECT_EQ(found[2].expr(), -(m * k * z));
}

TEST_F(Simplify, SeparatesForcesByTheirParameters) {
  simplifier.assume_nonzero({m, k});
  const std::array<Expr, 0> none = {};
  EXPECT_EQ(simplifier.collect(m * x + k * (square(y) + square(z)), none).size(), 2u);
}

TEST_F(Simplify, ClearsEquationsOfDenominatorsAndCommonFactors) {
  simplifier.assume_nonzero({m});
  const std::array unknowns = {x};
  const std::array velocities = {y};
  // m x/cos²a + m y² sin a/cos³a − m k = 0
  const auto q = simplifier.equation(m * x / square(cos(a)) + m * square(y) * sin(a) / pow(cos(a), Rational(3)) - m * k,
                                     unknowns, velocities);
  ASSERT_EQ(q.unknowns.size(), 1u);
  EXPECT_EQ(q.unknowns[0].expr(), x * cos(a));
  ASSERT_EQ(q.rest.size(), 2u);
  EXPECT_EQ(q.rest[0].expr(), square(y) * sin(a));
  EXPECT_EQ(q.rest[1].expr(), -(k * pow(cos(a), Rational(3))));
  // the mass is known not to vanish, the cosine is not
  EXPECT_EQ(q.nonzero, std::vector<Expr>{cos(a)});
}

TEST_F(Simplify, SaysWhatItDividedBy) {
  const std::array unknowns = {x};
  const std::array<Expr, 0> none = {};
  const auto q = simplifier.equation(k * x * (y + n(1)) - k * z * (y + n(1)), unknowns, none);
  EXPECT_EQ(q.unknowns[0].expr(), x);
  EXPECT_EQ(q.nonzero.size(), 2u);
}

TEST_F(Simplify, NeverChangesTheValue) {
  Dice dice(17);
  const std::array symbols = {x, y, z};
  const std::array<Expr, 10> kernels = {sin(a),
                                        cos(a),
                                        sin(b),
                                        cos(b),
                                        sin(a + b),
                                        cos(a - b),
                                        exp(x),
                                        sqrt(square(x) + square(y) + n(1)),
                                        apply(Function::tanh, a),
                                        abs(z - x)};
  int compared = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto piece = [&] {
      Expr e = dice.polynomial(c, std::span(symbols).first(static_cast<std::size_t>(dice.number(1, 3))), 2, 2);
      for (long i = dice.number(0, 2); i > 0; --i) e = e * kernels[static_cast<std::size_t>(dice.number(0, 9))];
      return e;
    };
    Expr e = piece() + piece();
    if (dice.number(0, 2) == 0) e = e * (piece() + n(1));
    if (dice.number(0, 2) == 0) e = e / (piece() + n(dice.number(1, 5)));
    if (dice.number(0, 3) == 0) e = square(e);
    Simplifier own(5);
    if (dice.number(0, 1) == 0) own.expect_differences({{x, y}});
    const Expr found = own.simplify(e);
    compared += expect_equal(e, found, dice, "simplify");
    EXPECT_LE(length_on_paper(found), length_on_paper(e));
    Expr sum = c.zero();
    for (const auto& summand : own.collect(e, symbols)) sum = sum + summand.expr();
    expect_equal(e, sum, dice, "collect");
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, 4000);
}

TEST_F(Simplify, KeepsToItsTime) {
  Dice dice(3);
  std::vector<Expr> symbols;
  for (int i = 0; i < 8; ++i) symbols.push_back(c.symbol("q" + std::to_string(i)));
  const auto begin = std::chrono::steady_clock::now();
  Simplifier own(0.2);
  for (int i = 0; i < 60; ++i) {
    const Expr p = dice.polynomial(c, symbols, 30, 3), q = dice.polynomial(c, symbols, 30, 3);
    own.simplify(square(p * sin(q)) / (q + n(1)) + p);
  }
  // one formula may be under way when the time is up
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 15);
  EXPECT_FALSE(own.complete());
}

}  // namespace
}  // namespace cetaev
