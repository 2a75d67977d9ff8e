// Periodic motions and Lyapunov exponents, held against closed forms and against each other.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cetaev/integrate/trajectory.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/stability/chaos.hpp"
#include "cetaev/stability/periodic.hpp"

namespace cetaev {
namespace {

using std::numbers::pi;
using testing::ElementsAre;
using testing::HasSubstr;
using Complex = std::complex<double>;

System model(const std::string& text) { return read_model(text, "model.toml"); }
System gallery(const std::string& name, const std::vector<std::string>& settings = {}) {
  return read_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/" + name + ".toml", settings);
}

MotionOptions to(double t_end) {
  MotionOptions options;
  options.t_end = t_end;
  options.cache = false;
  return options;
}

const char* const van_der_pol =
    "coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2\"\nforces = {x = \"(1 - x^2)*x'\"}\n[initial]\nx = 2\n\"x'\" = "
    "0.1\n";

// The period in twelve digits is known since long; the multiplier is the exponential of the divergence along the cycle (Liouville).
TEST(Periodic, TheCycleOfVanDerPolHasItsPeriodAndItsMultiplier) {
  const System system = model(van_der_pol);
  const PeriodicMotion found = find_periodic(system, 6, to(10));
  EXPECT_NEAR(found.period, 6.663286859323130, 1e-11);
  EXPECT_LT(found.residual, 1e-11);
  ASSERT_EQ(found.multipliers.size(), 2u);
  EXPECT_NEAR(std::abs(found.multipliers[0] - 1.0), 0, 1e-10);
  MotionOptions options = to(found.period);
  const std::vector<std::string> from = {fmt::format("x={:.17g}", found.state.q[0]),
                                         fmt::format("x'={:.17g}", found.state.v[0])};
  const System there = read_model(van_der_pol, "model.toml", from);
  const Trajectory cycle = compute_trajectory(there, options);
  // the trapezoidal rule is exact for periodic functions
  double divergence = 0;
  constexpr int points = 2000;
  for (int i = 0; i < points; ++i) {
    const double x = cycle.at(found.period * i / points).q[0];
    divergence += (1 - x * x) * found.period / points;
  }
  EXPECT_NEAR(found.multipliers[1].real() / std::exp(divergence), 1, 1e-10);
  EXPECT_EQ(found.stable, std::optional(true));
}

// Driven and damped: x = A cos(Ωt − δ), and neighbours decay like the free motion.
TEST(Periodic, ADrivenOscillatorComesBackWithItsDriver) {
  const double W = 1.7, c = 0.4, k = 3;
  const System system =
      model(fmt::format("coordinates = ['x']\nlagrangian = \"x'^2/2 - {}*x^2/2\"\nforces = {{x = \"cos({}*t) - "
                        "{}*x'\"}}\n[initial]\nx = 0.3\n",
                        k, W, c));
  const double T = 2 * pi / W;
  const PeriodicMotion found = find_periodic(system, T, to(10));
  EXPECT_EQ(found.period, T);
  const Complex response = 1.0 / Complex(k - W * W, c * W);
  EXPECT_NEAR(found.state.q[0], response.real(), 1e-11);
  EXPECT_NEAR(found.state.v[0], (Complex(0, W) * response).real(), 1e-11);
  const Complex free = std::exp(Complex(-c / 2, std::sqrt(k - c * c / 4)) * T);
  EXPECT_NEAR(std::abs(found.multipliers[0] - Complex(free.real(), std::abs(free.imag()))), 0, 1e-10);
  EXPECT_EQ(found.stable, std::optional(true));
  try {
    (void)find_periodic(system, 2, to(10));
    ADD_FAILURE() << "2 is no period";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_periodic);
    EXPECT_THAT(error.message(), HasSubstr("2 is no period"));
  }
}

// The skate comes back after a turn, but for where it is: φ' is constant, and the speed along the blade that of a sine.
TEST(Periodic, TheSkateComesBackAfterATurnButForItsPlace) {
  const PeriodicMotion found = find_periodic(gallery("skate", {"phi=0.3"}), 4.6, to(10));
  EXPECT_THAT(found.ignorable, ElementsAre(0, 1));
  EXPECT_THAT(found.turns, ElementsAre(0, 0, 1));
  EXPECT_NEAR(found.period * found.state.v[2], 2 * pi, 1e-11);
  ASSERT_EQ(found.multipliers.size(), 3u);
  for (const Complex one : found.multipliers) EXPECT_NEAR(std::abs(one - 1.0), 0, 1e-4);
  EXPECT_EQ(found.stable, std::nullopt);
}

// On the constraint: a pendulum in Cartesian coordinates has the period of an elliptic integral.
TEST(Periodic, APendulumOnItsCircleHasThePeriodOfAnEllipticIntegral) {
  const System system = model(
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - y\"\nconstraints = ['x^2 + y^2 = 1']\n[initial]\nx = "
      "0.8\ny = "
      "-0.6\n");
  const PeriodicMotion found = find_periodic(system, 7, to(10));
  // from wherever on its orbit: the amplitude by the energy
  const double E = (found.state.v[0] * found.state.v[0] + found.state.v[1] * found.state.v[1]) / 2 + found.state.q[1];
  const double k = std::sqrt((1 + E) / 2);
  EXPECT_NEAR(found.period, 4 * std::comp_ellint_1(k), 1e-10);
  EXPECT_EQ(found.multipliers.size(), 2u);
  EXPECT_NEAR(std::hypot(found.state.q[0], found.state.q[1]), 1, 1e-13);
}

TEST(Periodic, WhatDoesNotComeBackIsSaid) {
  // what Newton's method finds there is at rest, and comes back after any time
  for (const char* text :
       {"coordinates = ['x']\nlagrangian = \"x'^2/2 + x^2/2\"\nforces = {x = 1}\n[initial]\nx = 1\n\"x'\" = 2\n",
        "coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2\"\nforces = {x = \"-x'/5\"}\n[initial]\nx = 1\n"}) {
    try {
      (void)find_periodic(model(text), 6, to(10));
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::not_periodic);
    }
  }
  // a disc on a circle is steady: where it is and where it heads are ignorable
  EXPECT_THROW((void)find_periodic(gallery("rolling-disc-steady"), 6, to(10)), Error);
  EXPECT_THROW(
      (void)find_periodic(model("coordinates = ['x']\nlagrangian = \"x'^2/2\"\nforces = {x = 1}\n"), 3, to(10)), Error);
}

// x'' = x parts like e^t; a rotor like t, which is not exponential.
TEST(Lyapunov, OfLinearMotionsAreTheirEigenvalues) {
  const LyapunovSpectrum found = lyapunov(model("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + x^2)/2 + (y'^2 - "
                                                "4*y^2)/2\"\nforces = {x = \"-x'/2\", y = \"-y'\"}\n"),
                                          to(100));
  // λ² + λ/2 − 1 = 0, λ² + λ + 4 = 0
  const double root = std::sqrt(1.0 / 16 + 1);
  ASSERT_EQ(found.exponents.size(), 4u);
  EXPECT_NEAR(found.exponents[0], -0.25 + root, 1e-9);
  EXPECT_NEAR(found.exponents[1], -0.5, found.spread[1]);
  EXPECT_NEAR(found.exponents[2], -0.5, found.spread[2]);
  EXPECT_NEAR(found.exponents[3], -0.25 - root, 1e-9);
  for (const double spread : found.spread) EXPECT_LT(spread, 0.05);
  ASSERT_TRUE(found.divergence);
  EXPECT_NEAR(*found.divergence, -1.5, 1e-12);
  EXPECT_NEAR(found.sum, -1.5, 1e-9);
  EXPECT_EQ(found.t, 100);
}

// Lorenz's system as a constraint on velocities would be none; of mechanics: a driven pendulum whose exponents add up to its damping.
TEST(Lyapunov, OfAChaoticPendulumAddUpToTheDivergence) {
  const System system = model(
      "coordinates = ['a']\nlagrangian = \"a'^2/2 + cos(a)\"\nforces = {a = \"1.15*cos(2*t/3) - a'/2\"}\n[initial]\na "
      "= 0.5\n");
  const LyapunovSpectrum found = lyapunov(system, to(600));
  ASSERT_EQ(found.exponents.size(), 2u);
  EXPECT_GT(found.exponents[0], 0.05);  // chaotic at this drive
  EXPECT_NEAR(found.sum, -0.5, 1e-9);
  EXPECT_NEAR(*found.divergence, -0.5, 1e-12);
}

// Over short times, in which directions have not turned to where they grow, the spread says so.
TEST(Lyapunov, LieWithinTheirSpreadOverShortTimes) {
  for (const double frequency : {0.5, 1.0, 2.2}) {
    for (const double damping : {-0.3, 0.2, 1.5}) {
      const std::string text = fmt::format(
          "coordinates = ['x']\nlagrangian = \"x'^2/2 - {}*x^2/2\"\nforces = {{x = \"{}*x'\"}}\n[initial]\nx = 1\n",
          frequency * frequency, -2 * damping);
      const double root = std::sqrt(std::max(damping * damping - frequency * frequency, 0.0));
      for (const double time : {15.0, 40.0, 100.0}) {
        const LyapunovSpectrum found = lyapunov(model(text), to(time));
        EXPECT_NEAR(found.exponents[0], -damping + root, found.spread[0] + 1e-12) << text << time;
        EXPECT_NEAR(found.exponents[1], -damping - root, found.spread[1] + 1e-12) << text << time;
      }
    }
  }
}

// Of motions that part like t the exponents are zero, within what is said of them; and the set has the dimension that the constraints leave.
TEST(Lyapunov, OfTheSkateAreZero) {
  const LyapunovSpectrum found = lyapunov(gallery("skate"), to(400));
  ASSERT_EQ(found.exponents.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_LT(std::abs(found.exponents[i]), 0.02);
    EXPECT_LT(std::abs(found.exponents[i]), found.spread[i] + 1e-12) << i;
  }
}

}  // namespace
}  // namespace cetaev
