// Cones, virtual displacements and statements about the constraint set, on sets with known answers.
#include "cetaev/constraint/homogeneity.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "cetaev/algebra/degree.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

System particle(const std::string& constraints, const std::string& rest = "") {
  return scratch_model("coordinates = [\"x\", \"y\", \"z\"]\nlagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\nconstraints = [" +
                           constraints + "]\n" + rest,
                       "case.toml", {});
}

Homogeneity cone_of(const std::string& constraints, const std::string& rest = "") {
  const System system = particle(constraints, rest);
  OnSet set(system);
  return homogeneity(set);
}

TEST(Cone, OfHomogeneousFunctionsIsProvedByEuler) {
  for (const char* constraint : {"\"z' = y*x'\"", "\"x'*y' = z'^2\"", "\"z' = sqrt(x'^2 + y'^2)\"",
                                 "\"x'^3 + y'^3 = z'^3\"", "\"x'*sin(t) = y'\"", "\"abs(x') = y'\""}) {
    const Homogeneity h = cone_of(constraint);
    EXPECT_TRUE(h.conic.holds()) << constraint;
    EXPECT_TRUE(h.conic.proved) << constraint;
    EXPECT_TRUE(h.functions) << constraint;
    EXPECT_TRUE(h.rewritten.empty()) << constraint;
  }
}

TEST(Cone, NeedsNoHomogeneousFunction) {
  // the counterexample to [T2] Prop. 2
  const System system = particle("\"exp(y' - x') - 1 = 0\"");
  OnSet set(system);
  const Homogeneity h = homogeneity(set);
  EXPECT_FALSE(h.functions);
  EXPECT_TRUE(h.conic.holds());
  EXPECT_TRUE(h.conic.proved);
  ASSERT_EQ(h.rewritten.size(), 1u);
  EXPECT_EQ(homogeneity_degree(h.rewritten[0], system->motion.v), Rational(1));
  // the rewriting vanishes on the set
  EXPECT_TRUE(set.vanishes(h.rewritten[0]).holds());
}

TEST(Cone, OfASumOfPowersDependsOnItsConstant) {
  for (const char* p : {"1", "2", "3"}) {
    const std::string constraint = std::string("\"x'^") + p + " + 2*y'^" + p + " - 3*z'^" + p + " + zeta = 0\"";
    const Homogeneity with = cone_of(constraint, "[parameters]\nzeta = 0.5\n");
    EXPECT_TRUE(with.conic.fails()) << p;
    ASSERT_TRUE(with.conic.witness) << p;
    // J v = −p ζ on the set, by Euler
    EXPECT_NEAR(with.conic.value, -0.5 * std::stod(p), 1e-9) << p;
    const Homogeneity without = cone_of(constraint, "[parameters]\nzeta = 0\n");
    EXPECT_TRUE(without.conic.holds()) << p;
    EXPECT_TRUE(without.conic.proved) << p;
  }
}

TEST(Cone, IsJudgedForTheWholeSet) {
  // x' = 1 and x' + y' = 1 are affine; together with z' they are no cone. x' − y' = 1 − x' + y' hides 2(x' − y') = 1.
  EXPECT_TRUE(cone_of("\"x' - y' = 1 - x' + y'\"").conic.fails());
  // x' + y' = z' + 1 and z' = −1: x' + y' = 0 is a cone, z' = −1 is none
  EXPECT_TRUE(cone_of("\"x' + y' = z' + 1\", \"z' = -1\"").conic.fails());
  // exp(x') = exp(y') and x'² = x' y': each a cone, neither function homogeneous of one degree with the other
  EXPECT_TRUE(cone_of("\"exp(x') = exp(y')\"").conic.holds());
}

TEST(Cone, OfHolonomicConstraintsFailsWhereTheyMove) {
  EXPECT_TRUE(cone_of("\"x^2 + y^2 = 1\"").conic.holds());
  EXPECT_TRUE(cone_of("\"x^2 + y^2 = 1 + t^2\"").conic.fails());
}

TEST(Cone, OfADoubleZeroIsJudgedByItsDefinition) {
  // J v = 0 on (v² − 1)² = 0, and yet it is no cone
  EXPECT_TRUE(cone_of("\"(x'^2 + y'^2 + z'^2 - 1)^2 = 0\"").conic.fails());
  EXPECT_TRUE(cone_of("\"(x'^2 + y'^2 - z'^2)^2 = 0\"").conic.holds());
}

TEST(VirtualDisplacements, OfLinearConstraintsAreTheAdmissibleVelocities) {
  const System system = particle("\"z' = y*x'\"", "[initial]\ny = 0.5\n\"x'\" = 2\n\"y'\" = 3\n");
  OnSet set(system);
  const auto d = virtual_displacements(set, set.admissible().initial());
  ASSERT_TRUE(d);
  ASSERT_EQ(d->dependent, (std::vector<std::size_t>{2}));
  EXPECT_DOUBLE_EQ(d->gamma[0][0], 0.5);
  EXPECT_DOUBLE_EQ(d->gamma[0][1], 0);
  EXPECT_EQ(d->basis.size(), 2u);
  EXPECT_TRUE(d->velocity_is_virtual);
  EXPECT_EQ(d->same_vectors, true);
}

TEST(VirtualDisplacements, OnANonlinearConeContainTheVelocityButNotItsNeighbours) {
  const System system = particle("\"z' = sqrt(x'^2 + y'^2)\"", "[initial]\n\"x'\" = 3\n\"y'\" = 4\n");
  OnSet set(system);
  const auto d = virtual_displacements(set, set.admissible().initial());
  ASSERT_TRUE(d);
  EXPECT_NEAR(d->gamma[0][0], 0.6, 1e-15);
  EXPECT_NEAR(d->gamma[0][1], 0.8, 1e-15);
  EXPECT_TRUE(d->velocity_is_virtual);
  EXPECT_EQ(d->same_vectors, false);
  ASSERT_EQ(d->other_velocity.size(), 3u);
  // the witness is admissible, and J = (−0.6, −0.8, 1) does not annihilate it
  const auto& v = d->other_velocity;
  EXPECT_NEAR(v[2], std::hypot(v[0], v[1]), 1e-9);
  EXPECT_GT(std::fabs(v[2] - 0.6 * v[0] - 0.8 * v[1]), 1e-6);
}

TEST(VirtualDisplacements, OfAffineConstraintsDoNotContainTheVelocity) {
  const System system = particle("\"z' = x' + 1\"", "[initial]\n\"x'\" = 3\n");
  OnSet set(system);
  const auto d = virtual_displacements(set, set.admissible().initial());
  ASSERT_TRUE(d);
  EXPECT_FALSE(d->velocity_is_virtual);
  EXPECT_EQ(d->same_vectors, false);
}

TEST(OnSet, HoldsStatesToSixtyDigits) {
  const System system = particle("\"x*x' + y*y' = 0\", \"sin(x'*y') + z' = exp(-t)/2\", \"x^2 + y^2 + z^2 = 3\"");
  OnSet set(system);
  ASSERT_FALSE(set.states().empty());
  const ConstraintSet& constraints = set.admissible().constraints();
  for (const PreciseState& state : set.states()) {
    for (const Expr e : constraints.phi) EXPECT_TRUE(zero_at(e, state.values));
  }
}

TEST(OnSet, ProvesWhatFollowsFromTheConstraints) {
  const System system = particle("\"x'*sin(z) = y'*cos(z)\"");
  OnSet set(system);
  // (x' sin z − y' cos z)·anything, and the square of the speed along the blade
  const Finding product = set.vanishes(parse_expression(system, "(x'*sin(z) - y'*cos(z))*(x' + 3)^2"));
  EXPECT_TRUE(product.proved);
  const Finding speed = set.vanishes(parse_expression(system, "x'^2 + y'^2 - (x'*cos(z) + y'*sin(z))^2"));
  EXPECT_TRUE(speed.proved);
  const Finding other = set.vanishes(parse_expression(system, "x'^2 + y'^2 - (x'*cos(z) + y'*sin(z))^2 + 1e-40*z'"));
  EXPECT_TRUE(other.fails());
  EXPECT_NE(other.value, 0);
}

TEST(OnSet, UsesThePositionsThatAreConstrained) {
  const System system = particle("\"x^2 + y^2 = 4\"");
  OnSet set(system);
  EXPECT_TRUE(set.vanishes(parse_expression(system, "(x^2 + y^2)^2 - 16 + x*x' + y*y'")).holds());
  EXPECT_TRUE(set.vanishes(parse_expression(system, "x^2 + y^2 - 5")).fails());
}

}  // namespace
}  // namespace cetaev
