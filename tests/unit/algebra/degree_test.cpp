// Degrees of homogeneity and linearity in velocities.
#include "cetaev/algebra/degree.hpp"

#include <gtest/gtest.h>

#include <array>

#include "random_expression.hpp"

namespace cetaev {
namespace {

struct InVelocities : testing::Test {
  Context c;
  Expr q = c.symbol("q");
  Expr C = c.symbol("C");
  Expr x = c.symbol("x'");
  Expr y = c.symbol("y'");
  Expr z = c.symbol("z'");
  std::array<Expr, 3> velocities = {x, y, z};
  Expr n(long p, long d = 1) { return c.number(Rational(p, d)); }
  Expr square(Expr u) { return pow(u, Rational(2)); }
};

struct Homogeneity : InVelocities {
  std::optional<Rational> degree(Expr e) { return homogeneity_degree(e, velocities); }
  void expect_degree(Expr e, const Rational& d) {
    const auto found = degree(e);
    ASSERT_TRUE(found.has_value()) << to_string(e);
    EXPECT_EQ(*found, d) << to_string(e) << " has degree " << found->to_string();
  }
  void expect_none(Expr e) { EXPECT_FALSE(degree(e).has_value()) << to_string(e); }
};

TEST_F(Homogeneity, IsReadFromTheStructure) {
  expect_degree(sqrt(x * x + y * y), 1);
  expect_degree(x * x * y + pow(y, Rational(3)), 3);
  expect_degree(atan2(y, x), 0);
  expect_degree(pow(x * x + y * y, Rational(1, 3)), Rational(2, 3));
  expect_degree(abs(x), 1);
  expect_degree(sin(q) * x - cos(q) * y, 1);
  expect_degree(n(1) / (x * x + q * y * y), -2);
  expect_degree(x * exp(y / x) + sqrt(x * y), 1);
  expect_degree(q * C, 0);
  expect_degree(pow(y / x, q), 0);
}

TEST_F(Homogeneity, IsFoundWhereTheStructureHidesIt) {
  expect_degree((x * x - y * y) / (x - y), 1);
  expect_degree(square(x + n(1)) - n(2) * x - n(1), 2);
  expect_degree(log(exp(x) * exp(y)), 1);
  expect_degree((square(sin(q)) + square(cos(q)) - n(1)) * C + x, 1);
  expect_degree(exp(log(x) / n(3)) * y, Rational(4, 3));
  expect_degree(log(x * y) - log(y * y), 0);
  expect_degree(pow(x + y, Rational(2)) / (x + y + abs(x + y)), 1);
}

TEST_F(Homogeneity, IsDeniedWhereThereIsNone) {
  expect_none(exp(y - x) - n(1));
  expect_none(x + n(1));
  expect_none(x + q);
  expect_none(sqrt(x * x + y * y) - C);
  expect_none(x * y + z);
  expect_none(sin(x));
  expect_none(log(x));
  expect_none(pow(x, q));
  // close to degree 1 is not degree 1
  expect_none(x + y + c.number(*Rational::parse("1e-30")) * x * y);
  expect_none(x + y + c.number(*Rational::parse("1e-100")) * x * y);
  expect_none(pow(x, Rational(1)) * pow(x * x + c.number(*Rational::parse("1e-50")), Rational(1, 2)));
}

TEST_F(Homogeneity, OfZeroIsNotDefined) {
  expect_none(c.zero());
  expect_none(square(x + y) - x * x - n(2) * x * y - y * y);
}

TEST_F(Homogeneity, FollowsTheScalingOfRandomForms) {
  Dice dice(3);
  for (int round = 0; round < 30; ++round) {
    const long d = dice.number(1, 5);
    Expr form = pow(x, Rational(d));
    for (int i = 0; i < 4; ++i) {
      const long i1 = dice.number(0, d);
      const long i2 = dice.number(0, d - i1);
      form = form + n(dice.number(1, 9)) * pow(x, Rational(i1)) * pow(y, Rational(i2)) * pow(z, Rational(d - i1 - i2));
    }
    expect_degree(form, d);
    expect_degree(pow(square(form), Rational(1, 6)), Rational(d, 3));
    expect_none(form + q);
  }
}

struct LinearIn : InVelocities {
  Linearity of(Expr e) { return linearity_in(e, velocities); }
};

TEST_F(LinearIn, TellsTheFourKindsApart) {
  EXPECT_EQ(of(q * C), Linearity::none);
  EXPECT_EQ(of(sin(q) * x - cos(q) * y), Linearity::linear);
  EXPECT_EQ(of(x - q), Linearity::affine);
  EXPECT_EQ(of(x * y), Linearity::nonlinear);
  EXPECT_EQ(of(sqrt(x * x + y * y)), Linearity::nonlinear);
  EXPECT_EQ(of(sqrt(x * x + y * y) - C), Linearity::nonlinear);
}

TEST_F(LinearIn, SeesThroughTheWriting) {
  EXPECT_EQ(of((x * x - y * y) / (x - y)), Linearity::linear);
  EXPECT_EQ(of((x * x - y * y) / (x - y) + q), Linearity::affine);
  EXPECT_EQ(of(square(x + q) - x * x), Linearity::affine);
  EXPECT_EQ(of(square(x + q) - x * x - q * q), Linearity::linear);
  EXPECT_EQ(of((square(sin(q)) + square(cos(q)) - n(1)) * x + q), Linearity::none);
  EXPECT_EQ(of(square(x + y) - x * x - n(2) * x * y - y * y + q), Linearity::none);
  EXPECT_EQ(of(log(exp(x) * exp(q))), Linearity::affine);
}

TEST_F(LinearIn, IsNotFooledByPiecewiseLinearFunctions) {
  EXPECT_EQ(of(abs(x)), Linearity::nonlinear);
  EXPECT_EQ(of(sqrt(square(x))), Linearity::nonlinear);
  EXPECT_EQ(of(abs(x - n(1)) + y), Linearity::nonlinear);
  EXPECT_EQ(of(abs(q) * x), Linearity::linear);
}

}  // namespace
}  // namespace cetaev
