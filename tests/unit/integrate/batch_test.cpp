// Batches in flat arrays: every motion is the one it would be alone, with its own parameters.
#include "cetaev/integrate/batch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <string>
#include <thread>
#include <vector>

#include "cetaev/constraint/admissible.hpp"
#include "motions.hpp"

namespace cetaev {
namespace {

using testing::HasSubstr;

System model(const std::string& text) { return read_model(text, "batch.toml"); }

// States of n motions, one after the other.
std::vector<double> repeated(const State& state, std::size_t n) {
  std::vector<double> all;
  for (std::size_t i = 0; i < n; ++i) {
    all.insert(all.end(), state.q.begin(), state.q.end());
    all.insert(all.end(), state.v.begin(), state.v.end());
  }
  return all;
}

// x = x₀ cos ωt + (v₀/ω) sin ωt with ω² = k/m, each with its own k, m, start and time of the start.
TEST(Batch, OscillatorsOfDifferentStiffnessAreTheirClosedForms) {
  const System system = model(R"toml(
coordinates = ["x"]
lagrangian = "m*x'^2/2 - k*x^2/2"
[parameters]
m = 1
k = 1
[initial]
x = 1
)toml");
  const double t_end = 5;
  constexpr std::size_t n = 37, samples = 21;
  const CompiledMotion motion(system, until(t_end));
  std::vector<double> states, times, parameters;
  for (std::size_t i = 0; i < n; ++i) {
    const auto s = static_cast<double>(i);
    states.insert(states.end(), {1 + 0.1 * s, std::sin(s)});
    times.push_back(0.1 * s);
    parameters.insert(parameters.end(), {1 + 0.03 * s, 0.5 * (1 + s)});
  }
  for (const unsigned lanes : {2U, 8U}) {
    const BatchResult result = BatchMotion(motion, lanes).run({states, times, parameters}, samples);
    ASSERT_EQ(result.size(), n);
    ASSERT_EQ(result.columns(), 4U);
    for (std::size_t i = 0; i < n; ++i) {
      const double m = parameters[2 * i], k = parameters[2 * i + 1], w = std::sqrt(k / m);
      const double x0 = states[2 * i], v0 = states[2 * i + 1], t0 = times[i];
      EXPECT_EQ(result.ends[i].status, MotionStatus::finished);
      EXPECT_FALSE(result.ends[i].alone);
      const std::span<const double> rows = result.samples_of(i);
      ASSERT_EQ(rows.size(), samples * 4);
      for (std::size_t j = 0; j < samples; ++j) {
        const double t = rows[4 * j];
        EXPECT_NEAR(t, t0 + (t_end - t0) * static_cast<double>(j) / (samples - 1), 1e-15 * t_end);
        const double a = w * (t - t0);
        EXPECT_NEAR(rows[4 * j + 1], x0 * std::cos(a) + v0 / w * std::sin(a), 1e-13 * (1 + x0)) << i << " " << j;
        EXPECT_NEAR(rows[4 * j + 2], v0 * std::cos(a) - x0 * w * std::sin(a), 1e-13 * w * (1 + x0)) << i << " " << j;
        EXPECT_NEAR(rows[4 * j + 3], (m * v0 * v0 + k * x0 * x0) / 2, 1e-12 * k * x0 * x0);
      }
      const State last = result.last_state(i);
      EXPECT_EQ(last.t, t_end);
      EXPECT_EQ(last.q[0], rows[rows.size() - 3]);
      EXPECT_EQ(last.v[0], rows[rows.size() - 2]);
    }
  }
}

// The model read anew with other numbers is the same as these numbers in the batch: in lanes bit for bit, whatever the other lanes
// do, and alone but for how sums are rounded.
TEST(Batch, EveryMotionIsThatOfTheModelWithItsParameters) {
  struct Case {
    const char* model;
    const char* form;
    const char* parameter;
    std::vector<const char*> values;
  };
  for (const Case& c :
       {Case{"skate", "auto", "g", {"9.81", "1.62", "24.8"}}, Case{"rolling-disc", "auto", "r", {"1.5", "0.7"}},
        Case{"double-pendulum", "multipliers", "l", {"1.25", "0.5"}},
        Case{"circle", "auto", "kappa", {"2.5", "0.3"}}}) {
    const System system = gallery_model(c.model);
    std::size_t which = 0;
    while (which < system->parameters.size() && system->parameters[which].symbol.name() != c.parameter) ++which;
    ASSERT_LT(which, system->parameters.size()) << c.model << " has no " << c.parameter;
    MotionOptions options = until(2, 11);
    options.form = parse_form(c.form);
    const CompiledMotion motion(system, options);
    const std::size_t n = c.values.size(), size = 2 * system->size();
    std::vector<System> models;
    std::vector<double> states, parameters;
    for (const char* value : c.values) {
      models.push_back(gallery_model(c.model, {std::string(c.parameter) + "=" + value}));
      const State start = Admissible(models.back()).initial().state;
      states.insert(states.end(), start.q.begin(), start.q.end());
      states.insert(states.end(), start.v.begin(), start.v.end());
      const std::vector<double> own = parameter_values(models.back());
      parameters.insert(parameters.end(), own.begin(), own.end());
    }
    const BatchResult together = BatchMotion(motion, 4).run({states, {}, parameters}, options.samples);
    for (std::size_t i = 0; i < n; ++i) {
      const CompiledMotion own(models[i], options);
      const std::span<const double> state = std::span(states).subspan(i * size, size);
      const BatchResult lane = BatchMotion(own, 4).run({state}, options.samples);
      EXPECT_FALSE(together.ends[i].alone) << c.model << " " << c.values[i];
      EXPECT_EQ(together.ends[i].steps, lane.ends[0].steps);
      const std::span<const double> rows = together.samples_of(i), expected = lane.samples_of(0);
      EXPECT_THAT(std::vector(rows.begin(), rows.end()), testing::ElementsAreArray(expected)) << c.model;
      Keeper keeper;
      const MotionSummary alone = own.run(keeper);
      EXPECT_EQ(together.ends[i].status, alone.status);
      for (std::size_t j = 0; j < keeper.points.size(); ++j) {
        const Keeper::Point& point = keeper.points[j];
        const std::span<const double> row = rows.subspan(j * together.columns(), together.columns());
        EXPECT_EQ(row[0], point.t);
        for (std::size_t k = 0; k < system->size(); ++k) {
          EXPECT_NEAR(row[1 + k], point.q[k], 1e-10 * (1 + std::abs(point.q[k]))) << c.model << " " << c.values[i];
          EXPECT_NEAR(row[1 + system->size() + k], point.v[k], 1e-9 * (1 + std::abs(point.v[k]))) << c.model;
        }
      }
    }
  }
}

// Four particles of Appell and Hamel in one group of lanes, each with its own slope a and ceiling. With u = √(x'² + y'²), which
// falls at the rate k = a g/(1 + a²), and z = a (u₀t − k t²/2): the first comes to rest at u₀/k, where the constraint has no
// derivative; the second meets its ceiling; the others go on to the end.
TEST(Batch, LanesWithTheirOwnParametersEndInTheirOwnWays) {
  const System system = model(R"toml(
coordinates = ["x", "y", "z"]
lagrangian = "m/2*(x'^2 + y'^2 + z'^2) - m*g*z"
constraints = ["z' = a*sqrt(x'^2 + y'^2)"]
dependent = ["z"]
[parameters]
m = 1
g = 9.81
a = 0.5
top = 100
[initial]
"x'" = 3
"y'" = 4
[events]
ceiling = {when = "z - top", action = "stop"}
)toml");
  const double t_end = 1.3, g = 9.81, u0 = 5;
  const CompiledMotion motion(system, until(t_end));
  const std::vector<double> slopes = {0.5, 0.2, 0.1, 0.15}, tops = {100, 0.4, 100, 100};
  std::vector<double> states, parameters;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    states.insert(states.end(), {0, 0, 0, 3, 4, slopes[i] * u0});
    parameters.insert(parameters.end(), {1, g, slopes[i], tops[i]});
  }
  constexpr std::size_t samples = 14;
  const BatchResult result = BatchMotion(motion, 4).run({states, {}, parameters}, samples);
  const auto rate = [&](double a) { return a * g / (1 + a * a); };
  EXPECT_EQ(result.ends[0].status, MotionStatus::singular);
  ASSERT_TRUE(result.ends[0].diagnosis);
  EXPECT_EQ(result.ends[0].diagnosis->code(), ErrorCode::rank_lost);
  EXPECT_TRUE(result.ends[0].alone);
  EXPECT_NEAR(result.ends[0].t, u0 / rate(0.5), 1e-6);
  EXPECT_EQ(result.ends[1].status, MotionStatus::event);
  EXPECT_EQ(result.ends[2].status, MotionStatus::finished);
  EXPECT_EQ(result.ends[3].status, MotionStatus::finished);
  // z = top
  const double k1 = rate(0.2), reached = (u0 - std::sqrt(u0 * u0 - 2 * k1 * tops[1] / slopes[1])) / k1;
  EXPECT_NEAR(result.ends[1].t, reached, 1e-13);
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const double a = slopes[i], k = rate(a), end = result.ends[i].t;
    EXPECT_EQ(result.ends[i].alone, i == 0);
    const std::span<const double> rows = result.samples_of(i);
    EXPECT_EQ(rows.size() / result.columns(), result.ends[i].samples);
    for (std::size_t j = 0; j < result.ends[i].samples; ++j) {
      const double* row = rows.data() + j * result.columns();
      const double t = row[0], way = u0 * t - k * t * t / 2;
      EXPECT_LE(t, end);
      EXPECT_NEAR(row[1], 0.6 * way, 1e-12) << i << " " << j;
      EXPECT_NEAR(row[2], 0.8 * way, 1e-12);
      EXPECT_NEAR(row[3], a * way, 1e-12);
      EXPECT_NEAR(row[4], 0.6 * (u0 - k * t), 1e-11);
    }
    // nothing where the motion did not come
    const std::size_t width = result.columns();
    for (std::size_t j = result.ends[i].samples * width; j < samples * width; ++j)
      EXPECT_TRUE(std::isnan(result.samples[i * samples * width + j])) << i;
  }
  EXPECT_EQ(result.ends[2].samples, samples);
  EXPECT_EQ(result.ends[1].samples, 1 + static_cast<std::size_t>(reached / (t_end / (samples - 1))));
}

// With a = 1 the second constraint says what the first does, and z falls; with any other a it holds z.
TEST(Batch, ConstraintsThatAreDependentInTheModelMayBeIndependent) {
  const System system = model(R"toml(
coordinates = ["x", "y", "z"]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - g*z"
constraints = ["x' - y' = 0", "x' - y' + (a - 1)*z' = 0"]
[parameters]
g = 9.81
a = 1
[initial]
"x'" = 2
"y'" = 2
)toml");
  const CompiledMotion motion(system, until(1));
  const std::vector<double> parameters = {9.81, 1, 9.81, 2, 3, 1};
  const BatchResult result = BatchMotion(motion, 2).run({repeated(motion.initial(), 3), {}, parameters});
  EXPECT_NEAR(result.last_state(0).q[2], -9.81 / 2, 1e-14);
  EXPECT_NEAR(result.last_state(1).q[2], 0, 1e-14);
  EXPECT_NEAR(result.last_state(2).q[2], -1.5, 1e-14);
  EXPECT_FALSE(result.ends[0].alone);
  EXPECT_TRUE(result.ends[1].alone);
  EXPECT_FALSE(result.ends[2].alone);
}

// The inertia c + sin x of y cannot vanish with the model's c = 2, and is not watched; with c = 1/2 it vanishes at x = −π/6, where
// x = −t arrives at t = π/6.
TEST(Batch, WhatCannotVanishInTheModelMayVanish) {
  const System system = model(R"toml(
coordinates = ["x", "y"]
lagrangian = "x'^2/2 + (c + sin(x))*y'^2/2"
[parameters]
c = 2
[initial]
"x'" = -1
)toml");
  const CompiledMotion motion(system, until(1));
  const BatchResult result =
      BatchMotion(motion, 2).run({repeated(motion.initial(), 3), {}, std::vector<double>{3, 0.5, 1.5}});
  EXPECT_EQ(result.ends[0].status, MotionStatus::finished);
  EXPECT_EQ(result.ends[1].status, MotionStatus::singular);
  EXPECT_EQ(result.ends[2].status, MotionStatus::finished);
  ASSERT_TRUE(result.ends[1].diagnosis);
  EXPECT_EQ(result.ends[1].diagnosis->code(), ErrorCode::singular_mass_matrix);
  EXPECT_NEAR(result.ends[1].t, std::numbers::pi / 6, 1e-9);
  EXPECT_NEAR(result.last_state(0).q[0], -1, 1e-15);
}

// x' is dependent on y' by a x' = b y', solved for x' where a = 1; with a = 0 it is y' that stands still, and with a small one y' is
// the better choice.
TEST(Batch, DependentVelocitiesThatServeInTheModelMayNotServe) {
  const System system = model(R"toml(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 + x + y"
constraints = ["a*x' - b*y' = 0"]
[parameters]
a = 1
b = 0.5
[initial]
x = 0
)toml");
  MotionOptions options = until(1);
  options.form = Form::voronec;
  const CompiledMotion motion(system, options);
  const std::vector<double> parameters = {1, 0.5, 0, 1, 1, 0, 1e-3, 1};
  const BatchResult result = BatchMotion(motion, 2).run({repeated(motion.initial(), 4), {}, parameters});
  // along (b, a)/√(a² + b²) the force is (a + b)/√(a² + b²)
  for (std::size_t i = 0; i < 4; ++i) {
    const double a = parameters[2 * i], b = parameters[2 * i + 1], way = (a + b) / (a * a + b * b) / 2;
    EXPECT_EQ(result.ends[i].status, MotionStatus::finished);
    EXPECT_EQ(result.ends[i].alone, a < 0.5);
    EXPECT_NEAR(result.last_state(i).q[0], b * way, 1e-14) << i;
    EXPECT_NEAR(result.last_state(i).q[1], a * way, 1e-14) << i;
  }
}

// A force that no series sees from afar, F exp(−((x − 3)/w)²), is found by looking at the equations of the lane itself:
// v² grows by 2 F w √π.
TEST(Batch, EveryLaneIsCheckedByItsOwnEquations) {
  const System system = model(R"toml(
coordinates = ["x"]
lagrangian = "x'^2/2"
[parameters]
F = 0
w = 0.05
[forces]
x = "F*exp(-((x - 3)/w)^2)"
[initial]
"x'" = 1
)toml");
  const CompiledMotion motion(system, until(8));
  const std::vector<double> parameters = {0, 0.05, 1, 0.05, 2, 0.02, 0.5, 0.1};
  const BatchResult result = BatchMotion(motion, 4).run({repeated(motion.initial(), 4), {}, parameters});
  for (std::size_t i = 0; i < 4; ++i) {
    const double F = parameters[2 * i], w = parameters[2 * i + 1];
    EXPECT_EQ(result.ends[i].status, MotionStatus::finished);
    EXPECT_FALSE(result.ends[i].alone);
    EXPECT_NEAR(result.last_state(i).v[0], std::sqrt(1 + 2 * F * w * std::sqrt(std::numbers::pi)), 1e-12) << i;
  }
}

// The mass matrix ((1 + x², b), (b, 1 + x²)) is singular at x = 0 with b = 1: the one motion that begins there has to leave its lane,
// those beside it, from the same place with other b, must not.
TEST(Batch, ALinearSystemThatIsSingularInOneLaneIsSolvedInTheOthers) {
  const System system = model(R"toml(
coordinates = ["x", "y"]
lagrangian = "(1 + x^2)*(x'^2 + y'^2)/2 + b*x'*y'"
[parameters]
b = 0.5
[initial]
"x'" = 1
)toml");
  MotionOptions options = until(1);
  options.form = Form::multipliers;
  const CompiledMotion motion(system, options);
  const std::vector<double> parameters = {0.5, 1, 0.25, -0.5};
  const BatchResult result = BatchMotion(motion, 4).run({repeated(motion.initial(), 4), {}, parameters});
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(result.ends[i].alone, parameters[i] == 1) << i;
    if (parameters[i] == 1) {
      EXPECT_NE(result.ends[i].status, MotionStatus::finished);
      continue;
    }
    // the momentum of y and the energy are constant
    const State last = result.last_state(i);
    const double b = parameters[i], m = 1 + last.q[0] * last.q[0], vx = last.v[0], vy = last.v[1];
    EXPECT_NEAR(m * vy + b * vx, b, 1e-13) << i;
    EXPECT_NEAR(m * (vx * vx + vy * vy) / 2 + b * vx * vy, 0.5, 1e-13) << i;
  }
}

// Starts that are not on the constraints are put there with the radius of the motion, not with that of the model.
TEST(Batch, StatesArePutOnTheConstraintsOfTheirParameters) {
  const System system = model(R"toml(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2"
constraints = ["x^2 + y^2 = r^2"]
[parameters]
r = 1
[initial]
x = 1
"y'" = 1
)toml");
  const CompiledMotion motion(system, until(3));
  const std::vector<double> radii = {1, 2, 0.5};
  const std::vector<double> states = {1, 0, 0, 1, 2 + 1e-5, 0, 0, 1, 0.5, 0, 0, 1};
  const BatchResult result = BatchMotion(motion, 4).run({states, {}, radii});
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const State last = result.last_state(i);
    EXPECT_EQ(result.ends[i].status, MotionStatus::finished) << i;
    EXPECT_NEAR(std::hypot(last.q[0], last.q[1]), radii[i], 1e-13) << i;
    EXPECT_NEAR(last.q[0], radii[i] * std::cos(3 / radii[i]), 1e-11) << i;
  }
}

// Lanes, motions alone and equations made anew, all at once.
TEST(Batch, ThreadsShareItAndSeeTheSame) {
  const System system = gallery_model("appell-hamel");
  const CompiledMotion motion(system, until(1.3));
  const BatchMotion batch(motion, 2);
  const std::vector<double> states = repeated(motion.initial(), 3);
  const std::vector<double> parameters = {1, 9.81, 0.5, 1, 9.81, 0.2, 1, 30, 0.5};  // m, g, a
  const BatchResult expected = batch.run({states, {}, parameters}, 5);
  EXPECT_TRUE(expected.ends[0].alone);
  EXPECT_FALSE(expected.ends[1].alone);
  EXPECT_TRUE(expected.ends[2].alone);
  std::vector<BatchResult> results(4);
  {
    std::vector<std::jthread> threads;
    for (BatchResult& result : results) threads.emplace_back([&] { result = batch.run({states, {}, parameters}, 5); });
  }
  for (const BatchResult& result : results) {
    EXPECT_EQ(result.last, expected.last);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(result.ends[i].status, expected.ends[i].status);
      EXPECT_EQ(result.ends[i].t, expected.ends[i].t);
    }
  }
}

TEST(Batch, ArraysThatDoNotFitAreRefused) {
  const System system = gallery_model("skate");  // 3 coordinates
  const CompiledMotion motion(system, until(1));
  const BatchMotion batch(motion);
  const auto message = [&](const BatchStarts& starts) {
    try {
      (void)batch.run(starts);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_model);
      return error.message();
    }
    return std::string();
  };
  const std::vector<double> states = repeated(motion.initial(), 2), parameters = parameter_values(system);
  const std::vector<double> one = {0}, nan(2, std::nan(""));
  EXPECT_EQ(message({states}), "");
  EXPECT_THAT(message({std::span(states).first(11)}),
              HasSubstr("the states of the batch are 11 numbers, not a multiple of twice the coordinates, 6"));
  EXPECT_THAT(message({states, one}), HasSubstr("the times of the batch are 1 numbers, not one for each of 2 motions"));
  EXPECT_THAT(message({states, {}, parameters}), HasSubstr("for each of 2 motions"));
  EXPECT_THAT(message({states, nan}), HasSubstr("among the times is one that is not a finite number"));
  EXPECT_TRUE(batch.run(BatchStarts{}).ends.empty());
}

// Equations, and machine code, that one value of a parameter has made serve another.
TEST(Batch, MachineCodeHasNoValuesOfParametersInIt) {
  namespace fs = std::filesystem;
  std::string folder = (fs::temp_directory_path() / "cetaev-batch-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  setenv("CETAEV_CACHE", folder.c_str(), 1);
  MotionOptions options = until(0.1, 2);
  options.cache = true;
  Silent silent;
  const System system = gallery_model("skate");
  EXPECT_FALSE(run_motion(system, options, silent).from_cache);
  std::vector<double> parameters = parameter_values(system);
  for (double& value : parameters) value *= 1.7;
  EXPECT_TRUE(run_motion(with_parameters(system, parameters), options, silent).from_cache);
  unsetenv("CETAEV_CACHE");
  fs::remove_all(folder);
}

}  // namespace
}  // namespace cetaev
