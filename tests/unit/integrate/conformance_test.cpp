// What every method of integration promises, whichever it is.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "methods.hpp"

namespace cetaev {
namespace {

using State = std::vector<double>;
constexpr double pi = std::numbers::pi;

class Conformance : public testing::TestWithParam<TestedMethod> {
 protected:
  std::unique_ptr<Stepper> make(Field& field) const { return GetParam().make(field, GetParam().tolerance); }
  double error() const { return GetParam().error; }
};
INSTANTIATE_TEST_SUITE_P(EveryMethod, Conformance, testing::ValuesIn(all_methods()),
                         [](const auto& method) { return std::string(method.param.name); });

StepStatus run(Stepper& stepper, double t_end, std::size_t most = 1'000'000) {
  while (stepper.time() != t_end) {
    if (const StepStatus status = stepper.step(t_end); status != StepStatus::done) return status;
    if (--most == 0) {
      ADD_FAILURE() << "no end at t = " << stepper.time();
      return StepStatus::failed;
    }
  }
  return StepStatus::done;
}

FunctionField oscillator() {
  return {2,
          [](double, const double* y, double* dy) {
            dy[0] = y[1], dy[1] = -y[0];
            return -1;
          },
          [](double, const double*, double* J) {
            J[0] = 0, J[1] = -1, J[2] = 1, J[3] = 0;
            return -1;
          }};
}

FunctionField kepler() {
  return {4, [](double, const double* y, double* dy) {
            const double r2 = y[0] * y[0] + y[1] * y[1], r3 = r2 * std::sqrt(r2);
            dy[0] = y[2], dy[1] = y[3], dy[2] = -y[0] / r3, dy[3] = -y[1] / r3;
            return -1;
          }};
}
// At the nearest point of an ellipse with great axis 2: period 2π.
State perihelion(double e) { return {1 - e, 0, 0, std::sqrt((1 + e) / (1 - e))}; }
double kepler_energy(std::span<const double> y) { return (y[2] * y[2] + y[3] * y[3]) / 2 - 1 / std::hypot(y[0], y[1]); }

TEST_P(Conformance, OscillatesHarmonically) {
  FunctionField field = oscillator();
  const auto stepper = make(field);
  stepper->start(0, State{1, 0}, 20);
  ASSERT_EQ(run(*stepper, 20), StepStatus::done) << stepper->message();
  EXPECT_EQ(stepper->time(), 20);
  EXPECT_NEAR(stepper->state()[0], std::cos(20.0), error());
  EXPECT_NEAR(stepper->state()[1], -std::sin(20.0), error());
  EXPECT_FALSE(stepper->stiff());
  EXPECT_GT(stepper->counts().steps, 10u);
  EXPECT_GT(stepper->counts().rhs_evaluations, stepper->counts().steps / 2);
}

TEST_P(Conformance, ComesBackOnKeplersEllipseWithItsEnergy) {
  FunctionField field = kepler();
  const auto stepper = make(field);
  const State start = perihelion(0.5);
  stepper->start(0, start, 4 * pi);
  ASSERT_EQ(run(*stepper, 4 * pi), StepStatus::done) << stepper->message();
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(stepper->state()[i], start[i], 100 * error()) << i;
  EXPECT_NEAR(kepler_energy(stepper->state()), -0.5, 10 * error());
}

TEST_P(Conformance, FollowsEquationsThatContainTime) {
  // y' = 2 t y² with y = 1/(2 − t²), from t = −1
  FunctionField field(1, [](double t, const double* y, double* dy) {
    dy[0] = 2 * t * y[0] * y[0];
    return -1;
  });
  const auto stepper = make(field);
  stepper->start(-1, State{1}, 1.25);
  ASSERT_EQ(run(*stepper, 1.25), StepStatus::done) << stepper->message();
  EXPECT_NEAR(stepper->state()[0] * (2 - 1.25 * 1.25), 1, 10 * error());
}

TEST_P(Conformance, KeepsSmallVariablesBesideLargeOnes) {
  // An angle that has turned many times beside a slow small oscillation: each is as good as its own size allows.
  FunctionField field(3, [](double, const double* y, double* dy) {
    dy[0] = 1e3, dy[1] = y[2], dy[2] = -y[1];
    return -1;
  });
  const auto stepper = make(field);
  stepper->start(0, State{0, 1e-3, 0}, 10);
  ASSERT_EQ(run(*stepper, 10), StepStatus::done) << stepper->message();
  EXPECT_NEAR(stepper->state()[0], 1e4, 1e4 * error());
  EXPECT_NEAR(stepper->state()[1], 1e-3 * std::cos(10.0), 1e-1 * error());
}

TEST_P(Conformance, IsNotStoppedByRoundingAroundAnEquilibrium) {
  // 1e-9 around x = 1: the acceleration is known to 1e-16 only.
  FunctionField field(2, [](double, const double* y, double* dy) {
    dy[0] = y[1], dy[1] = std::sin(1 - y[0]);
    return -1;
  });
  const auto stepper = make(field);
  stepper->start(0, State{1 + 1e-9, 0}, 10);
  ASSERT_EQ(run(*stepper, 10, 200'000), StepStatus::done) << stepper->message();
  EXPECT_NEAR(stepper->state()[0] - 1, 1e-9 * std::cos(10.0), std::max(1e-14, 1e-3 * error()));
  EXPECT_LT(stepper->counts().steps, 20'000u);
}

TEST_P(Conformance, StartsFromNothing) {
  // Everything zero, in small units: y = 1e-6 sin t, z = 1e-6 (1 − cos t)
  FunctionField field(2, [](double t, const double* y, double* dy) {
    dy[0] = 1e-6 * std::cos(t), dy[1] = y[0];
    return -1;
  });
  const auto stepper = make(field);
  stepper->start(0, State{0, 0}, 3);
  ASSERT_EQ(run(*stepper, 3), StepStatus::done) << stepper->message();
  EXPECT_NEAR(stepper->state()[0], 1e-6 * std::sin(3.0), 1e-6 * 10 * error());
  EXPECT_NEAR(stepper->state()[1], 1e-6 * (1 - std::cos(3.0)), 1e-6 * 10 * error());
}

TEST_P(Conformance, RestsWhereNothingMoves) {
  FunctionField field = oscillator();
  const auto stepper = make(field);
  stepper->start(0, State{0, 0}, 100);
  ASSERT_EQ(run(*stepper, 100, 10'000), StepStatus::done);
  EXPECT_EQ(stepper->state()[0], 0);
  EXPECT_EQ(stepper->state()[1], 0);
}

TEST_P(Conformance, InterpolatesBetweenItsStates) {
  FunctionField field = oscillator();
  const auto stepper = make(field);
  stepper->start(0, State{1, 0}, 6);
  State y(2), before{1, 0};
  double last = 0;
  while (stepper->time() < 6) {
    ASSERT_EQ(stepper->step(6), StepStatus::done);
    EXPECT_EQ(stepper->previous_time(), last);
    EXPECT_GT(stepper->time(), last);
    stepper->interpolate(stepper->previous_time(), y);
    EXPECT_NEAR(y[0], before[0], 0.1 * error());
    stepper->interpolate(stepper->time(), y);
    EXPECT_NEAR(y[0], stepper->state()[0], 1e-15);
    EXPECT_NEAR(y[1], stepper->state()[1], 1e-15);
    for (const double part : {0.25, 0.5, 0.9}) {
      const double t = last + part * (stepper->time() - last);
      stepper->interpolate(t, y);
      EXPECT_NEAR(y[0], std::cos(t), 10 * error()) << t;
      EXPECT_NEAR(y[1], -std::sin(t), 10 * error()) << t;
    }
    last = stepper->time();
    before.assign(stepper->state().begin(), stepper->state().end());
  }
}

TEST_P(Conformance, GoesBackToWhereItCameFrom) {
  FunctionField field = kepler();
  const auto stepper = make(field);
  const State start = perihelion(0.3);
  stepper->start(0, start, 5);
  ASSERT_EQ(run(*stepper, 5), StepStatus::done);
  const State there(stepper->state().begin(), stepper->state().end());
  stepper->start(5, there, 0);
  ASSERT_EQ(run(*stepper, 0), StepStatus::done);
  EXPECT_EQ(stepper->time(), 0);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(stepper->state()[i], start[i], 30 * error()) << i;
}

TEST_P(Conformance, StopsExactlyAtItsLimits) {
  FunctionField field = oscillator();
  const auto stepper = make(field);
  stepper->start(0, State{1, 0}, 3);
  for (const double limit : {1e-9, 0.1, 0.3, std::nextafter(0.3, 1.0), 1.0, 1.0 + 1e-13, 2.999, 3.0}) {
    while (stepper->time() != limit) {
      ASSERT_EQ(stepper->step(limit), StepStatus::done) << stepper->message();
      ASSERT_LE(stepper->time(), limit);
    }
    EXPECT_NEAR(stepper->state()[0], std::cos(limit), 10 * error()) << limit;
    EXPECT_EQ(stepper->step(limit), StepStatus::done);  // nothing to do
    EXPECT_EQ(stepper->time(), limit);
  }
}

TEST_P(Conformance, BeginsAnewAfterTheStateWasChanged) {
  FunctionField field = oscillator();
  const auto stepper = make(field);
  stepper->start(0, State{1, 0}, 4);
  ASSERT_EQ(run(*stepper, 2), StepStatus::done);
  stepper->start(2, State{0, 3}, 4);
  EXPECT_EQ(stepper->state()[1], 3);
  State y(2);
  stepper->interpolate(2, y);
  EXPECT_EQ(y, (State{0, 3}));
  ASSERT_EQ(run(*stepper, 4), StepStatus::done);
  EXPECT_NEAR(stepper->state()[0], 3 * std::sin(2.0), 10 * error());
  EXPECT_NEAR(stepper->state()[1], 3 * std::cos(2.0), 10 * error());
}

TEST_P(Conformance, TakesSmallCorrectionsOfTheStateWithoutBeginningAnew) {
  // As projections do it: back to the circle after each step, at a tolerance that makes the drift visible.
  FunctionField field = oscillator();
  const double tolerance = 1e-7;
  const auto drifting = GetParam().make(field, tolerance), corrected = GetParam().make(field, tolerance);
  const auto off_the_circle = [](const Stepper& stepper) {
    return std::abs(std::hypot(stepper.state()[0], stepper.state()[1]) - 1);
  };
  drifting->start(0, State{1, 0}, 200);
  ASSERT_EQ(run(*drifting, 200), StepStatus::done);
  corrected->start(0, State{1, 0}, 200);
  double worst = 0;
  while (corrected->time() != 200) {
    ASSERT_EQ(corrected->step(200), StepStatus::done);
    worst = std::max(worst, off_the_circle(*corrected));
    const double r = std::hypot(corrected->state()[0], corrected->state()[1]);
    const State y{corrected->state()[0] / r, corrected->state()[1] / r};
    corrected->start(corrected->time(), y, 200);
    EXPECT_EQ(corrected->state()[0], y[0]);
  }
  EXPECT_LT(worst, off_the_circle(*drifting) / 10);
  EXPECT_NEAR(corrected->state()[0], std::cos(200.0), 1e-2);
  EXPECT_LT(corrected->counts().steps, drifting->counts().steps * 13 / 10 + 10);
}

TEST_P(Conformance, StopsBeforeAFiniteEscape) {
  FunctionField field(1, [](double, const double* y, double* dy) {
    dy[0] = y[0] * y[0];
    return -1;
  });
  const auto stepper = make(field);
  stepper->start(0, State{1}, 2);
  const StepStatus status = run(*stepper, 2);
  EXPECT_TRUE(status == StepStatus::too_small || status == StepStatus::non_finite) << static_cast<int>(status);
  EXPECT_NEAR(stepper->time(), 1, 1e-6);
  EXPECT_LE(stepper->time(), 1 + 1e-9);
  EXPECT_TRUE(std::isfinite(stepper->state()[0]));
  EXPECT_GT(stepper->state()[0], 1e4);
  State y(1);
  stepper->interpolate(stepper->time(), y);
  EXPECT_EQ(y[0], stepper->state()[0]);
}

TEST_P(Conformance, StopsWhereTheEquationsHaveNoValue) {
  FunctionField field(1, [](double t, const double*, double* dy) {
    dy[0] = std::sqrt(1 - t);
    return -1;
  });
  const auto stepper = make(field);
  stepper->start(0, State{0}, 2);
  EXPECT_EQ(run(*stepper, 2), StepStatus::non_finite);
  EXPECT_NEAR(stepper->time(), 1, 1e-6);
  EXPECT_LE(stepper->time(), 1);
  EXPECT_NEAR(stepper->state()[0], 2.0 / 3.0, 1e-5);
}

TEST_P(Conformance, PassesOnWhichSystemIsSingular) {
  const auto slope = [](double value) {
    return [value](double, const double* y, double* out) {
      if (y[0] >= 1) return 7;
      out[0] = value;
      return -1;
    };
  };
  FunctionField field(1, slope(1), slope(0));
  const auto stepper = make(field);
  stepper->start(0, State{0}, 2);
  EXPECT_EQ(run(*stepper, 2), StepStatus::singular);
  EXPECT_EQ(stepper->singular_system(), 7);
  EXPECT_NEAR(stepper->time(), 1, 1e-9);
  EXPECT_LT(stepper->state()[0], 1);
}

TEST_P(Conformance, SaysAtOnceThatItCannotBegin) {
  FunctionField nan(1, [](double, const double*, double* dy) {
    dy[0] = std::numeric_limits<double>::quiet_NaN();
    return -1;
  });
  const auto stepper = make(nan);
  stepper->start(0, State{1}, 1);
  EXPECT_EQ(stepper->step(1), StepStatus::non_finite);
  EXPECT_EQ(stepper->time(), 0);
  EXPECT_EQ(stepper->state()[0], 1);

  FunctionField singular(1, [](double, const double*, double*) { return 2; });
  const auto other = make(singular);
  other->start(0, State{1}, 1);
  EXPECT_EQ(other->step(1), StepStatus::singular);
  EXPECT_EQ(other->singular_system(), 2);
}

TEST_P(Conformance, CrossesAKink) {
  // y'' = −y − sign(y')/10, dry friction: the right-hand side jumps.
  FunctionField field(2, [](double, const double* y, double* dy) {
    dy[0] = y[1], dy[1] = -y[0] - (y[1] > 0 ? 0.1 : -0.1);
    return -1;
  });
  const auto stepper = make(field);
  stepper->start(0, State{1, 0}, 5);
  ASSERT_EQ(run(*stepper, 5), StepStatus::done) << stepper->message();
  // Half a turn about 0.1, then about −0.1.
  EXPECT_NEAR(stepper->state()[0], -0.1 - 0.7 * std::cos(5 - pi), 100 * error());
}

TEST_P(Conformance, AcceptsAnyTolerance) {
  for (const double tolerance : {0.0, 1e-18, 1e-16, 1e-15, 1e-3, 1.0}) {
    FunctionField field = kepler();
    const auto stepper = GetParam().make(field, tolerance);
    stepper->start(0, perihelion(0.5), 3);
    ASSERT_EQ(run(*stepper, 3), StepStatus::done) << tolerance << " " << stepper->message();
    const double energy = kepler_energy(stepper->state());
    EXPECT_TRUE(std::isfinite(energy));
    if (tolerance < 1e-12) {
      EXPECT_NEAR(energy, -0.5, 10 * error()) << tolerance;
    }
  }
}

TEST_P(Conformance, NumbersOfOtherSizesChangeNothing) {
  // The oscillator in other units of length and time.
  for (const double unit : {1e-12, 1e12}) {
    FunctionField field(2, [unit](double, const double* y, double* dy) {
      dy[0] = y[1] / unit, dy[1] = -y[0] / unit;
      return -1;
    });
    const auto stepper = make(field);
    stepper->start(0, State{unit, 0}, 10 * unit);
    ASSERT_EQ(run(*stepper, 10 * unit), StepStatus::done) << stepper->message();
    EXPECT_NEAR(stepper->state()[0] / unit, std::cos(10.0), error()) << unit;
  }
}

}  // namespace
}  // namespace cetaev
