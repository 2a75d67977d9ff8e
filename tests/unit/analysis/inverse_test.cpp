// Forces that follow a motion, beside what Newton and Euler say about each link, and beside closed forms.
#include "cetaev/analysis/inverse.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

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

// A rod of mass 2 and length 1 that hangs from its end: I θ'' + m g l/2 sin θ.
constexpr const char* hanging_rod = R"toml(coordinates = ["th"]
gravity = ["0", "0", "-9.81"]
[frames]
A = "y th"
[[bodies]]
name = "b"
frame = "A"
mass = 2
centre = "A([0, 0, -0.5])"
uniform = {rod = 1, axis = "z"}
)toml";
constexpr double rod_inertia = 2.0 / 12 + 0.5, rod_weight = 9.81;

InverseDynamics follow_rod(const std::string& along, double t_end) {
  ModelChanges changes;
  changes.along = {along};
  return inverse_dynamics(read_model_with(changes, hanging_rod, "rod.toml"), {.t_end = t_end, .samples = 5});
}

struct Jet {
  double q, v, a;
};

// Forces, energy and work of the rod along θ(t), whatever integrators think of it.
void expect_rod(const std::string& along, double t_end, const std::function<Jet(double)>& theta, double digits,
                double work_within) {
  SCOPED_TRACE(along);
  const InverseDynamics found = follow_rod(along, t_end);
  ASSERT_EQ(found.summary.status, MotionStatus::finished);
  const auto energy = [](const Jet& at) { return rod_inertia / 2 * at.v * at.v - rod_weight * std::cos(at.q); };
  for (std::size_t s = 0; s < 5; ++s) {
    const Jet at = theta(found.samples.t[s]);
    const double torque = rod_inertia * at.a + rod_weight * std::sin(at.q);
    EXPECT_NEAR(found.samples.q[0][s], at.q, digits * std::abs(at.q));
    EXPECT_NEAR(found.drives[0].force[s], torque, digits * (rod_inertia * std::abs(at.a) + rod_weight));
    EXPECT_NEAR(found.drives[0].power[s], torque * at.v, digits * (std::abs(torque * at.v) + rod_weight));
    EXPECT_NEAR(found.samples.E[s], energy(at), digits * (rod_weight + std::abs(energy(at))));
  }
  EXPECT_NEAR(found.drives[0].work, energy(theta(t_end)) - energy(theta(0)), work_within);
}

TEST(Inverse, WhatIsGivenByFunctionsOfTimeIsNotIntegrated) {
  const auto sinc = [](double x) {
    if (x == 0) return Jet{1, 0, -1.0 / 3};
    const double s = std::sin(x), c = std::cos(x);
    return Jet{s / x, c / x - s / (x * x), -s / x - 2 * c / (x * x) + 2 * s / (x * x * x)};
  };
  expect_rod(
      "th = sin(t-0.513)/(t-0.513)", 2, [&](double t) { return sinc(t - 0.513); }, 1e-10, 1e-9);
  // 0/0 at a sample
  expect_rod(
      "th = sin(t-0.5)/(t-0.5)", 2, [&](double t) { return sinc(t - 0.5); }, 1e-8, 1e-8);
  expect_rod("th = sin(t)/t", 2, sinc, 1e-8, 1e-8);
  // a thousandth of a thousandth of the way: energies up to I/2 1e12 on it, to 13 digits
  const auto step = [](double t) {
    const double th = std::tanh(1e6 * (t - 0.513)), slope = 1e6 * (1 - th * th);
    return Jet{th, slope, -2e6 * th * slope};
  };
  expect_rod("th = tanh(1e6*(t-0.513))", 2, step, 1e-12, 0.07);
  const auto grows = [](double t) { return Jet{std::exp(30 * t), 30 * std::exp(30 * t), 900 * std::exp(30 * t)}; };
  expect_rod("th = exp(30*t)", 2, grows, 1e-12, 1e-12 * rod_inertia / 2 * 900 * std::exp(120.0));
  const auto quick = [](double t) { return Jet{std::sin(1e4 * t), 1e4 * std::cos(1e4 * t), -1e8 * std::sin(1e4 * t)}; };
  expect_rod("th = sin(1e4*t)", 2, quick, 1e-11, 1e-9 * 1e8);
  const auto backwards = [](double t) { return Jet{t * t, 2 * t, 2}; };
  expect_rod("th = t^2", -1, backwards, 1e-13, 1e-12);
}

TEST(Inverse, WorkThatIsLostInRoundingIsSaid) {
  const InverseDynamics spike = follow_rod("th = 1/((t-0.51)^2+1e-12)", 2);
  ASSERT_EQ(spike.notes.size(), 1u);
  EXPECT_NE(spike.notes[0].find("the work along th is known to about"), std::string::npos) << spike.notes[0];
  EXPECT_TRUE(follow_rod("th = sin(t)", 6.283185307179586).notes.empty());
}

TEST(Inverse, RatesThatAreNotFiniteAreToldFromMotions) {
  const auto refusal = [](const std::string& along, double t_end) -> std::string {
    try {
      (void)follow_rod(along, t_end);
    } catch (const Error& error) {
      return error.code() == ErrorCode::non_finite ? error.message() : "another error: " + error.message();
    }
    return "none";
  };
  EXPECT_TRUE(refusal("th = asin(t)", 2).starts_with("the rate of the motion to be followed, th = asin(t)"));
  EXPECT_TRUE(refusal("th = asin(t)", 1).starts_with("the rate of the motion to be followed, th = asin(t)"));
  EXPECT_TRUE(refusal("th = sqrt(t)", 1).starts_with("the rate of the motion to be followed, th = sqrt(t)"));
  EXPECT_TRUE(refusal("th = t^(3/2)", 1).starts_with("the acceleration of the motion to be followed, th = t^(3/2)"));
  EXPECT_TRUE(refusal("th = exp(400*t)", 2).starts_with("the motion to be followed, th = exp(400*t), is not finite"));
  EXPECT_TRUE(refusal("th = 1/(t-0.5)", 2).starts_with("the motion to be followed, th = 1/(t-0.5), is not finite"));
}

TEST(Inverse, AGivenMotionThatLeavesAConstraintOnItsWayIsNamed) {
  ModelChanges changes;
  changes.along = {"x = sin(t)", "y = -cos(t)*(1 + t^4/100)"};
  try {
    (void)inverse_dynamics(open_model("pendulum", changes), {.t_end = 1, .samples = 2});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::inconsistent_initial_state);
    EXPECT_NE(error.message().find("leaves constraint 1 (norm(P) = l)"), std::string::npos) << error.message();
  }
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
