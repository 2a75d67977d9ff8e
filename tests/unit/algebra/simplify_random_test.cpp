// Simplified expressions: equal to what was given, and as short as a person would write them.
#include "cetaev/algebra/thread.hpp"
#include "cetaev/detail/algebra/simplify.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <ctime>
#include <future>

#include "cetaev/expr/evaluate.hpp"
#include "random_expression.hpp"
#include "seeds.hpp"

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

TEST_F(Simplify, FindsSquaresAndMultiplesOfAngles) {
  // a square among other terms
  EXPECT_EQ(simplifier.simplify(m * square(x) - n(2) * m * x * y + m * square(y) + k), m * square(x - y) + k);
  const Expr twice = n(2) * a - n(2) * b;
  EXPECT_EQ(simplifier.simplify(sin(a) * cos(a) * (n(2) * square(cos(b)) - n(1)) -
                                sin(b) * cos(b) * (n(2) * square(cos(a)) - n(1))),
            sin(twice) / n(2));
  EXPECT_EQ(simplifier.simplify(x * (square(cos(a)) - square(sin(a)))), x * cos(n(2) * a));
  // but a product is not torn apart, nor a square
  EXPECT_EQ(simplifier.simplify(sin(a) * cos(a)), sin(a) * cos(a));
  EXPECT_EQ(simplifier.simplify(x + x * cos(n(2) * a)), n(2) * x * square(cos(a)));
  EXPECT_EQ(simplifier.simplify(x - x * cos(n(2) * a)), n(2) * x * square(sin(a)));
}

// Sums of products of sines and cosines of three angles, whatever they become.
TEST_F(Simplify, KeepsTheValueOfSumsOfWaves) {
  Dice dice(20261117);
  int compared = 0;
  for (int trial = 0; trial < 150; ++trial) {
    Expr e = n(0);
    for (int term = 0; term < 5; ++term) {
      Expr product = n(dice.number(-4, 4)) * (dice.number(0, 1) == 0 ? m : k);
      for (const Expr angle : {a, b, x}) {
        product = product * pow(sin(angle), Rational(dice.number(0, 2))) * pow(cos(angle), Rational(dice.number(0, 2)));
        if (dice.number(0, 3) == 0) product = product * cos(n(dice.number(1, 3)) * angle - b);
      }
      e = e + product;
    }
    compared += expect_equal(e, simplifier.simplify(e), dice, "wave " + std::to_string(trial));
  }
  EXPECT_GT(compared, 300);
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
  const Seeds range = seeds(2000);
  Dice dice(16 + range.first);
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
  for (std::uint64_t round = 0; round < range.count; ++round) {
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
  EXPECT_GT(compared, range.share(200));
}

// Formulas of growing length, the later ones too much for a small effort.
std::vector<Expr> long_formulas(Context& context, int count) {
  Dice dice(3);
  std::vector<Expr> symbols;
  for (int i = 0; i < 8; ++i) symbols.push_back(context.symbol("q" + std::to_string(i)));
  std::vector<Expr> result;
  for (int i = 0; i < count; ++i) {
    const Expr p = dice.polynomial(context, symbols, 2 + i / 2, 3), q = dice.polynomial(context, symbols, 2 + i / 2, 3);
    result.push_back(pow(p * sin(q), Rational(2)) / (q + context.one()) + p);
  }
  return result;
}

struct Told {
  std::vector<std::string> formulas;
  double spent = 0;
  bool complete = true, sufficient = true;
  bool operator==(const Told&) const = default;
};

Told told(Context& context, double effort) {
  Told result;
  Simplifier own(effort);
  for (const Expr e : long_formulas(context, 24)) result.formulas.push_back(to_string(own.simplify(e)));
  result.spent = own.spent();
  result.complete = own.complete();
  result.sufficient = own.sufficient();
  return result;
}

TEST_F(Simplify, KeepsToItsEffort) {
  for (const double effort : {0.0, 1e-4, 0.01, 0.2}) {
    Simplifier own(effort);
    for (const Expr e : long_formulas(c, 60)) own.simplify(e);
    EXPECT_LE(own.spent(), effort);
    EXPECT_FALSE(own.complete());
    EXPECT_FALSE(own.sufficient());
  }
}

// Effort is counted: what else the process has done, and when, is no part of the answer.
TEST_F(Simplify, SpendsTheSameEveryTimeAndEverywhere) {
  for (const double effort : {0.003, 0.05, 1.0}) {
    Context first;
    const Told once = told(first, effort);
    EXPECT_GT(once.spent, 0);
    Context second;
    EXPECT_EQ(told(second, effort), once);
    const Told elsewhere = std::async(std::launch::async, [&] {
                             release_thread_memory_at_exit();
                             Context third;
                             return told(third, effort);
                           }).get();
    EXPECT_EQ(elsewhere, once);
    // the formulas are there already, and FLINT's memory has been used
    EXPECT_EQ(told(first, effort).spent, once.spent);
  }
}

TEST_F(Simplify, IsRightWhateverTheEffort) {
  Dice dice(5);
  const std::vector<Expr> formulas = long_formulas(c, 16);
  const std::array<Expr, 4> symbols = {c.symbol("q0"), c.symbol("q1"), c.symbol("q2"), c.symbol("q3")};
  for (const double effort : {0.0, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0}) {
    Simplifier own(effort);
    own.expect_differences({{symbols[0], symbols[1]}});
    int compared = 0;
    for (const Expr e : formulas) {
      compared += expect_equal(e, own.simplify(e), dice, "simplify");
      Expr sum = c.zero();
      for (const auto& summand : own.collect(e, symbols)) sum = sum + summand.expr();
      expect_equal(e, sum, dice, "collect");
    }
    EXPECT_GT(compared, 20) << effort;
  }
}

// Sparse polynomials of high degrees in every variable: to find that such a product is one takes seconds and more, and
// nothing shows beforehand which.
TEST_F(Simplify, DoesNotBeginWhatItCannotPay) {
  Dice dice(11);
  std::vector<Expr> symbols;
  for (int i = 0; i < 10; ++i) symbols.push_back(c.symbol("q" + std::to_string(i)));
  Simplifier own(1);
  const std::clock_t begin = std::clock();
  for (int i = 0; i < 100; ++i) {
    const Expr p = dice.polynomial(c, symbols, 46, 4), q = dice.polynomial(c, symbols, 3, 2);
    own.simplify(p * q);
  }
  EXPECT_LE(own.spent(), 1);
  // 0.4 s; 10 s where every one of them is factored
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 8);
}

}  // namespace
}  // namespace cetaev
