// The inverse problem of modified vakonomic mechanics: auxiliary functions with which Theorem 2 of [L] gives the motion of d'Alembert and Lagrange.

#include <gtest/gtest.h>

#include <string>

#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/formulation/auxiliary.hpp"
#include "cetaev/formulation/compare.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

struct Searched {
  explicit Searched(const System& s, bool zero_relations = false) : system(s) {
    const Terms terms(system);
    Admissible admissible(system);
    const Setting setting = setting_at(system, terms, admissible, admissible.initial());
    const AuxiliarySearch search(setting, admissible, zero_relations);
    linear = search.linear.has_value();
    total_derivatives = search.total_derivatives.has_value();
    proposed = search.written();
  }

  System system;
  bool linear = false, total_derivatives = false;
  ProposedAuxiliary proposed;
};

System gallery_model(const std::string& name) {
  return scratch_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/" + name + ".toml");
}

// Every proposal, written into the model as a reader would: the accelerations of mvm2 are those of multipliers.
void expect_no_discrepancy(const Searched& searched) {
  for (const ProposedAuxiliary::Set& set : searched.proposed.sets) {
    SCOPED_TRACE(set.functions[0]);
    const System with_found = searched.system.with([&](SystemData& data) {
      data.auxiliary.clear();
      for (const std::string& f : set.functions) data.auxiliary.push_back(parse_expression(searched.system, f));
    });
    const Comparison check = compare(with_found, "multipliers", "mvm2", {60, 900, 1e-12});
    EXPECT_TRUE(check.agree()) << (check.worst ? check.worst->largest : 0);
    EXPECT_GT(check.states, 30u);
  }
}

TEST(Auxiliary, OfOneLinearConstraintAreTotalDerivatives) {
  for (const char* name : {"skate", "heisenberg", "contact-oscillator", "chaplygin-sleigh"}) {
    SCOPED_TRACE(name);
    const Searched found(gallery_model(name));
    EXPECT_TRUE(found.total_derivatives);
    EXPECT_EQ(found.proposed.integrable, true);
    EXPECT_TRUE(found.proposed.proved);
    ASSERT_FALSE(found.proposed.sets.empty());
    EXPECT_EQ(found.proposed.sets.back().functions.size(), 2u);
    expect_no_discrepancy(found);
  }
}

// x' + y z' = 0 with unit masses: (1, 0, y) is orthogonal to the constraint, and y and z - x y do not change along it.
TEST(Auxiliary, OfTheContactSystemAreThoseFoundByHand) {
  const Searched found(gallery_model("contact-oscillator"));
  ASSERT_TRUE(found.total_derivatives);
  const std::vector<std::string>& f = found.proposed.sets.back().potentials;
  ASSERT_EQ(f.size(), 2u);
  const Motion& motion = found.system->motion;
  for (const std::string& text : f) {
    const Expr e = parse_expression(found.system, text);
    EXPECT_TRUE(vanishes(derivative(e, motion.q[0]) + motion.q[1] * derivative(e, motion.q[2]))) << text;
  }
}

// Two equal points: the complement of the rod's directions is integrable. With other masses of its half length's coordinates it is not:
// X = (x1/m1, x2/m2, 0, 0) and Y = (0, 0, x1/m3, -x2/m4) have [X, Y] = (0, 0, x1/(m1 m3), -x2/(m2 m4)).
TEST(Auxiliary, OfGantmachersRodDependOnTheMasses) {
  const Searched equal(gallery_model("gantmacher-rod"));
  EXPECT_EQ(equal.proposed.integrable, true);
  EXPECT_TRUE(equal.proposed.proved);
  EXPECT_TRUE(equal.linear);
  EXPECT_TRUE(equal.total_derivatives);
  expect_no_discrepancy(equal);

  const System rod = gallery_model("gantmacher-rod");
  const auto with_masses = [&](const std::string& kinetic) {
    return rod.with(
        [&](SystemData& data) { data.lagrangian = parse_expression(rod, "(" + kinetic + ")/2 - 9.81*x3"); });
  };
  const Searched uneven(with_masses("2*x1'^2 + x2'^2 + x3'^2 + x4'^2"));
  EXPECT_EQ(uneven.proposed.integrable, false);
  EXPECT_TRUE(uneven.proposed.proved);
  EXPECT_FALSE(uneven.total_derivatives);
  EXPECT_FALSE(uneven.proposed.searched.empty());
  expect_no_discrepancy(uneven);

  const Searched pairwise(with_masses("2*x1'^2 + 2*x2'^2 + x3'^2 + 5*x4'^2"));
  EXPECT_EQ(pairwise.proposed.integrable, true);
  EXPECT_TRUE(pairwise.total_derivatives);
  expect_no_discrepancy(pairwise);
}

TEST(Auxiliary, OfTheMachineHaveNoDiscrepancyWhereTheyAreFound) {
  const Searched found(gallery_model("appell-hamel-machine"));
  EXPECT_TRUE(found.proposed.integrable.has_value());
  EXPECT_TRUE(found.proposed.proved);
  EXPECT_TRUE(!found.proposed.sets.empty() || !found.proposed.searched.empty());
  expect_no_discrepancy(found);
}

TEST(Auxiliary, MayDependOnTime) {
  const Searched found(
      scratch_model("coordinates = ['x', 'y', 'z']\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n"
                    "constraints = [\"x' + (y + t)*z' = 0\"]\n[initial]\n\"y'\" = 1\n\"z'\" = 0.5\n",
                    "moving.toml"));
  EXPECT_TRUE(found.total_derivatives);
  expect_no_discrepancy(found);
}

TEST(Auxiliary, SayWhyThereAreNone) {
  const Searched nonlinear(gallery_model("appell-hamel"));
  EXPECT_FALSE(nonlinear.total_derivatives);
  EXPECT_NE(nonlinear.proposed.complement.find("not linear in the velocities"), std::string::npos);
  const Searched affine(gallery_model("affine-uniform"));
  EXPECT_FALSE(affine.total_derivatives);
  EXPECT_NE(affine.proposed.complement.find("without velocities"), std::string::npos);
}

// [L] example 2 and remark 21: on a circle x y' - y x' has relations, the derivative of the angle has none; a blade has them whatever the
// functions, since it is not integrable.
TEST(Auxiliary, HaveZeroRelationsWhereTheConstraintsAreIntegrable) {
  const Searched circle(gallery_model("circle"), true);
  ASSERT_TRUE(circle.total_derivatives);
  EXPECT_TRUE(circle.proposed.sets.back().zero_relations);
  expect_no_discrepancy(circle);

  const Searched blade(gallery_model("skate"), true);
  EXPECT_TRUE(blade.proposed.sets.empty());
  EXPECT_NE(blade.proposed.impossible.find("no auxiliary functions make the transpositional relations zero"),
            std::string::npos);
}

}  // namespace
}  // namespace cetaev
