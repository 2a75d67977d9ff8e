// Two models of the same thing beside each other, and limits.
#include "cetaev/analysis/two_models.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

using testing::HasSubstr;

System model(const std::string& text, const std::string& name) { return read_model(text, name); }

const char* const in_the_plane =
    "coordinates = ['x', 'y']\nlagrangian = \"m/2*(x'^2 + y'^2) - m*g*y\"\nconstraints = ['x^2 + y^2 = "
    "l^2']\n[parameters]\nm = 2\n"
    "g = 9.81\nl = 1.5\n[initial]\nx = 0.9\ny = -1.2\n\"x'\" = 0.4\n\"y'\" = 0.3\n";
const char* const by_its_angle =
    "coordinates = ['a']\nlagrangian = \"m/2*l^2*a'^2 + m*g*l*cos(a)\"\n[parameters]\nm = 2\ng = 9.81\nl = "
    "1.5\n[initial]\na = 0.5\n"
    "\"a'\" = 1\n";

TwoModelsOptions to(double t_end) {
  TwoModelsOptions options;
  options.t_end = t_end;
  return options;
}

// Both ways: the plane by the angle, and the angle by the plane.
TEST(TwoModels, APendulumInThePlaneIsThatOfItsAngle) {
  const System plane = model(in_the_plane, "plane.toml"), angle = model(by_its_angle, "angle.toml");
  for (const bool swapped : {false, true}) {
    const TwoModels found =
        compare_models(swapped ? angle : plane, swapped ? plane : angle, {"x = l*sin(a)", "y = -l*cos(a)"}, to(5));
    EXPECT_EQ(found.from, "angle");
    EXPECT_TRUE(found.agree());
    EXPECT_EQ(found.states, 100u);
    ASSERT_TRUE(found.motions);
    EXPECT_TRUE(found.motions->agree());
    EXPECT_LT(found.motions->largest, 1e-11);
  }
  const TwoModels back = compare_models(plane, angle, {"a = 2*atan(x/(l - y))"}, to(5));
  EXPECT_EQ(back.from, "plane");
  EXPECT_TRUE(back.agree());
  EXPECT_TRUE(back.motions->agree());
}

TEST(TwoModels, AnotherMassIsSeen) {
  const std::vector<std::string> longer = {"l=1.6"};
  const System angle = model(by_its_angle, "angle.toml"), other = read_model(by_its_angle, "other.toml", longer);
  const TwoModels found = compare_models(angle, other, {}, to(5));
  EXPECT_FALSE(found.agree());
  EXPECT_FALSE(found.motions->agree());
  // a'' = −g/l sin a: the difference at the initial state by hand, beside the larger of both
  const double one = 9.81 / 1.5 * std::sin(0.5), two = 9.81 / 1.6 * std::sin(0.5);
  EXPECT_NEAR(found.at_initial->largest, (one - two) / one, 1e-12);
}

TEST(TwoModels, AMapThatLeadsOffTheConstraintsIsNamed) {
  const System plane = model(in_the_plane, "plane.toml"), angle = model(by_its_angle, "angle.toml");
  TwoModelsOptions options;
  const TwoModels found = compare_models(angle, plane, {"x = 2*l*sin(a)", "y = -l*cos(a)"}, options);
  EXPECT_FALSE(found.agree());
  EXPECT_GT(found.off_constraints, 50u);
  EXPECT_GT(found.residual, 0.1);
}

TEST(TwoModels, MapsThatSayNothingAreRefused) {
  const System plane = model(in_the_plane, "plane.toml"), angle = model(by_its_angle, "angle.toml");
  const auto message = [&](const std::vector<std::string>& map) {
    try {
      CoordinateMap(angle, plane, map);
    } catch (const Error& error) {
      return std::string(to_string(error.code())) + ": " + error.message();
    }
    return std::string();
  };
  EXPECT_THAT(message({}), HasSubstr("bad-model: the map does not say what 'x' is"));
  EXPECT_THAT(message({"x = l*sin(a)", "y"}), HasSubstr("bad-model: 'y' is no equation of a map"));
  EXPECT_THAT(message({"xx = l*sin(a)"}), HasSubstr("unknown-name: 'xx' is no coordinate"));
  EXPECT_THAT(message({"x = l*sin(b)", "y = a"}), HasSubstr("unknown-name"));
  EXPECT_THAT(message({"x = a'", "y = a"}), HasSubstr("bad-model: the map of 'x' contains velocities"));
}

// x'' = −x + e x³ to the oscillator with the order 1; to another frequency not at all; with e² the order is 2.
TEST(Limits, ConvergeWithTheirOrder) {
  const auto with = [&](const std::string& term) {
    return model("coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2 + " + term +
                     "\"\n[parameters]\ne = 0.1\n[initial]\nx = 1\n",
                 "m.toml");
  };
  const System limit = model("coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2\"\n[initial]\nx = 1\n", "limit.toml");
  LimitOptions options{.from = 0.1, .to = 1e-6, .count = 6, .t_end = 4};
  Limit found = find_limit(with("e*x^4/4"), limit, "e", {}, options);
  EXPECT_EQ(found.verdict, Limit::Verdict::converges);
  EXPECT_NEAR(*found.order, 1, 0.01);
  EXPECT_EQ(found.values.back(), 1e-6);
  EXPECT_NEAR(found.values[1], 0.01, 1e-12);
  options.to = 1e-4;
  options.count = 4;
  found = find_limit(with("e^2*x^4/4"), limit, "e", {}, options);
  EXPECT_NEAR(*found.order, 2, 0.01);
  found = find_limit(with("(1 + e)*x^2/4"), limit, "e", {}, options);
  EXPECT_EQ(found.verdict, Limit::Verdict::does_not);
  EXPECT_THROW((void)find_limit(with("e*x^4/4"), limit, "f", {}, options), Error);
  EXPECT_THROW((void)find_limit(with("e*x^4/4"), limit, "x", {}, options), Error);
}

}  // namespace
}  // namespace cetaev
