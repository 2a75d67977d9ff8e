// Two principles side by side.
#include "cetaev/formulation/compare.hpp"

#include <gtest/gtest.h>

#include <string>

#include "scratch.hpp"

namespace cetaev {
namespace {

System gallery_model(const std::string& name) {
  return scratch_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/" + name + ".toml");
}

ErrorCode refusal(const std::string& model, const std::string& first, const std::string& second) {
  try {
    compare(gallery_model(model), first, second, {});
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << model << ": " << first << " and " << second << " are compared";
  return ErrorCode::bad_model;
}

TEST(Compare, SaysWhyAFormDoesNotApplyWhicheverOfTheTwoItIs) {
  EXPECT_EQ(refusal("constant-distance-equal-speeds", "multipliers", "hamel"), ErrorCode::not_applicable);
  EXPECT_EQ(refusal("constant-distance-equal-speeds", "hamel", "multipliers"), ErrorCode::not_applicable);
  EXPECT_EQ(refusal("pendulum", "multipliers", "caplygin"), ErrorCode::not_caplygin);
  EXPECT_EQ(refusal("prescribed-speed", "multipliers", "mvm3"), ErrorCode::singular_auxiliary);
}

TEST(Compare, FindsTheStateWhereTheFormsDifferMost) {
  const System system = gallery_model("skate");
  const Comparison found = compare(system, "multipliers", "reduced", {});
  EXPECT_FALSE(found.agree());
  EXPECT_EQ(found.states, 100u);
  ASSERT_TRUE(found.worst);
  EXPECT_GT(found.worst->largest, 0.1);
  // and shows it again from its seed alone
  ComparisonOptions again;
  again.seed = found.worst->seed;
  again.states = 1;
  const Comparison shown = compare(system, "multipliers", "reduced", again);
  EXPECT_EQ(shown.worst->largest, found.worst->largest);
  EXPECT_EQ(shown.worst->state.q, found.worst->state.q);
}

TEST(Compare, AgreesOnThePrinciplesOfDAlembertAndLagrange) {
  const Comparison found = compare(gallery_model("gantmacher-rod"), "voronec", "appell", {});
  EXPECT_TRUE(found.agree());
  EXPECT_EQ(found.states, 100u);
}

}  // namespace
}  // namespace cetaev
