#include "cetaev/constraint/classify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "scratch.hpp"

namespace cetaev {
namespace {

using testing::HasSubstr;

System particle(const std::string& constraints, const std::string& rest = "") {
  return scratch_model("coordinates = ['x', 'y', 'z']\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\nconstraints = [" +
                           constraints + "]\n" + rest,
                       "particle.toml");
}

ConstraintKind kind(const std::string& constraint, const std::string& rest = "") {
  const System system = particle("\"" + constraint + "\"", rest);
  return classify(system, system->constraints.at(0));
}

TEST(Classify, OrderIsTheHighestDerivativeThatIsReallyThere) {
  EXPECT_EQ(kind("x^2 + y = 1").order, 0);
  EXPECT_EQ(kind("x' - x' + y = 1").order, 0);
  EXPECT_EQ(kind("(x' + 1)^2 - x'^2 - 2*x' + y = 1").order, 0);
  EXPECT_EQ(kind("x' = y").order, 1);
  EXPECT_EQ(kind("x'' + y' = 3").order, 2);
}

TEST(Classify, LinearityIsExact) {
  EXPECT_EQ(kind("x*x' + y' = 0").linearity, Linearity::linear);
  EXPECT_EQ(kind("x*x' + y' = 1").linearity, Linearity::affine);
  EXPECT_EQ(kind("x' = z").linearity, Linearity::affine);
  EXPECT_EQ(kind("x'*y' = 0").linearity, Linearity::nonlinear);
  EXPECT_EQ(kind("(x'^2 - y'^2)/(x' - y') = 0").linearity, Linearity::linear);
  EXPECT_EQ(kind("sin(x')^2 + cos(x')^2 + y' = 1").linearity, Linearity::linear);
  EXPECT_EQ(kind("x = y").linearity, Linearity::none);
  EXPECT_EQ(kind("x''*y' = 3").linearity, Linearity::affine);
  EXPECT_EQ(kind("x''^2 = 3").linearity, Linearity::nonlinear);
}

TEST(Classify, DegreeOfHomogeneityIsExact) {
  EXPECT_EQ(kind("z' = 2*sqrt(x'^2 + y'^2)").degree, Rational(1));
  EXPECT_EQ(kind("x'*y' = z'^2").degree, Rational(2));
  EXPECT_EQ(kind("(x'^2 + y'^2)^(1/3) = 0").degree, Rational(2, 3));
  EXPECT_EQ(kind("atan2(y', x') = z").degree, Rational(0));
  EXPECT_EQ(kind("exp(y' - x') = 1").degree, std::nullopt);
  EXPECT_EQ(kind("x' = 1").degree, std::nullopt);
  EXPECT_EQ(kind("x = y").degree, std::nullopt);
}

TEST(Classify, ParametersCountWithTheirValues) {
  const auto with = [](const char* values) { return kind("x'^p + y'^p = c", std::string("[parameters]\n") + values); };
  EXPECT_EQ(with("p = 1\nc = 0").linearity, Linearity::linear);
  EXPECT_EQ(with("p = 1\nc = 2").linearity, Linearity::affine);
  EXPECT_EQ(with("p = 3\nc = 0").degree, Rational(3));
  EXPECT_EQ(with("p = 3\nc = 1").degree, std::nullopt);
}

TEST(Classify, RheonomicMeansThatTheTimeReallyMatters) {
  EXPECT_TRUE(kind("x' = sin(t)").rheonomic);
  EXPECT_FALSE(kind("x' = sin(t)^2 + cos(t)^2").rheonomic);
  EXPECT_FALSE(kind("x' = y").rheonomic);
}

TEST(Classify, RankIsThatOfGenericAdmissibleStates) {
  const Classification two = classify(particle("\"x' = 2*y'\", \"3*x' = 6*y'\", \"z' = 0\""));
  EXPECT_EQ(two.rank, 2u);
  EXPECT_EQ(two.redundant, 1u);
  EXPECT_EQ(two.degrees_of_freedom, 1u);

  // the three components of a cross product: rank 2 where the vectors are parallel, 3 elsewhere
  const Classification cross = classify(particle("\"cross([x', y', z'], [1, 2, t + 3]) = 0\""));
  EXPECT_EQ(cross.constraints.size(), 3u);
  EXPECT_EQ(cross.rank, 2u);

  const Classification none = classify(particle(""));
  EXPECT_EQ(none.rank, 0u);
  EXPECT_EQ(none.degrees_of_freedom, 3u);
}

TEST(Classify, DoesNotFailBecauseOfTheInitialState) {
  // at x = y = 0 the constraint says nothing
  const Classification c = classify(particle("\"y*x' - x*y' = 0\""));
  EXPECT_EQ(c.rank, 1u);
  ASSERT_TRUE(c.rank_at_state);
  EXPECT_EQ(*c.rank_at_state, 0u);
  ASSERT_TRUE(c.state);
  EXPECT_EQ(c.state->code(), ErrorCode::rank_lost);
  EXPECT_THAT(c.state->message(), HasSubstr("y*x' - x*y' = 0"));

  const Classification inconsistent = classify(particle("\"x'^2 + y'^2 = 1\"", "[initial]\n\"x'\" = 2\n"));
  EXPECT_EQ(inconsistent.rank, 1u);
}

TEST(Classify, ASquaredEquationIsIrregular) {
  EXPECT_FALSE(classify(particle("\"(x'^2 - 1)^2 = 0\"")).regular);
  EXPECT_FALSE(classify(particle("\"(x^2 + y^2 - 1)^2 = 0\"", "[initial]\nx = 1\n")).regular);
  EXPECT_TRUE(classify(particle("\"x'^2 = 1\"", "[initial]\n\"x'\" = 1\n")).regular);
  // redundant with the equation itself it is harmless
  EXPECT_TRUE(classify(particle("\"x'^2 = 1\", \"(x'^2 - 1)^2 = 0\"", "[initial]\n\"x'\" = 1\n")).regular);
}

}  // namespace
}  // namespace cetaev
