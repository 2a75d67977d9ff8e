// Elliptic integrals and functions against quadrature, the arithmetic-geometric mean, their differential equation and closed forms.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "cetaev/error.hpp"
#include "cetaev/expr/evaluate.hpp"

namespace cetaev {
namespace {

constexpr double pi = std::numbers::pi;

double F(double phi, double m) { return function_value(Function::elliptic_f, phi, m); }
double E(double phi, double m) { return function_value(Function::elliptic_e, phi, m); }
double am(double u, double m) { return function_value(Function::amplitude, u, m); }
double dn(double u, double m) { return function_value(Function::delta, u, m); }
double epsilon(double u, double m) { return function_value(Function::epsilon, u, m); }

// ∫ (1 − m sin²θ)^power dθ from 0 to φ by Gauss's rule of ten points on many pieces.
double quadrature(double phi, double m, double power) {
  constexpr std::array x = {0.14887433898163122, 0.43339539412924719, 0.67940956829902441, 0.86506336668898451,
                            0.97390652851717172};
  constexpr std::array w = {0.29552422471475287, 0.26926671930999636, 0.21908636251598204, 0.14945134915058059,
                            0.06667134430868814};
  constexpr int pieces = 400;
  const double h = phi / pieces / 2;
  double sum = 0;
  for (int k = 0; k < pieces; ++k) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (const double side : {-1.0, 1.0}) {
        const double s = std::sin(h * (2 * k + 1 + side * x[i]));
        sum += w[i] * std::pow(1 - m * s * s, power);
      }
    }
  }
  return h * sum;
}

TEST(Elliptic, IntegralsAreWhatQuadratureGives) {
  for (const double m : {0.0, 1e-9, 0.3, 0.75, 0.98, -0.4, -3.0, -200.0}) {
    for (const double phi : {0.0, 0.1, 1.2, pi / 2, 2.0, 3.1, 5.0, 17.3, -0.7, -4.4}) {
      SCOPED_TRACE(testing::Message() << "phi = " << phi << ", m = " << m);
      const double f = quadrature(phi, m, -0.5), e = quadrature(phi, m, 0.5);
      EXPECT_NEAR(F(phi, m), f, 2e-14 * std::max(1.0, std::fabs(f)));
      EXPECT_NEAR(E(phi, m), e, 2e-14 * std::max(1.0, std::fabs(e)));
    }
  }
  // a parameter above one, as far as the integrand is real
  for (const double phi : {0.1, 0.4, 0.6}) {
    EXPECT_NEAR(F(phi, 2.5), quadrature(phi, 2.5, -0.5), 1e-14);
    EXPECT_NEAR(E(phi, 2.5), quadrature(phi, 2.5, 0.5), 1e-14);
  }
  EXPECT_TRUE(std::isnan(F(1.0, 2.5)));
  EXPECT_TRUE(std::isnan(E(1.0, 2.5)));
  EXPECT_TRUE(std::isnan(F(3.0, 2.5)));
}

TEST(Elliptic, WhatIsNoNumberGivesNone) {
  const double nan = std::nan(""), infinite = HUGE_VAL;
  for (const Function f :
       {Function::elliptic_f, Function::elliptic_e, Function::amplitude, Function::delta, Function::epsilon}) {
    for (const auto& [x, m] :
         {std::pair{nan, 0.5}, std::pair{0.5, nan}, std::pair{infinite, 0.5}, std::pair{0.5, infinite}})
      EXPECT_TRUE(std::isnan(function_value(f, x, m))) << name_of(f) << " " << x << " " << m;
  }
}

TEST(Elliptic, CompleteIntegralsAreTheArithmeticGeometricMean) {
  for (const double m : {-1e6, -3.0, -0.1, 0.0, 1e-12, 0.5, 0.9, 0.999999, 1 - 1e-15}) {
    double a = 1, b = std::sqrt(1 - m);
    for (int i = 0; i < 60; ++i) {
      const double mean = (a + b) / 2;
      b = std::sqrt(a * b);
      a = mean;
    }
    EXPECT_NEAR(F(pi / 2, m), pi / 2 / a, 4e-15 * (1 + pi / 2 / a) + 1e-16 / std::sqrt(1 - m))
        << m;  // π/2 in doubles is a little less
  }
  EXPECT_GT(F(pi / 2, 1), 30);
  // Legendre's relation: E K' + E' K − K K' = π/2
  for (const double m : {0.01, 0.3, 0.5, 0.99}) {
    const double k = F(pi / 2, m), e = E(pi / 2, m), k1 = F(pi / 2, 1 - m), e1 = E(pi / 2, 1 - m);
    EXPECT_NEAR(e * k1 + e1 * k - k * k1, pi / 2, 1e-14);
  }
}

TEST(Elliptic, FunctionsOfParameterOneAreHyperbolic) {
  for (const double u : {0.0, 0.3, -1.7, 4.0, 20.0}) {
    EXPECT_NEAR(am(u, 1), std::atan(std::sinh(u)), 4e-16);
    EXPECT_NEAR(dn(u, 1), 1 / std::cosh(u), 4e-16);
  }
  for (const double phi : {0.0, 0.5, -1.2, 1.5}) {
    EXPECT_NEAR(F(phi, 1), std::atanh(std::sin(phi)), 1e-14);
    EXPECT_NEAR(E(phi, 1), std::sin(phi), 4e-16);
    EXPECT_NEAR(E(phi + 2 * pi, 1), std::sin(phi) + 4, 4e-15);
  }
  EXPECT_EQ(am(0.7, 0), 0.7);
  EXPECT_EQ(dn(0.7, 0), 1);
}

// φ'' = −m sin φ cos φ with φ(0) = 0, φ'(0) = 1 has φ = am(u, m) and φ' = dn(u, m), turning over where m < 1 and swinging where m > 1.
TEST(Elliptic, FunctionsSolveThePendulum) {
  for (const double m : {-30.0, -1.0, 0.2, 0.9, 0.9999, 1.0001, 1.7, 12.0}) {
    SCOPED_TRACE(m);
    double phi = 0, rate = 1, squares = 0;
    constexpr int steps = 40000;
    constexpr double end = 9, h = end / steps;
    const auto pull = [&](double x) { return -m * std::sin(x) * std::cos(x); };
    for (int i = 1; i <= steps; ++i) {
      // Runge, Kutta
      const double a1 = pull(phi), v2 = rate + h / 2 * a1, a2 = pull(phi + h / 2 * rate), v3 = rate + h / 2 * a2,
                   a3 = pull(phi + h / 2 * v2), v4 = rate + h * a3, a4 = pull(phi + h * v3);
      squares += h / 6 * (rate * rate + 2 * v2 * v2 + 2 * v3 * v3 + v4 * v4);
      phi += h / 6 * (rate + 2 * v2 + 2 * v3 + v4);
      rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
      if (i % 4000 != 0) continue;
      EXPECT_NEAR(am(i * h, m), phi, 2e-9);
      EXPECT_NEAR(dn(i * h, m), rate, 2e-9);
      EXPECT_NEAR(epsilon(i * h, m), squares, 1e-7);
      EXPECT_NEAR(am(-i * h, m), -phi, 2e-9);
      const double s = std::sin(am(i * h, m));
      EXPECT_NEAR(dn(i * h, m) * dn(i * h, m) + m * s * s, 1, 1e-13 * (1 + std::fabs(m)));
    }
  }
}

TEST(Elliptic, TheAmplitudeUndoesTheIntegral) {
  for (const double m : {-40.0, -0.5, 1e-10, 0.3, 0.97, 0.9999999}) {
    for (const double u : {0.01, 1.0, 2.5, 7.0, 31.0, -5.0})
      EXPECT_NEAR(F(am(u, m), m), u, 1e-12 * std::fabs(u)) << m << ", " << u;
  }
}

Ball ball(Function f, const Rational& x, const Rational& m, long bits = 320) {
  Ball result;
  result.set_function(f, Ball(x, bits), Ball(m, bits), bits);
  return result;
}

TEST(Elliptic, BallsAgreeWithDoublesAndAreNarrow) {
  for (const Function f :
       {Function::elliptic_f, Function::elliptic_e, Function::amplitude, Function::delta, Function::epsilon}) {
    for (const Rational& m :
         {Rational(0), Rational(1, 3), Rational(99, 100), Rational(-7), Rational(1), Rational(5, 2)}) {
      for (const Rational& x : {Rational(0), Rational(1, 2), Rational(-7, 5), Rational(11, 2), Rational(40)}) {
        const bool integral = f == Function::elliptic_f || f == Function::elliptic_e;
        if (integral && m >= Rational(1) && x.abs() > Rational(1, 2)) continue;
        SCOPED_TRACE(std::string(name_of(f)) + "(" + x.to_string() + ", " + m.to_string() + ")");
        const Ball value = ball(f, x, m);
        ASSERT_TRUE(value.is_finite());
        const double near = function_value(f, x.to_double(), m.to_double());
        EXPECT_NEAR(value.midpoint(), near, 1e-13 * std::max(1.0, std::fabs(near)));
        EXPECT_LT(value.radius(), 1e-85);
      }
    }
  }
}

// K(1/2) = π/(2 M(1, √½)), the mean computed in balls.
TEST(Elliptic, BallsContainTheArithmeticGeometricMean) {
  for (const Rational& m : {Rational(1, 2), Rational(-3), Rational(999, 1000)}) {
    Ball a(Rational(1)), b = sqrt(Ball(Rational(1) - m, Ball::working_bits));
    for (int i = 0; i < 12; ++i) {
      const Ball mean = (a + b) * Ball(Rational(1, 2));
      b = sqrt(a * b);
      a = mean;
    }
    Ball half_pi, K;
    half_pi.set_pi(Ball::working_bits);
    half_pi *= Ball(Rational(1, 2));
    K.set_function(Function::elliptic_f, half_pi, Ball(m, Ball::working_bits), Ball::working_bits);
    EXPECT_TRUE(K.overlaps(half_pi / a));
    EXPECT_LT((K - half_pi / a).magnitude_log10(), -80);
  }
}

TEST(Elliptic, WideBallsContainWhatTheyStandFor) {
  const Ball phi = Ball::between(1, 2.5), m = Ball::between(-0.3, 0.6);
  for (const Function f :
       {Function::elliptic_f, Function::elliptic_e, Function::amplitude, Function::delta, Function::epsilon}) {
    Ball value;
    value.set_function(f, phi, m, 100);
    if (!value.is_finite()) continue;
    for (int i = 0; i <= 4; ++i) {
      for (int j = 0; j <= 4; ++j) {
        const double inside = function_value(f, 1 + 1.5 * i / 4, -0.3 + 0.9 * j / 4);
        EXPECT_LE(value.lower(), inside + 1e-14) << name_of(f);
        EXPECT_GE(value.upper(), inside - 1e-14) << name_of(f);
      }
    }
  }
}

TEST(Elliptic, BallsAreNotFiniteWhereNothingIsDefined) {
  EXPECT_FALSE(ball(Function::elliptic_f, Rational(1), Rational(5, 2)).is_finite());
  EXPECT_FALSE(ball(Function::elliptic_f, Rational(2), Rational(1)).is_finite());
  EXPECT_TRUE(ball(Function::elliptic_e, Rational(2), Rational(1)).is_finite());
}

TEST(Elliptic, SimpleValuesAreExact) {
  Context c;
  const Expr x = c.symbol("x"), m = c.symbol("m");
  for (const Function f : {Function::elliptic_f, Function::elliptic_e, Function::amplitude}) {
    EXPECT_TRUE(apply(f, c.zero(), m).is_zero());
    EXPECT_EQ(apply(f, x, c.zero()), x);
    EXPECT_EQ(apply(f, -x, m), -apply(f, x, m));
  }
  EXPECT_TRUE(apply(Function::delta, c.zero(), m).is_one());
  EXPECT_TRUE(apply(Function::delta, x, c.zero()).is_one());
  EXPECT_EQ(apply(Function::delta, -x, m), apply(Function::delta, x, m));
  EXPECT_THROW(apply(Function::elliptic_f, Rational(1, 2) * c.pi(), c.one()), Error);
}

}  // namespace
}  // namespace cetaev
