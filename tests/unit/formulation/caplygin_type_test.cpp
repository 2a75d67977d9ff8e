// Čaplygin's type for every choice of dependent velocities, held to the form that uses it.
#include "cetaev/formulation/caplygin_type.hpp"

#include <gmock/gmock.h>

#include "cetaev/formulation/evaluation.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

using Choices = std::vector<std::vector<std::size_t>>;

struct Case {
  explicit Case(const std::string& text) : system(scratch_model(text, "case.toml", {})), set(system), terms(system) {
    dependent = set.admissible().initial().dependent;
    type = caplygin_type(set, terms, dependent);
  }
  // What the form itself says with these dependent velocities.
  bool form_applies(const std::vector<std::size_t>& choice) const {
    const System other = system.with([&](SystemData& data) { data.dependent = choice; });
    const Evaluation evaluation = evaluate(other, {{"caplygin"}, false});
    return evaluation.find("caplygin")->values.has_value();
  }

  System system;
  OnSet set;
  Terms terms;
  std::vector<std::size_t> dependent;
  CaplyginType type;
};

const std::string skate = R"toml(
coordinates = ["x", "y", "phi"]
lagrangian = "(x'^2 + y'^2)/2 + phi'^2/2 POTENTIAL"
constraints = ["x'*sin(phi) - y'*cos(phi) = 0"]
[initial]
phi = 0.5
"x'" = 1
"phi'" = 1
)toml";

std::string with(const std::string& potential) {
  std::string text = skate;
  return text.replace(text.find("POTENTIAL"), 9, potential);
}

TEST(CaplyginType, OfTheLevelSkateIsForEitherVelocity) {
  const Case c(with(""));
  EXPECT_TRUE(c.type.in_use);
  EXPECT_THAT(c.type.choices, testing::UnorderedElementsAre(std::vector<std::size_t>{0}, std::vector<std::size_t>{1}));
  for (const auto& choice : c.type.choices) EXPECT_TRUE(c.form_applies(choice));
  EXPECT_EQ(c.type.coordinates[2].obstacle, "constraint 1 contains phi");
}

TEST(CaplyginType, OnTheSlopeExcludesTheDirectionOfTheSlope) {
  const Case c(with("+ 4*x"));
  EXPECT_EQ(c.type.choices, (Choices{{1}}));
  EXPECT_EQ(c.type.coordinates[0].obstacle, "the Lagrangian contains x");
  EXPECT_FALSE(c.form_applies({0}));
  EXPECT_TRUE(c.form_applies({1}));
}

TEST(CaplyginType, AsksForTheSetAndNotForTheWayItIsWritten) {
  // y times the constraint contains y, but the set does not
  std::string text = with("");
  text.replace(text.find("x'*sin(phi) - y'*cos(phi)"), 25, "(1 + y^2)*(x'*sin(phi) - y'*cos(phi))");
  const Case c(text);
  EXPECT_THAT(c.type.choices, testing::UnorderedElementsAre(std::vector<std::size_t>{0}, std::vector<std::size_t>{1}));
  for (const auto& choice : c.type.choices) EXPECT_TRUE(c.form_applies(choice));
}

TEST(CaplyginType, SeesCoordinatesInForces) {
  std::string text = with("");
  text.replace(text.find("[initial]"), 9, "[forces]\nphi = \"-y\"\n[initial]");
  const Case c(text);
  EXPECT_EQ(c.type.choices, (Choices{{0}}));
  EXPECT_EQ(c.type.coordinates[1].obstacle, "the force on phi contains y");
}

TEST(CaplyginType, LeavesOutVelocitiesThatCannotCarryTheConstraints) {
  // z' does not occur, so it can never be dependent, though z is ignorable
  const Case c(R"toml(
coordinates = ["x", "y", "z"]
lagrangian = "(x'^2 + y'^2 + z'^2)/2"
constraints = ["x' = 2*y'"]
)toml");
  EXPECT_THAT(c.type.choices, testing::UnorderedElementsAre(std::vector<std::size_t>{0}, std::vector<std::size_t>{1}));
}

TEST(CaplyginType, IsTrivialWithoutConstraints) {
  const Case c("coordinates = [\"x\"]\nlagrangian = \"x'^2/2 - x\"\n");
  EXPECT_TRUE(c.type.in_use);
  EXPECT_EQ(c.type.choices, (Choices{{}}));
}

}  // namespace
}  // namespace cetaev
