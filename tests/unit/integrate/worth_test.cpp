// How much work a motion is worth: on its equations, on its code, on what watches over it.
#include <gtest/gtest.h>

#include <cmath>

#include "../../../src/integrate/plan.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/integrate/compiled_motion.hpp"
#include "motions.hpp"

namespace cetaev {
namespace {

// A pendulum that a torque turns faster and faster: the pace of its start does not tell how many steps it takes.
TEST(Worth, OfAMotionThatOutlastsItsEquations) {
  const System system = read_model(R"toml(
coordinates = ["th"]
lagrangian = "th'^2/2 + 9.81*cos(th)"
forces = {th = "1000"}
[initial]
th = 0
"th'" = 0
)toml",
                                   "turned.toml");
  MotionOptions options = until(2, 5);
  options.once = true;
  options.method = Method::taylor;
  Silent nobody;
  EXPECT_TRUE(run_motion(system, options, nobody).tables);
  options.t_end = 12;
  Keeper keeper;
  const MotionSummary summary = run_motion(system, options, keeper);
  EXPECT_EQ(summary.status, MotionStatus::finished);
  EXPECT_FALSE(summary.tables);
  // θ'²/2 = 1000 θ + 9.81 (cos θ − 1), across the change of equations
  for (const auto& p : keeper.points) {
    const double th = p.q[0], energy = 1000 * th + 9.81 * (std::cos(th) - 1);
    EXPECT_NEAR(p.v[0] * p.v[0] / 2, energy, 1e-12 * (1 + energy));
  }
}

// A ball on a turntable, in Euler angles, passes their pole now and then, and its steps are short there: what the rest is worth is told by all steps so far,
// and not by those of the moment. Machine code for its 3000 steps would take ten times as long as they do.
TEST(Worth, OfAMotionThatIsHeldUpForAMoment) {
  const System system = gallery_model("ball-on-turntable");
  MotionOptions options = until(10, 2);
  options.once = true;
  options.method = Method::taylor;
  Keeper keeper, other;
  const MotionSummary summary = run_motion(system, options, keeper);
  EXPECT_EQ(summary.status, MotionStatus::finished);
  EXPECT_TRUE(summary.tables);
  options.method = Method::dop853;
  options.form = Form::multipliers;
  run_motion(system, options, other);
  for (std::size_t i = 0; i < 2; ++i)  // the angles know as little of each other as the pole lets them
    EXPECT_NEAR(keeper.points.back().q[i], other.points.back().q[i], 1e-9);
}

// Of many motions one is not timed but counted: series too long to be written out give way to evaluations that cost less, and both end at one state.
TEST(Worth, OfAMethodForManyMotions) {
  Silent nobody;
  EXPECT_EQ(CompiledMotion(gallery_model("skate"), until(1, 2)).run(nobody).method, Method::taylor);
  for (const char* name : {"rattleback", "arm"}) {
    MotionOptions options = until(0.5, 2);
    Keeper chosen, by_series;
    EXPECT_EQ(CompiledMotion(gallery_model(name), options).run(chosen).method, Method::dop853) << name;
    options.method = Method::taylor;
    EXPECT_EQ(CompiledMotion(gallery_model(name), options).run(by_series).method, Method::taylor) << name;
    const auto &one = chosen.points.back(), &other = by_series.points.back();
    for (std::size_t i = 0; i < one.q.size(); ++i) EXPECT_NEAR(one.q[i], other.q[i], 1e-10) << name;
  }
}

// From 3000 samples on they are computed by machine code.
TEST(Worth, OfManySamples) {
  for (const char* name :
       {"skate", "rolling-disc", "double-pendulum", "snakeboard", "parallel-velocities", "chaplygin-sleigh"}) {
    Keeper by[2];
    for (const Backend backend : {Backend::jit, Backend::interpreter}) {
      MotionOptions options = until(1, 4001);
      options.backend = backend;
      run_motion(gallery_model(name), options, by[backend == Backend::jit]);
    }
    ASSERT_EQ(by[0].points.size(), 4001U) << name;
    ASSERT_EQ(by[1].points.size(), 4001U) << name;
    for (std::size_t i = 0; i < by[0].points.size(); ++i) {
      const Keeper::Point &one = by[0].points[i], &other = by[1].points[i];
      EXPECT_NEAR(one.E, other.E, 1e-11 * (1 + std::abs(one.E))) << name;
      ASSERT_EQ(one.multipliers.size(), other.multipliers.size());
      for (std::size_t k = 0; k < one.multipliers.size(); ++k)
        EXPECT_NEAR(one.multipliers[k], other.multipliers[k], 1e-9 * (1 + std::abs(one.multipliers[k]))) << name;
      for (std::size_t k = 0; k < one.q.size(); ++k) EXPECT_NEAR(one.q[k], other.q[k], 1e-11) << name;
    }
  }
}

// Three rows P1' × P2' of rank 2, two of them nearly parallel while z' passes through zero: P1'·λ = 0 for the multipliers of least norm, since P1' is
// what Jᵀ takes to nothing.
TEST(Worth, OfRedundantRowsIsNoMoreThanTheirRank) {
  Keeper keeper;
  run_motion(gallery_model("parallel-velocities"), until(1, 4001), keeper);
  ASSERT_EQ(keeper.points.size(), 4001U);
  for (const auto& p : keeper.points) {
    const double along = p.v[0] * p.multipliers[0] + p.v[1] * p.multipliers[1] + p.v[2] * p.multipliers[2];
    EXPECT_NEAR(along, 0, 1e-9) << p.t;
  }
}

// The articulated inertias of a chain, multiplied out, are a thousand times as long as its equations.
TEST(Worth, OfGuards) {
  for (const int links : {3, 5, 8}) {
    const System system =
        read_model(*generated_model("pendulums-" + std::to_string(links)), "pendulums.toml").workable();
    const Terms terms(system);
    Admissible admissible(system);
    const MotionEquations equations(system, terms, admissible, admissible.initial(), std::nullopt);
    const RegularityPlan plan(equations, terms, 1e-14);
    if (plan.guards() != nullptr) {
      EXPECT_LE(plan.guards()->instructions().size(), 2 * equations.rates().instructions().size()) << links;
    }
  }
}

// The axles of a snakeboard leave it one velocity, along the cross product of their constraints: for motions that are run many times it takes the place of
// multipliers. Both tell of the same motion.
TEST(Worth, OfABasisThatServesWhereTheConstraintsKeepTheirRank) {
  const System system = gallery_model("snakeboard");
  MotionOptions options = until(5, 11);
  const CompiledMotion own(system, options);
  options.form = Form::multipliers;
  const CompiledMotion with_multipliers(system, options);
  Keeper one, other;
  EXPECT_EQ(own.run(one).form, Form(Form::hamel));
  with_multipliers.run(other);
  ASSERT_EQ(one.points.size(), other.points.size());
  for (std::size_t i = 0; i < one.points.size(); ++i) {
    EXPECT_NEAR(one.points[i].E, one.points[0].E, 1e-13);
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_NEAR(one.points[i].q[k], other.points[i].q[k], 1e-11);
      EXPECT_NEAR(one.points[i].v[k], other.points[i].v[k], 1e-11);
    }
  }
  // Parallel axles that turn equally fast stay so, and at a right angle to the board they are one constraint: both end there, at π/2 − 1.4.
  State at = own.initial();
  at.q[4] = at.q[5] = 1.4;
  at.v = {0.8 * std::cos(1.6), 0.8 * std::sin(1.6), 0, 2, 1, 1};
  for (const CompiledMotion* motion : {&own, &with_multipliers}) {
    Silent nobody;
    const MotionSummary summary = motion->run(at, nobody);
    EXPECT_EQ(summary.status, MotionStatus::singular);
    EXPECT_NEAR(summary.singular_at.value_or(0), std::acos(-1.0) / 2 - 1.4, 1e-6);
  }
}

// The directions of such a basis vanish with the constraints, and a motion that does not use them would not notice: a point that moves along z alone.
TEST(Worth, OfABasisThatVanishesWithItsConstraints) {
  const System system = read_model(R"(
coordinates = ["x", "y", "z"]
lagrangian  = "(x'^2 + y'^2 + z'^2)/2"
constraints = ["z*x' + sin(z)*y' = 0"]
[initial]
z    = -1
"z'" = 1
)",
                                   "vanishing.toml");
  MotionOptions options = until(2, 2);
  for (const std::optional<Form>& form : {std::optional<Form>(), std::optional<Form>(Form::multipliers)}) {
    options.form = form;
    Silent nobody;
    const MotionSummary summary = CompiledMotion(system, options).run(nobody);
    EXPECT_EQ(summary.status, MotionStatus::singular);
    EXPECT_NEAR(summary.singular_at.value_or(0), 1, 1e-9);
  }
  // where one of two constraints vanishes the other one holds
  const System redundant = read_model(R"(
coordinates = ["x", "y", "z"]
lagrangian  = "(x'^2 + y'^2 + z'^2)/2"
constraints = ["z*(x' + (1 + z^2)*y') = 0", "cos(z)*(x' + (1 + z^2)*y') = 0"]
[initial]
z    = -1
"z'" = 1
"x'" = 2
"y'" = -1
)",
                                      "redundant.toml");
  options.form.reset();
  Silent nobody;
  EXPECT_EQ(CompiledMotion(redundant, until(1.5, 2)).run(nobody).status, MotionStatus::finished);
}

}  // namespace
}  // namespace cetaev
