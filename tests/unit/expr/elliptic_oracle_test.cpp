// Elliptic functions of arguments and parameters of all sizes against theta functions and difference quotients in many digits.

#include <acb_elliptic.h>
#include <acb_modular.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "cetaev/detail/expr/elliptic_orders.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/expr/evaluate.hpp"

namespace cetaev {
namespace {

constexpr std::array all = {Function::elliptic_f, Function::elliptic_e, Function::amplitude, Function::delta,
                            Function::epsilon};

// Numbers of all sizes, those of special meaning and their neighbours among them.
std::vector<double> parameters() {
  std::vector<double> m = {0.5, 0.999, 1 - 1e-12, 1 + 1e-12, 1.001, 2, -1, 0, 1};
  for (const double size : {1e-300, 1e-20, 1e-9, 1e-3, 0.3, 7.0, 900.0, 1100.0, 3e4, 1e6, 1e9, 1e15, 1e100}) {
    m.push_back(size);
    m.push_back(-size);
  }
  return m;
}
std::vector<double> arguments() {
  std::vector<double> u = {1e-12, 1e-3, 0.7, -1.3, 2, 3.9, 31, -500, 1e5};
  std::mt19937 random(7);
  for (int i = 0; i < 4; ++i) u.push_back(std::uniform_real_distribution<>(-20, 20)(random));
  return u;
}

// sn, cn and dn by theta functions.
struct Theta {
  double sn, cn, dn;
};
Theta theta(double u, double m) {
  constexpr slong bits = 3000;
  acb_t z, tau, complete, other;
  for (acb_ptr x : {z, tau, complete, other}) acb_init(x);
  acb_struct at[4], zero[4];
  for (int i = 0; i < 4; ++i) {
    acb_init(at + i);
    acb_init(zero + i);
  }
  acb_set_d(z, m);
  acb_elliptic_k(complete, z, bits);
  acb_sub_si(z, z, 1, bits);
  acb_neg(z, z);
  acb_elliptic_k(other, z, bits);
  acb_div(tau, other, complete, bits);
  acb_mul_onei(tau, tau);
  acb_zero(z);
  acb_modular_theta(zero, zero + 1, zero + 2, zero + 3, z, tau, bits);
  acb_set_d(z, u / 2);
  acb_div(z, z, complete, bits);
  acb_modular_theta(at, at + 1, at + 2, at + 3, z, tau, bits);
  const auto value = [&](int above, int below, int i) {
    acb_div(z, zero + above, zero + below, bits);
    acb_mul(z, z, at + i, bits);
    acb_div(z, z, at + 3, bits);
    EXPECT_GT(arb_rel_accuracy_bits(acb_realref(z)), 60) << "u = " << u << ", m = " << m;
    return arf_get_d(arb_midref(acb_realref(z)), ARF_RND_NEAR);
  };
  const Theta result{value(2, 1, 0), value(3, 1, 1), value(3, 2, 2)};
  for (acb_ptr x : {z, tau, complete, other}) acb_clear(x);
  for (int i = 0; i < 4; ++i) {
    acb_clear(at + i);
    acb_clear(zero + i);
  }
  return result;
}

Ball ball(Function f, double x, double m, long bits) {
  Ball result;
  result.set_function(f, Ball::from_double(x), Ball::from_double(m), bits);
  return result;
}

TEST(EllipticOracle, BallsAreThetaFunctions) {
  for (const double m : parameters()) {
    if (m == 0 || m == 1) continue;
    for (const double u : arguments()) {
      if (std::fabs(m) > 1e20 && std::fabs(u) > 1) continue;
      SCOPED_TRACE(testing::Message() << "u = " << u << ", m = " << m);
      const Ball am = ball(Function::amplitude, u, m, 600), dn = ball(Function::delta, u, m, 300);
      ASSERT_TRUE(am.is_finite() && dn.is_finite());
      Ball s, c;
      s.set_function(Function::sin, am, 600);
      c.set_function(Function::cos, am, 600);
      const Theta other = theta(u, m);
      EXPECT_NEAR(s.midpoint(), other.sn, 1e-15 * std::fabs(other.sn));
      EXPECT_NEAR(c.midpoint(), other.cn, 1e-15 * std::fabs(other.cn));
      EXPECT_NEAR(dn.midpoint(), other.dn, 1e-15 * std::fabs(other.dn));
      EXPECT_LT(am.radius(), 1e-85 * am.magnitude());
      EXPECT_LT(dn.radius(), 1e-85 * dn.magnitude());
    }
  }
}

// dn crosses zero where m > 1; elsewhere the last digits are relative to the value.
TEST(EllipticOracle, DoublesAreTheBalls) {
  double worst = 0;
  for (const double m : parameters()) {
    for (const double u : arguments()) {
      for (const Function f : all) {
        const double s = std::sin(u);
        if (f < Function::amplitude && m >= 1 && !(std::fabs(u) < 1.5 && m * s * s < 0.9)) continue;
        SCOPED_TRACE(testing::Message() << name_of(f) << "(" << u << ", " << m << ")");
        const Ball exact = ball(f, u, m, 120);
        ASSERT_TRUE(exact.is_finite());
        const double size = std::max(std::fabs(exact.midpoint()), std::numeric_limits<double>::min());
        const double scale = f == Function::delta && m > 1       ? 1
                             : f == Function::amplitude && m > 1 ? std::max(size, 1 / std::sqrt(m))
                                                                 : size;
        const double off = std::fabs(function_value(f, u, m) - exact.midpoint()) / scale;
        EXPECT_LT(off, 3e-14);
        worst = std::max(worst, off);
      }
    }
  }
  RecordProperty("worst", std::to_string(worst));
}

// Σ (−1)ʲ (n over j) f(m + (n/2 − j) h)/hⁿ of values alone, which has an error of h².
Ball difference_quotient(Function f, double x, double m, unsigned n) {
  constexpr long bits = 1200;
  const Ball step(Rational(1, 10), bits);
  Ball h = step, sum;
  for (int i = 0; i < 23; ++i) h.set_product(h, step, bits);
  Rational binomial(1);
  for (unsigned j = 0; j <= n; ++j) {
    Ball at = Ball(Rational(static_cast<long>(n), 2) - Rational(static_cast<long>(j)), bits), value;
    at.set_product(at, h, bits);
    at.set_sum(at, Ball::from_double(m), bits);
    value.set_function(f, Ball::from_double(x), at, bits);
    value.set_product(value, Ball(j % 2 == 0 ? binomial : -binomial, bits), bits);
    sum.set_sum(sum, value, bits);
    binomial = binomial * Rational(static_cast<long>(n - j)) / Rational(static_cast<long>(j) + 1);
  }
  for (unsigned j = 0; j < n; ++j) sum.set_quotient(sum, h, bits);
  return sum;
}

// K(−M) comes to ln(4√M)/√M and E(−M) to √M: to the last size that doubles have.
TEST(EllipticOracle, IntegralsOfTheLargestParameters) {
  const double right_angle = std::acos(0.0);
  for (const double size : {1e150, 1e160, 1e200, 1e250, 1e300}) {
    const double root = std::sqrt(size);
    const double K = function_value(Function::elliptic_f, right_angle, -size);
    EXPECT_NEAR(K * root / std::log(4 * root), 1, 1e-13) << size;
    EXPECT_NEAR(function_value(Function::elliptic_e, right_angle, -size) / root, 1, 1e-13) << size;
  }
}

TEST(EllipticOracle, DerivativesByTheParameterAreDifferenceQuotients) {
  for (const double m : {0.0, 1.0, 1e-9, -1e-9, 1 - 1e-9, 1 + 1e-9, 0.5, -7.0, 3.0, -2000.0, 5000.0}) {
    for (const double u : {1e-4, -1.3, 9.0}) {
      for (const Function f : all) {
        const double s = std::sin(u);
        if (f < Function::amplitude && (m > 0.9 && (std::fabs(u) > 1.5 || m * s * s > 0.99))) continue;
        for (unsigned n = 1; n <= highest_parameter_order; ++n) {
          const Function derived = by_parameter(f, n);
          SCOPED_TRACE(testing::Message() << name_of(derived) << "(" << u << ", " << m << ")");
          const Ball value = ball(derived, u, m, 200), other = difference_quotient(f, u, m, n);
          ASSERT_TRUE(value.is_finite());
          ASSERT_TRUE(other.is_finite());
          const double size = value.magnitude();
          EXPECT_LT((value - other).magnitude(), 1e-20 * size);
          EXPECT_LT(value.radius(), 1e-55 * size);
          EXPECT_NEAR(function_value(derived, u, m), value.midpoint(), 4e-16 * size);
        }
      }
    }
  }
}

// By both arguments and in expressions, where the closed formulas would divide by zero.
TEST(EllipticOracle, DerivativesOfDerivativesAreRegularAtZeroAndOne) {
  Context c;
  const Expr u = c.symbol("u"), m = c.symbol("m");
  for (const Function f : all) {
    Expr mixed = apply(f, u, m);
    for (const Expr by : {m, u, m, u}) mixed = derivative(mixed, by);
    const Expr other = derivative(derivative(apply(by_parameter(f, 2), u, m), u), u);
    for (const double at : {0.0, 1.0, 0.4, -3.0}) {
      SCOPED_TRACE(testing::Message() << name_of(f) << ", m = " << at);
      const std::array<Value, 2> here = {{{u, 0.8}, {m, at}}};
      const double value = evaluate(mixed, here);
      EXPECT_TRUE(std::isfinite(value));
      EXPECT_NEAR(value, evaluate(other, here), 1e-12 * (1 + std::fabs(value)));
      // by u against a difference quotient of the second derivative by m
      const double h = 1e-3;
      const auto second = [&](double x) { return function_value(by_parameter(f, 2), x, at); };
      EXPECT_NEAR(value, (second(0.8 + h) - 2 * second(0.8) + second(0.8 - h)) / h / h, 1e-4 * (1 + std::fabs(value)));
    }
  }
}

}  // namespace
}  // namespace cetaev
