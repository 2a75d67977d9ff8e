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
std::vector<double> times_of(const std::string& event, Method method, double t_end = 20, const std::string& x = "0",
                             double tolerance = 1e-14) {
  const System system =
      read_model("coordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + y'^2 - y^2)/2\"\n[initial]\nx = " + x +
                     "\n\"x'\" = 1\n\"y'\" = 1\n[events]\nevent = {when = \"" + event + "}\n",
                 "events.toml");
  Keeper keeper;
  MotionOptions options = until(t_end, method);
  options.tolerance = tolerance;
  const MotionSummary summary = run_motion(system, options, keeper);
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
      {"y^2 + y'^2 + x^2 - t^2 - 1\"", {}},
      {"y^2 + y'^2 - 1\"", {}},
      {"y^2 + y'^2 - 1 - 1e-10\"", {}},
      {"y^2 + y'^2 - 1 - 2e-10\"", {}},
      {"y^2 + y'^2 - 1 - 4e-10\"", {}},
      {"x - t\", direction = 1", {}},
      // no values on one side of where it is least
      {"0.2 + acos(y/1.0000000001)\"", {}},
      {"0.5 + sqrt(1.0000000001 - y)\"", {}},
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

// Touches between crossings, at even distances and others, in steps that are as long as the motion and in short ones: products of powers of x − k.
TEST(Events, ThatCrossAreToldFromThoseThatTouch) {
  struct Root {
    double at;
    int power;
  };
  const std::vector<std::vector<Root>> products = {
      {{1, 1}, {2, 2}, {3, 1}},        {{1, 1}, {2, 4}, {3, 1}},   {{1, 2}, {2, 1}, {3, 2}},
      {{-40, 1}, {0, 2}, {40, 3}},     {{-3, 2}, {9, 2}},          {{-20, 1}, {-19, 1}, {-18, 1}, {-17, 2}},
      {{-7.3, 3}, {11.1, 2}, {30, 1}}, {{5, 1}, {5.5, 2}, {6, 1}}, {{1.7, 2}, {2.9, 2}, {3.3, 1}, {44, 2}},
      {{-0.25, 1}, {0, 2}, {0.25, 1}},
  };
  for (const std::vector<Root>& roots : products) {
    std::string event;
    int side = 1;  // before the first
    for (const Root& root : roots) {
      event += (event.empty() ? "" : "*") + ("(x - (" + std::to_string(root.at)) + "))^" + std::to_string(root.power);
      if (root.power % 2 != 0) side = -side;
    }
    std::vector<double> all, rising, falling;
    for (const Root& root : roots) {
      all.push_back(root.at + 50);
      if (root.power % 2 == 0) continue;
      (side < 0 ? rising : falling).push_back(root.at + 50);
      side = -side;
    }
    for (const Method method : methods) {
      for (const auto& [way, times] : {std::pair{0, &all}, std::pair{1, &rising}, std::pair{-1, &falling}}) {
        SCOPED_TRACE(event + " direction " + std::to_string(way) + " by " + to_string(method));
        const std::vector<double> found =
            times_of(event + "\", direction = " + std::to_string(way), method, 100, "-50");
        ASSERT_EQ(found.size(), times->size());
        // a root of the third power to a third of the digits
        for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], (*times)[i], 1e-4);
      }
    }
  }
  // from −50 to 50 there are 31 zeros of the sine and 32 of the cosine
  for (const Method method : methods) {
    EXPECT_EQ(times_of("sin(x)*cos(x)^2\"", method, 100, "-50").size(), 63U) << method;
    EXPECT_EQ(times_of("sin(x)*cos(x)^2\", direction = 1", method, 100, "-50").size(), 15U) << method;
    EXPECT_EQ(times_of("sin(x)*cos(x)^2\", direction = -1", method, 100, "-50").size(), 16U) << method;
  }
}

// Heights that are passed or missed by more than states can be known by, whatever the tolerance: y = sin t.
TEST(Events, AreAsTheMotionShowsThemAtLooseTolerances) {
  for (const Method method : {Method::taylor, Method::dop853}) {
    for (const double tolerance : {1e-3, 1e-4, 1e-6, 1e-8}) {
      SCOPED_TRACE(to_string(method) + std::string(" ") + std::to_string(tolerance));
      const auto count = [&](const std::string& event) { return times_of(event, method, 10, "0", tolerance).size(); };
      EXPECT_EQ(count("y - 0.95\""), 4U);
      EXPECT_EQ(count("y - 0.95\", direction = 1"), 2U);
      if (tolerance < 1e-3) {  // what is passed by no more than a step may err is as the method has it
        EXPECT_EQ(count("y - 0.999\""), 4U);
        EXPECT_EQ(count("y - 0.999\", direction = 1"), 2U);
      }
      EXPECT_EQ(count("y - 1.001\""), 0U);
    }
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
