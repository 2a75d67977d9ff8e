// The method that the program chooses, and the motions that it leads to: by closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cetaev/integrate/motion.hpp"
#include "motions.hpp"

namespace cetaev {
namespace {

MotionSummary chosen(const System& system, MotionOptions options) {
  options.method.reset();
  options.once = true;
  Silent nobody;
  return run_motion(system, options, nobody);
}

// x'' = −k (x' − cos t): after a moment x' = (k² cos t + k sin t)/(k² + 1). Series take k/10 steps for every second of it.
TEST(MethodAuto, FollowsStiffEquationsByBdf) {
  for (const double k : {1e2, 1e5, 1e7, 1e9}) {
    const System system = read_model(
        fmt::format("coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = \"-{}*(x' - cos(t))\"\n", k),
        "stiff.toml");
    const MotionSummary summary = chosen(system, until(3));
    ASSERT_EQ(summary.status, MotionStatus::finished) << k;
    EXPECT_NEAR(summary.last.v[0], (k * k * std::cos(3) + k * std::sin(3)) / (k * k + 1), 1e-7) << k;
    EXPECT_EQ(summary.method, k > 1e3 ? Method::bdf : Method::taylor) << k;
    const bool says_so = std::any_of(summary.notes.begin(), summary.notes.end(), [](const std::string& note) {
      return note.find("followed by bdf") != std::string::npos;
    });
    EXPECT_EQ(says_so, k > 1e3) << k;
    EXPECT_LT(summary.steps, 1e6) << k;
  }
}

// A given method stays, however stiff the equations are.
TEST(MethodAuto, IsNotAskedWhereAMethodIsGiven) {
  const System system =
      read_model("coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = \"-1e7*(x' - cos(t))\"\n", "stiff.toml");
  for (const Method method : {Method::taylor, Method::dop853, Method::bdf}) {
    Silent nobody;
    EXPECT_EQ(run_motion(system, until(0.001, method), nobody).method, method);
  }
}

// What it takes is what it says it takes, and the motion is that of the method.
TEST(MethodAuto, TakesOneOfTheMethods) {
  for (const char* name : {"skate", "double-pendulum", "rattleback", "chaplygin-sleigh", "snakeboard"}) {
    for (const double tolerance : {1e-4, 1e-9, 1e-14}) {
      const System system = gallery_model(name);
      MotionOptions options = until(1);
      options.tolerance = tolerance;
      const MotionSummary own = chosen(system, options);
      ASSERT_EQ(own.status, MotionStatus::finished) << name;
      EXPECT_TRUE(own.method == Method::taylor || own.method == Method::dop853) << name;
      options.method = own.method;
      options.once = true;
      Silent nobody;
      const MotionSummary same = run_motion(system, options, nobody);
      EXPECT_EQ(own.steps, same.steps) << name << " " << tolerance;
      EXPECT_EQ(own.last.q, same.last.q) << name << " " << tolerance;
    }
  }
}

// Nothing else will be known of what equations are made for that several motions share.
TEST(MethodAuto, IsTaylorForSeveralMotions) {
  const System system = gallery_model("rattleback");
  MotionOptions options = until(0.1);
  options.tolerance = 1e-4;
  Silent nobody;
  EXPECT_EQ(run_motion(system, options, nobody).method, Method::taylor);
}

}  // namespace
}  // namespace cetaev
