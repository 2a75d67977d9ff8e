#include "../../../src/integrate/approach.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cetaev {
namespace {

// The zero of C |T − t|^p seen from where steps in proportion to what is left have come to.
std::optional<double> seen(double p, double T, double start, double left) {
  Approach approach;
  double t = start;
  while (std::abs(T - t) > left) {
    approach.note(t, 3 * std::pow(std::abs(T - t), p));
    t += 0.3 * (T - t);
  }
  return approach.zero();
}

TEST(Approach, FindsTheZeroOfAnyPower) {
  for (const double p : {0.5, 1.0, 1.5, 2.0, 3.0}) {
    EXPECT_NEAR(seen(p, 1.25, 0, 1e-3).value_or(0), 1.25, 1e-12) << p;
    EXPECT_NEAR(seen(p, -4, 1, 1e-3).value_or(0), -4, 1e-12) << p;
  }
}

TEST(Approach, SeesNoZeroWhereThereIsNone) {
  Approach exponential, power;
  for (double t = 0; t < 20; t += 0.1) {
    exponential.note(t, std::exp(-t));
    power.note(t, 1 / (1 + t * t));
  }
  EXPECT_FALSE(exponential.zero());
  EXPECT_FALSE(power.zero());
}

TEST(Approach, ForgetsWhatWasBeforeARise) {
  Approach approach;
  for (double t = 0; t < 1; t += 0.01) approach.note(t, 1.001 - t);
  approach.note(1, 0.5);
  EXPECT_FALSE(approach.zero());
  for (double t = 1; t < 5; t += 0.01) approach.note(t, 0.1 * (5 - t));
  EXPECT_NEAR(approach.zero().value_or(0), 5, 1e-10);
}

}  // namespace
}  // namespace cetaev
