#include "cetaev/expr/ball.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cetaev/expr/evaluate.hpp"

namespace cetaev {
namespace {

// Fractions of both signs, small and large.
std::vector<Rational> fractions() {
  return {Rational(1, 3),
          Rational(-22, 7),
          Rational(1),
          Rational(-1, 1000003),
          *Rational::parse("12345678901234567890.125"),
          Rational(5, 2)};
}

TEST(Ball, OperatorsContainTheExactResults) {
  for (const Rational& x : fractions()) {
    for (const Rational& y : fractions()) {
      const Ball a(x), b(y);
      EXPECT_TRUE((a + b).contains(x + y));
      EXPECT_TRUE((a - b).contains(x - y));
      EXPECT_TRUE((a * b).contains(x * y));
      EXPECT_TRUE((a / b).contains(x / y));
      EXPECT_TRUE((-a).contains(-x));
      EXPECT_TRUE(abs(a).contains(x.abs()));
      EXPECT_TRUE(sqrt(a * a).contains(x.abs()));
      Ball c = a;
      c += b;
      c *= b;
      c -= a;
      c /= b;
      EXPECT_TRUE(c.contains(((x + y) * y - x) / y));
    }
  }
}

// A third to 20 bits is a third of many; the result contains what it is for each of them, and not much more.
TEST(Ball, OperatorsCarryTheErrorsOfTheirOperands) {
  const Ball third(Rational(1, 3), 20), two(Rational(2));
  ASSERT_GT(third.radius(), 0);
  const Rational inside = Rational(1, 3) + Rational(1, 1L << 24);
  ASSERT_TRUE(third.contains(inside));
  EXPECT_TRUE((third + third).contains(Rational(1, 3) + inside));
  EXPECT_TRUE((third - third).contains(inside - Rational(1, 3)));
  EXPECT_TRUE((third - third).contains_zero());
  EXPECT_FALSE((third - third).is_exact_zero());
  EXPECT_TRUE((third * third).contains(Rational(1, 3) * inside));
  EXPECT_TRUE((two / third).contains(Rational(2) / inside));
  EXPECT_LE((third + third).radius(), 2.01 * third.radius());
  EXPECT_LE((third * third).radius(), 2 * 0.34 * third.radius());
  EXPECT_FALSE((third + two).contains(Rational(5, 2)));
}

TEST(Ball, OperatorsKeepNinetyDigits) {
  const Ball third = Ball(Rational(1)) / Ball(Rational(3));
  EXPECT_LT((third * Ball(Rational(3)) - Ball(Rational(1))).magnitude_log10(), -95);
  EXPECT_LT((sqrt(Ball(Rational(2))) * sqrt(Ball(Rational(2))) - Ball(Rational(2))).magnitude_log10(), -95);
}

TEST(Ball, WhatIsNotDefinedIsNotFinite) {
  const Ball around_zero = Ball(Rational(1, 3), 20) - Ball(Rational(1, 3), 20), one(Rational(1));
  EXPECT_FALSE((one / Ball()).is_finite());
  EXPECT_FALSE((one / around_zero).is_finite());
  EXPECT_FALSE(sqrt(-one).is_finite());
  EXPECT_FALSE(Ball::anything().is_finite());
  EXPECT_TRUE((Ball::anything() + one).contains(Rational(-1000000)));
}

TEST(Ball, IsNegativeOnlyWhereAllOfItIs) {
  EXPECT_TRUE(Ball(Rational(-1, 3)).is_negative());
  EXPECT_FALSE(Ball(Rational(1, 3)).is_negative());
  EXPECT_FALSE((Ball(Rational(1, 3), 20) - Ball(Rational(1, 3), 20)).is_negative());
  EXPECT_FALSE(Ball().is_negative());
}

TEST(Ball, MayBecomeAFunctionOfItself) {
  Ball x(Rational(3, 2));
  x.set_product(x, x, 200);
  EXPECT_TRUE(x.contains(Rational(9, 4)));
  x.set_power(x, Rational(3, 2), 200);
  EXPECT_TRUE(x.contains(Rational(27, 8)));
  x.set_power(x, Rational(-2, 3), 200);
  EXPECT_TRUE(x.contains(Rational(4, 9)));
  x.set_sum(x, x, 200);
  x.add_product(x, x, 200);
  EXPECT_TRUE(x.contains(Rational(8, 9) + Rational(64, 81)));
  x.set_quotient(x, 8L, 200);
  x.set_difference(x, x, 200);
  EXPECT_TRUE(x.contains_zero());
}

TEST(Ball, ConvolutionsAreSumsOfProducts) {
  std::vector<Ball> x, y;
  Rational expected(5);
  for (long i = 0; i < 4; ++i) {
    x.emplace_back(Rational(i + 1, 3));
    y.emplace_back(Rational(1, i + 2));
    expected += Rational(i + 1, 3) * Rational(1, 3 - i + 2);
  }
  Ball sum(Rational(5));
  sum.add_convolution(x.data(), y.data(), 4, Ball::working_bits);
  EXPECT_TRUE(sum.contains(expected));
}

TEST(Ball, SurvivesMovesAndCopies) {
  Ball a(*Rational::parse("1e50"), 300);
  Ball b = a;
  Ball c = std::move(a);
  EXPECT_TRUE((b - c).is_exact_zero());
  a = b;
  b = std::move(c);
  EXPECT_TRUE(a.contains(*Rational::parse("1e50")));
  EXPECT_TRUE(b.contains(*Rational::parse("1e50")));
}

// The Hilbert matrix of order 4 and the solution 1, −2, 3, −4 of its equations.
TEST(Ball, LinearSystemsEncloseTheirSolutions) {
  const std::size_t n = 4;
  const std::vector<Rational> expected = {Rational(1), Rational(-2), Rational(3), Rational(-4)};
  std::vector<Ball> matrix, x;
  for (long i = 0; i < 4; ++i) {
    Rational right(0);
    for (long j = 0; j < 4; ++j) {
      matrix.emplace_back(Rational(1, i + j + 1));
      right += Rational(1, i + j + 1) * expected[static_cast<std::size_t>(j)];
    }
    x.emplace_back(right);
  }
  ASSERT_TRUE(solve_in_balls(matrix, x, n, 1, 200));
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_TRUE(x[i].contains(expected[i]));
    EXPECT_LT(x[i].radius(), 1e-20);
  }
  for (std::size_t j = 0; j < n; ++j) matrix[n + j] = matrix[j];  // two equal rows
  EXPECT_FALSE(solve_in_balls(matrix, x, n, 1, 200));
}

// Of order 60, where elimination would lose as many digits as there are: a dense matrix of fractions far from orthogonal, rows and columns
// in all sorts of units, and the solution 1, −2, 3, −4, … of its equations with one and with several right-hand sides.
TEST(Ball, LargeLinearSystemsEncloseTheirSolutions) {
  constexpr std::size_t n = 60;
  const auto unit_of = [](std::size_t i) { return Rational(2).power(static_cast<long>(7 * i % 400) - 200); };
  const auto entry = [&](std::size_t i, std::size_t j) {
    const Rational own(static_cast<long>((i * i + 3 * i * j + 5 * j) % 17) - 8, static_cast<long>(i + j + 3));
    return (i == j ? own + Rational(9) : own) * unit_of(i) * unit_of(j + 11);
  };
  for (const std::size_t columns : {std::size_t{1}, std::size_t{3}, n}) {
    std::vector<Ball> matrix, x;
    std::vector<Rational> expected;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < columns; ++k)
        expected.push_back(Rational(static_cast<long>(j % 2 == 0 ? j + k + 1 : 0) - static_cast<long>(j)) /
                           unit_of(j + 11));
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        matrix.emplace_back();
        matrix.back().set(entry(i, j), 300);
      }
      for (std::size_t k = 0; k < columns; ++k) {
        Rational right(0);
        for (std::size_t j = 0; j < n; ++j) right += entry(i, j) * expected[j * columns + k];
        x.emplace_back();
        x.back().set(right, 300);
      }
    }
    ASSERT_TRUE(solve_in_balls(matrix, x, n, columns, 300));
    for (std::size_t i = 0; i < n * columns; ++i) {
      EXPECT_TRUE(x[i].contains(expected[i])) << i;
      EXPECT_LT(x[i].radius(), 1e-60 * (unit_of(i / columns + 11).inverse() * Rational(100)).to_double()) << i;
    }
    for (std::size_t j = 0; j < n; ++j) matrix[n + j] = matrix[j];  // two equal rows
    EXPECT_FALSE(solve_in_balls(matrix, x, n, columns, 300));
  }
}

// Links that follow one from the other, rows and columns in any order: w of a link is what twice all before it give with changing signs,
// 2 Σ_{j<i} ± w_j + w_i = b_i, for as many right-hand sides as there are links. Substitution in balls would lose three bits for every two links.
TEST(Ball, ChainsOfManyColumnsEncloseTheirSolutions) {
  constexpr std::size_t n = 60;
  const auto row = [](std::size_t i) { return 7 * i % n; };
  const auto column = [](std::size_t j) { return (11 * j + 3) % n; };
  std::vector<Ball> matrix(n * n), x(n * n);
  std::vector<Rational> expected(n * n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k)
      expected[column(j) * n + k] = Rational(static_cast<long>((j + 1) * (k + 2) % 7) - 3, 7);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Rational> right(n);
    for (std::size_t j = 0; j <= i; ++j) {
      const Rational entry(j == i ? 1 : (i * j % 3 == 0 ? -2 : 2));
      matrix[row(i) * n + column(j)] = Ball(entry);
      for (std::size_t k = 0; k < n; ++k) right[k] += entry * expected[column(j) * n + k];
    }
    for (std::size_t k = 0; k < n; ++k) x[row(i) * n + k].set(right[k], 300);
  }
  ASSERT_TRUE(solve_in_balls(matrix, x, n, n, 300));
  for (std::size_t i = 0; i < n * n; ++i) {
    EXPECT_TRUE(x[i].contains(expected[i])) << i;
    EXPECT_LT(x[i].radius(), 1e-40) << i;
  }
}

// Entries that are known to six digits: every matrix among them has its solution in the enclosure.
TEST(Ball, LargeLinearSystemsEncloseTheSolutionsOfAllTheirMatrices) {
  constexpr std::size_t n = 40;
  const auto entry = [](std::size_t i, std::size_t j) {
    return Rational(static_cast<long>((i * 7 + j * j * 3) % 13) - 6, 20) + Rational(i == j ? 3 : 0);
  };
  std::vector<Ball> wide, right(n), exact_right(n);
  std::vector<Ball> at_the_ends;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const Rational width(1, 1000000);
      const double middle = entry(i, j).to_double();
      wide.push_back(Ball::between(middle - 1.01e-6, middle + 1.01e-6));
      at_the_ends.emplace_back(entry(i, j) + ((i + j) % 3 == 0 ? width : -width));
    }
    right[i] = exact_right[i] = Ball(Rational(static_cast<long>(i % 5) + 1));
  }
  ASSERT_TRUE(solve_in_balls(wide, right, n, 1, 200));
  ASSERT_TRUE(solve_in_balls(at_the_ends, exact_right, n, 1, 200));
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_LE(std::fabs(exact_right[i].midpoint() - right[i].midpoint()), right[i].radius()) << i;
    EXPECT_LT(right[i].radius(), 1e-3) << i;
  }
}

// Operators and evaluation of expressions say the same.
TEST(Ball, OperatorsAgreeWithExpressions) {
  Context context;
  const Expr x = context.symbol("x"), y = context.symbol("y");
  const Ball a(Rational(2, 7), 64), b(Rational(-11, 13), 64);
  const std::vector<BallValue> values = {{x, a}, {y, b}};
  const auto agrees = [&](Expr e, const Ball& value) {
    return evaluate_ball(e, values, Ball::working_bits).overlaps(value);
  };
  EXPECT_TRUE(agrees(x + y, a + b));
  EXPECT_TRUE(agrees(x - y, a - b));
  EXPECT_TRUE(agrees(x * y, a * b));
  EXPECT_TRUE(agrees(x / y, a / b));
  EXPECT_TRUE(agrees(sqrt(x), sqrt(a)));
  EXPECT_TRUE(agrees(abs(y), abs(b)));
}

// Wide balls are intervals: what functions make of them is what they make of the ends and of what lies between, and no more.
TEST(Ball, OfAnIntervalIsHardlyWiderThanTheFunctionMakesIt) {
  const auto expect = [](const Ball& found, double low, double high) {
    const double slack = 1e-6 * (high - low);
    EXPECT_LE(found.lower(), low);
    EXPECT_GE(found.lower(), low - slack);
    EXPECT_GE(found.upper(), high);
    EXPECT_LE(found.upper(), high + slack);
  };
  const auto power = [](double low, double high, long n) {
    Ball result;
    result.set_power(Ball::between(low, high), Rational(n), 128);
    return result;
  };
  expect(Ball::between(-3, 5), -3, 5);
  expect(power(-2, 3, 2), 0, 9);
  expect(power(-4, 3, 2), 0, 16);
  expect(power(1, 2, 10), 1, 1024);
  expect(power(-2, 1, 3), -8, 1);
  expect(power(-3, -2, 4), 16, 81);
  const auto function = [](Function f, double low, double high) {
    Ball result;
    result.set_function(f, Ball::between(low, high), 128);
    return result;
  };
  expect(function(Function::tanh, -1e300, 1e300), -1, 1);
  expect(function(Function::exp, -2, 3), std::exp(-2.0) * (1 - 1e-15), std::exp(3.0) * (1 + 1e-15));
  // a radius has 30 bits: the edge of a domain is not met exactly, and an end beside a much larger one not to more than that
  expect(function(Function::acos, -0.75, 0.75), std::acos(0.75) - 1e-15, std::acos(-0.75) + 1e-15);
  expect(function(Function::log, 0.5, 8), std::log(0.5) - 1e-15, std::log(8) + 1e-15);
  EXPECT_FALSE(function(Function::log, -1, 1).is_finite());
}

}  // namespace
}  // namespace cetaev
