#include <gtest/gtest.h>

#include "cetaev/model/read.hpp"
#include "refuses.hpp"

namespace cetaev {
namespace {

constexpr auto bad_model = ErrorCode::bad_model;
const std::string constrained = "coordinates = ['x', 'y']\nkinetic = \"x'^2\"\nconstraints = [\"x' = y'\"]\n";

TEST(Alternatives, AreListsOfConstraintsByName) {
  const System system = read_model(constrained +
                                       "[definitions]\nV = \"[x', y', 0]\"\n"
                                       "[alternatives.first]\nconstraints = [\"x = y\", \"cross(V, [x, y, 0]) = 0\"]\n"
                                       "[alternatives.\"zweite Wahl\"]\nconstraints = [\"x'' = 0\"]\n",
                                   "model.toml");
  ASSERT_EQ(system->alternatives.size(), 2u);
  const Alternative& first = system->alternatives[0];
  EXPECT_EQ(first.name, "first");
  ASSERT_EQ(first.constraints.size(), 2u);
  EXPECT_EQ(first.constraints[0].order, 0);
  EXPECT_EQ(first.constraints[1].order, 1);
  EXPECT_EQ(first.constraints[1].component, 2);
  EXPECT_EQ(first.constraints[1].label(), "cross(V, [x, y, 0]) = 0 (z)");
  EXPECT_EQ(system->alternatives[1].name, "zweite Wahl");
  EXPECT_EQ(system->alternatives[1].constraints[0].order, 2);
  EXPECT_EQ(system->constraints.size(), 1u);
}

TEST(Alternatives, MayBeEmptyOnlyWhereTheModelIs) {
  const System free =
      read_model("coordinates = ['x']\nkinetic = \"x'^2\"\n[alternatives.none]\nconstraints = []\n", "m");
  EXPECT_TRUE(free->alternatives.at(0).constraints.empty());
  refuses(constrained + "[alternatives.none]\nconstraints = ¶[]\n", bad_model,
          "'constraints' of the alternative 'none' is empty, but the model has constraints");
}

TEST(Alternatives, AreCheckedLikeTheConstraints) {
  refuses(constrained + "[alternatives.a]\nconstraints = [\"x' = ¶z'\"]\n", ErrorCode::unknown_name,
          "unknown name 'z'");
  refuses(constrained + "[alternatives.a]\nconstraints = ¶\"x' = 0\"\n", bad_model,
          "'constraints' of the alternative 'a' must be an array of equations, found a string");
  refuses(constrained + "[alternatives.a]\n¶constraint = [\"x' = 0\"]\n", bad_model,
          "unknown key 'constraint' in [alternatives.a]", "constraints");
  refuses(constrained + "[alternatives]\na = ¶[\"x' = 0\"]\n", bad_model,
          "the alternative 'a' must be a table with 'constraints', found an array");
  refuses(constrained + "[alternatives.¶a]\n", bad_model, "the alternative 'a' has no 'constraints'");
  refuses("alternatives = ¶3\n" + constrained, bad_model,
          "'alternatives' must be a table of tables, each beginning with [alternatives.NAME], found a number");
}

}  // namespace
}  // namespace cetaev
