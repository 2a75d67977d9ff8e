// Variations against differences of motions that are computed to sixty digits and more, by series written down here.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "cetaev/expr/ball.hpp"
#include "motions.hpp"

namespace cetaev {
namespace {

// Chaplygin's sleigh with the speed u along its blade and the rate w of turning:
//
//   u' = a w²,   w' = −κ u w with κ = m a/(J + m a²),   φ' = w,   x' = u c,   y' = u s,   c' = −s w,   s' = c w
//
// Every right-hand side is a product of two, and so coefficients of series follow from convolutions.
struct Sleigh {
  using Coefficients = std::vector<Ball>;
  static constexpr long bits = Ball::working_bits;
  static constexpr std::size_t order = 90;

  static Ball convolution(const Coefficients& x, const Coefficients& y) {
    Ball sum;
    sum.add_convolution(x.data(), y.data(), x.size(), bits);
    return sum;
  }

  // x, y, φ and then u, w at the time t; of u and w at the start, m, J and a.
  static std::array<Ball, 5> at(double t, Ball u, Ball w, Ball phi, const Ball& m, const Ball& J, const Ball& a) {
    const Ball kappa = m * a / (J + m * a * a);
    Ball x, y;
    constexpr int steps = 16;
    const Ball h = Ball::from_double(t) / Ball(Rational(steps), bits);
    for (int step = 0; step < steps; ++step) {
      Ball c, s;
      c.set_function(Function::cos, phi, bits);
      s.set_function(Function::sin, phi, bits);
      std::array<Coefficients, 7> z = {Coefficients{x}, {y}, {phi}, {u}, {w}, {c}, {s}};
      auto& [X, Y, P, U, W, Cos, Sin] = z;
      for (std::size_t k = 0; k < order; ++k) {
        const Ball next(Rational(static_cast<long>(k + 1)), bits);
        const std::array<Ball, 7> rates = {convolution(U, Cos),   convolution(U, Sin),          W[k],
                                           a * convolution(W, W), -(kappa * convolution(U, W)), -convolution(Sin, W),
                                           convolution(Cos, W)};
        for (std::size_t i = 0; i < 7; ++i) z[i].push_back(rates[i] / next);
      }
      std::array<Ball, 5> sum;
      for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t k = order + 1; k-- > 0;) sum[i] = sum[i] * h + z[i][k];
      }
      x = sum[0], y = sum[1], phi = sum[2], u = sum[3], w = sum[4];
    }
    return {x, y, phi, u, w};
  }
};

TEST(Variations, OfASleighAreDifferencesOfMotionsInSixtyDigits) {
  const std::string text =
      "coordinates = ['x', 'y', 'phi']\nlagrangian = \"m/2*((x' - a*sin(phi)*phi')^2 + (y' + a*cos(phi)*phi')^2) + "
      "J/2*phi'^2\"\nconstraints = [\"x'*sin(phi) - y'*cos(phi) = 0\"]\ndependent = ['y']\n[parameters]\nm = 1.5\nJ = "
      "0.25\na = 0.375\n[initial]\nx = 0\ny = 0\nphi = 0\n\"x'\" = 0.5\n\"phi'\" = 2\n";
  const double t = 2;
  MotionOptions options = until(t, 2);
  options.variations = {"a", "m", "phi'", "x'"};
  const Ball h(Rational(1) / Rational(10).power(20), Ball::working_bits);
  const Ball half = Ball(Rational(1) / Rational(2), Ball::working_bits);
  // where x' is varied and φ = 0, u is x'
  const auto at = [&](std::size_t which, const Ball& by) {
    std::array<Ball, 4> values = {Ball::from_double(0.375), Ball::from_double(1.5), Ball::from_double(2),
                                  Ball::from_double(0.5)};
    values[which] += by;
    return Sleigh::at(t, values[3], values[2], Ball(), values[1], Ball::from_double(0.25), values[0]);
  };
  std::array<std::array<Ball, 5>, 4> differences;
  for (std::size_t which = 0; which < 4; ++which) {
    const auto above = at(which, h), below = at(which, -h);
    for (std::size_t i = 0; i < 5; ++i) {
      differences[which][i] = (above[i] - below[i]) * half / h;
      ASSERT_LT(differences[which][i].radius(), 1e-35) << which;  // so many digits are left of them
    }
  }
  for (const char* form : {"hamel", "voronec", "multipliers"}) {
    options.form = parse_form(form);
    const MotionSummary end = run_text(text, options);
    for (std::size_t which = 0; which < 4; ++which) {
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(end.variations[which].q[i], differences[which][i].midpoint(), 2e-12) << form << " " << which << i;
      EXPECT_NEAR(end.variations[which].v[2], differences[which][4].midpoint(), 2e-12) << form << which;
    }
  }
}

}  // namespace
}  // namespace cetaev
