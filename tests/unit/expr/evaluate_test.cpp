#include "cetaev/expr/evaluate.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>

#include "cetaev/error.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {
namespace {

TEST(Evaluate, DoublesAgreeWithTheStandardLibrary) {
  Context c;
  const Expr x = c.symbol("x");
  const std::array<Value, 1> at = {{{x, 0.6}}};
  EXPECT_EQ(evaluate(sin(x), at), std::sin(0.6));
  EXPECT_EQ(evaluate(apply(Function::atanh, x), at), std::atanh(0.6));
  EXPECT_DOUBLE_EQ(evaluate(pow(x, Rational(5, 3)), at), std::pow(0.6, 5.0 / 3));
  EXPECT_DOUBLE_EQ(evaluate(atan2(x, -x), at), std::atan2(0.6, -0.6));
  EXPECT_EQ(evaluate(c.number(Rational(1, 10)), {}), 0.1);
  EXPECT_TRUE(std::isnan(evaluate(sqrt(-x), at)));
}

TEST(Evaluate, NumbersRoundToTheNearestDouble) {
  for (const char* text : {"0.1", "1e-3", "123456789.123456789", "5e-324", "1.7976931348623157e308", "9007199254740993",
                           "3.14159265358979323846", "1e22", "1e23", "2.2250738585072011e-308"}) {
    EXPECT_EQ(Rational::parse(text)->to_double(), std::strtod(text, nullptr)) << text;
  }
  EXPECT_TRUE(std::isinf(Rational::parse("1e400")->to_double()));
  EXPECT_EQ(Rational::parse("1e-400")->to_double(), 0);
}

TEST(Evaluate, BallsContainTheTrueValue) {
  Context c;
  // e^(π√163) = 262537412640768743.99999999999925007…
  const Expr e = exp(c.pi() * sqrt(c.integer(163)));
  const Ball b = evaluate_ball(e - c.number(*Rational::parse("262537412640768744")), {}, 300);
  EXPECT_FALSE(b.contains_zero());
  EXPECT_EQ(b.to_string(6), "-7.49927e-13");
}

TEST(Evaluate, EveryFunctionAgreesBetweenDoublesAndBalls) {
  Context c;
  const Expr x = c.symbol("x");
  for (std::size_t i = 0; i < function_count; ++i) {
    const auto f = static_cast<Function>(i);
    const double at = f == Function::acosh ? 1.625 : 0.625;
    const Expr e = arity(f) == 2 ? apply(f, x, c.integer(-2)) : apply(f, x);
    const double exact = evaluate_ball(e, std::array<BallValue, 1>{{{x, Ball::from_double(at)}}}, 200).midpoint();
    EXPECT_NEAR(evaluate(e, std::array<Value, 1>{{{x, at}}}), exact, 4e-16) << name_of(f);
  }
}

TEST(Evaluate, UndefinedOperationsGiveBallsThatAreNotFinite) {
  Context c;
  const Expr x = c.symbol("x");
  const auto at = [&](Expr e, long value) {
    return evaluate_ball(e, std::array<BallValue, 1>{{{x, Ball(Rational(value))}}}, 100).is_finite();
  };
  EXPECT_FALSE(at(log(x), -1));
  EXPECT_FALSE(at(sqrt(x), -1));
  EXPECT_FALSE(at(c.one() / x, 0));
  EXPECT_TRUE(at(c.one() / x, 2));
}

TEST(Evaluate, AMissingValueIsNamed) {
  Context c;
  try {
    evaluate(c.symbol("speed"), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown_name);
    EXPECT_STREQ(error.what(), "no value given for speed");
  }
}

// 200,000 levels: nothing may recurse.
TEST(DeepExpressions, AreDifferentiatedEvaluatedSubstitutedAndPrinted) {
  constexpr int depth = 200000;
  Context c;
  const Expr x = c.symbol("x");
  Expr nested = x;
  Expr tower = x;
  for (int i = 0; i < depth; ++i) {
    nested = sin(nested);
    tower = tower * x + c.one();
  }
  const std::array<Value, 1> at = {{{x, 0.5}}};
  // y ← y/2 + 1 has the fixed point 2
  EXPECT_NEAR(evaluate(tower, at), 2, 1e-15);
  double expected = 0.5;
  for (int i = 0; i < depth; ++i) expected = std::sin(expected);
  EXPECT_DOUBLE_EQ(evaluate(nested, at), expected);

  // d(tower)/dx at the fixed point: D = D x + y, so D = y/(1 − x) = 4
  EXPECT_NEAR(evaluate(derivative(tower, x), at), 4, 1e-14);
  EXPECT_NEAR(evaluate(gradient(tower, std::array{x})[0], at), 4, 1e-14);
  EXPECT_GT(evaluate(derivative(nested, x), at), 0);
  EXPECT_NEAR(evaluate_ball(tower, std::array<BallValue, 1>{{{x, Ball(Rational(1, 2))}}}, 200).midpoint(), 2, 1e-15);

  const std::string text = to_string(nested);
  EXPECT_EQ(text.size(), 4u * depth + 1u + depth);
  EXPECT_EQ(text.substr(0, 8), "sin(sin(");
  const std::array<Replacement, 1> renamed = {{{x, c.symbol("y")}}};
  EXPECT_EQ(free_symbols(substitute(nested, renamed)), std::vector{c.symbol("y")});
}

}  // namespace
}  // namespace cetaev
