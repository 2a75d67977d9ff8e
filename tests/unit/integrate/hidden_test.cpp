// Forces that the series at the start of a step cannot see: below rounding there, beyond a jump, or zero to every order.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cetaev/integrate/batch.hpp"
#include "cetaev/integrate/compiled_motion.hpp"
#include "cetaev/integrate/motion.hpp"
#include "cetaev/model/read.hpp"
#include "motions.hpp"

namespace cetaev {
namespace {

System particle(const std::string& lagrangian, const std::string& force, const std::string& initial) {
  return read_model("coordinates = [\"x\", \"y\"]\nlagrangian = \"" + lagrangian + "\"\n[forces]\nx = \"" + force +
                        "\"\n[initial]\n" + initial + "\n",
                    "particle.toml");
}

State end_of(const System& system, const MotionOptions& options) {
  Silent nobody;
  const MotionSummary summary = run_motion(system, options, nobody);
  EXPECT_EQ(summary.status, MotionStatus::finished);
  EXPECT_EQ(summary.last.t, options.t_end);
  return summary.last;
}

const std::string free = "(x'^2 + y'^2)/2", oscillator = "(x'^2 + y'^2)/2 - (x^2 + y^2)/2";

// The force is a function of x alone: v² = v₀² + 2 ∫ F dx.
TEST(Hidden, ABumpOnTheWayOfAFreeParticleDoesItsWork) {
  const System system = particle(free, "exp(-((x - 3)/0.05)^2)", "\"x'\" = 1");
  for (const Backend backend : {Backend::jit, Backend::interpreter}) {
    MotionOptions options = until(8);
    options.backend = backend;
    EXPECT_NEAR(end_of(system, options).v[0], std::sqrt(1 + 0.1 * std::sqrt(std::numbers::pi)), 1e-12);
  }
}

TEST(Hidden, AStepInTheForceIsMet) {
  const State last = end_of(particle(free, "0.3*(1 + tanh(100*(x - 3)))", "\"x'\" = 1"), until(8));
  // ∫ 0.3 (1 + tanh(100 (x − 3))) dx = 0.3 (x + log(2 cosh(100 (x − 3)))/100) up to a constant
  const auto work = [](double x) {
    const double u = std::abs(100 * (x - 3));
    return 0.3 * (x + (u + std::log1p(std::exp(-2 * u))) / 100);
  };
  EXPECT_GT(last.q[0], 15);
  EXPECT_NEAR(last.v[0] * last.v[0] / 2 - 0.5, work(last.q[0]) - work(0), 1e-11);
}

// From rest at a height of 1: the energy is that of the start, and after a bounce the heights are reached again.
TEST(Hidden, ASoftFloorHoldsABall) {
  const System system = particle("(x'^2 + y'^2)/2 - 9.81*x - exp(-200*x)/200", "0", "x = 1");
  const State last = end_of(system, until(8));
  EXPECT_GT(last.q[0], -0.1);
  EXPECT_NEAR(last.v[0] * last.v[0] / 2 + 9.81 * last.q[0] + std::exp(-200 * last.q[0]) / 200, 9.81, 1e-11);
  EXPECT_NEAR(last.q[0], end_of(system, until(8, Method::dop853)).q[0], 1e-9);
}

// x'' = t³⁰ has no term that an order of 26 shows.
TEST(Hidden, TermsOfHighOrderAreNoticed) {
  const double t = 1.5;
  EXPECT_NEAR(end_of(particle(free, "t^30", ""), until(t)).q[0], std::pow(t, 32) / (31 * 32),
              1e-10 * std::pow(t, 32) / 992);
  const System waves = particle(free, "sin(50*t^3)", "");  // powers 3, 9, 15, 21 alone
  EXPECT_NEAR(end_of(waves, until(2)).q[0], end_of(waves, until(2, Method::dop853)).q[0], 1e-11);
}

TEST(Hidden, JumpsAndKinksAreCrossed) {
  for (const char* force :
       {"0.1*atan2(y, x)", "0.1*atan(y/x)", "0.1*asin(sin(3*y + 2))", "0.1*atan(tan(2*y))", "0.1*abs(abs(y) - 0.3)",
        "0.1*abs(sin(5*x))", "-0.1*tanh(x'/0.01)", "0.2*tanh(50*sin(t))"}) {
    const System system = particle(oscillator, force, "x = 1\n\"y'\" = 1");
    const State taylor = end_of(system, until(10)), dop853 = end_of(system, until(10, Method::dop853));
    EXPECT_NEAR(taylor.q[0], dop853.q[0], 1e-10) << force;
    EXPECT_NEAR(taylor.v[0], dop853.v[0], 1e-10) << force;
  }
}

// x = t up to the wall, half a period π/√k in it, and back: x(8) = −2 + π/√k.
TEST(Hidden, AWallIsAsStiffAsItsNumberWhoeverEvaluatesIt) {
  const std::string wall = "*((abs(x - 3) + x - 3)/2)^2/2", start = "\"x'\" = 1";
  const System number = particle(free + " - 1e12" + wall, "0", start),
               parameter = particle(free + " - k" + wall, "0", start + "\n[parameters]\nk = 1e12"),
               force = particle(free, "-1e12*(abs(x - 3) + x - 3)/2", start);
  for (const System& system : {number, parameter, force}) {
    std::vector<double> ends;
    for (const Backend backend : {Backend::jit, Backend::interpreter}) {
      MotionOptions options = until(8);
      options.backend = backend;
      ends.push_back(end_of(system, options).q[0]);
      EXPECT_NEAR(ends.back(), -2 + std::numbers::pi / 1e6, 1e-10);
    }
    EXPECT_NEAR(ends[0], ends[1], 1e-11);
  }
}

// A circle of radius 1 about x = c, run through once a second: positions are known to the rounding of c, and energies with them.
TEST(Hidden, ACircleIsAsRoundAwayFromTheOrigin) {
  for (const std::string c : {"5", "1e4", "1e6"}) {
    const double centre = std::stod(c);
    for (const bool parameter : {false, true}) {
      const std::string at = parameter ? "c" : c;
      const System system =
          read_model("coordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + y'^2)/2 + 1/sqrt((x - " + at +
                         ")^2 + y^2)\"\n[parameters]\nc = " + c + "\n[initial]\nx = \"" + c + " + 1\"\n\"y'\" = 1\n",
                     "circle.toml");
      for (const Method method : {Method::taylor, Method::dop853}) {
        MotionOptions options = until(10);
        options.method = method;
        const State end = end_of(system, options);
        const double known = 1e-12 + 100 * 2.3e-16 * centre;
        EXPECT_NEAR(end.q[0] - centre, std::cos(10.0), known) << at << " " << method;
        EXPECT_NEAR(end.q[1], std::sin(10.0), known) << at << " " << method;
      }
    }
  }
}

// x'' = g(t) from rest: x' = ∫ g dt, by closed forms.
TEST(Hidden, PulsesInTimeDoTheirWorkWithEveryMethod) {
  struct Pulse {
    std::string force;
    double impulse;
  };
  const double root_pi = std::sqrt(std::numbers::pi);
  // exp(−a²(t − c)²) cos(w t) has the impulse √π/a exp(−w²/4a²) cos(w c)
  const std::vector<Pulse> pulses = {
      {"exp(-10000*(t - 5)^2)", root_pi / 100},
      {"exp(-1e8*(t - 7.123)^2)", root_pi / 1e4},
      {"3*exp(-10000*(t - 5)^2)*cos(20*t)", 3 * root_pi / 100 * std::exp(-0.01) * std::cos(100.0)},
      {"exp(-(t - 2)^2*90000) + exp(-40000*(t - 6.1)^2) - 2*exp(-10000*(t - 8.7)^2)",
       root_pi / 300 + root_pi / 200 - 2 * root_pi / 100},
      {"1/(1 + 1e8*(t - 3)^2)", (std::atan(7e4) + std::atan(3e4)) / 1e4},
      {"1000*(1 - tanh(3000*(t - 4.2))^2)", 2.0 / 3},
      {"(1 + tanh(1e4*(t - 9.9)))/2", 0.1},
      {"1/cosh(90*(t - pi))", std::numbers::pi / 90},
      {"exp(-t/3) + 5*exp(-1e6*(t - 1)^2)", 3 * (1 - std::exp(-10.0 / 3)) + 5 * root_pi / 1000},
      {"a*exp(-b*(t - 5.5)^2)", 2 * root_pi / 200},
  };
  for (const auto& [force, impulse] : pulses) {
    const System system = particle(free, force, "[parameters]\na = 2\nb = 4e4");
    for (const Method method : methods) {
      const State last = end_of(system, until(10, method));
      EXPECT_NEAR(last.v[0], impulse, 3 * accuracy(method)) << force << method;
      EXPECT_NEAR(last.q[1], 0, 1e-14);
    }
    // and back again
    const System back = particle(free, force, "t = 10\n[parameters]\na = 2\nb = 4e4");
    EXPECT_NEAR(end_of(back, until(0)).v[0], -impulse, 1e-11) << force;
  }
  const CompiledMotion motion(particle(free, pulses[0].force, ""), until(10));
  std::vector<State> starts(5, motion.initial());
  for (std::size_t i = 0; i < starts.size(); ++i) starts[i].v[0] = 0.3 * static_cast<double>(i);
  const BatchResult result = BatchMotion(motion).run(starts);
  for (std::size_t i = 0; i < starts.size(); ++i)
    EXPECT_NEAR(result.last_state(i).v[0], starts[i].v[0] + pulses[0].impulse, 1e-12) << i;
}

// Ten thousand periods of a pulse train are not searched one by one.
TEST(Hidden, AMotionSaysThatItsTimeWasNotSearched) {
  MotionOptions options = until(1e5, 2);
  options.tolerance = 1e-6;
  Silent nobody;
  const MotionSummary summary = run_motion(particle(free, "1e-6*exp(-2*sin(t)^2)", ""), options, nobody);
  const auto says = [](const std::string& note) { return note.find("searched for short pulses") != std::string::npos; };
  EXPECT_TRUE(std::any_of(summary.notes.begin(), summary.notes.end(), says));
  options.t_end = 100;
  const MotionSummary shorter = run_motion(particle(free, "1e-6*exp(-2*sin(t)^2)", ""), options, nobody);
  EXPECT_TRUE(std::none_of(shorter.notes.begin(), shorter.notes.end(), says));
}

TEST(Hidden, LanesLookToo) {
  const System system = particle(free, "exp(-((x - 3)/0.05)^2)", "\"x'\" = 1");
  const CompiledMotion motion(system, until(8));
  std::vector<State> starts(5, motion.initial());
  for (std::size_t i = 0; i < starts.size(); ++i) starts[i].v[0] = 0.8 + 0.1 * static_cast<double>(i);
  const BatchResult result = BatchMotion(motion).run(starts);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const double before = starts[i].v[0];
    EXPECT_NEAR(result.last_state(i).v[0], std::sqrt(before * before + 0.1 * std::sqrt(std::numbers::pi)), 1e-12) << i;
  }
}

// Steps without forces grow until one of them passes over the set: x = t, and at x = 1 the inertia of y is gone; a
// parallelogram falls into line after a quarter of a turn.
TEST(Hidden, LongStepsDoNotPassOverASingularSet) {
  const System mass = read_model(
      "coordinates = [\"x\", \"y\"]\nlagrangian = \"x'^2/2 + (1 - x)^2*y'^2/2\"\n[initial]\n\"x'\" = 1\n", "mass.toml");
  const System bars = read_model(R"toml(
coordinates = ["a", "b", "c"]
lagrangian = "(a'^2 + b'^2 + 2*c'^2)/2"
constraints = ["cos(a) + 2*cos(b) = 2 + cos(c)", "sin(a) + 2*sin(b) = sin(c)"]
[initial]
a = "pi/2"
b = 0
c = "pi/2"
"a'" = -1
"c'" = -1
)toml",
                                 "bars.toml");
  for (const Method method : methods) {
    const MotionOptions options = until(4, method);
    Silent nobody;
    const MotionSummary massless = run_motion(mass, options, nobody), in_line = run_motion(bars, options, nobody);
    EXPECT_EQ(massless.status, MotionStatus::singular) << method;
    EXPECT_NEAR(massless.singular_at.value_or(0), 1, 1e-9) << method;
    EXPECT_EQ(in_line.status, MotionStatus::singular) << method;
    EXPECT_NEAR(in_line.singular_at.value_or(0), std::numbers::pi / 2, 1e-9) << method;
  }
}

// x x'²/2 is conserved, so that x = (1 − 3 t/2)^(2/3).
TEST(Hidden, AMassThatVanishesIsTheEnd) {
  const System system =
      read_model("coordinates = [\"x\"]\nlagrangian = \"x*x'^2/2\"\n[initial]\nx = 1\n\"x'\" = -1\n", "mass.toml");
  for (const Method method : {Method::taylor, Method::adams, Method::bdf}) {
    Silent nobody;
    const MotionSummary summary = run_motion(system, until(1, method), nobody);
    EXPECT_EQ(summary.status, MotionStatus::singular) << method;
    EXPECT_NEAR(summary.singular_at.value_or(0), 2.0 / 3, 1e-9) << method;
    ASSERT_TRUE(summary.diagnosis) << method;
    EXPECT_EQ(summary.diagnosis->code(), ErrorCode::singular_mass_matrix) << method;
  }
}

// The second point comes to rest at 0.8660905577, where its velocity and with it a row of the constraints vanishes. Steps with
// errors pass beside that, and redundant rows contradict each other by as much; neither is to be missed or made too much of.
TEST(Hidden, ASingularSetIsMetAtAnyTolerance) {
  const System system =
      read_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/zekovic-perpendicular-along-space.toml");
  for (const Method method : {Method::taylor, Method::dop853}) {
    for (const double tolerance : {1e-14, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8}) {
      MotionOptions options = until(3, method);
      options.tolerance = tolerance;
      Silent nobody;
      const MotionSummary summary = run_motion(system, options, nobody);
      EXPECT_EQ(summary.status, MotionStatus::singular) << method << tolerance;
      EXPECT_NEAR(summary.singular_at.value_or(0), 0.8660905577, std::max(1e-8, std::sqrt(tolerance)))
          << method << tolerance;
    }
  }
}

// x'' = 10⁴ x g(t), g of width 10⁻⁵ and of area 5π/16 times that; x is one while it lasts.
TEST(Hidden, APulseThatMultipliesThePlaceIsMet) {
  const System system = particle(free, "1e4*x/(1 + 1e10*(t - 5)^2)^4", "x = 1");
  for (const Method method : methods)
    EXPECT_NEAR(end_of(system, until(10, method)).v[0], 5 * std::numbers::pi / 160, 1e-7) << method;
}

}  // namespace
}  // namespace cetaev
