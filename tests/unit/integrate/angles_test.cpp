// Angles that come back to where they were, atan(tan w) and the like, and what else jumps at a time that is known before the motion. Exact motions are
// made of polynomials, one for each piece of the angle.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "cetaev/integrate/compiled_motion.hpp"
#include "motions.hpp"

namespace cetaev {
namespace {

constexpr double pi = std::numbers::pi;

// x'' = F(t) from rest at 0, where F is linear in t between times in order.
struct Pieces {
  std::vector<double> times;                     // ends of the pieces
  std::vector<std::pair<double, double>> force;  // value where the piece begins, slope

  double x_after(double end) const {
    double t = 0, x = 0, v = 0;
    for (std::size_t i = 0; t < end; ++i) {
      const double h = std::min(end, times[i]) - t;
      const auto [F, slope] = force[i];
      x += h * (v + h * (F / 2 + h * slope / 6));
      v += h * (F + h * slope / 2);
      t += h;
    }
    return x;
  }
};

// atan(tan 5t), and the triangles of asin(sin 5t) and acos(cos 5t).
Pieces saw(int count) {
  Pieces result;
  for (int k = 0; k <= count; ++k) {
    result.times.push_back((k + 0.5) * pi / 5);
    result.force.emplace_back(k == 0 ? 0 : -pi / 2, 5);
  }
  return result;
}
Pieces triangles(bool sine, int count) {
  Pieces result;
  for (int k = 0; k <= count; ++k) {
    const double slope = k % 2 == 0 ? 5 : -5;
    result.times.push_back((sine ? k + 0.5 : k + 1.0) * pi / 5);
    if (sine)
      result.force.emplace_back(k == 0 ? 0 : -slope / 5 * pi / 2, slope);
    else
      result.force.emplace_back(k % 2 == 0 ? 0 : pi, slope);
  }
  return result;
}

// As a force and as a potential, whose energy jumps and bends with it; atan2(sin, cos) is the saw of half the slope and twice the height.
TEST(Angles, OfTimeGivePiecesOfPolynomials) {
  struct Case {
    std::string angle;
    double x;
  };
  const double end = 10;
  for (const auto& [angle, x] :
       {Case{"atan(tan(5*t))", saw(20).x_after(end)}, Case{"2*atan2(sin(5*t/2), cos(5*t/2))", 0},
        Case{"atan(2*sin(5*t)/(2*cos(5*t)))", saw(20).x_after(end)},
        Case{"asin(sin(5*t))", triangles(true, 20).x_after(end)},
        Case{"acos(cos(5*t))", triangles(false, 20).x_after(end)},
        Case{"pi/2 - acos(sin(5*t))", triangles(true, 20).x_after(end)},
        Case{"pi/2 - asin(cos(5*t))", triangles(false, 20).x_after(end)}}) {
    double exact = x;
    if (exact == 0) {
      Pieces wide;  // 2 · (5t/2 in turns)
      for (int k = 0; k <= 10; ++k) {
        wide.times.push_back((2 * k + 1) * pi * 2 / 5);
        wide.force.emplace_back(k == 0 ? 0 : -2 * pi, 5);
      }
      exact = wide.x_after(end);
    }
    for (const Method method : methods) {
      const MotionSummary forced = run_text(
          fmt::format("coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = '{}'\n", angle), until(end, method));
      ASSERT_EQ(forced.status, MotionStatus::finished) << angle << " " << method;
      EXPECT_NEAR(forced.last.q[0], exact, 1000 * accuracy(method)) << angle << " " << method;
      const MotionSummary potential =
          run_text(fmt::format("coordinates = ['x']\nlagrangian = \"x'^2/2 + x*({})\"\n", angle), until(end, method));
      ASSERT_EQ(potential.status, MotionStatus::finished) << angle << " " << method;
      EXPECT_NEAR(potential.last.q[0], exact, 1000 * accuracy(method)) << angle << " " << method;
      EXPECT_LT(potential.energy_drift, 1000 * accuracy(method)) << angle << " " << method;
      // whether rounding is told at 1e-14 or not is a matter of a bit
      for (const std::string& note : potential.notes)
        EXPECT_EQ(note.find("rounding errors"), 0U) << angle << " " << method << note;
    }
  }
}

// Time alone: the energy changes by what the Lagrangian does, and nothing else.
TEST(Angles, OfTimeAloneChangeTheEnergy) {
  for (const Method method : methods) {
    const MotionSummary summary = run_text(
        "coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2 + atan(tan(5*t))\"\n[initial]\nx = 1\n", until(10, method));
    ASSERT_EQ(summary.status, MotionStatus::finished) << method;
    EXPECT_NEAR(summary.last.q[0], std::cos(10.0), 100 * accuracy(method)) << method;
    EXPECT_LT(summary.energy_drift, 100 * accuracy(method)) << method;
  }
}

// A spring along an angle that is wrapped, wound up so far that it goes round and round: x'' = −w(x), w in (−π, π], v² + w² = 10. A turn takes
// 2 asin(π/√10), and w = √10 sin in it.
TEST(Angles, SpringsAlongWrappedAnglesGoRound) {
  const double a = std::sqrt(10.0), half = std::asin(pi / a), end = 20;
  const double phase = std::asin(3 / a) + half + end, turns = std::floor(phase / (2 * half));
  const double x = 2 * pi * turns + a * std::sin(phase - (2 * turns + 1) * half);
  for (const Method method : methods) {
    for (const Backend backend : {Backend::jit, Backend::interpreter}) {
      MotionOptions options = until(end, method);
      options.backend = backend;
      const MotionSummary summary = run_text(
          "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = '-atan2(sin(x), cos(x))'\n[initial]\nx = "
          "3\n\"x'\" = "
          "1\n",
          options);
      ASSERT_EQ(summary.status, MotionStatus::finished) << method;
      EXPECT_NEAR(summary.last.q[0], x, 1000 * accuracy(method)) << method;
    }
  }
}

// x'' = k (x − floor x − 1/2): between whole numbers v² − k (x − n − 1/2)² stays as it is, and it is the same at both ends of a piece.
TEST(Angles, OfThePlaceAreCrossed) {
  for (const Method method : methods) {
    const MotionSummary summary = run_text(
        "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = '0.2*atan(tan(pi*(x - 1/2)))/pi'\n[initial]\nx = "
        "0.1\n\"x'\" = 1\n",
        until(3, method));
    ASSERT_EQ(summary.status, MotionStatus::finished) << method;
    const double from = 0.1 - 0.5, to = summary.last.q[0] - std::floor(summary.last.q[0]) - 0.5, v = summary.last.v[0];
    EXPECT_NEAR(v * v - 0.2 * to * to, 1 - 0.2 * from * from, 100 * accuracy(method)) << method;
    // a potential that jumps with the place takes an impact: V = atan2(y, x) beyond the negative axis
    const MotionSummary ends = run_text(
        "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - atan2(y, x)\"\n[initial]\nx = -1\ny = 1\n\"y'\" = "
        "-3\n",
        until(3, method));
    EXPECT_EQ(ends.status, MotionStatus::singular) << method;
    EXPECT_NEAR(ends.last.q[1], 0, 100 * accuracy(method)) << method;
    EXPECT_LT(ends.last.q[0], 0) << method;
    // and none beyond the positive one, where nothing jumps: the angular momentum falls by 1 in each unit of time
    const MotionSummary goes_on = run_text(
        "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - atan2(y, x)\"\n[initial]\nx = 1\ny = 1\n\"y'\" = "
        "-1\n",
        until(2, method));
    ASSERT_EQ(goes_on.status, MotionStatus::finished) << method;
    const State& at = goes_on.last;
    EXPECT_NEAR(at.q[0] * at.v[1] - at.q[1] * at.v[0], -1 - 2, 100 * accuracy(method)) << method;
  }
}

// Steps in time that are no angle: tanh(1/u) is ±1 on the two sides of u = 0 to all digits, at once, and x'' = ±1/2 there. By the other
// methods, and by the formula for |u| < 1/20 in the middle: v = ∫ tanh(1/(t − 1)) is odd about 1.
TEST(Angles, OtherJumpsInTimeAreLeaptOver) {
  for (const Method method : methods) {
    const MotionSummary summary =
        run_text("coordinates = ['x']\nlagrangian = \"x'^2/2 + x*tanh(1/(t - 1))\"\n", until(2, method));
    ASSERT_EQ(summary.status, MotionStatus::finished) << method;
    EXPECT_NEAR(summary.last.v[0], 0, 100 * accuracy(method)) << method;
    EXPECT_LT(summary.energy_drift, 100 * accuracy(method)) << method;
    const MotionSummary back = run_text(
        "coordinates = ['x']\nlagrangian = \"x'^2/2 + x*tanh(1/(t - 1))\"\n[initial]\nt = 2\n", until(0, method));
    ASSERT_EQ(back.status, MotionStatus::finished) << method;
    EXPECT_NEAR(back.last.v[0], 0, 100 * accuracy(method)) << method;
    EXPECT_NEAR(back.last.q[0], -summary.last.q[0], 100 * accuracy(method)) << method;  // t − 1 → 1 − t, x → −x
    // momenta that jump take an impact, poles end
    const MotionSummary impact =
        run_text("coordinates = ['x']\nlagrangian = \"(3 + tanh(1/(t - 1)))*x'^2/2\"\n[initial]\n\"x'\" = 1\n",
                 until(3, method));
    EXPECT_EQ(impact.status, MotionStatus::singular) << method;
    EXPECT_NEAR(impact.singular_at.value_or(0), 1, 1e-12) << method;
  }
  const MotionSummary pole =
      run_text("coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = 'tan(t)'\n", until(3, Method::bdf));
  EXPECT_EQ(pole.status, MotionStatus::singular);
  EXPECT_NEAR(pole.singular_at.value_or(0), pi / 2, 1e-6);
}

}  // namespace
}  // namespace cetaev
