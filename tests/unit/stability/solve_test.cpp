// What moves to make a motion steady, and what does not.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/stability/chart.hpp"
#include "cetaev/stability/linearize.hpp"
#include "seeds.hpp"

namespace cetaev {
namespace {

using testing::HasSubstr;

// A bead on a hoop that turns: cos θ = g/(r W²).
std::string hoop(const std::string& theta, double W, double unit) {
  return fmt::format(
      "coordinates = ['theta']\nlagrangian = \"r^2*theta'^2/2 + r^2*W^2*sin(theta)^2/2 + "
      "g*r*cos(theta)\"\n[parameters]\nr "
      "= {:.17g}\ng = {:.17g}\nW = {:.17g}\nhalf = \"W/2\"\n[initial]\ntheta = {}\n",
      unit, 9.81 * unit, W, theta);
}

TEST(Solve, WhatIsSteadyStaysWhereItIs) {
  for (const double W : {4.0, 5.5}) {
    const System system = read_model(hoop("\"acos(g/(r*W^2))\"", W, 1), "hoop.toml");
    const double theta = std::acos(9.81 / (W * W));
    for (const char* name : {"theta", "W", "g"}) {
      const Linearization found = linearize(system, {name});
      EXPECT_EQ(found.steady.state.q[0], theta) << name;
      ASSERT_EQ(found.steady.solved.size(), 1u);
      EXPECT_EQ(found.steady.solved[0].second, std::string(name) == "theta" ? theta
                                               : std::string(name) == "W"   ? W
                                                                            : 9.81);
      EXPECT_TRUE(found.steady.certified) << name;
    }
    // at the top of the hoop, exactly
    EXPECT_EQ(linearize(read_model(hoop("0", W, 1), "hoop.toml"), {"theta"}).steady.state.q[0], 0.0);
  }
}

// By the angle, by the rate and by the weight, in any unit of length: each with a proof.
TEST(Solve, ParametersAreSolvedForWithProof) {
  for (const double unit : {1.0, 1e-40, 1e60}) {
    for (const std::uint64_t number : seeds(4).all()) {
      Random random(number);
      const double theta = random.uniform(0.3, 1.2);
      const System system = read_model(hoop(fmt::format("{:.17g}", theta), 4, unit), "hoop.toml");
      const Linearization by_rate = linearize(system, {"W"}), by_weight = linearize(system, {"g"});
      const double W = std::sqrt(9.81 / std::cos(theta));
      EXPECT_NEAR(by_rate.steady.solved[0].second, W, 1e-12 * W);
      EXPECT_NEAR(by_weight.steady.solved[0].second / unit, 16 * std::cos(theta), 1e-12 * 16);
      for (const Linearization* one : {&by_rate, &by_weight}) {
        EXPECT_TRUE(one->steady.certified) << unit;
        const double rate = one == &by_rate ? W : 4;
        EXPECT_NEAR(one->eigenvalues[0].value.imag(), rate * std::sin(theta), 1e-12 * rate);
        EXPECT_EQ(one->verdict, Stability::stable) << one->because;
      }
    }
  }
}

TEST(Solve, WhereItStandsIsShownAlongAndOverOthers) {
  const System system = read_model(hoop("0.8", 4, 1), "hoop.toml");
  const VariedSpectrum varied = linearize_along(system, {"W", 4, 6, 5}, {"theta"});
  ASSERT_EQ(varied.solve, (std::vector<std::string>{"theta"}));
  ASSERT_EQ(varied.solved.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_NEAR(varied.solved[i][0], std::acos(9.81 / std::pow(varied.values[i], 2)), 1e-12) << varied.values[i];
  const StabilityChart chart = stability_chart(system, {Along{"W", 4, 6, 3}, Along{"g", 9, 10, 2}}, {"theta"});
  for (std::size_t i = 0; i < chart.places.size(); ++i) {
    const auto [W, g] = chart.at(i);
    ASSERT_EQ(chart.places[i].solved.size(), 1u);
    EXPECT_NEAR(chart.places[i].solved[0], std::acos(g / (W * W)), 1e-12);
  }
}

// A parameter that is a formula of the one that moves goes with it.
TEST(Solve, FormulasFollowWhatMoves) {
  std::string text = hoop("0.8", 4, 1);
  text.replace(text.find("r^2*W^2"), 7, "r^2*4*half^2");
  const Linearization found = linearize(read_model(text, "hoop.toml"), {"W"});
  EXPECT_NEAR(found.steady.solved[0].second, std::sqrt(9.81 / std::cos(0.8)), 1e-12);
  EXPECT_TRUE(found.steady.certified);
}

TEST(Solve, NamesThatCannotBeSolvedForAreDiagnosed) {
  const System system = read_model(hoop("0.8", 4, 1), "hoop.toml");
  const auto message = [&](const auto& ask) -> std::string {
    try {
      ask();
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_THAT(message([&] { (void)linearize(system, {"theta", "theta"}); }), HasSubstr("theta is named twice"));
  EXPECT_THAT(message([&] {
                (void)linearize_along(system, {"W", 4, 6, 3}, {"W"});
              }),
              HasSubstr("W is both varied and solved for"));
  EXPECT_THAT(message([&] { (void)linearize(system, {"phi"}); }), HasSubstr("there is no phi to solve for"));
  EXPECT_THAT(message([&] { (void)linearize_along(system, {"theta", 0.1, 0.2, 2}); }), HasSubstr("at theta = 0.1: "));
}

// Next to zero a state is known beside the way that led there, not beside itself; and where it is zero that is proved.
TEST(Solve, WhatLeadsToZeroIsSteadyThere) {
  const auto gallery = [](const std::string& name, const std::vector<std::string>& settings) {
    return read_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/" + name + ".toml", settings);
  };
  const Linearization bicycle = linearize(gallery("bicycle", {"lean=0.01"}), {"lean"});
  EXPECT_EQ(bicycle.steady.solved[0].second, 0.0);
  EXPECT_TRUE(bicycle.steady.certified);
  const Linearization both = linearize(gallery("bicycle", {"lean=0.01"}), {"lean", "steer"});
  EXPECT_EQ(both.steady.solved[1].second, 0.0);
  EXPECT_TRUE(both.steady.certified);
  // two equations for one name
  const Linearization sleigh = linearize(gallery("chaplygin-sleigh", {"phi'=0.3", "x'=0.5"}), {"phi'"});
  EXPECT_EQ(sleigh.steady.solved[0].second, 0.0);
  EXPECT_TRUE(sleigh.steady.certified);
  EXPECT_EQ(sleigh.verdict, Stability::stable) << sleigh.because;
  // sin x = 0 next to π, which is no double
  const Linearization pendulum = linearize(
      read_model("coordinates = ['x']\nlagrangian = \"x'^2/2 + cos(x)\"\n[initial]\nx = 3\n", "pendulum.toml"), {"x"});
  EXPECT_NEAR(pendulum.steady.solved[0].second, 3.14159265358979324, 1e-15);
  EXPECT_TRUE(pendulum.steady.certified);
  EXPECT_EQ(pendulum.verdict, Stability::unstable);
}

}  // namespace
}  // namespace cetaev
