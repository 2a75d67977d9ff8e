// Derivatives and integrals of functions that are known at samples.
#include "cetaev/detail/numeric/sampled.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cetaev {
namespace {

TEST(Sampled, PolynomialsAreExact) {
  std::vector<double> t, y, slope, sine;
  for (int i = 0; i <= 40; ++i) {
    t.push_back(0.05 * i + 0.01 * std::sin(i));
    const double x = t.back();
    y.push_back(x * x * x * (1 - x));
    slope.push_back(3 * x * x - 4 * x * x * x);
    sine.push_back(std::sin(x));
  }
  for (const std::size_t i : {0u, 1u, 17u, 40u}) {
    EXPECT_NEAR(derivatives_at(t, y, slope, i, 5).second, 6 * t[i] - 12 * t[i] * t[i], 1e-9);
    EXPECT_NEAR(derivatives_at(t, y, {}, i, 7).first, slope[i], 1e-9);
  }
  const std::vector<double> integral = running_integral(t, sine);
  for (std::size_t i = 0; i < t.size(); ++i) EXPECT_NEAR(integral[i], std::cos(t[0]) - std::cos(t[i]), 1e-9);
}

// ∫ 1/√t, whose slope has no bound, ∫ cos(50 t), and a pulse far narrower than the pieces that one begins with, seen by what is known of it
// alone: a step from 0 to 1, of which the pulse is the rate.
TEST(Sampled, IntegralsAreControlled) {
  const double width = 1e-5, middle = 0.3127;
  const auto step = [&](double t) { return 0.5 * std::erfc((middle - t) / width); };
  const auto pulse = [&](double t) {
    const double s = (t - middle) / width;
    return std::exp(-s * s) / (width * std::sqrt(std::acos(-1.0)));
  };
  const auto f = [&](double t) {
    return std::vector<double>{1 / std::sqrt(t), std::cos(50 * t), 3 * pulse(t), pulse(t)};
  };
  const Quadrature found = controlled_integral(
      f, [&](double t) { return std::vector<double>{step(t)}; }, 1e-8, 1, 1e-12);
  EXPECT_NEAR(found.value[0], 2 * (1 - 1e-4), 1e-11);
  EXPECT_NEAR(found.value[1], (std::sin(50.0) - std::sin(50e-8)) / 50, 1e-13);
  EXPECT_NEAR(found.value[2], 3, 1e-11);
  EXPECT_NEAR(found.size[1], 2 / std::acos(-1.0), 0.01);
  EXPECT_LE(found.error[0], 1e-12 * found.size[0]);
  // a pole that is no integral: the answer says what it is worth
  const Quadrature pole = controlled_integral([](double t) { return std::vector<double>{1 / (t - std::sqrt(0.1))}; },
                                              [](double) { return std::vector<double>(); }, 0, 1, 1e-12);
  EXPECT_FALSE(pole.error[0] < 1e-3);
}

}  // namespace
}  // namespace cetaev
