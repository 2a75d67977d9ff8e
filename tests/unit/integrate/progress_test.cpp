// When a motion stands still, and when it only has far to go.
#include "../../../src/integrate/progress.hpp"

#include <gtest/gtest.h>

namespace cetaev {
namespace {

constexpr double length = 100;
const auto nothing_ahead = [] { return std::optional<double>(); };
const auto whole = [] { return length; };

// Steps of a fixed length until the motion is said to stand still, at most so many.
int steps_until_standstill(double step, int most) {
  Progress progress(0);
  for (int n = 1; n <= most; ++n) {
    if (!progress.made(n * step, nothing_ahead, whole)) return n;
  }
  return most;
}

TEST(Progress, EndsWhereThousandsOfStepsChangeNothing) {
  constexpr int many = 100'000;
  EXPECT_EQ(steps_until_standstill(length / 1e6, many), many);   // a million steps
  EXPECT_EQ(steps_until_standstill(length / 1e11, many), many);  // far to go
  EXPECT_LT(steps_until_standstill(length / 1e13, many), 10'000);
  EXPECT_LT(steps_until_standstill(0, many), 10'000);
}

// t* − t = qⁿ: each step goes a part of what is left. It is all gone soon, or never.
TEST(Progress, EndsWhereASingularSetIsApproachedForEver) {
  const auto steps = [](double q) {
    Progress progress(0);
    double left = 1;
    for (int n = 1; n <= 100'000; ++n) {
      left *= q;
      if (!progress.made(
              1 - left, [] { return std::optional<double>(1.0); }, whole))
        return n;
    }
    return 100'000;
  };
  EXPECT_LT(steps(1 - 1e-6), 10'000);   // a thousandth of the way in a thousand steps
  EXPECT_EQ(steps(1 - 1e-4), 100'000);  // a tenth
}

// Length is the time that is asked for, or that in which the state changes: expensive, and not asked for at every step.
TEST(Progress, AsksForLengthsRarely) {
  Progress progress(0);
  int asked = 0;
  for (int n = 1; n <= 10'000; ++n) progress.made(n, nothing_ahead, [&] { return ++asked, length; });
  EXPECT_GT(asked, 0);
  EXPECT_LT(asked, 10);
}

}  // namespace
}  // namespace cetaev
