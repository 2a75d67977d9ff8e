// Ensembles: every motion is its closed form, whoever computes it beside what.
#include "cetaev/ensemble/ensemble.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <numbers>
#include <thread>

#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

using testing::HasSubstr;

System gallery(const std::string& name) {
  return read_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/" + name + ".toml");
}

struct Wish {
  std::vector<std::string> vary, observe = {};
  double t_end = 2;
  std::size_t count = 0;
  unsigned threads = 1, lanes = 0;
  std::optional<Method> method = {};
};

Ensemble ensemble_of(const System& system, const Wish& wish) {
  EnsembleOptions options;
  options.motion.t_end = wish.t_end;
  options.motion.method = wish.method;
  options.motion.cache = false;
  options.observe = wish.observe;
  options.threads = wish.threads;
  options.lanes = wish.lanes;
  return {system, SweepInputs(system, {wish.vary, wish.count, 0, ""}), options};
}

// All of them, in their order.
SweepRows all_rows(const Ensemble& ensemble) {
  std::map<std::size_t, SweepRows> blocks;
  ensemble.run([&](const EnsembleBlock& block) { blocks[block.number] = block; });
  SweepRows all;
  for (const auto& [number, rows] : blocks) {
    all.inputs.insert(all.inputs.end(), rows.inputs.begin(), rows.inputs.end());
    all.outputs.insert(all.outputs.end(), rows.outputs.begin(), rows.outputs.end());
    all.t.insert(all.t.end(), rows.t.begin(), rows.t.end());
    all.status.insert(all.status.end(), rows.status.begin(), rows.status.end());
    all.diagnosis.insert(all.diagnosis.end(), rows.diagnosis.begin(), rows.diagnosis.end());
  }
  return all;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

constexpr const char* oscillator = R"toml(
coordinates = ["x"]
lagrangian = "m*x'^2/2 - k*x^2/2"
[parameters]
m = 1
k = "4*m"
[initial]
x = 1
[events]
through = {when = "x", direction = -1}
)toml";

// x = A cos(ωt − δ) with A² = x₀² + v₀²/ω², tan δ = v₀/(ω x₀), ω² = k/m. Over T = 7 from x₀ = 1, where x and x' have had all their values if
// ω > 2π/T: max x = A, max x' = Aω; the mean of x² is ∫ A² cos²(ωt − δ) dt / T; x falls through zero at ωt = π/2 + δ.
TEST(Ensemble, OscillatorsAreTheirClosedFormsWithTheirExtremaMeansAndEvents) {
  for (const std::optional<Method> method : {std::optional<Method>(), std::optional(Method::dop853)}) {
    const Ensemble ensemble = ensemble_of(
        read_model(oscillator, "o.toml"),
        {{"k=2:30:15", "x'=[-3, 0, 2]"},
         {"x", "x'^2", "max(x)", "min(x)", "max(x')", "mean(x^2)", "mean(x)", "time(through)", "at(x', through)"},
         7,
         0,
         1,
         0,
         method});
    const SweepRows all = all_rows(ensemble);
    ASSERT_EQ(all.rows(), 45U);
    const double T = 7, close = method ? 1e-11 : 1e-13;
    for (std::size_t i = 0; i < all.rows(); ++i) {
      const double k = all.inputs[2 * i], v0 = all.inputs[2 * i + 1], w = std::sqrt(k);
      const double A = std::hypot(1, v0 / w), d = std::atan2(v0 / w, 1), end = w * T - d;
      const double* const out = all.outputs.data() + 9 * i;
      EXPECT_EQ(all.status[i], MotionStatus::finished);
      EXPECT_NEAR(out[0], A * std::cos(end), close * A * w * T);
      EXPECT_NEAR(out[1], std::pow(A * w * std::sin(end), 2), close * A * A * w * w * w * T);
      EXPECT_NEAR(out[2], A, close * A) << k << " " << v0;
      EXPECT_NEAR(out[3], -A, close * A);
      EXPECT_NEAR(out[4], A * w, close * A * w);
      EXPECT_NEAR(out[5], A * A * (0.5 + (std::sin(2 * end) + std::sin(2 * d)) / (4 * w * T)), close * A * A);
      EXPECT_NEAR(out[6], A * (std::sin(end) + std::sin(d)) / (w * T), close * A);
      EXPECT_NEAR(out[7], (std::numbers::pi / 2 + d) / w, 100 * close);
      EXPECT_NEAR(out[8], -A * w, 100 * close * A * w);
    }
  }
}

// With g along the slope the blade's centre goes along a cycloid: x' = v cos φ, v' = g sin(α) cos φ, φ = ωt from rest give
// x = g sin(α) sin²(ωt)/(2ω²).
TEST(Ensemble, SkatesOfAllSlopesFollowTheirCycloids) {
  const System skate = read_model(R"toml(
coordinates = ["x", "y", "phi"]
lagrangian = "m/2*(x'^2 + y'^2) + J/2*phi'^2 + m*g*x*sin(slope)"
constraints = ["x'*sin(phi) - y'*cos(phi) = 0"]
[parameters]
m = 1
J = 1
g = 9.81
slope = 0.5
[initial]
"phi'" = 1
)toml",
                                  "skate.toml");
  const Ensemble ensemble =
      ensemble_of(skate, {{"slope=0:1.5:10", "phi'=0.5:3:6", "m=[0.5, 2]"}, {"x", "y", "max(x)"}, 3});
  const SweepRows all = all_rows(ensemble);
  ASSERT_EQ(all.rows(), 120U);
  for (std::size_t i = 0; i < all.rows(); ++i) {
    const double a = 9.81 * std::sin(all.inputs[3 * i]), w = all.inputs[3 * i + 1], t = 3;
    const double* const out = all.outputs.data() + 3 * i;
    EXPECT_NEAR(out[0], a * std::pow(std::sin(w * t), 2) / (2 * w * w), 2e-12);
    EXPECT_NEAR(out[1], a * (t / (2 * w) - std::sin(2 * w * t) / (4 * w * w)), 2e-12);
    const double highest = w * t > std::numbers::pi / 2 ? 1 : std::pow(std::sin(w * t), 2);
    EXPECT_NEAR(out[2], a * highest / (2 * w * w), 2e-12);
  }
}

// Constraints on positions and velocities hold at the values of each motion: what is not written moves, what is written stays.
TEST(Ensemble, EveryMotionStartsOnItsOwnConstraints) {
  const System pendulum = read_model(R"toml(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - g*y"
constraints = ["x^2 + y^2 = l^2"]
[parameters]
l = 1
g = 9.81
[initial]
x = "l/2"
y = -1
"x'" = 1
)toml",
                                     "pendulum.toml");
  const Ensemble ensemble = ensemble_of(
      pendulum, {{"l=0.5:3:12", "x'=[0, 1]"}, {"x^2 + y^2 - l^2", "(x'^2 + y'^2)/2 + g*y", "x*x' + y*y'"}, 1});
  const SweepRows all = all_rows(ensemble);
  for (std::size_t i = 0; i < all.rows(); ++i) {
    EXPECT_EQ(all.status[i], MotionStatus::finished);
    EXPECT_NEAR(all.outputs[3 * i], 0, 1e-12);
    EXPECT_NEAR(all.outputs[3 * i + 2], 0, 1e-12);
  }
}

// Whether a motion is in a lane beside others or beside nobody, on which thread, in which block: bit for bit the same.
TEST(Ensemble, ThreadsLanesAndOrderDoNotMatterToTheLastBit) {
  for (const char* name : {"skate", "chaplygin-sleigh", "rolling-disc", "double-pendulum", "appell-hamel"}) {
    const System system = gallery(name);
    const std::string parameter(system->parameters.front().symbol.name());
    Wish wish{{parameter + "=0.5:2:50"}, {}, 1};
    const SweepRows expected = all_rows(ensemble_of(system, wish));
    for (const auto& [threads, lanes] : {std::pair{2U, 0U}, {1U, 1U}, {2U, 2U}, {1U, 4U}}) {
      wish.threads = threads;
      wish.lanes = lanes;
      const SweepRows other = all_rows(ensemble_of(system, wish));
      EXPECT_TRUE(same_bits(expected.outputs, other.outputs)) << name << " " << threads << " " << lanes;
      EXPECT_TRUE(same_bits(expected.t, other.t)) << name;
      EXPECT_EQ(expected.status, other.status) << name;
    }
    const Ensemble ensemble = ensemble_of(system, wish);
    for (std::size_t block = ensemble.blocks(); block-- > 0;) {
      const EnsembleBlock alone = ensemble.compute(block);
      EXPECT_EQ(std::memcmp(alone.outputs.data(), expected.outputs.data() + alone.first * ensemble.observables().size(),
                            alone.outputs.size() * sizeof(double)),
                0)
          << name;
    }
  }
}

// Appell and Hamel's particle comes to rest at t = u₀ (1 + a²)/(a g), x'' = x'^2 escapes at t = 1/x'(0), there is no circle of
// imaginary radius to start on; those beside them go on.
TEST(Ensemble, TheEndOfOneMotionIsNoneOfTheOthers) {
  const System particle = gallery("appell-hamel");
  const SweepRows ends = all_rows(ensemble_of(particle, {{"a=0.1:1:19"}, {}, 1.3}));
  for (std::size_t i = 0; i < ends.rows(); ++i) {
    const double a = ends.inputs[i], u = std::hypot(3, 4), rest = u * (1 + a * a) / (a * 9.81);
    if (std::abs(rest - 1.3) < 1e-3) continue;
    EXPECT_EQ(ends.status[i], rest < 1.3 ? MotionStatus::singular : MotionStatus::finished) << a;
    if (rest < 1.3) {
      EXPECT_NEAR(ends.t[i], rest, 1e-6);
    }
  }

  const System escape = read_model(R"toml(
coordinates = ["x"]
lagrangian = "x'^2/2"
[forces]
x = "x'^2"
)toml",
                                   "escape.toml");
  const SweepRows escapes = all_rows(ensemble_of(escape, {{"x'=0.1:1.9:10"}, {"x'"}, 1}));
  for (std::size_t i = 0; i < escapes.rows(); ++i) {
    const double v = escapes.inputs[i];
    EXPECT_EQ(escapes.status[i], v > 1 ? MotionStatus::failed : MotionStatus::finished) << v;
    if (v > 1) {
      EXPECT_EQ(escapes.diagnosis[i], ErrorCode::finite_escape);
    } else {
      EXPECT_NEAR(escapes.outputs[i] * (1 - v), v, 1e-11);
    }
  }

  const System circle = read_model(R"toml(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2"
constraints = ["x^2 + y^2 = c"]
[parameters]
c = 1
[initial]
x = 1
y = 0
"y'" = 1
)toml",
                                   "circle.toml");
  const SweepRows starts = all_rows(ensemble_of(circle, {{"c=-1:2:16"}, {}, 1}));
  for (std::size_t i = 0; i < starts.rows(); ++i) {
    if (std::abs(starts.inputs[i]) < 1e-9) continue;
    EXPECT_EQ(starts.status[i], starts.inputs[i] > 0 ? MotionStatus::finished : MotionStatus::failed)
        << starts.inputs[i];
    EXPECT_EQ(std::isnan(starts.outputs[4 * i]), starts.inputs[i] < 0);
  }
}

// A bead on a wire that is level, or upright, among slopes in between: x'' along the wire is (2 sin α − cos α).
TEST(Ensemble, ASlopeOfNothingIsOneOfMany) {
  const System bead = read_model(
      "coordinates = ['x', 'y']\nlagrangian = \"x'^2/2 + y'^2/2 - x + 2*y\"\n"
      "constraints = [\"x'*sin(alpha) - y'*cos(alpha) = 0\"]\n[parameters]\nalpha = 0.5\n",
      "bead.toml");
  for (const char* slopes : {"alpha=[0, 0.5, 1, pi/2]", "alpha=[0]", "alpha=[pi/2, 0]"}) {
    const SweepRows rows = all_rows(ensemble_of(bead, {{slopes}, {"x", "y"}, 1}));
    for (std::size_t i = 0; i < rows.t.size(); ++i) {
      const double alpha = rows.inputs[i], along = (2 * std::sin(alpha) - std::cos(alpha)) / 2;
      EXPECT_EQ(rows.status[i], MotionStatus::finished) << slopes << i;
      EXPECT_NEAR(rows.outputs[2 * i], along * std::cos(alpha), 1e-14) << slopes << i;
      EXPECT_NEAR(rows.outputs[2 * i + 1], along * std::sin(alpha), 1e-14) << slopes << i;
    }
  }
}

// What has no mass has no accelerations, whatever algebra has cancelled for the others.
TEST(Ensemble, NothingMovesWithoutMass) {
  for (const char* name : {"skate", "chaplygin-sleigh"}) {
    for (const char* form : {"", "hamel", "multipliers", "maggi", "gauss", "reduced"}) {
      EnsembleOptions options;
      options.motion.t_end = 1;
      options.motion.cache = false;
      if (*form != '\0') options.motion.form = parse_form(form);
      const System system = gallery(name);
      const SweepRows rows = all_rows({system, SweepInputs(system, {{"m=[0, 1]"}, 0, 0, ""}), options});
      EXPECT_EQ(rows.status[0], MotionStatus::failed) << name << form;
      EXPECT_EQ(rows.diagnosis[0], ErrorCode::singular_mass_matrix) << name << form;
      EXPECT_EQ(rows.status[1], MotionStatus::finished) << name << form;
    }
  }
}

// A disc that nearly lies flat: no motion that has lost its energy is called finished.
TEST(Ensemble, MotionsThatLoseTheirEnergyAreNotFinished) {
  const System disc = gallery("rolling-disc");
  for (const char* form : {"hamel", "multipliers"}) {
    EnsembleOptions options;
    options.motion.t_end = 0.4;
    options.motion.cache = false;
    options.motion.form = parse_form(form);
    options.observe = {
        "m/2*dot(C', C') + m*r^2/8*(theta'^2 + psi'^2*cos(theta)^2) + m*r^2/4*(phi' + psi'*sin(theta))^2 + "
        "m*g*r*cos(theta)"};
    const SweepRows rows = all_rows({disc, SweepInputs(disc, {{"theta=[1.4, 1.5, 1.55]"}, 0, 0, ""}), options});
    const SweepRows starts = [&] {
      options.motion.t_end = 0;
      return all_rows({disc, SweepInputs(disc, {{"theta=[1.4, 1.5, 1.55]"}, 0, 0, ""}), options});
    }();
    for (std::size_t i = 0; i < rows.t.size(); ++i) {
      if (rows.status[i] != MotionStatus::finished) continue;
      EXPECT_NEAR(rows.outputs[i], starts.outputs[i], 1e-6) << form << i;
    }
  }
}

TEST(Ensemble, ObservablesThatDoNotExistArePointedAt) {
  const System system = read_model(oscillator, "o.toml");
  const auto complaint = [&](const std::string& text) -> std::string {
    try {
      (void)ensemble_of(system, {{"k=1:2:3"}, {text}});
    } catch (const Error& error) {
      EXPECT_EQ(error.position()->file, "--observe");
      return std::to_string(error.position()->column) + ": " + error.message() + " (" + error.suggestion() + ")";
    }
    return "";
  };
  EXPECT_THAT(complaint("max(z)"), HasSubstr("5: "));
  EXPECT_THAT(complaint("time(trough)"), HasSubstr("6: the model has no event 'trough' (through)"));
  EXPECT_THAT(complaint("max(x"), HasSubstr(": "));
  EXPECT_EQ(complaint("x''"), "");  // an acceleration is none of these
  EXPECT_THAT(complaint("at(x)"), HasSubstr("at(EXPRESSION, EVENT)"));
  EXPECT_EQ(complaint("(x + 1)*(x - 1)"), "");
}

TEST(Ensemble, WhoIsAskedToStopHandsOutNoMore) {
  const Ensemble ensemble = ensemble_of(read_model(oscillator, "o.toml"), {{"k=1:2:100"}, {}, 1});
  std::size_t blocks = 0;
  const EnsembleSummary summary =
      ensemble.run([&](const EnsembleBlock&) { ++blocks; }, nullptr, [&] { return blocks < 3; });
  EXPECT_TRUE(summary.interrupted);
  EXPECT_EQ(blocks, 3U);
  EXPECT_EQ(summary.count, 3 * ensemble.block_size());
  EXPECT_THROW(ensemble.run([](const EnsembleBlock&) { throw Error(ErrorCode::cannot_write, "full"); }), Error);
}

TEST(Ensemble, AGpuThatIsNotThereIsSaid) {
  EnsembleOptions options;
  options.device = Device::gpu;
  const System system = read_model(oscillator, "o.toml");
  try {
    Ensemble(system, SweepInputs(system, {{"k=1:2:3"}, 0, 0, ""}), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(exit_code(error.code()), 4);
  }
}

}  // namespace
}  // namespace cetaev
