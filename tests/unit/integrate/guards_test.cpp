// Roots and touching roots of functions within a step.
#include "../../../src/integrate/guards.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "cetaev/integrate/motion.hpp"
#include "cetaev/model/read.hpp"
#include "motions.hpp"

namespace cetaev {
namespace {

using Function = std::function<double(double)>;

std::vector<GuardsInStep::Part> parts(double begin, double end, const Function& f) {
  GuardsInStep guards;
  return guards.may_vanish(begin, end, 1, [&](double t, std::vector<double>& values) { values[0] = f(t); });
}

TEST(GuardsInStep, KnowBernsteinsCoefficients) {
  // s^d = Σ C(i, d)/C(4, d) B_i
  for (int d = 0; d <= 4; ++d) {
    std::array<double, 5> values{};
    for (int i = 0; i < 5; ++i) values[static_cast<std::size_t>(i)] = std::pow(i / 4.0, d);
    const auto b = bernstein(values);
    const auto choose = [](int n, int k) {
      return std::round(std::tgamma(n + 1) / (std::tgamma(k + 1) * std::tgamma(n - k + 1)));
    };
    for (int i = 0; i < 5; ++i)
      EXPECT_NEAR(b[static_cast<std::size_t>(i)], i < d ? 0 : choose(i, d) / choose(4, d), 1e-14) << d << i;
  }
}

TEST(GuardsInStep, FindRootsAndTouchingRoots) {
  struct Case {
    Function f;
    std::vector<double> roots;
  };
  const std::vector<Case> cases = {
      {[](double t) { return (1 - t) * (1 - t); }, {1}},
      {[](double t) { return (1 - t) * (1 - t) * (1 + t * t); }, {1}},
      {[](double t) { return std::cos(t); },
       {M_PI / 2, 3 * M_PI / 2, 5 * M_PI / 2, 7 * M_PI / 2, 9 * M_PI / 2, 11 * M_PI / 2, 13 * M_PI / 2}},
      {[](double t) { return std::pow(t - 3, 3); }, {3}},
      {[](double t) { return 1e-200 * (t - 17) * (t - 17.001); }, {17, 17.001}},
      {[](double t) { return std::abs(t - 7); }, {7}},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto found = parts(0, 23, cases[i].f);
    for (const double root : cases[i].roots) {
      EXPECT_TRUE(std::any_of(found.begin(), found.end(),
                              [&](const auto& part) { return part.first <= root && root <= part.second; }))
          << i << " " << root;
    }
    EXPECT_LE(found.size(), cases[i].roots.size()) << i;
  }
}

TEST(GuardsInStep, FindNothingWhereNothingVanishes) {
  EXPECT_TRUE(parts(0, 40, [](double t) { return (1 - t) * (1 - t) + 1e-3; }).empty());
  EXPECT_TRUE(parts(0, 40, [](double t) { return 1.001 + std::cos(t); }).empty());
  EXPECT_TRUE(parts(-3, 5, [](double t) { return -std::exp(3 * t); }).empty());
}

// What is told to keep off zero does so at a thousand times, for waves that a step resolves.
TEST(GuardsInStep, KeepOffZeroWhereTheySaySo) {
  std::mt19937_64 random(20261117);
  std::uniform_real_distribution<double> any(-1, 1);
  int kept_off = 0, came_near = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const double level = 1.5 * any(random), height = any(random), rate = 2 * any(random), phase = 3 * any(random);
    const double slope = any(random), begin = 10 * any(random), end = begin + any(random);
    const auto f = [&](double t) { return level + slope * (t - begin) + height * std::sin(rate * t + phase); };
    const double part = 0.003, largest = 2;
    double least = 1e300;
    for (int i = 0; i <= 1000; ++i) least = std::min(least, std::abs(f(begin + (end - begin) * i / 1000)));
    GuardsInStep guards;
    const bool beyond = guards.all_beyond(begin, end, std::span(&largest, 1), part,
                                          [&](double t, std::vector<double>& values) { values[0] = f(t); });
    EXPECT_TRUE(!beyond || least > part * largest) << trial;
    (beyond ? kept_off : came_near)++;
    // sixteen times a fourth difference of at most (2/4)^4
    EXPECT_TRUE(beyond || least <= part * largest + 1) << trial;
  }
  EXPECT_GT(kept_off, 1000);
  EXPECT_GT(came_near, 300);
}

// Mass (1 − x)² of y at x = v t, however long a step is: nothing bends, and a step of a series is as long as it likes.
TEST(GuardsInStep, AreFoundInStepsOfAnyLength) {
  for (const std::string more : {"", "+ z'^2/2 + w'^2/2"}) {
    for (const double speed : {0.1, 1.0, 3.0, 40.0, 700.0}) {
      for (const Method method : {Method::taylor, Method::dop853}) {
        const std::string model = std::string("coordinates = ['x', 'y'") + (more.empty() ? "" : ", 'z', 'w'") +
                                  "]\nlagrangian = \"x'^2/2 + (1 - x)^2*y'^2/2" + more +
                                  "\"\n[initial]\n\"x'\" = " + std::to_string(speed) + "\n";
        Silent nobody;
        const MotionSummary summary = run_motion(read_model(model, "mass.toml"), until(100, method), nobody);
        EXPECT_EQ(summary.status, MotionStatus::singular) << speed << more << method;
        EXPECT_NEAR(summary.singular_at.value_or(0), 1 / speed, 1e-9 / std::min(1.0, speed)) << speed << more << method;
      }
    }
  }
}

}  // namespace
}  // namespace cetaev
