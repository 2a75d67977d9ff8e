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

}  // namespace
}  // namespace cetaev
