// Terms that are large only near some place, and nothing where long steps begin and end: no method passes such a place without seeing it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/integrate/batch.hpp"
#include "cetaev/integrate/compiled_motion.hpp"
#include "cetaev/integrate/motion.hpp"
#include "motions.hpp"

namespace cetaev {
namespace {

MotionSummary end_of_motion(const std::string& model, const MotionOptions& options) {
  Silent nobody;
  MotionSummary summary = run_motion(read_model(model, "narrow.toml"), options, nobody);
  EXPECT_EQ(summary.status, MotionStatus::finished) << model;
  return summary;
}

// Brakes −b(x) x' on the way: v + ∫ b dx is constant, whatever the time.
struct Brakes {
  struct Brake {
    bool exponential;
    double strength, steepness, place;
  };
  std::vector<Brake> all;

  double taken(double x) const {
    double sum = 0;
    for (const Brake& brake : all) {
      const double root = std::sqrt(brake.steepness), s = root * (x - brake.place);
      sum += brake.strength / root * (brake.exponential ? std::sqrt(std::numbers::pi) / 2 * std::erf(s) : std::atan(s));
    }
    return sum;
  }
  std::string text() const {
    std::string sum = "0";
    for (const Brake& brake : all) {
      const std::string u = fmt::format("{:.17g}*(x - ({:.17g}))^2", brake.steepness, brake.place);
      sum += fmt::format(" - {:.17g}*", brake.strength) +
             (brake.exponential ? "exp(-" + u + ")" : "1/(1 + " + u + ")") + "*x'";
    }
    return sum;
  }
};

TEST(Narrow, BrakesOnTheWayAreMet) {
  Random random(3);
  for (int number = 0; number < 30; ++number) {
    Brakes brakes;
    for (int i = 0; i < 1 + number % 3; ++i) {
      const double steepness = std::pow(10, random.uniform(1, 6));
      brakes.all.push_back(
          {i % 2 == number % 2, random.uniform(0.05, 0.15) * std::sqrt(steepness), steepness, random.uniform(2, 12)});
    }
    const std::string model = fmt::format(
        "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\n[forces]\nx = \"{}\"\n[initial]\n\"x'\" = "
        "1\n\"y'\" = "
        "0.1\n",
        brakes.text());
    for (const Method method : methods) {
      const MotionSummary summary = end_of_motion(model, until(40, method));
      EXPECT_NEAR(summary.last.v[0], 1 - brakes.taken(summary.last.q[0]) + brakes.taken(0), 100 * accuracy(method))
          << method << "\n"
          << model;
    }
  }
}

// The same brake b(x) = strength·bump in other words, each with its integral over the whole line.
TEST(Narrow, BrakesInOtherWordsAreMet) {
  struct Bump {
    const char* text;  // with # for the steepness, about x = 5
    std::function<double(double)> integral;
  };
  const std::array<Bump, 4> bumps = {{
      {"2^(-#*(x - 5)^2)", [](double k) { return std::sqrt(std::numbers::pi / (k * std::numbers::ln2)); }},
      {"(1 - tanh(sqrt(#)*(x - 5))^2)", [](double k) { return 2 / std::sqrt(k); }},
      // ∫ cos^n over half a turn
      {"cos((x - 5)/2)^(2*#)",
       [](double k) { return 2 * std::sqrt(std::numbers::pi) * std::exp(std::lgamma(k + 0.5) - std::lgamma(k + 1)); }},
      {"1/sqrt(1 + #*(x - 5)^2)^3", [](double k) { return 2 / std::sqrt(k); }},
  }};
  for (const Bump& bump : bumps) {
    for (const double steepness : {1e3, 1e5}) {
      const double strength = 0.3 / bump.integral(steepness);
      std::string text = bump.text;
      text.replace(text.find('#'), 1, fmt::format("{:.0f}", steepness));
      const std::string model = fmt::format(
          "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\n[forces]\nx = \"-{:.17g}*{}*x'\"\n"
          "[initial]\nx = 2.5\n\"x'\" = 1\n\"y'\" = 0.1\n",
          strength, text);
      // the tails of the last one that are not passed
      const double tails = text.find("^3") != std::string::npos ? 0.3 * 2 / (4 * steepness * 2.5 * 2.5) : 0;
      for (const Method method : methods) {
        const MotionSummary summary = end_of_motion(model, until(6, method));
        EXPECT_NEAR(summary.last.v[0], 0.7 + tails, 100 * accuracy(method) + tails) << method << "\n" << model;
      }
    }
  }
}

// x'' = −x − √(x² + ε²), x = 1 at rest: with ω² = 2 to x = 0, and from there on uniformly.
TEST(Narrow, ARootThatNearlyVanishesBendsTheForce) {
  for (const double epsilon : {1e-6, 1e-8, 1e-10}) {
    const std::string model = fmt::format(
        "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = \"-x - sqrt(x^2 + {:g})\"\n"
        "[initial]\nx = 1\n",
        epsilon * epsilon);
    const double root = std::numbers::sqrt2, end = 6;
    for (const Method method : methods) {
      const MotionSummary summary = end_of_motion(model, until(end, method));
      // ε acts for a time of about ε, and as ε² ln ε in the energy
      EXPECT_NEAR(summary.last.q[0], -root * (end - std::numbers::pi / (2 * root)),
                  1000 * accuracy(method) + 40 * epsilon * epsilon)
          << method << " " << epsilon;
    }
  }
}

TEST(Narrow, EventsInNarrowPlacesAreFound) {
  const char* model =
      "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[initial]\n\"x'\" = 1\n"
      "[events]\nexponential = \"exp(-1e4*(x - 2)^2) - 0.5\"\nstep = \"tanh(1e4*(x - 3))^2 - 0.5\"\n";
  for (const Method method : methods) {
    const MotionSummary summary = end_of_motion(model, until(7, method));
    EXPECT_EQ(summary.event_counts, (std::vector<std::size_t>{2, 2})) << method;
  }
}

// A hill of height 1 on the way of a particle of energy ½: it comes back.
TEST(Narrow, AHillThrowsBack) {
  for (const char* hill :
       {"1/(1 + 1e6*(x - 5)^2)^4", "exp(-1e5*(x - 5)^2)", "exp(-1e3*((x - 5)^2 + 1e-4))", "1/cosh(50*(x - 5))"}) {
    for (const Method method : methods) {
      const std::string model =
          fmt::format("coordinates = ['x']\nlagrangian = \"x'^2/2 - {}\"\n[initial]\n\"x'\" = 1\n", hill);
      const MotionSummary summary = end_of_motion(model, until(9, method));
      EXPECT_NEAR(summary.last.v[0], -1, 1000 * accuracy(method)) << method << " " << hill;
      EXPECT_NEAR(summary.last.q[0], 1, 0.02) << method << " " << hill;
    }
  }
}

// Motion in a plane under a central force, by the classical method of Runge and Kutta in long double, with steps of a small part of the
// distance.
std::array<long double, 4> in_small_steps(std::array<long double, 4> y, long double t_end,
                                          const std::function<long double(long double)>& force_over_r) {
  const auto rates = [&](const std::array<long double, 4>& at) {
    const long double f = force_over_r(at[0] * at[0] + at[1] * at[1]);
    return std::array<long double, 4>{at[2], at[3], f * at[0], f * at[1]};
  };
  const auto moved = [](std::array<long double, 4> at, const std::array<long double, 4>& by, long double h) {
    for (std::size_t i = 0; i < 4; ++i) at[i] += h * by[i];
    return at;
  };
  for (long double t = 0; t < t_end;) {
    const long double r = std::hypot(y[0], y[1]);
    const long double h = std::min(r / 2000, t_end - t);
    const auto a = rates(y), b = rates(moved(y, a, h / 2)), c = rates(moved(y, b, h / 2)), d = rates(moved(y, c, h));
    for (std::size_t i = 0; i < 4; ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    t += h;
  }
  return y;
}

TEST(Narrow, AtomsDeflectEachOther) {
  // 4 (r⁻¹² − r⁻⁶) from far away
  for (const double from : {20.0, 100.0}) {
    const auto exact = in_small_steps({from, 0.5L, -1, 0}, 2 * from, [](long double s) {
      return 4 * (12 / std::pow(s, 7.0L) - 6 / std::pow(s, 4.0L));
    });
    const std::string model = fmt::format(
        "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - 4*(1/(x^2 + y^2)^6 - 1/(x^2 + "
        "y^2)^3)\"\n[initial]\nx = "
        "{}\n\"x'\" = -1\ny = 0.5\n",
        from);
    for (const Method method : {Method::taylor, Method::dop853, Method::adams}) {
      const State last = end_of_motion(model, until(2 * from, method)).last;
      EXPECT_NEAR(last.v[0], static_cast<double>(exact[2]), 1e-6) << method << " " << from;
      EXPECT_NEAR(last.v[1], static_cast<double>(exact[3]), 1e-6) << method << " " << from;
    }
  }
}

// A core that is met at a hundredth: 1e-20/r¹².
TEST(Narrow, ASmallCoreDeflects) {
  const auto exact = in_small_steps({10, 0.01L, -1, 0}, 20, [](long double s) { return 12e-20L / std::pow(s, 7.0L); });
  for (const Method method : {Method::taylor, Method::dop853, Method::adams}) {
    const State last =
        end_of_motion(
            "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - 1e-20/(x^2 + y^2)^6\"\n[initial]\nx = "
            "10\n\"x'\" = -1\ny = 0.01\n",
            until(20, method))
            .last;
    EXPECT_NEAR(last.v[0], static_cast<double>(exact[2]), 1e-6) << method;
    EXPECT_NEAR(last.v[1], static_cast<double>(exact[3]), 1e-6) << method;
  }
}

TEST(Narrow, MotionsSideBySideMeetThemToo) {
  const System system = read_model(
      "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = \"-10*exp(-1e3*(x - 5.3)^2)*x'\"\n[initial]\n\"x'\" "
      "= 1\n",
      "side.toml");
  const CompiledMotion compiled(system, until(40));
  const std::vector<double> states = {0, 1, 1, 1, 2, 1.5};
  const BatchResult together = BatchMotion(compiled, 2).run({states, {}, {}});
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(together.last_state(i).v[0], states[2 * i + 1] - 10 * std::sqrt(std::numbers::pi / 1e3), 1e-11);
}

// A hill of the potential, too high to pass: backwards in time as forwards, whichever side it is met from.
TEST(Narrow, HillsAreMetBackwardsAsForwards) {
  for (const Method method : methods) {
    for (const double side : {-1.0, 1.0}) {
      for (const double t_end : {2.0, -2.0}) {
        // towards the hill at x = 1, from a distance of 1
        const System system = read_model(
            fmt::format("coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = \"{}*1e3*exp(-1e6*(x - 1)^2)\"\n"
                        "[initial]\nx = {}\n\"x'\" = {}\n",
                        side, 1 + side, t_end > 0 ? -side : side),
            "hill.toml");
        Silent nobody;
        const MotionSummary summary = run_motion(system, until(t_end, method), nobody);
        ASSERT_EQ(summary.status, MotionStatus::finished) << method << " " << side << " " << t_end;
        // turned back within some thousandths of the hill, with the speed it had
        EXPECT_NEAR(summary.last.q[0], 1 + side, 5e-3) << method << " " << side << " " << t_end;
        EXPECT_NEAR(summary.last.v[0], t_end > 0 ? side : -side, 1e-5) << method << " " << side << " " << t_end;
      }
    }
  }
}

}  // namespace
}  // namespace cetaev
