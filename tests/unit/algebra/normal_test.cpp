// Normal forms: equal to what was given, and the same for equal things.
#include "cetaev/detail/algebra/normal.hpp"

#include <gtest/gtest.h>

#include <array>

#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/error.hpp"
#include "random_expression.hpp"

namespace cetaev {
namespace {

struct Normal : testing::Test {
  Context c;
  Expr x = c.symbol("x");
  Expr y = c.symbol("y");
  Expr z = c.symbol("z");
  Expr a = c.symbol("a");
  Expr b = c.symbol("b");
  Expr n(long p, long q = 1) { return c.number(Rational(p, q)); }
  Expr square(Expr u) { return pow(u, Rational(2)); }
  void expect_faithful(Expr e) {
    for (const Shape shape : {Shape::expanded, Shape::factored}) {
      const Expr form = normal(e, shape);
      EXPECT_TRUE(vanishes(form - e)) << to_string(e) << " became " << to_string(form);
      const auto parts = quotient(e, shape);
      ASSERT_TRUE(parts.has_value());
      EXPECT_TRUE(vanishes(parts->numerator / parts->denominator - e)) << to_string(e);
    }
  }
};

TEST_F(Normal, CommonFactorsCancel) {
  EXPECT_EQ(normal((x * x - y * y) / (x - y)), x + y);
  EXPECT_EQ(normal(n(1) / x - n(1) / (x + n(1)), Shape::factored), n(1) / (x * (x + n(1))));
  EXPECT_EQ(normal(square(x + y) - x * x - n(2) * x * y), y * y);
  EXPECT_EQ(normal((x + y) / x - y / x), n(1));
  EXPECT_EQ(normal(x * x + n(2) * x * y + y * y, Shape::factored), square(x + y));
}

TEST_F(Normal, WholeNumbersStandOnBothSides) {
  const auto parts = quotient(x / n(2) + n(1, 3));
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->numerator, n(3) * x + n(2));
  EXPECT_EQ(parts->denominator, n(6));
}

TEST_F(Normal, RelationsBetweenKernelsAreUsed) {
  EXPECT_EQ(normal(x * square(sin(a)) + x * square(cos(a))), x);
  EXPECT_EQ(normal((n(1) - square(cos(a))) / sin(a)), sin(a));
  EXPECT_EQ(normal(sin(a) / (n(1) - square(cos(a)))), n(1) / sin(a));
  EXPECT_EQ(normal(sin(a + b) - cos(a) * sin(b)), normal(sin(a) * cos(b)));
  EXPECT_EQ(normal(square(sqrt(x + y)) - y), x);
  EXPECT_EQ(normal((x - y) / (sqrt(x) - sqrt(y))), sqrt(x) + sqrt(y));
  EXPECT_EQ(normal(exp(a) * exp(b) / exp(a + b)), n(1));
}

TEST_F(Normal, TheValueStaysTheSame) {
  expect_faithful(tan(a) / (n(1) + square(tan(a))));
  expect_faithful((sqrt(x) + n(1)) / (sqrt(x) - n(1)) + pow(x * y, Rational(2, 3)));
  expect_faithful(abs(x - y) / (x - y) + sqrt(x / y));
  expect_faithful(exp(a / n(2)) + exp(a) / (n(1) + exp(-a)) + apply(Function::cosh, a));
  // exp(x) as a value and as an argument are two things
  expect_faithful(apply(Function::cosh, exp(x)) / exp(x) + apply(Function::tanh, pow(x, y)));
  expect_faithful(pow(x, a + n(1, 2)) + pow(x, a) * log(x) + pow(n(2), a));
  expect_faithful(pow(x, a) / (n(1) + pow(x, a / n(2))));
  // (|x| − x)(|x| + x) = 0: neither side may be multiplied by the other
  expect_faithful((n(2) * abs(x) + y) / (x + abs(x)));
  expect_faithful(sin(a + c.pi() / n(4)) * atan2(x, y) + c.pi() * apply(Function::asin, x / n(2)));
  expect_faithful(sin(n(2) * a) / sin(a) + cos(a / n(2)) + apply(Function::tanh, n(2) * b) * apply(Function::sinh, b));
  expect_faithful(sqrt((n(1) + x * x) / (x - y)) + square(abs(x)) * abs(x));
}

TEST_F(Normal, RandomRationalFunctionsGetOneForm) {
  Dice dice(5);
  const std::array symbols = {x, y, z};
  for (int round = 0; round < 25; ++round) {
    const Expr p = dice.polynomial(c, symbols, 3, 2) + n(7) * z;
    const Expr q = dice.polynomial(c, symbols, 3, 2) + n(5) + x;
    const Expr r = dice.polynomial(c, symbols, 2, 1) + n(3) + y;
    EXPECT_EQ(normal(p * r / (q * r)), normal(p / q));
    EXPECT_EQ(normal((p * r + q) / (q * r)), normal(p / q + n(1) / r));
    expect_faithful(p / q - r / (p + n(1)));
  }
}

TEST_F(Normal, WhatIsTooLargeComesBackUnchanged) {
  const Expr large = pow(x + y + z + a + b, Rational(300)) + n(1);
  EXPECT_EQ(normal(large), large);
  EXPECT_FALSE(quotient(large).has_value());
}

TEST_F(Normal, DivisionByWhatVanishesIsAnError) {
  EXPECT_THROW(normal(n(1) / (square(sin(x)) + square(cos(x)) - n(1))), Error);
}

}  // namespace
}  // namespace cetaev
