// Stability over two parameters, held against closed forms.
#include "cetaev/stability/chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

System upright_disc() {
  const std::vector<std::string> settings = {"theta=0", "theta'=0", "psi'=0"};
  return read_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/rolling-disc.toml", settings);
}

// λ² = (4 g/r − 12 φ'²)/5 of a uniform disc that rolls upright.
TEST(StabilityChart, OfAnUprightDiscHasItsCriticalSpeedAtEveryRadius) {
  const StabilityChart chart =
      stability_chart(upright_disc(), {Along::parse("r=0.1:2:9"), Along::parse("phi'=0.3:12:14")});
  ASSERT_EQ(chart.places.size(), 9u * 14);
  EXPECT_EQ(chart.zero, 2u);
  for (std::size_t i = 0; i < chart.places.size(); ++i) {
    const auto [r, rate] = chart.at(i);
    const double square = (4 * 9.81 / r - 12 * rate * rate) / 5;
    const StabilityChart::Place& place = chart.places[i];
    ASSERT_TRUE(place.has_values());
    EXPECT_NEAR(place.growth, std::sqrt(std::max(0.0, square)), 1e-9 * (1 + rate * rate)) << r << " " << rate;
    EXPECT_NEAR(place.frequency, std::sqrt(std::max(0.0, -square)), 1e-9 * (1 + rate * rate)) << r << " " << rate;
    EXPECT_EQ(place.growing, square > 0 ? 1u : 0u) << r << " " << rate;
  }
}

// x'' + c x' + (k − Ω²) x = 0: what it does follows from c and k alone.
TEST(StabilityChart, TellsDampingFromStiffness) {
  const System oscillator = read_model(
      "coordinates = ['x']\nlagrangian = \"x'^2/2 - k*x^2/2\"\n[forces]\nx = \"-c*x'\"\n[parameters]\nk = 1\nc = 0.1\n",
      "oscillator.toml");
  const StabilityChart chart = stability_chart(oscillator, {Along::parse("c=-1:1:5"), Along::parse("k=-2:2:8")});
  for (std::size_t i = 0; i < chart.places.size(); ++i) {
    const auto [c, k] = chart.at(i);
    const double root = c * c / 4 - k;
    EXPECT_NEAR(chart.places[i].growth, -c / 2 + std::sqrt(std::max(0.0, root)), 1e-7) << c << " " << k;
    EXPECT_EQ(chart.places[i].growing, k < 0 && c >= 0 ? 1u : c < 0 ? (k < 0 ? 1u : 2u) : 0u) << c << " " << k;
  }
}

TEST(StabilityChart, IsTheSameForAnyNumberOfThreads) {
  const std::array<Along, 2> axes = {Along::parse("r=0.1:2:7"), Along::parse("phi'=0.3:12:5")};
  const StabilityChart one = stability_chart(upright_disc(), axes, {}, {1, {}});
  const StabilityChart four = stability_chart(upright_disc(), axes, {}, {4, {}});
  for (std::size_t i = 0; i < one.places.size(); ++i) {
    EXPECT_EQ(one.places[i].growth, four.places[i].growth);
    EXPECT_EQ(one.places[i].frequency, four.places[i].frequency);
  }
}

TEST(StabilityChart, StopsWhenItIsAskedTo) {
  const StabilityChart chart =
      stability_chart(upright_disc(), {Along::parse("r=0.1:2:7"), Along::parse("phi'=0.3:12:5")}, {},
                      {1, [](std::size_t done, std::size_t of) { return done < of / 2; }});
  EXPECT_TRUE(chart.interrupted);
  EXPECT_TRUE(chart.places.front().has_values());
  EXPECT_FALSE(chart.places.back().computed);
}

// Where the rates do not vanish there is no steady motion, and the place says so.
TEST(StabilityChart, SaysWhereThereIsNoSteadyMotion) {
  const System pendulum = read_model(
      "coordinates = ['x']\nlagrangian = \"x'^2/2 + cos(x)\"\n[forces]\nx = \"f\"\n[parameters]\nf = 0\n", "p.toml");
  const StabilityChart chart = stability_chart(pendulum, {Along::parse("f=0:1:2"), Along::parse("x'=0:1:2")});
  EXPECT_TRUE(chart.places[0].has_values());
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(chart.places[i].diagnosis, ErrorCode::not_steady) << i;
  EXPECT_THROW((void)stability_chart(pendulum, {Along::parse("f=0:1:2"), Along::parse("f=0:1:2")}), Error);
  EXPECT_THROW((void)stability_chart(pendulum, {Along::parse("f=0:1:2"), Along::parse("h=0:1:2")}), Error);
}

}  // namespace
}  // namespace cetaev
