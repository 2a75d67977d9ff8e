// What a model says of itself: [closed_form] and [expect].
#include <gtest/gtest.h>

#include "cetaev/expr/evaluate.hpp"
#include "cetaev/model/build.hpp"
#include "refuses.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

constexpr auto bad_model = ErrorCode::bad_model;
const std::string skate =
    "coordinates = ['x', 'y', 'phi']\nlagrangian = \"(x'^2 + y'^2 + phi'^2)/2\"\n"
    "constraints = [\"x'*sin(phi) - y'*cos(phi) = 0\", \"phi' = w\"]\n[parameters]\nw = 2\n";

TEST(ClosedForm, IsAFunctionOfTimeAndParameters) {
  const System system = scratch_model(skate + "[closed_form]\nphi = \"w*t\"\nx = 0\n", "model.toml");
  ASSERT_EQ(system->closed_form.size(), 2u);
  EXPECT_EQ(system->closed_form[0].coordinate, 2u);
  EXPECT_EQ(system->closed_form[0].expression, parse_expression(system, "w*t"));
  EXPECT_EQ(system->closed_form[0].position.line, 7u);
  EXPECT_EQ(system->closed_form[1].coordinate, 0u);
  EXPECT_TRUE(system->closed_form[1].expression.is_zero());
}

TEST(ClosedForm, IsRefusedWhereItIsNone) {
  refuses(skate + "[closed_form]\nx = \"sin(¶y)\"\n", bad_model,
          "the closed form of 'x' contains the coordinate y; it may contain the time and parameters");
  refuses(skate + "[closed_form]\nx = \"¶phi'*t\"\n", bad_model,
          "the closed form of 'x' contains the velocity phi'; it may contain the time and parameters");
  refuses(skate + "[closed_form]\n¶phy = \"t\"\n", bad_model, "'phy' in [closed_form] is not a coordinate", "phi");
  refuses(skate + "[closed_form]\nx = \"t*¶v0\"\n", ErrorCode::unknown_name, "unknown name 'v0'");
  refuses("closed_form = ¶3\n" + skate, bad_model,
          "'closed_form' must be a table of expressions in t by coordinate, found a number");
}

TEST(ClosedForm, CanBeBuiltInCpp) {
  const System system =
      SystemBuilder().coordinates({"x"}).lagrangian("x'^2/2").initial("x'", 2).closed_form("x", "2*t").build();
  ASSERT_EQ(system->closed_form.size(), 1u);
  EXPECT_EQ(system->closed_form[0].expression, parse_expression(system, "2*t"));
}

const Expectation& find(const System& system, const std::string& path) {
  for (const Expectation& e : system->expectations)
    if (e.path == path) return e;
  throw std::runtime_error("no expectation " + path);
}

TEST(Expectations, AreKeysOfCheckByPathOrByName) {
  const System system =
      scratch_model(skate +
                        "[expect]\nrank = 2\nenergy.conserved = true\ngrowth = [1, 2]\ndegree = [1, \"null\"]\n"
                        "rheonomic = false\ncaplygin_for = [[\"x\", \"phi\"], [\"y\", \"phi\"]]\n"
                        "[expect.set]\nintegrable = \"null\"\n",
                    "model.toml");
  using Kind = ExpectedValue::Kind;
  EXPECT_EQ(find(system, "/set/rank").value.number, 2);
  EXPECT_EQ(find(system, "/set/rank").key, "rank");
  EXPECT_EQ(find(system, "/set/rank").position.line, 7u);
  EXPECT_TRUE(find(system, "/energy/conserved").value.boolean);
  EXPECT_EQ(find(system, "/energy/conserved").key, "energy.conserved");
  EXPECT_EQ(find(system, "/set/growth").value.elements.size(), 2u);
  EXPECT_EQ(find(system, "/constraints/0/degree").value.kind, Kind::number);
  EXPECT_EQ(find(system, "/constraints/1/degree").value.kind, Kind::null);
  EXPECT_FALSE(find(system, "/constraints/1/rheonomic").value.boolean);
  EXPECT_EQ(find(system, "/set/caplygin_for").value.elements[1].elements[0].text, "y");
  EXPECT_EQ(find(system, "/set/integrable").value.kind, Kind::null);
}

TEST(Expectations, OfSingleConstraintsMayBeTables) {
  const System system =
      scratch_model(skate + "[expect]\nconstraints = [{order = 1, linearity = \"linear\"}, {linearity = \"affine\"}]\n",
                    "model.toml");
  ASSERT_EQ(system->expectations.size(), 3u);
  EXPECT_EQ(find(system, "/constraints/0/order").value.number, 1);
  EXPECT_EQ(find(system, "/constraints/1/linearity").value.text, "affine");
}

TEST(Expectations, AreRefusedWhereTheyCannotBeMeant) {
  refuses(skate + "[expect]\n¶conical = true\n", bad_model, "unknown key 'conical' in [expect]", "conic");
  refuses(skate + "[expect.energy]\n¶rank = 2\n", bad_model, "unknown key 'rank' in [expect.energy]");
  refuses(skate + "[expect]\nrank = ¶\"two\"\n", bad_model, "'rank' in [expect] must be a number, found a string");
  refuses(skate + "[expect]\nconic = ¶1\n", bad_model,
          "'conic' in [expect] must be true, false or \"null\" (not decided), found a number");
  refuses(skate + "[expect]\norder = ¶[1]\n", bad_model,
          "'order' in [expect] has 1 entry, but the model has 2 scalar constraints");
  refuses(skate + "[expect]\nlinearity = ¶\"linaer\"\n", bad_model,
          "unknown linearity 'linaer'; it is \"none\", \"linear\", \"affine\" or \"nonlinear\"", "linear");
  refuses(skate + "[expect]\nignorable = [\"x\", ¶\"psi\"]\n", bad_model, "'psi' in [expect] is not a coordinate",
          "phi");
  refuses(skate + "[expect]\nrank = 2\nset.rank = ¶2\n", bad_model, "'set.rank' in [expect] is given twice");
  refuses("expect = ¶3\n" + skate, bad_model,
          "'expect' must be a table of keys of `check` and their values, found a number");
}

TEST(SourceAndGroup, AreStrings) {
  const System system = scratch_model("source = 'a paper'\ngroup = 'papers'\n" + skate, "model.toml");
  EXPECT_EQ(system->source, "a paper");
  EXPECT_EQ(system->group, "papers");
  refuses("group = ¶1\n" + skate, bad_model, "'group' must be a string, found a number");
}

}  // namespace
}  // namespace cetaev
