// Who keeps the energy, and which constants of the motion there are, on systems with known answers.
#include "cetaev/energy/conservation.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "cetaev/energy/first_integrals.hpp"
#include "cetaev/energy/substituted.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

using testing::HasSubstr;

struct Account {
  explicit Account(const std::string& text, std::string_view form = "multipliers")
      : system(scratch_model(text, "case.toml", {})),
        set(system),
        terms(system),
        motions(set, terms, form, system->dependent.value_or(std::vector<std::size_t>{})),
        cone(homogeneity(set)),
        energy(energy_verdict(set, cone, motions)) {}
  System system;
  OnSet set;
  Terms terms;
  MotionSample motions;
  Homogeneity cone;
  EnergyVerdict energy;
};

const std::string plane_particle = R"toml(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2"
)toml";

TEST(Conservation, HoldsForPursuitThoughTheConstraintDependsOnTime) {
  const Account a(plane_particle + "constraints = [\"x'*(sin(t) - y) = y'*(cos(t) - x)\"]\n");
  EXPECT_TRUE(a.cone.conic.holds());
  EXPECT_TRUE(a.energy.conserved.holds());
  EXPECT_TRUE(a.energy.conserved.proved);
}

TEST(Conservation, HoldsForAFreePointOfConstantSpeedThoughItsSetIsNoCone) {
  const Account a(plane_particle + "constraints = [\"x'^2 + y'^2 = 9\"]\n");
  EXPECT_TRUE(a.cone.conic.fails());
  EXPECT_TRUE(a.energy.conserved.holds());
  EXPECT_THAT(a.energy.because, HasSubstr("although"));
}

TEST(Conservation, FailsThroughReactionsThatWork) {
  const Account a(plane_particle + "constraints = [\"x'^2 + y'^2 = 9 + t\"]\n");
  EXPECT_TRUE(a.energy.conserved.fails());
  EXPECT_THAT(a.energy.because, HasSubstr("reactions do work"));
  ASSERT_TRUE(a.energy.conserved.witness);
  EXPECT_NEAR(a.energy.conserved.value, 0.5, 1e-12);  // T = (9 + t)/2
}

TEST(Conservation, FailsThroughTimeAndForces) {
  const Account time("coordinates = [\"x\"]\nlagrangian = \"x'^2/2 - t*x\"\n");
  EXPECT_TRUE(time.energy.conserved.fails());
  EXPECT_THAT(time.energy.because, HasSubstr("L depends on time"));
  const Account force("coordinates = [\"x\"]\nlagrangian = \"x'^2/2\"\n[forces]\nx = \"-x'\"\n");
  EXPECT_TRUE(force.energy.conserved.fails());
  EXPECT_THAT(force.energy.because, HasSubstr("the force on x does work"));
}

TEST(Conservation, IsNotHurtByForcesThatDoNoWork) {
  // a magnetic force
  const Account a(
      "coordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + y'^2)/2\"\n[forces]\nx = \"3*y'\"\ny = \"-3*x'\"\n");
  EXPECT_TRUE(a.energy.conserved.holds());
  EXPECT_TRUE(a.energy.conserved.proved);
}

TEST(Conservation, SeesTermsThatCancel) {
  // a force that feeds what the constant speed takes away
  const Account a(plane_particle + "constraints = [\"x'^2 + y'^2 = 4\"]\n[forces]\nx = \"1\"\n");
  EXPECT_TRUE(a.energy.conserved.holds());
  EXPECT_THAT(a.energy.because, HasSubstr("cancel"));
}

TEST(Conservation, TellsJacobisIntegralFromTheEnergy) {
  // a bead on a rod turning at a given rate: E = r'²/2 − ω²r²/2 is conserved, T + V is not
  const Account a("coordinates = [\"r\"]\nkinetic = \"r'^2/2 + 4*r^2/2\"\n");
  EXPECT_TRUE(a.energy.jacobi);
  EXPECT_TRUE(a.energy.conserved.holds());
  const Account natural("coordinates = [\"r\"]\nkinetic = \"r'^2/2\"\npotential = \"r^2\"\n");
  EXPECT_FALSE(natural.energy.jacobi);
}

TEST(Conservation, OfTheIndependentEnergyMayHoldWhereTheOtherFails) {
  const Account a(plane_particle.substr(0, plane_particle.find("lagrangian")) +
                  "lagrangian = \"(x'^2 + y'^2)/2\"\nconstraints = [\"y' = x' + 1\"]\ndependent = [\"y\"]\n");
  EXPECT_TRUE(a.cone.conic.fails());
  // L* = x'²/2 + (x' + 1)²/2: x'' = 0, so E is constant as well; the reactions do no work
  EXPECT_TRUE(a.energy.conserved.holds());
  ASSERT_TRUE(a.energy.star_conserved);
  EXPECT_TRUE(a.energy.star_conserved->holds());
  // with a spring between x and the moving frame E changes and E* does not
  const Account b(
      "coordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + y'^2)/2 - x^2\"\nconstraints = [\"y' = x' + 1\"]\n"
      "dependent = [\"y\"]\n");
  EXPECT_TRUE(b.energy.conserved.fails());
  ASSERT_TRUE(b.energy.star_conserved);
  EXPECT_TRUE(b.energy.star_conserved->holds());
}

std::vector<std::string> texts(const std::vector<LinearIntegral>& integrals) {
  std::vector<std::string> list;
  for (const LinearIntegral& integral : integrals) {
    EXPECT_TRUE(integral.ground.holds());
    list.push_back(to_string(integral.integral));
  }
  return list;
}

TEST(LinearIntegrals, AreLinearAndAngularMomentumOfAFreeParticle) {
  Account a("coordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + y'^2)/2\"\n");
  EXPECT_THAT(texts(linear_integrals(a.set, a.terms)),
              testing::UnorderedElementsAre("x'", "y'", testing::AnyOf("x*y' - y*x'", "y*x' - x*y'", "x'*y - x*y'")));
}

TEST(LinearIntegrals, InACentralFieldLeaveTheAngularMomentum) {
  Account a("coordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)\"\n");
  const auto integrals = linear_integrals(a.set, a.terms);
  ASSERT_EQ(integrals.size(), 1u);
  EXPECT_TRUE(integrals[0].ground.proved);
}

TEST(LinearIntegrals, OfTheSkateAreTheMomentumOfItsAngle) {
  Account a(R"toml(
coordinates = ["x", "y", "phi"]
lagrangian = "(x'^2 + y'^2)/2 + J*phi'^2/2 + 4*x"
constraints = ["x'*sin(phi) - y'*cos(phi) = 0"]
[parameters]
J = 2
)toml");
  const auto integrals = linear_integrals(a.set, a.terms);
  ASSERT_EQ(integrals.size(), 1u);
  EXPECT_EQ(integrals[0].meaning, "the momentum of phi");
  EXPECT_TRUE(integrals[0].ground.proved);
}

TEST(LinearIntegrals, DoNotIncludeCyclicCoordinatesThatTheConstraintTurns) {
  // x is cyclic, but the constraint force acts along it: only phi remains, and with a force on phi nothing
  Account a(R"toml(
coordinates = ["x", "y", "phi"]
lagrangian = "(x'^2 + y'^2)/2 + phi'^2/2"
constraints = ["x'*sin(phi) - y'*cos(phi) = 0"]
[forces]
phi = "-phi'"
)toml");
  EXPECT_TRUE(linear_integrals(a.set, a.terms).empty());
}

TEST(LinearIntegrals, AreAbsentForTheSleigh) {
  Account a(R"toml(
coordinates = ["x", "y", "th"]
lagrangian = "((x' - 0.2*th'*sin(th))^2 + (y' + 0.2*th'*cos(th))^2)/2 + 0.3*th'^2/2"
constraints = ["-x'*sin(th) + y'*cos(th) = 0"]
)toml");
  EXPECT_TRUE(linear_integrals(a.set, a.terms).empty());
}

// About axes of space, where Euler angles show one of them alone as a coordinate.
TEST(LinearIntegrals, OfAFreeTopAreItsAngularMomentumInSpace) {
  Account a(R"toml(
coordinates = ["psi", "theta", "phi"]
[frames]
F = "z psi, x theta, z phi"
[[bodies]]
name = "top"
frame = "F"
mass = 1
centre = "[0, 0, 0]"
inertia = [2, 3, 4]
[initial]
theta = 0.7
)toml");
  const auto integrals = linear_integrals(a.set, a.terms);
  ASSERT_EQ(integrals.size(), 3u);
  const Motion& motion = a.system->motion;
  for (const double start : {0.3, 0.9, 2.1}) {
    const double psi = start, theta = start + 0.4, phi = 2 * start, psi_ = 1.1, theta_ = start - 1, phi_ = -0.7;
    const double I[3] = {2, 3, 4};
    const double omega[3] = {psi_ * std::sin(theta) * std::sin(phi) + theta_ * std::cos(phi),
                             psi_ * std::sin(theta) * std::cos(phi) - theta_ * std::sin(phi),
                             psi_ * std::cos(theta) + phi_};
    double m[3];
    for (int i = 0; i < 3; ++i) m[i] = I[i] * omega[i];
    const auto turn = [&](int i, int j, double by) {
      const double c = std::cos(by), s = std::sin(by), x = m[i], y = m[j];
      m[i] = c * x - s * y;
      m[j] = s * x + c * y;
    };
    turn(0, 1, phi);
    turn(1, 2, theta);
    turn(0, 1, psi);
    const std::vector<Value> state = {{motion.q[0], psi},  {motion.q[1], theta},  {motion.q[2], phi},
                                      {motion.v[0], psi_}, {motion.v[1], theta_}, {motion.v[2], phi_}};
    std::vector<double> found;
    for (const LinearIntegral& integral : integrals) {
      EXPECT_TRUE(integral.ground.proved);
      found.push_back(std::fabs(evaluate(integral.integral, state)));
    }
    EXPECT_THAT(found, testing::UnorderedElementsAre(testing::DoubleNear(std::fabs(m[0]), 1e-12),
                                                     testing::DoubleNear(std::fabs(m[1]), 1e-12),
                                                     testing::DoubleNear(std::fabs(m[2]), 1e-12)));
  }
}

// Čaplygin's ball keeps its angular momentum about the point of contact, though no coordinate that rolls is ignorable.
TEST(LinearIntegrals, OfABallThatRollsAreItsAngularMomentumAboutTheContact) {
  Account a(R"toml(
coordinates = ["x", "y", "psi", "theta", "phi"]
constraints = ["x' = r*(theta'*sin(psi) - phi'*sin(theta)*cos(psi))", "y' = -r*(theta'*cos(psi) + phi'*sin(theta)*sin(psi))"]
[frames]
F = "z psi, x theta, z phi"
[[bodies]]
name = "ball"
frame = "F"
mass = 2
centre = "[x, y, r]"
inertia = [2, 3, 4]
[parameters]
r = 0.5
[initial]
theta = 0.7
)toml");
  const auto integrals = linear_integrals(a.set, a.terms);
  EXPECT_EQ(integrals.size(), 3u);
  for (const LinearIntegral& integral : integrals) EXPECT_TRUE(integral.ground.holds());
}

TEST(DeclaredIntegrals, AreHeldToTheMotionsOfTheFormAskedFor) {
  const std::string text = R"toml(
coordinates = ["x", "y", "phi"]
lagrangian = "(x'^2 + y'^2)/2 + phi'^2/2"
constraints = ["x'*sin(phi) - y'*cos(phi) = 0"]
[integrals]
speed = "x'*cos(phi) + y'*sin(phi)"
turn = "phi'"
wrong = "x'"
)toml";
  const Account a(text);
  const auto declared = declared_integrals(a.system, a.motions);
  ASSERT_EQ(declared.size(), 3u);
  EXPECT_TRUE(declared[0].conserved.holds());
  EXPECT_TRUE(declared[1].conserved.holds());
  EXPECT_TRUE(declared[2].conserved.fails());
  // the vakonomic skate turns otherwise for λ ≠ 0 (THEORY 9.3)
  const Account vakonomic(text, "vakonomic");
  EXPECT_TRUE(declared_integrals(vakonomic.system, vakonomic.motions)[1].conserved.fails());
}

TEST(Substituted, NamesTheMissingTermsOfTheRollingDiscMistake) {
  // z' = y x' put into (x'² + y'² + z'²)/2. The right equations: B_x = y', B_y = −x', p_z = z'.
  const System system = scratch_model(R"toml(
coordinates = ["x", "y", "z"]
lagrangian = "(x'^2 + y'^2 + y^2*x'^2)/2"
constraints = ["z' = y*x'"]
substituted = ["z' = y*x'"]
[[points]]
mass = 1
position = ["x", "y", "z"]
[initial]
y = 0.5
"x'" = 2
"y'" = 3
)toml",
                                      "case.toml", {});
  const auto s = diagnose_substitution(system);
  ASSERT_TRUE(s);
  EXPECT_FALSE(s->harmless());
  EXPECT_TRUE(s->still_there.empty());
  ASSERT_EQ(s->terms.size(), 2u);
  EXPECT_EQ(to_string(*s->terms[0].B), "y'");
  EXPECT_EQ(to_string(*s->terms[1].B), "-x'");
  EXPECT_DOUBLE_EQ(*s->terms[0].value, 3);
  ASSERT_EQ(s->momenta.size(), 1u);
  EXPECT_DOUBLE_EQ(s->momenta[0], 1);   // z' = 0.5·2
  EXPECT_DOUBLE_EQ(s->missing[0], 3);   // y' z'
  EXPECT_DOUBLE_EQ(s->missing[1], -2);  // −x' z'
}

TEST(Substituted, IsHarmlessForIntegrableConstraints) {
  const System system = scratch_model(
      "coordinates = [\"x\", \"y\"]\nlagrangian = \"x'^2/2 + 2*x^2*x'^2\"\nsubstituted = [\"y' = 2*x*x'\"]\n",
      "case.toml", {});
  const auto s = diagnose_substitution(system);
  ASSERT_TRUE(s);
  EXPECT_TRUE(s->harmless());
  EXPECT_TRUE(s->terms[0].zero.proved);
}

}  // namespace
}  // namespace cetaev
