// One compiled motion for many runs: by several threads, from other states, and side by side in lanes.
#include "cetaev/integrate/compiled_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/integrate/batch.hpp"
#include "motions.hpp"

namespace cetaev {
namespace {

class Values final : public Recorder {
 public:
  void sample(const MotionPoint& p) override {
    values.push_back(p.t);
    values.insert(values.end(), p.q.begin(), p.q.end());
    values.insert(values.end(), p.v.begin(), p.v.end());
    values.insert(values.end(), p.multipliers.begin(), p.multipliers.end());
  }
  std::vector<double> values;
};

// The first finds its form global, the others project, choose other dependent velocities on the way, and end on a singular set.
TEST(CompiledMotion, IsSharedByThreadsWhichAllSeeTheSameMotion) {
  struct Case {
    const char* model;
    const char* form;
    double t_end;
  };
  for (const Case& c : {Case{"rolling-disc", "auto", 5},
                        {"holonomic-chain-plane", "auto", 5},
                        {"skate", "voronec", 10},
                        {"appell-hamel", "auto", 100}}) {
    const System system = gallery_model(c.model);
    MotionOptions options = until(c.t_end, 51);
    options.form = parse_form(c.form);
    const CompiledMotion motion(system, options);
    Values alone;
    const MotionSummary reference = motion.run(alone);
    ASSERT_FALSE(alone.values.empty()) << c.model;
    constexpr std::size_t threads = 4;
    std::vector<Values> keepers(threads);
    std::vector<MotionSummary> summaries(threads);
    {
      std::vector<std::jthread> running;
      for (std::size_t i = 0; i < threads; ++i) {
        running.emplace_back([&, i] { summaries[i] = motion.run(keepers[i]); });
      }
    }
    for (std::size_t i = 0; i < threads; ++i) {
      EXPECT_EQ(keepers[i].values, alone.values) << c.model;
      EXPECT_EQ(summaries[i].status, reference.status) << c.model;
      EXPECT_EQ(summaries[i].steps, reference.steps) << c.model;
      EXPECT_EQ(summaries[i].reselections, reference.reselections) << c.model;
    }
  }
}

// φ = φ₀ + ω t and, with k = g sin β, u = u₀ + k (sin φ − sin φ₀)/ω along the blade.
TEST(CompiledMotion, BeginsWhereItIsTold) {
  const System system = gallery_model("skate");
  const CompiledMotion motion(system, until(7, 51));
  const double phi0 = 0.4, w = 0.9, u0 = 0.3, k = 9.81 * 0.5;
  State start;
  start.t = 2;
  start.q = {1, -1, phi0};
  start.v = {u0 * std::cos(phi0), u0 * std::sin(phi0), w};
  Values keeper;
  const MotionSummary summary = motion.run(start, keeper);
  ASSERT_EQ(summary.status, MotionStatus::finished);
  EXPECT_EQ(keeper.values[0], 2);
  EXPECT_EQ(summary.last.t, 7);
  const double phi = phi0 + w * 5, u = u0 + k * (std::sin(phi) - std::sin(phi0)) / w;
  EXPECT_NEAR(summary.last.q[2], phi, 1e-13);
  EXPECT_NEAR(summary.last.v[0], u * std::cos(phi), 1e-13);
  EXPECT_NEAR(summary.last.v[1], u * std::sin(phi), 1e-13);
  State wrong = start;
  wrong.v.pop_back();
  EXPECT_THROW(motion.run(wrong, keeper), Error);
}

class StatesAlone final : public Keeper {
 public:
  bool wants_states_alone() const override { return true; }
};

// Few samples and many, which have machine code; coordinates as states and velocities that are made of others; events, a singular set at the end.
TEST(CompiledMotion, SamplesOfStatesAloneAreThoseOfTheWholePoints) {
  for (const char* name :
       {"skate", "rolling-disc", "rattleback", "double-pendulum", "bead-on-rotating-rod", "appell-hamel"}) {
    for (const std::size_t samples : {std::size_t{2}, std::size_t{200}, std::size_t{4001}}) {
      SCOPED_TRACE(name + std::to_string(samples));
      MotionOptions options = until(1.5, samples);
      const CompiledMotion motion(gallery_model(name), options);
      Keeper whole;
      StatesAlone alone;
      const MotionSummary reference = motion.run(whole), summary = motion.run(alone);
      ASSERT_EQ(alone.points.size(), whole.points.size());
      for (std::size_t i = 0; i < whole.points.size(); ++i) {
        const Keeper::Point &one = alone.points[i], &other = whole.points[i];
        ASSERT_EQ(one.t, other.t);
        ASSERT_EQ(one.q.size(), other.q.size());
        for (std::size_t j = 0; j < one.q.size(); ++j) {
          ASSERT_NEAR(one.q[j], other.q[j], 1e-14 * (1 + std::abs(other.q[j]))) << i;
          ASSERT_NEAR(one.v[j], other.v[j], 1e-14 * (1 + std::abs(other.v[j]))) << i;
        }
      }
      EXPECT_EQ(summary.status, reference.status);
      EXPECT_EQ(summary.samples, reference.samples);
      EXPECT_EQ(summary.last.t, reference.last.t);
      EXPECT_EQ(summary.E_start, reference.E_start);
      EXPECT_NEAR(summary.E_end, reference.E_end, 1e-12 * (1 + std::abs(reference.E_end)));
      EXPECT_LE(summary.energy_drift, reference.energy_drift);
      EXPECT_LE(summary.max_residual, reference.max_residual);
    }
  }
}

std::vector<State> starts(const System& system, std::size_t count) {
  Admissible admissible(system);
  const State first = admissible.initial().state;
  std::vector<State> result;
  for (std::uint64_t seed = 1; result.size() < count && seed < 100; ++seed) {
    if (auto state = admissible.random_velocity(first, seed)) result.push_back(std::move(*state));
  }
  return result;
}

// Seven motions in two or four lanes: lanes run empty at different times. A lane steps as a motion alone does, but for how
// sums are rounded.
TEST(BatchMotion, EveryLaneIsTheMotionAlone) {
  for (const std::string name : {"skate", "rolling-disc", "circle", "parallel-velocities-plane"}) {
    const System system = gallery_model(name);
    const CompiledMotion motion(system, until(2, 51));
    const std::vector<State> from = starts(system, 7);
    ASSERT_GE(from.size(), 5U) << name;
    for (const unsigned lanes : {2U, 4U}) {
      if (lanes == 4 && name != "skate") continue;  // compiling takes its time
      const BatchMotion batch(motion, lanes);
      const BatchResult result = batch.run(from);
      const std::vector<BatchEnd>& ends = result.ends;
      ASSERT_EQ(ends.size(), from.size());
      for (std::size_t i = 0; i < from.size(); ++i) {
        Values keeper;
        const MotionSummary alone = motion.run(from[i], keeper);
        EXPECT_EQ(ends[i].status, alone.status) << name;
        const State last = result.last_state(i);
        ASSERT_EQ(last.q.size(), alone.last.q.size());
        for (std::size_t j = 0; j < alone.last.q.size(); ++j) {
          const double size = 1 + std::abs(alone.last.q[j]);
          EXPECT_NEAR(last.q[j], alone.last.q[j], 1e-10 * size) << name << " " << i;
          EXPECT_NEAR(last.v[j], alone.last.v[j], 1e-9 * (1 + std::abs(alone.last.v[j]))) << name << " " << i;
        }
        if (!ends[i].alone) {
          EXPECT_NEAR(static_cast<double>(ends[i].steps), static_cast<double>(alone.steps), 2) << name;
        }
      }
    }
  }
}

// One of the particles comes to rest, the other two do not within this time: only the first leaves the lanes.
TEST(BatchMotion, AMotionThatEndsOnASingularSetDoesNotDisturbTheOthers) {
  const System system = gallery_model("appell-hamel");
  const CompiledMotion motion(system, until(1.3, 51));
  const State slow = motion.initial();
  State fast = slow, faster = slow;
  for (double& v : fast.v) v *= 3;
  for (double& v : faster.v) v *= 4;
  const std::vector<State> from = {fast, slow, faster};
  const std::vector<BatchEnd> ends = BatchMotion(motion).run(from).ends;
  EXPECT_EQ(ends[0].status, MotionStatus::finished);
  EXPECT_EQ(ends[1].status, MotionStatus::singular);
  EXPECT_EQ(ends[2].status, MotionStatus::finished);
  ASSERT_TRUE(ends[1].diagnosis);
  EXPECT_EQ(ends[1].diagnosis->code(), ErrorCode::rank_lost);
  EXPECT_TRUE(ends[1].alone);
  EXPECT_FALSE(ends[0].alone);
  EXPECT_LT(ends[0].energy_drift, 1e-11);
}

// What is not made of series is followed one by one: the skate's closed form, φ = φ' t.
TEST(BatchMotion, TakesEveryMethod) {
  const System system = gallery_model("skate");
  for (const Method method : {Method::taylor, Method::dop853, Method::adams, Method::bdf}) {
    MotionOptions options = until(1, 51);
    options.method = method;
    const CompiledMotion motion(system, options);
    std::vector<State> starts(5, motion.initial());
    for (std::size_t i = 0; i < starts.size(); ++i) starts[i].v[2] = 1 + static_cast<double>(i);
    const BatchResult result = BatchMotion(motion).run(starts);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      EXPECT_EQ(result.ends[i].status, MotionStatus::finished) << to_string(method);
      EXPECT_NEAR(result.last_state(i).q[2], 1 + static_cast<double>(i), method == Method::bdf ? 1e-6 : 1e-10);
    }
  }
}

TEST(BatchMotion, HasTwoFourOrEightLanes) {
  const CompiledMotion motion(gallery_model("skate"), until(1, 51));
  EXPECT_THROW(BatchMotion(motion, 3), Error);
  EXPECT_TRUE(BatchMotion(motion).run(std::vector<State>()).ends.empty());
}

}  // namespace
}  // namespace cetaev
