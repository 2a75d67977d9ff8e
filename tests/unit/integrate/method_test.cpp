// The method that the program chooses, and the motions that it leads to: by closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cetaev/detail/integrate/stepper.hpp"
#include "cetaev/detail/numeric/random.hpp"
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

// y'' = −y with rates that are wrong by 5·10⁻¹², now this way and now that, as those of long chains are: to hold the tolerance takes 5000 steps, the motion
// asks for a thousand.
class NoisyOscillator final : public Field {
 public:
  std::size_t size() const override { return 2; }
  int rates(double, const double* y, double* dy) override {
    const double noise = 5e-12 * (static_cast<double>(random_.next() % 2001) / 1000 - 1);
    dy[0] = y[1];
    dy[1] = -y[0] + noise;
    return -1;
  }
  int jacobian(double, const double*, double*) override { return 0; }

 private:
  Random random_{3};
};

TEST(Dop853, IsNotHeldBackByRounding) {
  NoisyOscillator field;
  const std::unique_ptr<Stepper> stepper = make_dop853(field, 1e-14, true);
  const std::vector<double> start = {1, 0};
  stepper->start(0, start, 100);
  while (stepper->time() < 100) ASSERT_EQ(stepper->step(100), StepStatus::done);
  EXPECT_LT(stepper->counts().steps, 2000U);
  // what the errors of the rates add up to at most
  EXPECT_NEAR(stepper->state()[0], std::cos(100), 5e-10);
  EXPECT_NEAR(stepper->state()[1], -std::sin(100), 5e-10);
  EXPECT_GT(stepper->loosened(), 1e-14);
}

// Where there is no such noise, nothing is forgiven.
TEST(Dop853, HoldsItsToleranceWithoutNoise) {
  for (const double tolerance : {1e-14, 1e-12, 1e-9}) {
    MotionOptions options = until(20);
    options.method = Method::dop853;
    options.tolerance = tolerance;
    Silent nobody;
    const System system =
        read_model("coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2\"\n[initial]\nx = 1\n", "oscillator.toml");
    const MotionSummary summary = run_motion(system, options, nobody);
    EXPECT_NEAR(summary.last.q[0], std::cos(20), 40 * tolerance);
    EXPECT_TRUE(summary.notes.empty()) << summary.notes[0];
  }
}

}  // namespace
}  // namespace cetaev
