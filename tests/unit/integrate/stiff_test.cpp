// Stiffness: who notices it, who copes with it; the tolerance and what it buys; projection inside BDF.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "methods.hpp"

namespace cetaev {
namespace {

using State = std::vector<double>;

StepStatus run(Stepper& stepper, double t_end) {
  while (stepper.time() != t_end)
    if (const StepStatus status = stepper.step(t_end); status != StepStatus::done) return status;
  return StepStatus::done;
}

// ε y'' = (1 − y²) y' − y
FunctionField van_der_pol(double epsilon) {
  return {2,
          [epsilon](double, const double* y, double* dy) {
            dy[0] = y[1], dy[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / epsilon;
            return -1;
          },
          [epsilon](double, const double* y, double* J) {
            J[0] = 0, J[1] = (-2 * y[0] * y[1] - 1) / epsilon;
            J[2] = 1, J[3] = (1 - y[0] * y[0]) / epsilon;
            return -1;
          }};
}

TEST(Bdf, FollowsTheStiffOscillatorOfVanDerPol) {
  FunctionField field = van_der_pol(1e-6);
  const auto stepper = make_bdf(field, 1e-10);
  stepper->start(0, State{2, 0}, 2);
  ASSERT_EQ(run(*stepper, 2), StepStatus::done) << stepper->message();
  // Test Set for Initial Value Problem Solvers, problem VDPOL: reference solution at t = 2.
  EXPECT_NEAR(stepper->state()[0], 0.1706167732170483e1, 1e-7);
  EXPECT_NEAR(stepper->state()[1], -0.8928097010247975, 1e-7);
  EXPECT_LT(stepper->counts().steps, 20'000u);
}

TEST(Dop853, NoticesThatAProblemIsStiffForIt) {
  FunctionField field = van_der_pol(1e-4);
  const auto stepper = make_dop853(field, 1e-6);
  stepper->start(0, State{2, 0}, 0.5);
  ASSERT_EQ(run(*stepper, 0.5), StepStatus::done);
  EXPECT_TRUE(stepper->stiff());
}

TEST(Dop853, DoesNotCallFastMotionStiff) {
  FunctionField field(2, [](double t, const double* y, double* dy) {
    dy[0] = 300 * y[1] + std::cos(t), dy[1] = -300 * y[0];
    return -1;
  });
  const auto stepper = make_dop853(field, 1e-10);
  stepper->start(0, State{1, 0}, 5);
  ASSERT_EQ(run(*stepper, 5), StepStatus::done);
  EXPECT_FALSE(stepper->stiff());
}

// The error at the end follows the tolerance, which is all that can be asked of methods of variable order.
TEST(EveryMethod, ErrsInProportionToItsTolerance) {
  for (const TestedMethod& method : all_methods()) {
    const auto error = [&](double tolerance) {
      FunctionField field(2, [](double, const double* y, double* dy) {
        dy[0] = y[1], dy[1] = -std::sin(y[0]);  // on the separatrix: y = 4 atan(exp(t)) − π
        return -1;
      });
      const auto stepper = method.make(field, tolerance);
      const double t = 3, pi = std::acos(-1.0);
      stepper->start(-t, State{4 * std::atan(std::exp(-t)) - pi, 2 / std::cosh(t)}, t);
      EXPECT_EQ(run(*stepper, t), StepStatus::done);
      return std::abs(stepper->state()[0] - (4 * std::atan(std::exp(t)) - pi));
    };
    const double coarse = error(1e-5), fine = error(1e-10);
    EXPECT_NEAR(std::log10(coarse / fine) / 5, 1, 0.35) << method.name << " " << coarse << " " << fine;
  }
}

// A pendulum of length 1 in Cartesian coordinates: x'' = −λ x, y'' = −λ y − g with λ = |v|² − g y on the circle.
FunctionField cartesian_pendulum() {
  return {4, [](double, const double* y, double* dy) {
            const double lambda = y[2] * y[2] + y[3] * y[3] - 9.81 * y[1];
            dy[0] = y[2], dy[1] = y[3], dy[2] = -lambda * y[0], dy[3] = -lambda * y[1] - 9.81;
            return -1;
          }};
}

class ToTheCircle final : public Projection {
 public:
  bool project(double t, std::span<double> y) override {
    ++calls;
    if (t > fails_after) return false;
    const double r = std::hypot(y[0], y[1]);
    y[0] /= r, y[1] /= r;
    const double out = y[0] * y[2] + y[1] * y[3];
    y[2] -= out * y[0], y[3] -= out * y[1];
    return true;
  }
  int calls = 0;
  double fails_after = 1e300;
};

TEST(Bdf, ProjectsInsideTheMethod) {
  FunctionField field = cartesian_pendulum();
  const State start{0.6, -0.8, 0, 0};
  ToTheCircle circle;
  const auto free = make_bdf(field, 1e-8), projected = make_bdf(field, 1e-8, &circle);
  free->start(0, start, 20);
  projected->start(0, start, 20);
  ASSERT_EQ(run(*free, 20), StepStatus::done);
  double worst = 0;
  while (projected->time() != 20) {
    ASSERT_EQ(projected->step(20), StepStatus::done) << projected->message();
    // What CVODE interpolates at the limit need not be projected.
    if (projected->time() != 20)
      worst = std::max(worst, std::abs(std::hypot(projected->state()[0], projected->state()[1]) - 1));
  }
  EXPECT_LT(worst, 1e-14);
  EXPECT_GT(std::abs(std::hypot(free->state()[0], free->state()[1]) - 1), 1e-8);
  EXPECT_GE(static_cast<std::size_t>(circle.calls), projected->counts().steps);
  EXPECT_LT(projected->counts().steps, free->counts().steps * 3 / 2);

  FunctionField angle(2, [](double, const double* y, double* dy) {
    dy[0] = y[1], dy[1] = -9.81 * std::sin(y[0]);
    return -1;
  });
  const auto exact = make_dop853(angle, 1e-14);
  exact->start(0, State{std::atan2(0.6, 0.8), 0}, 20);
  ASSERT_EQ(run(*exact, 20), StepStatus::done);
  EXPECT_NEAR(projected->state()[0], std::sin(exact->state()[0]), 1e-4);
}

TEST(Bdf, StopsWhenThereIsNoWayBackToTheConstraints) {
  FunctionField field = cartesian_pendulum();
  ToTheCircle circle;
  circle.fails_after = 0.5;
  const auto stepper = make_bdf(field, 1e-8, &circle);
  stepper->start(0, State{0.6, -0.8, 0, 0}, 1);
  EXPECT_EQ(run(*stepper, 1), StepStatus::failed);
  EXPECT_NE(std::string(stepper->message()), "");
  EXPECT_NEAR(stepper->time(), 0.5, 1e-6);
}

}  // namespace
}  // namespace cetaev
