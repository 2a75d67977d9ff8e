// What is zero is proved, what is not is refuted at a point that anyone can check, and nothing takes for ever.
#include "cetaev/detail/algebra/zero.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>

#include "cetaev/error.hpp"
#include "random_expression.hpp"

namespace cetaev {
namespace {

struct Zero : testing::Test {
  Context c;
  Expr x = c.symbol("x");
  Expr y = c.symbol("y");
  Expr z = c.symbol("z");
  Expr a = c.symbol("a");
  Expr b = c.symbol("b");
  Expr n(long p, long q = 1) { return c.number(Rational(p, q)); }
  Expr decimal(const std::string& text) { return c.number(*Rational::parse(text)); }
  Expr sinh(Expr u) { return apply(Function::sinh, u); }
  Expr cosh(Expr u) { return apply(Function::cosh, u); }
  Expr tanh(Expr u) { return apply(Function::tanh, u); }
  Expr square(Expr u) { return pow(u, Rational(2)); }

  void expect_proved(Expr e) { EXPECT_EQ(prove_zero(e).verdict, Verdict::proved) << to_string(e).substr(0, 200); }

  // The witness is checked by evaluating there again, with other means than the test used.
  void expect_refuted(Expr e) {
    const ZeroTest test = prove_zero(e);
    ASSERT_EQ(test.verdict, Verdict::refuted) << to_string(e).substr(0, 200);
    std::vector<BallValue> values;
    for (const auto& [symbol, value] : test.witness) values.emplace_back(symbol, Ball(value, 30'000));
    EXPECT_EQ(values.size(), free_symbols(e).size());
    const Ball ball = evaluate_ball(e, values, 30'000);
    EXPECT_TRUE(ball.is_finite() && !ball.contains_zero()) << to_string(e).substr(0, 200);
    EXPECT_FALSE(vanishes(e));
  }
};

TEST_F(Zero, RandomProductsEqualTheirExpansions) {
  Dice dice(1);
  const std::array symbols = {x, y, z};
  for (int round = 0; round < 50; ++round) {
    const Expr p = dice.polynomial(c, symbols, 4, 3);
    const Expr q = dice.polynomial(c, symbols, 4, 3);
    const Expr r = dice.polynomial(c, symbols, 3, 2);
    expect_proved(p * (q + r) - p * q - p * r);
    expect_proved((p + q) * (p - q) - square(p) + square(q));
    expect_proved(pow(p + r, Rational(3)) - pow(p, Rational(3)) - n(3) * square(p) * r - n(3) * p * square(r) -
                  pow(r, Rational(3)));
    // one coefficient off
    const Expr wrong = p * (q + r) - p * q - p * r + decimal("1e-30") * x * y;
    expect_refuted(wrong);
  }
}

TEST_F(Zero, RationalFunctionsAreComparedOverCommonDenominators) {
  expect_proved((x * x - y * y) / (x - y) - x - y);
  expect_proved(n(1) / (x * (x + n(1))) - n(1) / x + n(1) / (x + n(1)));
  expect_proved(x / (x + y) + y / (x + y) - n(1));
  expect_proved(n(1) / (n(1) / x + n(1) / y) - x * y / (x + y));
  expect_refuted((x * x - y * y) / (x - y) - x + y);
  Dice dice(2);
  const std::array symbols = {x, y, z};
  for (int round = 0; round < 20; ++round) {
    const Expr p = dice.polynomial(c, symbols, 3, 2);
    const Expr q = dice.polynomial(c, symbols, 3, 2) + n(11) + x;
    const Expr r = dice.polynomial(c, symbols, 2, 2) + n(13) + y;
    expect_proved(p / q + p / r - p * (q + r) / (q * r));
  }
}

// Sums over many angles that are alike but for how they are put together, as a chain turned as a whole gives them: too many symbols for
// polynomials, which prove the same with fewer. What differs in one term is refuted.
TEST_F(Zero, ManyTermsMeetTheirOpposites) {
  for (const int links : {6, 120}) {
    Dice dice(static_cast<std::uint64_t>(links));
    Expr along = x, across = y, back = -x, there = -y;  // the same in other orders, with other signs
    std::vector<Expr> terms_along, terms_across;
    Expr squares = n(0), turned = n(0);
    for (int i = 0; i < links; ++i) {
      const Expr th = c.symbol("th" + std::to_string(i)), w = c.symbol("w" + std::to_string(i));
      const Expr length = n(dice.number(1, 9), dice.number(1, 4));
      along = along - length * w * sin(th);
      across = across + length * (w * cos(th));
      back = back + (length * w) * sin(th);
      there = there - w * (length * cos(th));
      squares = squares + along * across - square(across);
      turned = turned + back * there - across * (-there);
      const Expr u = c.symbol("u" + std::to_string(i));
      expect_proved(along * sin(u) - across * (cos(u) + sin(u)) + back * sin(u) - there * cos(u) + sin(u) * across);
      if (i == links - 1) expect_refuted(along * sin(u) + back * sin(u) + length * w * cos(th) * sin(u));
    }
    expect_proved(squares - turned);
    expect_refuted(squares - turned + n(1, 1'000'000) * x * y);
  }
}

TEST_F(Zero, AdditionTheoremsHold) {
  expect_proved(square(sin(x)) + square(cos(x)) - n(1));
  expect_proved(sin(a) * cos(b) + cos(a) * sin(b) - sin(a + b));
  expect_proved(cos(a - b) - cos(a) * cos(b) - sin(a) * sin(b));
  expect_proved(sin(n(3) * a) - n(3) * sin(a) + n(4) * pow(sin(a), Rational(3)));
  expect_proved(cos(n(5) * a) - n(16) * pow(cos(a), Rational(5)) + n(20) * pow(cos(a), Rational(3)) - n(5) * cos(a));
  expect_proved(square(cos(a / n(2))) - (n(1) + cos(a)) / n(2));
  expect_proved(sin(a / n(2) + b / n(3)) - sin(a / n(2)) * cos(b / n(3)) - cos(a / n(2)) * sin(b / n(3)));
  expect_proved(tan(a + b) - (tan(a) + tan(b)) / (n(1) - tan(a) * tan(b)));
  expect_proved(sin(a + b) + sin(a - b) - n(2) * sin(a) * cos(b));
  expect_refuted(sin(n(3) * a) - n(3) * sin(a) + n(3) * pow(sin(a), Rational(3)));
  expect_refuted(sin(a + b) - sin(a) - sin(b));
}

TEST_F(Zero, AnglesThatAreEqualAsRationalFunctionsAreEqual) {
  expect_proved(sin((x + y) * a) - sin(x * a) * cos(y * a) - cos(x * a) * sin(y * a));
  expect_proved(cos((x * x - y * y) / (x - y)) - cos(x + y));
  expect_proved(sin(x / (x + y)) * cos(y / (x + y)) + cos(x / (x + y)) * sin(y / (x + y)) - sin(n(1)));
  expect_proved(log((x * x - y * y) / (x - y)) - log(x + y));
  expect_proved(atan2(x * (y + z), a) - atan2(x * y + x * z, a));
  expect_proved(apply(Function::atan, x * (y - z)) + apply(Function::atan, x * z - x * y));
  expect_proved(apply(Function::atan, square(sin(a)) - n(1)) + apply(Function::atan, square(cos(a))));
  expect_refuted(log(x * y) - log(x + y));
}

TEST_F(Zero, NestedKernelsAreNormalisedFromTheInside) {
  expect_proved(sin(square(sin(x)) + square(cos(x)) + y) - sin(y + n(1)));
  expect_proved(exp(sin(a + b)) - exp(sin(a) * cos(b)) * exp(cos(a) * sin(b)));
  expect_proved(sqrt(n(1) - square(sin(x))) - abs(cos(x)));
  expect_proved(cos(sqrt(square(x + y)) * n(2)) - n(1) + n(2) * square(sin(abs(x + y))));
}

TEST_F(Zero, AnglesInFractionsOfPi) {
  const Expr pi = c.pi();
  expect_proved(sin(a + pi / n(2)) - cos(a));
  expect_proved(cos(a + pi) + cos(a));
  expect_proved(sin(a + pi / n(3)) - sin(a) / n(2) - cos(a) * sqrt(n(3)) / n(2));
  expect_proved(cos(a + pi / n(12)) - cos(a) * (sqrt(n(6)) + sqrt(n(2))) / n(4) +
                sin(a) * (sqrt(n(6)) - sqrt(n(2))) / n(4));
  expect_proved(cos(a - n(7) * pi / n(12)) - cos(a) * cos(n(7) * pi / n(12)) - sin(a) * sin(n(7) * pi / n(12)));
  expect_proved(sin(a + pi / n(7)) - sin(a) * cos(pi / n(7)) - cos(a) * sin(pi / n(7)));
  expect_refuted(pi - decimal("3.14159265358979323846264338327950288419716939937510582097494459"));
  // A relation that exact algebra here does not know: cos(π/7) has a minimal polynomial of degree 3.
  EXPECT_TRUE(vanishes(cos(pi / n(7)) - cos(n(2) * pi / n(7)) + cos(n(3) * pi / n(7)) - n(1, 2)));
}

TEST_F(Zero, HyperbolicFunctionsAndExponentials) {
  expect_proved(square(cosh(x)) - square(sinh(x)) - n(1));
  expect_proved(cosh(a + b) - cosh(a) * cosh(b) - sinh(a) * sinh(b));
  expect_proved(tanh(n(2) * a) - n(2) * tanh(a) / (n(1) + square(tanh(a))));
  expect_proved(cosh(x) + sinh(x) - exp(x));
  expect_proved(exp(a + b) - exp(a) * exp(b));
  expect_proved(exp(n(2) * a) - square(exp(a)));
  expect_proved(exp(a / n(3)) * exp(n(2, 3) * a) - exp(a));
  expect_proved(exp(-a) - n(1) / exp(a));
  expect_proved(exp(n(2) * log(x) + y) - x * x * exp(y));
  expect_proved(exp(log(x) / n(2)) - sqrt(x));
  expect_proved(cosh(exp(x)) + sinh(exp(x)) - exp(exp(x)));
  expect_refuted(cosh(exp(x)) - exp(x) / n(2) - exp(-x) / n(2));
  expect_refuted(exp(y - x) - n(1));
  expect_refuted(sinh(a + b) - sinh(a) - sinh(b));
}

TEST_F(Zero, SymbolicPowers) {
  expect_proved(pow(x, a + n(1)) - x * pow(x, a));
  expect_proved(pow(x, a + b) - pow(x, a) * pow(x, b));
  expect_proved(exp(a * log(x)) - pow(x, a));
  expect_proved(pow(n(2), x + y) * pow(n(2), x - y) - pow(pow(n(2), x), Rational(2)));
  expect_proved(pow(x + y, a * (b + n(1))) / pow(x + y, a * b) - pow(x + y, a));
  expect_refuted(pow(x, a) - pow(a, x));
}

TEST_F(Zero, Radicals) {
  expect_proved(sqrt(x * y) - sqrt(x) * sqrt(y));
  expect_proved(square(sqrt(x * y + a)) - x * y - a);
  expect_proved(pow(x + y, Rational(1, 2)) * pow(x + y, Rational(1, 3)) - pow(x + y, Rational(5, 6)));
  expect_proved(n(1) / (sqrt(x) + sqrt(y)) - (sqrt(x) - sqrt(y)) / (x - y));
  expect_proved(sqrt(n(4) * x * x + n(4) * y * y) - n(2) * sqrt(x * x + y * y));
  expect_proved(sqrt(y / x) * sqrt(x / y) - n(1));
  expect_proved(sqrt(n(8) * x) - n(2) * sqrt(n(2)) * sqrt(x));
  expect_proved(sqrt(x * x + n(2) * x * y + y * y) - abs(x + y));
  expect_proved(pow(pow(x - y, Rational(4)), Rational(1, 4)) - abs(x - y));
  expect_proved(sqrt(square(x * x + y * y)) - x * x - y * y);
  expect_proved(abs(x) * abs(y) - abs(x * y));
  expect_proved(pow(n(12), Rational(1, 3)) * pow(n(18), Rational(1, 3)) - n(6));
  expect_refuted(sqrt(square(x)) - x);
  expect_refuted(abs(x + y) - x - y);
  expect_refuted(sqrt(x + y) - sqrt(x) - sqrt(y));
}

TEST_F(Zero, RootsOfNestedRootsAreSeenByNumbers) {
  const Expr nested = sqrt(n(3) + n(2) * sqrt(n(2))) - n(1) - sqrt(n(2));
  const ZeroTest test = prove_zero(nested);
  EXPECT_EQ(test.verdict, Verdict::undecided);
  EXPECT_EQ(test.points, 1);
  EXPECT_GE(test.digits, 60);
  EXPECT_TRUE(vanishes(nested));
  expect_refuted(nested + decimal("1e-1000"));

  const Expr angles = apply(Function::asin, x) + apply(Function::acos, x) - c.pi() / n(2);
  const ZeroTest inverse = prove_zero(angles);
  EXPECT_EQ(inverse.verdict, Verdict::undecided);
  EXPECT_GE(inverse.points, 8);
  EXPECT_GE(inverse.digits, 60);
  EXPECT_TRUE(vanishes(angles));
}

TEST_F(Zero, AlmostZeroIsRefuted) {
  expect_refuted(exp(c.pi() * sqrt(n(163))) - decimal("262537412640768744"));
  expect_refuted(sqrt(x * x + decimal("1e-40")) - abs(x));
  expect_refuted(sqrt(x * x + decimal("1e-900")) - abs(x));
  expect_refuted(square(sin(x)) + square(cos(x)) - n(1) + decimal("1e-200") * x);
  expect_refuted(sin(decimal("1e-60") * x) - decimal("1e-60") * x);
  expect_refuted(square(x + decimal("1e-3000")) - x * x - decimal("2e-3000") * x);
  // zero on one side only
  expect_refuted(abs(x) - x);
  expect_refuted(apply(Function::atan, x) + apply(Function::atan, n(1) / x) - c.pi() / n(2));
}

TEST_F(Zero, ParameterisedDomainsAreFound) {
  expect_refuted(apply(Function::acosh, x) - n(1));
  expect_refuted(apply(Function::acos, x) * apply(Function::acos, y) * apply(Function::acos, z) - n(1));
  expect_refuted(log(-x) + n(1));
  EXPECT_TRUE(vanishes(apply(Function::acosh, n(2) * square(x) - n(1)) - n(2) * apply(Function::acosh, abs(x))));
}

TEST_F(Zero, WhatIsNowhereDefinedIsNotZero) {
  const ZeroTest test = prove_zero(log(-n(1) - x * x));
  EXPECT_EQ(test.verdict, Verdict::undecided);
  EXPECT_EQ(test.points, 0);
  EXPECT_FALSE(vanishes(log(-n(1) - x * x)));
  EXPECT_FALSE(vanishes(sqrt(-n(1) - x * x) - n(1)));
  EXPECT_FALSE(vanishes(sqrt(x) - sqrt(-x)));
}

TEST_F(Zero, AFewPointsAreNotEnough) {
  // A true identity, on a domain that random points seldom meet.
  Expr e = c.zero();
  for (const Expr u : {x, y, z}) e = e + apply(Function::asin, u) + apply(Function::acos, u) - c.pi() / n(2);
  for (const Expr u : {a, b}) e = e * apply(Function::acosh, u);
  const ZeroTest test = prove_zero(e);
  EXPECT_EQ(test.verdict, Verdict::undecided);
  EXPECT_GT(test.points, 0);
  EXPECT_LT(test.points, 8);
  EXPECT_GE(test.digits, 60);
  EXPECT_FALSE(vanishes(e));
}

TEST_F(Zero, DivisionByWhatVanishesIsAnErrorThatQuotesIt) {
  const Expr first = square(sin(x));  // terms read in the order in which they were made
  try {
    prove_zero(x / (first + square(cos(x)) - n(1)));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_model);
    EXPECT_EQ(error.message(), "division by zero: sin(x)^2 + cos(x)^2 - 1 vanishes identically");
  }
  EXPECT_THROW(prove_zero(n(1) / ((x + y) * (x - y) - x * x + y * y)), Error);
  EXPECT_THROW(prove_zero(pow(sqrt(x * x) - abs(x), Rational(-2)) + n(1)), Error);
}

TEST_F(Zero, TheSameWitnessEveryTime) {
  const Expr e = x * sin(a) - y * cos(a) + z;
  const ZeroTest first = prove_zero(e);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(prove_zero(e).witness, first.witness);
  Context other;
  const Expr twin = other.symbol("x") * sin(other.symbol("a")) - other.symbol("y") * cos(other.symbol("a"));
  EXPECT_EQ(prove_zero(twin).verdict, Verdict::refuted);
  // splitmix64 worked out elsewhere: nothing may depend on the machine or its standard library.
  EXPECT_EQ(first.witness[0].second.to_string(), "1272533/1048576");
}

TEST_F(Zero, LargeExpressionsEndInBoundedTime) {
  const auto start = std::chrono::steady_clock::now();
  Expr product = c.one();
  for (int i = 0; i < 60; ++i) {
    product = product * (c.symbol("u" + std::to_string(i)) + c.symbol("w" + std::to_string(i)));
  }
  EXPECT_TRUE(vanishes(product * (x + y) - product * x - product * y));
  const Expr sum = x + y + a + b;
  EXPECT_TRUE(vanishes(pow(sum, Rational(200)) - x * pow(sum, Rational(199)) - (y + a + b) * pow(sum, Rational(199))));
  EXPECT_TRUE(vanishes(pow(x + y, Rational(1'000'000)) - (x + y) * pow(x + y, Rational(999'999))));
  EXPECT_TRUE(vanishes(sin(n(100'000) * a) - n(2) * sin(n(50'000) * a) * cos(n(50'000) * a)));
  Expr angle = c.zero();
  Expr tower = c.zero();
  for (int i = 0; i < 40; ++i) {
    angle = angle + c.symbol("t" + std::to_string(i));
    tower = tower + square(sin(angle)) + square(cos(angle));
  }
  expect_proved(tower - n(40));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), 30.0);
}

TEST_F(Zero, WhatIsZeroButBesideAStepIsNotZero) {
  const Expr far = n(1000) * (x - n(30000));
  EXPECT_FALSE(vanishes(tanh(far) + n(1)));
  EXPECT_FALSE(vanishes(y * (n(1) - tanh(far + y * y)) - n(2) * y));
  EXPECT_FALSE(vanishes(n(1) / (n(1) + exp(far)) - n(1)));
  EXPECT_TRUE(vanishes(square(tanh(far)) * square(cosh(far)) - square(sinh(far))));
}

TEST_F(Zero, DeepExpressionsDoNotExhaustTheStack) {
  Expr deep = x;
  for (int i = 0; i < 20'000; ++i) deep = sin(deep) + n(1);
  EXPECT_TRUE(vanishes(deep - deep * y * (x + n(1)) / (y + x * y)));
  EXPECT_FALSE(vanishes(deep - n(3)));
}

}  // namespace
}  // namespace cetaev
