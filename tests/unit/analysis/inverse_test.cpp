// Forces that follow a motion, beside what Newton and Euler say about each link, and beside closed forms.
#include "cetaev/analysis/inverse.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "cetaev/model/build.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/open_model.hpp"
#include "unit/joint_torques.hpp"

namespace cetaev {
namespace {

// q_i = b + c sin(w t + p): positions, velocities and accelerations.
constexpr std::array<std::array<double, 4>, 6> swings = {{{0.1, 0.5, 1.3, 0},
                                                          {-0.3, 0.4, 0.7, 1},
                                                          {0.5, 0.6, 1.1, 2},
                                                          {0.2, 0.8, 1.9, 0.5},
                                                          {0.7, 0.3, 2.3, 1.5},
                                                          {0, 1, 1.7, 0}}};

TEST(Inverse, TheTorquesOfAnArmAreThoseOfNewtonAndEuler) {
  ModelChanges changes;
  for (std::size_t i = 0; i < 6; ++i) {
    const auto& [b, c, w, p] = swings[i];
    char text[100];
    std::snprintf(text, sizeof text, "q%zu = %g + %g*sin(%g*t + %g)", i + 1, b, c, w, p);
    changes.along.emplace_back(text);
  }
  const System system = open_model("arm", changes);
  const InverseDynamics found = inverse_dynamics(system, {.t_end = 2, .samples = 21});
  ASSERT_EQ(found.summary.status, MotionStatus::finished);
  ASSERT_EQ(found.drives.size(), 6u);
  EXPECT_EQ(found.drives[3].name, "q4");
  for (std::size_t s = 0; s < found.samples.size(); ++s) {
    const double t = found.samples.t[s];
    std::array<double, 6> q{}, v{}, a{};
    for (std::size_t i = 0; i < 6; ++i) {
      const auto& [b, c, w, p] = swings[i];
      q[i] = b + c * std::sin(w * t + p);
      v[i] = c * w * std::cos(w * t + p);
      a[i] = -c * w * w * std::sin(w * t + p);
      EXPECT_NEAR(found.samples.q[i][s], q[i], 1e-14);
    }
    const std::array<double, 6> torque = joint_torques(q, v, a);
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(found.drives[i].force[s], torque[i], 1e-11) << "joint " << i + 1 << " at t = " << t;
      EXPECT_NEAR(found.drives[i].power[s], torque[i] * v[i], 1e-10);
    }
  }
  // Nothing else does work.
  double work = 0;
  for (const Drive& drive : found.drives) work += drive.work;
  EXPECT_NEAR(work, found.samples.E.back() - found.samples.E.front(), 1e-11);
}

// A pendulum of mass 1 and length 1 on a cart of mass 2 that is pushed along x = sin t: l θ'' + x'' cos θ + g sin θ = 0.
TEST(Inverse, WhatIsNotPrescribedMovesByItself) {
  const std::string cart = SystemBuilder()
                               .coordinates({"x", "theta"})
                               .gravity({"0", "0", "-9.81"})
                               .point("cart", "2", {"x", "0", "0"})
                               .point("bob", "1", {"x + sin(theta)", "0", "-cos(theta)"})
                               .initial("theta", 0.4)
                               .text();
  ModelChanges changes;
  changes.along = {"x = sin(t)"};
  const InverseDynamics found =
      inverse_dynamics(read_model_with(changes, cart, "cart.toml"), {.t_end = 3, .samples = 31});
  ASSERT_EQ(found.drives.size(), 1u);
  for (std::size_t s = 0; s < found.samples.size(); ++s) {
    const double a = -std::sin(found.samples.t[s]), theta = found.samples.q[1][s], rate = found.samples.v[1][s];
    const double second = -a * std::cos(theta) - 9.81 * std::sin(theta);
    const double force = 3 * a + second * std::cos(theta) - rate * rate * std::sin(theta);
    EXPECT_NEAR(found.drives[0].force[s], force, 1e-11);
  }
  EXPECT_DOUBLE_EQ(found.samples.q[1].front(), 0.4);
}

TEST(Inverse, APlaceIsLedByTheForceOnIt) {
  const std::string particle =
      SystemBuilder().coordinates({"x", "y", "z"}).gravity({"0", "0", "-9.81"}).point("P", "2", {"x", "y", "z"}).text();
  ModelChanges changes;
  changes.along = {"P = [cos(t), sin(t), t^2]"};
  const InverseDynamics found =
      inverse_dynamics(read_model_with(changes, particle, "p.toml"), {.t_end = 1, .samples = 5});
  ASSERT_EQ(found.drives.size(), 3u);
  EXPECT_EQ(found.drives[1].name, "P.y");
  for (std::size_t s = 0; s < found.samples.size(); ++s) {
    const double t = found.samples.t[s];
    EXPECT_NEAR(found.drives[0].force[s], -2 * std::cos(t), 1e-13);
    EXPECT_NEAR(found.drives[1].force[s], -2 * std::sin(t), 1e-13);
    EXPECT_NEAR(found.drives[2].force[s], 2 * (2 + 9.81), 1e-12);
  }
}

// A motion without velocities, and one with them: the accelerations are those of polynomials through neighbours.
TEST(Inverse, FollowsAMotionThatWasSampled) {
  const System system = open_model("double-pendulum", {});
  ModelChanges changes;
  changes.along = {"theta1 = sin(2*t)", "theta2 = cos(t)"};
  const InverseDynamics exact = inverse_dynamics(open_model("double-pendulum", changes), {.t_end = 1, .samples = 201});
  MotionTable table{{"t", "theta1", "theta2", "theta1'", "theta2'"}, {}};
  table.columns = {exact.samples.t, exact.samples.q[0], exact.samples.q[1], exact.samples.v[0], exact.samples.v[1]};
  const auto differ = [&](const InverseDynamics& found) {
    double most = 0;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t s = 0; s < exact.samples.size(); ++s)
        most = std::max(most, std::abs(found.drives[i].force[s] - exact.drives[i].force[s]));
    return most;
  };
  EXPECT_LT(differ(inverse_dynamics(system, table, "m.csv")), 1e-8);
  table.names.resize(3);
  table.columns.resize(3);
  EXPECT_LT(differ(inverse_dynamics(system, table, "m.csv")), 1e-6);
  table.names[2] = "theta3";
  EXPECT_THROW(inverse_dynamics(system, table, "m.csv"), Error);
}

}  // namespace
}  // namespace cetaev
