// Energies and their rates against formulas worked out by hand.
#include "cetaev/energy/energies.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

struct Case {
  explicit Case(const std::string& text)
      : work(read_model(text, "case.toml", {})),
        system(work.system()),
        evaluation(evaluate(work)),
        energy(energy_at(work, evaluation)) {}
  const EnergyValues& values() const { return energy->values; }
  const State& state() const { return evaluation.initial.state; }
  const std::vector<double>& a() const { return evaluation.find("multipliers")->values->a; }

  Groundwork work;
  System system;
  Evaluation evaluation;
  std::optional<EnergyAtState> energy;
};

TEST(Energy, OfAHeavyPointWithPrescribedSpeedFollowsFromTheSpeed) {
  // E = C²/2 + g z, so E' = C C' + g z' whatever the reaction does.
  const Case c(R"toml(
coordinates = ["x", "y", "z"]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - 9.81*z"
constraints = ["sqrt(x'^2 + y'^2 + z'^2) = 2 + sin(3*t)"]
[initial]
t = 0.4
"x'" = 0.5
"y'" = -0.7
"z'" = 1
)toml");
  const double speed = 2 + std::sin(1.2), rate = 3 * std::cos(1.2);
  EXPECT_NEAR(c.values().E, speed * speed / 2 + 9.81 * c.state().q[2], 1e-12);
  EXPECT_NEAR(c.values().dE_dt, speed * rate + 9.81 * c.state().v[2], 1e-11);
  EXPECT_NEAR(c.values().dE_dt_balance, speed * rate + 9.81 * c.state().v[2], 1e-11);
  EXPECT_NEAR(c.values().reaction_power, speed * rate + 9.81 * c.state().v[2], 1e-11);
  // L* = C²/2 − g z has no velocity in it: E* = g z − C²/2
  ASSERT_TRUE(c.values().reduced);
  EXPECT_NEAR(c.values().reduced->E, 9.81 * c.state().q[2] - speed * speed / 2, 1e-11);
  EXPECT_NEAR(c.values().reduced->dE_dt, 9.81 * c.state().v[2] - speed * rate, 1e-11);
  EXPECT_NEAR(c.values().reduced->dE_dt_balance, 9.81 * c.state().v[2] - speed * rate, 1e-11);
}

// A pendulum whose hanger shakes and turns: T = m |c' + ω × r|²/2 + I ω²/2 with ω = a' + g'(t), written out here.
TEST(Energy, OfMovingFramesIsToldToTheLastPart) {
  const Case c(R"toml(
coordinates = ["a"]
gravity = ["0", "0", "-9.81"]
[frames]
f = "y a + 0.5*sin(2*t)"
[[bodies]]
name = "B"
frame = "f"
mass = 2
centre = "[0.3*cos(3*t), 0, 0.1*t^2] + f([0, 0, -0.7])"
inertia = [0.1, 0.2, 0.15]
[initial]
t = 0.3
a = 0.4
"a'" = 0.5
)toml");
  const double t = 0.3, angle = 0.4 + 0.5 * std::sin(0.6);
  const auto kinetic = [&](double rate) {
    const double w = rate + std::cos(2 * t);
    const double x = -0.9 * std::sin(3 * t) - 0.7 * std::cos(angle) * w, z = 0.2 * t + 0.7 * std::sin(angle) * w;
    return x * x + z * z + 0.1 * w * w;
  };
  const double T = kinetic(0.5), T0 = kinetic(0), T1 = (kinetic(0.5) - kinetic(-0.5)) / 2, T2 = T - T1 - T0;
  const double V = 2 * 9.81 * (0.1 * t * t - 0.7 * std::cos(angle));
  EXPECT_NEAR(c.values().E, T2 - T0 + V, 1e-13);
  const auto& shares = c.energy->terms.shares;
  ASSERT_EQ(shares.size(), 3u);
  ASSERT_EQ(c.values().shares.size(), 3u);
  EXPECT_NEAR(c.values().shares[0], T, 1e-13);
  EXPECT_NEAR(c.values().shares[1], V, 1e-13);
  EXPECT_EQ(shares[2].kind, EnergyShare::Kind::beyond);
  EXPECT_EQ(shares[2].of, "-(T1 + 2 T0)");
  EXPECT_NEAR(c.values().shares[2], -(T1 + 2 * T0), 1e-13);
  EXPECT_NEAR(T + V + c.values().shares[2], c.values().E, 1e-13);
}

// E of m (1 − √(1 − v²)) is m (1/√(1 − v²) − 1).
TEST(Energy, OfFastPointsIsNotTheirKineticPartAlone) {
  const Case c(R"toml(
coordinates = ["x"]
kinetic = "2*(1 - sqrt(1 - x'^2))"
potential = "3*x"
[initial]
x = 0.7
"x'" = 0.6
)toml");
  ASSERT_EQ(c.energy->terms.shares.size(), 3u);
  EXPECT_EQ(c.energy->terms.shares[2].of, "v dL/dv - 2 T");
  EXPECT_NEAR(c.values().shares[2], 2 * (1 / 0.8 - 1) - 2 * (1 - 0.8), 1e-14);
  EXPECT_NEAR(c.values().E, 2 * (1 / 0.8 - 1) + 2.1, 1e-14);
}

// A potential with velocities, as that of a magnetic field: V = x y' + x² is not what E has of it.
TEST(Energy, OfAFieldIsNotItsPotential) {
  const Case c(R"toml(
coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
potential = "x*y' + x^2"
[initial]
x = 1.5
"y'" = 2
)toml");
  EXPECT_NEAR(c.values().E, 2 + 2.25, 1e-14);
  ASSERT_EQ(c.values().shares.size(), 3u);
  EXPECT_NEAR(c.values().shares[0], 2, 1e-14);
  EXPECT_NEAR(c.values().shares[1], 3 + 2.25, 1e-14);
  EXPECT_NEAR(c.values().shares[2], -3, 1e-14);
}

// Where T is of second degree nothing is missing, and nothing is said.
TEST(Energy, OfFramesAtRestIsTPlusV) {
  const Case c(R"toml(
coordinates = ["a", "b"]
gravity = ["0", "0", "-9.81"]
[frames]
f = "y a, x b"
[[bodies]]
name = "B"
frame = "f"
mass = 2
centre = "f([0, 0.2, -0.7])"
inertia = [0.1, 0.2, 0.15]
[initial]
a = 0.3
"b'" = 1
)toml");
  ASSERT_EQ(c.values().shares.size(), 2u);
  EXPECT_NEAR(c.values().shares[0] + c.values().shares[1], c.values().E, 1e-14 * std::abs(c.values().E) * 4);
}

TEST(Energy, OfADampedSkateFallsByTheDamping) {
  const Case c(R"toml(
coordinates = ["x", "y", "phi"]
lagrangian = "(x'^2 + y'^2)/2 + phi'^2/2 + 4*x"
constraints = ["x'*sin(phi) - y'*cos(phi) = 0"]
[forces]
phi = "-0.3*phi'"
x = "-0.1*x'"
[initial]
phi = 0.5
"phi'" = 2
"x'" = 1
)toml");
  const double vx = c.state().v[0], omega = 2;
  EXPECT_NEAR(c.values().dE_dt, -0.3 * omega * omega - 0.1 * vx * vx, 1e-12);
  EXPECT_NEAR(c.values().dE_dt_balance, -0.3 * omega * omega - 0.1 * vx * vx, 1e-12);
  EXPECT_NEAR(c.values().reaction_power, 0, 1e-12);
  EXPECT_NEAR(c.values().reduced->E, c.values().E, 1e-12);
}

// THEORY 5, the corrected form of [T3] (37): α = a(x,y,t) x' + c(t), written out for one dependent velocity:
//   Ė* = −∂L*/∂t − c ∂L*/∂y + p x' (∂a/∂t + c ∂a/∂y) + x' (F_x + a F_y)
TEST(Energy, OfAnAffineConstraintFollowsTheCorrectedBalance) {
  const Case c(R"toml(
coordinates = ["x", "y"]
lagrangian = "x'^2/2 + (1 + x^2)*y'^2/2 + x'*y'/3 - x*y^2 + t*x"
constraints = ["y' = (x*y + t^2)*x' + sin(t)"]
dependent = ["y"]
[forces]
x = "-x'*y"
y = "2*y'"
[initial]
t = 0.8
x = 0.6
y = -1.1
"x'" = 0.7
)toml");
  const double t = 0.8, x = 0.6, y = -1.1, vx = 0.7;
  const double a = x * y + t * t, s = std::sin(t), vy = a * vx + s;
  const double p = (1 + x * x) * vy + vx / 3;
  const double by_time = x + p * (2 * t * vx + std::cos(t));  // ∂L*/∂t = ∂L/∂t + p ∂α/∂t
  const double by_y = -2 * x * y + p * x * vx;                // ∂L*/∂y = ∂L/∂y + p ∂α/∂y
  const double expected = -by_time - s * by_y + p * vx * (2 * t + s * x) + vx * (-vx * y + a * 2 * vy);
  ASSERT_TRUE(c.values().reduced);
  EXPECT_NEAR(c.values().reduced->dE_dt, expected, 1e-12);
  EXPECT_NEAR(c.values().reduced->dE_dt_balance, expected, 1e-12);
  // E* = v_x ∂L*/∂v_x − L*, with L* as a polynomial in v_x
  const double L = vx * vx / 2 + (1 + x * x) * vy * vy / 2 + vx * vy / 3 - x * y * y + t * x;
  const double momentum = vx + (1 + x * x) * vy * a + (vy + vx * a) / 3;
  EXPECT_NEAR(c.values().reduced->E, vx * momentum - L, 1e-12);
}

TEST(Energy, OfSecondOrderConstraintsHasNoIndependentVelocities) {
  const Case c(R"toml(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2"
constraints = ["x'*x'' + y'*y'' = 1"]
[initial]
"x'" = 1
"y'" = 2
)toml");
  EXPECT_NEAR(c.values().dE_dt, 1, 1e-12);  // x'x'' + y'y'' is the rate of the kinetic energy
  EXPECT_NEAR(c.values().reaction_power, 1, 1e-12);
  EXPECT_FALSE(c.values().reduced);
}

TEST(Energy, HasEveryTermOfItsBalanceByName) {
  const Case c(R"toml(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 + t*x"
constraints = ["x'^2 + y'^2 = 4"]
[forces]
x = "3"
[initial]
x = 2
"x'" = 1
"y'" = 1
)toml");
  const auto& terms = c.energy->terms.balance;
  ASSERT_EQ(terms.size(), 3u);
  EXPECT_EQ(terms[0].formula, "-dL/dt");
  EXPECT_NEAR(c.values().balance[0], -2, 1e-12);
  EXPECT_NEAR(c.values().balance[2], 3 * c.state().v[0], 1e-12);
  // |v| constant: T' = 0, so what the reaction does is what the force and the potential do not
  EXPECT_NEAR(c.values().balance[1], -3 * c.state().v[0], 1e-12);
  EXPECT_NEAR(c.values().dE_dt, -2, 1e-12);
}

}  // namespace
}  // namespace cetaev
