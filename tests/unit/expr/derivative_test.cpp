// Derivatives against difference quotients in high precision, closed forms, and each other.
#include "cetaev/expr/derivative.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "cetaev/expr/evaluate.hpp"

namespace cetaev {
namespace {

// (f(x+h) − f(x−h))/2h with h = 10⁻³⁰ in 400-bit balls: correct to about 60 digits.
Ball difference_quotient(Expr f, Expr x, const Rational& at) {
  const Rational h = Rational(10).power(-30);
  Context& c = f.context();
  const Expr u = c.symbol("difference");
  const std::array<Replacement, 1> up = {{{x, u + c.number(h)}}};
  const std::array<Replacement, 1> down = {{{x, u - c.number(h)}}};
  const Expr quotient = (Rational(1, 2) * h.inverse()) * (substitute(f, up) - substitute(f, down));
  return evaluate_ball(quotient, std::array<BallValue, 1>{{{u, Ball(at, 400)}}}, 400);
}

TEST(Derivative, OfEveryFunctionMatchesItsDifferenceQuotient) {
  Context c;
  const Expr x = c.symbol("x");
  const Expr a = c.symbol("a");
  for (std::size_t i = 0; i < function_count; ++i) {
    const auto f = static_cast<Function>(i);
    if (arity(f) == 2) continue;
    SCOPED_TRACE(name_of(f));
    // inside every domain: acosh needs more than 1, asin and atanh less
    const Rational at = f == Function::acosh ? Rational(7, 4) : Rational(-3, 8);
    const Rational point = f == Function::log ? Rational(5, 8) : at;
    const Expr value = apply(f, x);
    const Ball exact = evaluate_ball(derivative(value, x), std::array<BallValue, 1>{{{x, Ball(point, 400)}}}, 400);
    const Ball quotient = difference_quotient(value, x, point);
    ASSERT_TRUE(exact.is_finite());
    EXPECT_NEAR(exact.midpoint(), quotient.midpoint(), 1e-15 * std::fabs(quotient.midpoint()));
    EXPECT_EQ(exact.to_string(25), quotient.to_string(25));
    EXPECT_TRUE(derivative(value, a).is_zero());
  }
}

// By either argument, for parameters of every kind: above one, too, where dn changes its sign.
TEST(Derivative, OfFunctionsOfTwoArgumentsMatchesTheirDifferenceQuotients) {
  Context c;
  const Expr x = c.symbol("x");
  for (const Function f : {Function::atan2, Function::elliptic_f, Function::elliptic_e, Function::amplitude,
                           Function::delta, Function::epsilon}) {
    const bool integral = f == Function::elliptic_f || f == Function::elliptic_e;
    for (const Rational& m : {Rational(3, 10), Rational(-7, 2), Rational(9, 10), Rational(2)}) {
      const Rational at = integral && m > Rational(1) ? Rational(1, 2) : Rational(13, 4);
      for (const auto& [value, point] :
           {std::pair{apply(f, x, c.number(m)), at}, std::pair{apply(f, c.number(at), x), m}}) {
        SCOPED_TRACE(to_string(value) + " at " + point.to_string());
        const Ball exact = evaluate_ball(derivative(value, x), std::array<BallValue, 1>{{{x, Ball(point, 400)}}}, 400);
        ASSERT_TRUE(exact.is_finite());
        EXPECT_EQ(exact.to_string(25), difference_quotient(value, x, point).to_string(25));
      }
    }
  }
}

TEST(Derivative, OfPowersAndQuotients) {
  Context c;
  const Expr x = c.symbol("x");
  const std::vector<Expr> expressions = {pow(x, Rational(5)),
                                         pow(x, Rational(-3)),
                                         sqrt(x + pow(x, Rational(2))),
                                         pow(x, Rational(-7, 3)),
                                         pow(x, x),
                                         pow(c.integer(2), x),
                                         sin(x) / (cos(x) + c.integer(3)),
                                         exp(x * sin(x)) * log(x + c.one()),
                                         pow(sqrt(x), Rational(2)),
                                         abs(x) * x,
                                         atan2(x, pow(x, Rational(2)) + c.one()),
                                         atan2(c.integer(-3), x)};
  const Rational at(13, 8);
  for (const Expr e : expressions) {
    SCOPED_TRACE(to_string(e));
    const Ball exact = evaluate_ball(derivative(e, x), std::array<BallValue, 1>{{{x, Ball(at, 400)}}}, 400);
    EXPECT_EQ(exact.to_string(25), difference_quotient(e, x, at).to_string(25));
  }
}

TEST(Derivative, ReverseAndForwardAgreeAsNodes) {
  Context c;
  std::vector<Expr> x;
  for (int i = 0; i < 4; ++i) x.push_back(c.symbol("x" + std::to_string(i)));
  const Expr e =
      sin(x[0] * x[1]) * exp(x[2]) / (c.one() + pow(x[3], Rational(2))) + pow(x[0] + x[1], Rational(3)) * x[2];
  const std::vector<Expr> reverse = gradient(e, x);
  const Matrix forward = jacobian(std::array{e}, x);
  std::vector<Value> at;
  for (std::size_t i = 0; i < x.size(); ++i) at.emplace_back(x[i], 0.3 + 0.2 * static_cast<double>(i));
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(evaluate(reverse[i], at), evaluate(forward(0, i), at), 1e-14);
    EXPECT_NEAR(evaluate(reverse[i], at), evaluate(derivative(e, x[i]), at), 1e-14);
  }
}

TEST(Derivative, HessianIsSymmetricAndRight) {
  Context c;
  const Expr x = c.symbol("x");
  const Expr y = c.symbol("y");
  const std::array variables = {x, y};
  const Matrix h = hessian(pow(x, Rational(3)) * pow(y, Rational(2)), variables);
  EXPECT_EQ(h(0, 0), c.integer(6) * x * pow(y, Rational(2)));
  EXPECT_EQ(h(0, 1), c.integer(6) * pow(x, Rational(2)) * y);
  EXPECT_EQ(h(1, 0), h(0, 1));
  EXPECT_EQ(h(1, 1), c.integer(2) * pow(x, Rational(3)));
}

TEST(Derivative, SecondDerivativeOfAnAbsoluteValueVanishes) {
  Context c;
  const Expr x = c.symbol("x");
  EXPECT_TRUE(derivative(derivative(abs(x), x), x).is_zero());
  EXPECT_EQ(derivative(abs(x), x), abs(x) / x);
}

struct Oscillator : testing::Test {
  Context c;
  Motion motion{{c.symbol("x"), c.symbol("y")},
                {c.symbol("x'"), c.symbol("y'")},
                {c.symbol("x''"), c.symbol("y''")},
                c.symbol("t")};
};

TEST_F(Oscillator, TotalDerivativeFollowsTheMotion) {
  Derivation d = total_derivative(motion);
  const auto& [q, v, a, t] = motion;
  EXPECT_EQ(d(q[0]), v[0]);
  EXPECT_EQ(d(q[0] * v[1] * t), v[0] * v[1] * t + q[0] * a[1] * t + q[0] * v[1]);
  EXPECT_EQ(d(c.symbol("parameter")), c.zero());
}

TEST_F(Oscillator, LagrangianDerivativeOfATotalDerivativeVanishes) {
  // E_j (Dₜ f) = 0 for every f(q, t)
  const Expr f = sin(motion.q[0]) * pow(motion.q[1], Rational(3)) + motion.t * motion.q[0] * motion.q[1];
  Derivation d = total_derivative(motion);
  std::vector<Value> at;
  double value = 0.3;
  for (const auto* group : {&motion.q, &motion.v, &motion.a}) {
    for (const Expr s : *group) at.emplace_back(s, value += 0.17);
  }
  at.emplace_back(motion.t, 0.9);
  for (const Expr e : lagrangian_derivative(d(f), motion)) EXPECT_NEAR(evaluate(e, at), 0, 1e-13);
}

TEST_F(Oscillator, LagrangianDerivativeOfTheKineticEnergyInPolarCoordinates) {
  // L = (r'² + r²θ'²)/2: E_r = r'' − rθ'², E_θ = r²θ'' + 2 r r'θ'
  const auto& [q, v, a, t] = motion;
  const Expr L = Rational(1, 2) * (v[0] * v[0] + pow(q[0] * v[1], Rational(2)));
  const std::vector<Expr> e = lagrangian_derivative(L, motion);
  EXPECT_EQ(e[0], a[0] - q[0] * pow(v[1], Rational(2)));
  EXPECT_EQ(e[1], pow(q[0], Rational(2)) * a[1] + c.integer(2) * q[0] * v[0] * v[1]);
}

}  // namespace
}  // namespace cetaev
