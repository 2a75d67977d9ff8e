// Events that touch zero, and events on the way over singular sets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "four_bars.hpp"
#include "motions.hpp"

namespace cetaev {
namespace {

constexpr double pi = std::numbers::pi;

// Of an oscillator y = sin t and a particle x = t, to t = 20.
std::vector<double> times_of(const std::string& event, Method method, double t_end = 20, const std::string& x = "0") {
  const System system =
      read_model("coordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + y'^2 - y^2)/2\"\n[initial]\nx = " + x +
                     "\n\"x'\" = 1\n\"y'\" = 1\n[events]\nevent = {when = \"" + event + "}\n",
                 "events.toml");
  Keeper keeper;
  const MotionSummary summary = run_motion(system, until(t_end, method), keeper);
  EXPECT_EQ(summary.event_counts[0], keeper.events.size());
  std::vector<double> times;
  for (const Keeper::Point& point : keeper.event_points) times.push_back(point.t);
  return times;
}

TEST(Events, ThatTouchZeroHappenOnceAtTheirExtremum) {
  // what is known to ten digits has its extremum to five
  const double near = 1e-5;
  struct Case {
    const char* event;
    std::vector<double> times;
  };
  const std::vector<double> peaks = {pi / 2, 5 * pi / 2, 9 * pi / 2},
                            zeros = {pi, 2 * pi, 3 * pi, 4 * pi, 5 * pi, 6 * pi};
  const std::vector<Case> cases = {
      {"1 - sin(t)\"", peaks},
      {"sin(t) - 1\"", peaks},
      {"1 - y\"", peaks},
      {"1000000*(y - 1)\"", peaks},
      {"(x - 3)^2\"", {3}},
      {"(x - 3)^4\"", {3}},
      {"abs(x - 7)\"", {7}},
      {"(x - 3)^2*(x - 5)\"", {3, 5}},
      {"(x - 5)^3\"", {5}},
      {"y^2\"", zeros},
      {"sin(t)^3\"", zeros},
      {"1.0000001 - y\"", {}},
      {"1 - y\", direction = 1", {}},
      {"(x - 3)^2\", direction = -1", {}},
      {"y^2 + y'^2 + x^2 - t^2 - 2\"", {}},
  };
  for (const Method method : methods) {
    for (const Case& one : cases) {
      SCOPED_TRACE(std::string(one.event) + " by " + to_string(method));
      const std::vector<double> times = times_of(one.event, method);
      ASSERT_EQ(times.size(), one.times.size());
      for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], one.times[i], near);
    }
    // a little beyond it there are two
    EXPECT_EQ(times_of("0.9999999 - y\"", method).size(), 6U) << method;
  }
}

// Wherever steps begin and end, and many within one.
TEST(Events, ThatTouchZeroAreFoundAnywhereInAStep) {
  for (const Method method : methods) {
    for (int i = 1; i <= 40; ++i) {
      const double at = 0.37 * i;
      const std::string place = std::to_string(at);
      EXPECT_EQ(times_of("(x - " + place + ")^2\"", method, 16).size(), 1U) << method << " " << place;
      EXPECT_EQ(times_of("1 - sin(t + " + place + ")\"", method, 2 * pi).size(), 1U) << method << " " << place;
    }
    const std::vector<double> many = times_of("sin(5*x)^2\"", method, 20, "0.01");
    ASSERT_EQ(many.size(), 31U) << method;
    for (std::size_t i = 0; i < many.size(); ++i)
      EXPECT_NEAR(many[i], static_cast<double>(i + 1) * pi / 5 - 0.01, 1e-7) << method;
  }
}

TEST(Events, ThatTouchZeroMayStopAMotion) {
  for (const Method method : methods) {
    Silent silent;
    const MotionSummary summary = run_motion(read_model(R"toml(
coordinates = ["y"]
lagrangian = "(y'^2 - y^2)/2"
[initial]
"y'" = 1
[events]
top = {when = "1 - y", action = "stop"}
)toml",
                                                        "top.toml"),
                                             until(20, method), silent);
    EXPECT_EQ(summary.status, MotionStatus::event) << method;
    EXPECT_NEAR(summary.last.t, pi / 2, 1e-5) << method;
    EXPECT_NEAR(summary.last.q[0], 1, 1e-9) << method;
  }
}

// The line on which all rods lie is the singular set itself, and it is leapt over; heights a little above it are passed within the leap.
TEST(Events, AreFoundOnTheWayOverSingularSets) {
  const char* const heights[] = {"0", "0.001", "-0.01", "0.05"};
  const auto with_events = [&](const std::string& model, const std::string& height) {
    std::string text = model + "[events]\n";
    for (std::size_t i = 0; i < std::size(heights); ++i)
      text += "e" + std::to_string(i) + " = \"" + height + " - (" + heights[i] + ")\"\n";
    return read_model(text, "bars.toml");
  };
  Keeper truth;
  const MotionSummary pendulum = run_motion(with_events(four_bars_as_pendulum, "cos(th)"), until(10, 2), truth);
  EXPECT_EQ(pendulum.event_counts[0], 10U);
  for (const Method method : methods) {
    MotionOptions options = until(10, method);
    options.through_singular = true;
    Keeper bars;
    const MotionSummary summary = run_motion(with_events(four_bars, "y0"), options, bars);
    ASSERT_EQ(summary.status, MotionStatus::finished) << method;
    EXPECT_EQ(summary.event_counts, pendulum.event_counts) << method;
    ASSERT_EQ(bars.events, truth.events) << method;
    for (std::size_t i = 0; i < bars.events.size(); ++i)
      EXPECT_NEAR(bars.event_points[i].t, truth.event_points[i].t, 1e-6) << method;
  }
}

// Before the set, on it and beyond it, within a leap or not.
TEST(Events, StopAMotionOnItsWayOverASingularSet) {
  for (const Method method : methods) {
    for (const std::string height : {"0.05", "0.001", "0", "-0.001", "-0.05"}) {
      SCOPED_TRACE(height + " by " + to_string(method));
      MotionOptions options = until(2, method);
      options.through_singular = true;
      const std::string stop = " - (" + height + ")\", action = \"stop\"}\n";
      Silent silent;
      const MotionSummary truth = run_motion(
          read_model(four_bars_as_pendulum + std::string("[events]\nstop = {when = \"cos(th)") + stop, "pendulum.toml"),
          until(2, 2), silent);
      const MotionSummary summary = run_motion(
          read_model(four_bars + std::string("[events]\nstop = {when = \"y0") + stop, "bars.toml"), options, silent);
      ASSERT_EQ(summary.status, MotionStatus::event);
      EXPECT_NEAR(summary.last.t, truth.last.t, 1e-7);
      EXPECT_NEAR(summary.last.q[0], std::sin(truth.last.q[0]), 1e-7);
      EXPECT_FALSE(summary.singular_at);
      const bool told = std::ranges::any_of(
          summary.notes, [](const std::string& note) { return note.starts_with("went through a singular set"); });
      // told only of a set that was met
      EXPECT_TRUE(told || height != "-0.05");
      EXPECT_FALSE(told && height == "0.05");
    }
  }
}

}  // namespace
}  // namespace cetaev
