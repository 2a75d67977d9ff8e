#include "cetaev/integrate/trajectory.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cetaev/integrate/compare_motions.hpp"
#include "cetaev/model/build.hpp"

namespace cetaev {
namespace {

System skate() {
  return SystemBuilder()
      .coordinates({"x", "y", "phi"})
      .lagrangian("(x'^2 + y'^2 + phi'^2)/2 + g*x")
      .constraint("x'*sin(phi) - y'*cos(phi) = 0")
      .parameter("g", 4.905)
      .initial("phi'", 1.3)
      .build();
}

MotionOptions interpreted(double t_end) {
  MotionOptions options;
  options.backend = Backend::interpreter;
  options.t_end = t_end;
  return options;
}

// x = c sin²φ, y = c (φ − sin φ cos φ), φ = ωt with c = g/(2ω²)
void expect_skate(const State& state, double tolerance) {
  const double w = 1.3, c = 4.905 / (2 * w * w), phi = w * state.t;
  EXPECT_NEAR(state.q[0], c * std::pow(std::sin(phi), 2), tolerance) << "at t = " << state.t;
  EXPECT_NEAR(state.q[1], c * (phi - std::sin(phi) * std::cos(phi)), tolerance) << "at t = " << state.t;
  EXPECT_NEAR(state.q[2], phi, tolerance) << "at t = " << state.t;
  EXPECT_NEAR(state.v[0], c * w * std::sin(2 * phi), tolerance) << "at t = " << state.t;
  EXPECT_NEAR(state.v[1], c * w * (1 - std::cos(2 * phi)), tolerance) << "at t = " << state.t;
  EXPECT_NEAR(state.v[2], w, tolerance) << "at t = " << state.t;
}

TEST(Trajectory, IsTheClosedFormOfTheSkateEverywhere) {
  const System system = skate();
  const Trajectory trajectory = compute_trajectory(system, interpreted(10));
  EXPECT_EQ(trajectory.t_begin(), 0);
  EXPECT_EQ(trajectory.t_end(), 10);
  EXPECT_EQ(trajectory.summary().status, MotionStatus::finished);
  for (int i = 0; i <= 1000; ++i) expect_skate(trajectory.at(0.01 * i), 2e-13);
}

TEST(Trajectory, RunsBackwardsToo) {
  const System system = skate();
  const Trajectory trajectory = compute_trajectory(system, interpreted(-3));
  for (int i = 0; i <= 100; ++i) expect_skate(trajectory.at(-0.03 * i), 1e-13);
  EXPECT_THROW(trajectory.at(0.1), Error);
}

TEST(Trajectory, HasNothingBeyondItsEnds) {
  const System system = skate();
  const Trajectory trajectory = compute_trajectory(system, interpreted(1));
  EXPECT_THROW(trajectory.at(-1e-9), Error);
  EXPECT_THROW(trajectory.at(1.0000001), Error);
  EXPECT_THROW(trajectory.at(std::nan("")), Error);
}

TEST(Trajectory, OfNoLengthIsItsBeginning) {
  const System system = skate();
  const Trajectory trajectory = compute_trajectory(system, interpreted(0));
  EXPECT_EQ(trajectory.t_end(), 0);
  expect_skate(trajectory.at(0), 0);
}

TEST(Trajectory, EndsWithTheEventThatStopsTheMotion) {
  const System system = SystemBuilder()
                            .coordinates({"y"})
                            .lagrangian("y'^2/2 - 2*y")
                            .initial("y", 9)
                            .event("ground", "y", 0, true)
                            .build();
  const Trajectory trajectory = compute_trajectory(system, interpreted(10));
  EXPECT_EQ(trajectory.summary().status, MotionStatus::event);
  EXPECT_NEAR(trajectory.t_end(), 3, 1e-14);
  EXPECT_NEAR(trajectory.at(2).q[0], 5, 1e-14);
}

// A particle that rises as fast as it goes sideways: T = v^2, so 2 v' = -g, and it comes to rest at t = 2 v/g, where the constraint has no
// derivative and so no reaction.
TEST(Trajectory, GoesOnToTheSingularSet) {
  const System system = SystemBuilder()
                            .coordinates({"x", "y", "z"})
                            .lagrangian("(x'^2 + y'^2 + z'^2)/2 - g*z")
                            .constraint("sqrt(x'^2 + y'^2) = z'")
                            .parameter("g", 8)
                            .initial("x'", 1)
                            .initial("z'", 1)
                            .build();
  const Trajectory trajectory = compute_trajectory(system, interpreted(10));
  EXPECT_EQ(trajectory.summary().status, MotionStatus::singular);
  EXPECT_NEAR(*trajectory.summary().singular_at, 0.25, 1e-9);
  EXPECT_NEAR(trajectory.t_end(), 0.25, 1e-5);
  EXPECT_EQ(trajectory.t_end(), trajectory.summary().last.t);
  EXPECT_NEAR(trajectory.at(trajectory.t_end()).v[2], trajectory.summary().last.v[2], 1e-12);
  EXPECT_NEAR(trajectory.at(0.24).v[2], 1 - 0.24 * 4, 1e-10);
}

// The dense output of every method is as good as its steps.
TEST(Trajectory, ServesEveryMethod) {
  const System system = skate();
  for (const Method method : {Method::dop853, Method::adams, Method::bdf}) {
    MotionOptions options = interpreted(2);
    options.method = method;
    options.tolerance = 1e-10;
    const Trajectory trajectory = compute_trajectory(system, options);
    SCOPED_TRACE(to_string(method));
    for (int i = 0; i <= 50; ++i) expect_skate(trajectory.at(0.04 * i), 2e-7);
  }
}

TEST(CompareMotions, FormsOfOneMechanicsStayTogether) {
  const System system = skate();
  const MotionComparison same = compare_motions(system, "hamel", "multipliers", interpreted(5));
  EXPECT_TRUE(same.agree());
  EXPECT_LT(same.position.largest, 1e-11);
}

TEST(CompareMotions, FindTheTimeAtWhichPrinciplesPart) {
  // From rest with x'' = g cos φ … the two agree at first; the threshold is passed at one time.
  const System system = skate();
  const MotionComparison apart = compare_motions(system, "voronec", "reduced", interpreted(1));
  ASSERT_TRUE(apart.part_at);
  MotionOptions options = interpreted(1);
  options.form = "voronec";
  const Trajectory one = compute_trajectory(system, options);
  options.form = "reduced";
  const Trajectory other = compute_trajectory(system, options);
  const State a = one.at(*apart.part_at), b = other.at(*apart.part_at);
  double size = 1, difference = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    size = std::max({size, std::fabs(a.q[i]), std::fabs(a.v[i]), std::fabs(b.q[i]), std::fabs(b.v[i])});
    difference = std::max({difference, std::fabs(a.q[i] - b.q[i]), std::fabs(a.v[i] - b.v[i])});
  }
  EXPECT_NEAR(difference / size, 1e-8, 1e-12);
}

}  // namespace
}  // namespace cetaev
