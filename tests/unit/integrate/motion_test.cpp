// Motions of gallery models against what is known about them.
#include "cetaev/integrate/motion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "cetaev/formulation/formulation.hpp"
#include "cetaev/model/read.hpp"
#include "motions.hpp"

namespace cetaev {
namespace {

// x = k/2 sin² φ, y = k/4 (2φ − sin 2φ), φ = ω t, k = g sin β / ω²
TEST(Motion, OfTheSkateIsItsCycloid) {
  const System system = gallery_model("skate");
  for (const Method method : methods) {
    for (const Backend backend : {Backend::interpreter, Backend::jit}) {
      MotionOptions options = until(20);
      options.method = method;
      options.backend = backend;
      Keeper keeper;
      const MotionSummary summary = run_motion(system, options, keeper);
      EXPECT_EQ(summary.status, MotionStatus::finished);
      EXPECT_EQ(summary.form, "hamel");
      ASSERT_EQ(keeper.points.size(), 101U);
      const double w = 1.3, k = 9.81 * std::sin(std::numbers::pi / 6) / (w * w);
      for (const auto& p : keeper.points) {
        const double phi = w * p.t;
        EXPECT_NEAR(p.q[2], phi, 30 * accuracy(method));
        EXPECT_NEAR(p.q[0], k / 2 * std::sin(phi) * std::sin(phi), 10 * accuracy(method)) << method << p.t;
        EXPECT_NEAR(p.q[1], k / 4 * (2 * phi - std::sin(2 * phi)), 40 * accuracy(method)) << method << p.t;
        // λ of x' sin φ − y' cos φ = 0: m (x'' sin φ − y'' cos φ) − m g sin β sin φ
        const double x2 = k * w * w * std::cos(2 * phi), y2 = k * w * w * std::sin(2 * phi);
        const double lambda = x2 * std::sin(phi) - y2 * std::cos(phi) - 4.905 * std::sin(phi);
        EXPECT_NEAR(p.multipliers[0], lambda, 100 * accuracy(method));
      }
      EXPECT_LT(summary.energy_drift, 20 * accuracy(method));
    }
  }
}

// Nobody reads the samples: the figures of the summary do not need them all.
TEST(Motion, ComputesNoSamplesForNobody) {
  class Nobody : public Recorder {
   public:
    void sample(const MotionPoint&) override { ++samples; }
    bool wants_samples() const override { return false; }
    std::size_t samples = 0;
  } nobody;
  const MotionSummary summary = run_motion(gallery_model("skate"), until(10, 1'000'000'000), nobody);
  EXPECT_EQ(summary.status, MotionStatus::finished);
  EXPECT_EQ(summary.last.t, 10);
  EXPECT_LT(nobody.samples, 100'000U);
  EXPECT_GT(nobody.samples, 1000U);
  EXPECT_EQ(summary.samples, nobody.samples);
}

// The rounding errors of the equations and of the projection are larger than the tolerance of small variables: no reason to stop.
TEST(Motion, ByCvodeIsNotStoppedByRounding) {
  for (const std::string model : {"snakeboard-driven", "constant-distance", "midpoint-along-equal-speeds-plane"}) {
    MotionOptions options = until(20, 2);
    Silent silent;
    const MotionSummary expected = run_motion(gallery_model(model), options, silent);
    options.method = Method::bdf;
    const MotionSummary summary = run_motion(gallery_model(model), options, silent);
    EXPECT_EQ(summary.status, MotionStatus::finished) << model;
    // what rounding makes of small variables holds steps down: 28,569 of the first model with one code, 73,556 with another
    EXPECT_LT(summary.steps, 200'000U) << model;
    for (std::size_t i = 0; i < expected.last.q.size(); ++i)
      EXPECT_NEAR(summary.last.q[i], expected.last.q[i], 1e-5 * (1 + std::abs(expected.last.q[i]))) << model;
  }
}

// The centre of the ball goes round a circle at 2/7 of the rate of the table: P'' = k Ω × P'.
TEST(Motion, OfTheBallOnATurntableIsACircle) {
  MotionOptions options = until(3, 31);
  Keeper keeper;
  const MotionSummary summary = run_motion(gallery_model("ball-on-turntable"), options, keeper);
  EXPECT_EQ(summary.status, MotionStatus::finished);
  const double w = 2.0 * 2 / 7;
  for (const auto& p : keeper.points) {
    const double c = std::cos(w * p.t), s = std::sin(w * p.t);
    EXPECT_NEAR(p.q[0], 0.5 + (0.4 * s - 0.7 * (1 - c)) / w, 1e-11);
    EXPECT_NEAR(p.q[1], -0.2 + (0.4 * (1 - c) + 0.7 * s) / w, 1e-11);
    EXPECT_LT(p.residual, 1e-12);
  }
}

// A pendulum in Cartesian coordinates against the same in its angle, through the reversed motion as well.
TEST(Motion, InCartesianCoordinatesIsThatOfTheAngle) {
  const System cartesian = read_model(R"toml(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - 9.81*y"
constraints = ["x^2 + y^2 = 1"]
[initial]
x = 0.8
y = -0.6
)toml",
                                      "cartesian.toml");
  const System angle = read_model(R"toml(
coordinates = ["a"]
lagrangian = "a'^2/2 + 9.81*cos(a)"
[initial]
a = "atan2(0.8, 0.6)"
)toml",
                                  "angle.toml");
  Keeper one, other;
  run_motion(cartesian, until(20), one);
  run_motion(angle, until(20), other);
  for (std::size_t i = 0; i < one.points.size(); ++i) {
    EXPECT_NEAR(one.points[i].q[0], std::sin(other.points[i].q[0]), 1e-11);
    EXPECT_NEAR(one.points[i].q[1], -std::cos(other.points[i].q[0]), 1e-11);
    EXPECT_LT(one.points[i].residual, 1e-13);
  }
}

// Every form of d'Alembert–Lagrange gives the motion of multipliers.
TEST(Motion, IsTheSameInEveryForm) {
  std::size_t compared = 0;
  for (const std::string name : {"skate", "chaplygin-sleigh", "rolling-disc", "zekovic", "appell-hamel", "suslov",
                                 "pursuit", "contact-oscillator", "equal-speeds-plane", "prescribed-speed-varying",
                                 "affine-degree-2", "cart", "pendulum"}) {
    const System system = gallery_model(name);
    MotionOptions options = until(0.4, 3);
    options.backend = Backend::interpreter;
    Keeper reference;
    options.form = "multipliers";
    run_motion(system, options, reference);
    for (const Principle& principle : principles()) {
      if (!principle.dalembert_lagrange) continue;
      options.form = principle.name;
      Keeper keeper;
      try {
        run_motion(system, options, keeper);
      } catch (const Error& error) {
        // the form does not apply, or not with the auxiliary functions at hand
        EXPECT_TRUE(error.code() == ErrorCode::not_applicable || error.code() == ErrorCode::not_caplygin ||
                    error.code() == ErrorCode::singular_auxiliary)
            << error.what();
        continue;
      }
      ASSERT_EQ(keeper.points.size(), reference.points.size()) << name << to_string(options.form);
      for (std::size_t i = 0; i < keeper.points.size(); ++i) {
        for (std::size_t j = 0; j < system->size(); ++j) {
          EXPECT_NEAR(keeper.points[i].q[j], reference.points[i].q[j], 2e-12) << name << " " << to_string(options.form);
          EXPECT_NEAR(keeper.points[i].v[j], reference.points[i].v[j], 2e-11) << name << " " << to_string(options.form);
        }
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 60U);
}

// Every principle can be integrated, vakonomic and mvm1 with their λ among the state.
TEST(Motion, GoesByEveryPrinciple) {
  const System skate = gallery_model("skate").scratch().with([](SystemData& data) {
    data.transpositional = Transpositional{Transpositional::View::hoelder, {}, {}};
  });
  for (const Principle& principle : principles()) {
    MotionOptions options = until(1, 11);
    options.form = principle.name;
    options.backend = Backend::interpreter;
    Keeper keeper;
    const MotionSummary summary = run_motion(skate, options, keeper);
    EXPECT_EQ(summary.status, MotionStatus::finished) << principle.name;
    EXPECT_LT(summary.max_residual, 1e-12) << principle.name;
    EXPECT_LT(summary.energy_drift, 1e-12) << principle.name;
  }
}

TEST(Motion, RunsBackwardsToWhereItBegan) {
  for (const Method method : methods) {
    MotionOptions options = until(3, 2);
    options.method = method;
    Keeper there;
    const System system = gallery_model("rolling-disc-vertical");
    run_motion(system, options, there);
    std::vector<std::string> settings = {"t=3"};
    char text[64];
    for (std::size_t i = 0; i < system->size(); ++i) {
      std::snprintf(text, sizeof text, "=%.17g", there.points.back().q[i]);
      settings.push_back(system->coordinates[i] + text);
      std::snprintf(text, sizeof text, "'=%.17g", there.points.back().v[i]);
      settings.push_back(system->coordinates[i] + text);
    }
    options.t_end = 0;
    Keeper back;
    run_motion(gallery_model("rolling-disc-vertical", settings), options, back);
    for (std::size_t i = 0; i < system->size(); ++i)
      EXPECT_NEAR(back.points.back().q[i], there.points.front().q[i], 10 * accuracy(method)) << method;
  }
}

// Dependent velocities that degrade on the way are replaced: with y dependent the skate turned by 90° has none.
TEST(Motion, ChoosesOtherDependentVelocitiesWithoutASeam) {
  MotionOptions options = until(10);
  options.form = "voronec";
  Keeper keeper;
  const MotionSummary summary = run_motion(gallery_model("skate"), options, keeper);
  EXPECT_EQ(summary.status, MotionStatus::finished);
  EXPECT_GT(summary.reselections, 2U);
  const double w = 1.3, k = 9.81 * std::sin(std::numbers::pi / 6) / (w * w);
  for (const auto& p : keeper.points) {
    const double phi = w * p.t;
    EXPECT_NEAR(p.q[1], k / 4 * (2 * phi - std::sin(2 * phi)), 2e-11);
    EXPECT_LT(p.residual, 1e-12);
  }
}

TEST(Motion, FindsEventsToRounding) {
  const System system = read_model(R"toml(
coordinates = ["x"]
lagrangian = "x'^2/2 - x^2/2"
[initial]
x = 1
[events]
up   = {when = "x", direction = 1}
both = {when = "x'"}
late = {when = "t - 9.5", action = "stop"}
)toml",
                                   "oscillator.toml");
  for (const Method method : methods) {
    MotionOptions options = until(100, 1001);
    options.method = method;
    Keeper keeper;
    const MotionSummary summary = run_motion(system, options, keeper);
    EXPECT_EQ(summary.status, MotionStatus::event);
    EXPECT_EQ(summary.stopping_event, std::size_t{2});
    EXPECT_NEAR(summary.last.t, 9.5, 1e-14);
    EXPECT_EQ(keeper.points.size(), 96U);  // 0, 0.1, …, 9.5
    std::vector<double> up, both;
    for (std::size_t i = 0; i < keeper.events.size(); ++i) {
      (keeper.events[i] == 0 ? up : both).push_back(keeper.event_points[i].t);
    }
    ASSERT_EQ(up.size(), 1U);
    const double error = method == Method::bdf ? 1e-11 : 1e-12;
    EXPECT_NEAR(up[0], 3 * std::numbers::pi / 2, error) << method;
    ASSERT_EQ(both.size(), 4U);  // π, 2π, 3π, and the stop
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(both[i], (i + 1) * std::numbers::pi, error) << method;
  }
}

// A free particle takes one step, however often the event happens.
TEST(Motion, FindsFastEventsOfSlowMotions) {
  const System system = read_model(R"toml(
coordinates = ["x"]
lagrangian = "x'^2/2"
[initial]
x = 0.01
"x'" = 1
[events]
fast = {when = "sin(5*x)"}
)toml",
                                   "fast.toml");
  for (const Method method : methods) {
    MotionOptions options = until(10, 2);
    options.method = method;
    Keeper keeper;
    run_motion(system, options, keeper);
    ASSERT_EQ(keeper.events.size(), 15U) << method;
    for (std::size_t i = 0; i < 15; ++i)
      EXPECT_NEAR(keeper.event_points[i].t, static_cast<double>(i + 1) * std::numbers::pi / 5 - 0.01, 1e-12);
  }
}

// No time at all, but not at zero.
// x = sin t: a pole changes its sign and is no zero; tan t has one at every multiple of π, and poles between.
TEST(Motion, PolesAreNoEvents) {
  const System system = read_model(R"toml(
coordinates = ["x"]
lagrangian = "x'^2/2 - x^2/2"
[initial]
"x'" = 1
[events]
never = "1/(x - 0.3)"
tangent = "tan(t)"
cubed = "1/(x - 0.3)^3"
both = "(x + 0.2)/(x - 0.3)"
jump = "abs(x - 0.5)/(x - 0.5)"
)toml",
                                   "poles.toml");
  for (const Method method : methods) {
    Keeper keeper;
    MotionOptions options = until(100, 2);
    options.method = method;
    const MotionSummary summary = run_motion(system, options, keeper);
    EXPECT_EQ(summary.event_counts, (std::vector<std::size_t>{0, 31, 0, 31, 32})) << method;
    for (std::size_t i = 0; i < keeper.events.size(); ++i) {
      if (keeper.events[i] != 1) continue;
      const double turns = keeper.event_points[i].t / std::numbers::pi;
      EXPECT_NEAR(turns, std::round(turns), 1e-12) << method;
    }
  }
}

// Steps are as long as the motion: what happens within them is found nevertheless.
TEST(Motion, EventsWithinStepsOfAnyLengthAreFound) {
  const System ball = read_model(R"toml(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - 9.81*y"
[initial]
"x'" = 3
"y'" = 10
[events]
ground = "y"
peak = {when = "y'", direction = -1}
near = "(x - 5)^2 + (y - 3)^2 - 4"
twice = "(x - 4)*(x - 4.0001)"
)toml",
                                 "ball.toml");
  for (const Method method : methods) {
    for (const double t_end : {2.2, 30.0, 1000.0}) {
      Keeper keeper;
      MotionOptions options = until(t_end, 2);
      options.method = method;
      const MotionSummary summary = run_motion(ball, options, keeper);
      EXPECT_EQ(summary.event_counts, (std::vector<std::size_t>{1, 1, 2, 2})) << method << " " << t_end;
      for (std::size_t i = 0; i < keeper.events.size(); ++i) {
        if (keeper.events[i] != 0) continue;
        EXPECT_NEAR(keeper.event_points[i].t, 20 / 9.81, 1e-10) << method << " " << t_end;
      }
    }
  }
  // sin(k x) along x = 0.1 + t
  for (const int k : {1, 4, 15, 50}) {
    const System wave = read_model(
        "coordinates = [\"x\"]\nlagrangian = \"x'^2/2\"\n[initial]\nx = 0.1\n\"x'\" = 1\n[events]\nzero = \"sin(" +
            std::to_string(k) + "*x)\"\n",
        "wave.toml");
    for (const double t_end : {10.0, 100.0}) {
      Keeper keeper;
      const MotionSummary summary = run_motion(wave, until(t_end, 2), keeper);
      const double before = std::floor(0.1 * k / std::numbers::pi),
                   after = std::floor((0.1 + t_end) * k / std::numbers::pi);
      EXPECT_EQ(summary.event_counts[0], static_cast<std::size_t>(after - before)) << k << " " << t_end;
    }
  }
}

TEST(Motion, OfNoLengthIsTheInitialState) {
  MotionOptions options = until(5, 3);
  Keeper keeper;
  const MotionSummary summary = run_motion(gallery_model("skate", {"t=5"}), options, keeper);
  EXPECT_EQ(summary.status, MotionStatus::finished);
  EXPECT_EQ(summary.last.t, 5);
  EXPECT_EQ(summary.last.v[2], 1.3);
  EXPECT_EQ(summary.energy_drift, 0);
}

// The principles that are not d'Alembert–Lagrange are other equations for other dependent velocities: these are kept.
TEST(Motion, OfTheReducedLagrangianKeepsItsDependentVelocities) {
  MotionOptions options = until(1, 2);
  options.form = "reduced";
  Keeper keeper;
  EXPECT_EQ(run_motion(gallery_model("skate"), options, keeper).reselections, 0U);
}

// |x| in the potential: x'' = −sign x, parabolas from zero to zero.
TEST(Motion, GoesThroughTheKinksOfMagnitudes) {
  const System system = read_model(R"toml(
coordinates = ["x"]
lagrangian = "x'^2/2 - abs(x)"
[initial]
x = 0.5
)toml",
                                   "kink.toml");
  Keeper keeper;
  const MotionSummary summary = run_motion(system, until(40), keeper);
  EXPECT_EQ(summary.status, MotionStatus::finished);
  EXPECT_LT(summary.energy_drift, 1e-12);
  for (const auto& p : keeper.points) {
    const double phase = std::fmod(p.t, 4.0);
    const double x = phase < 1   ? 0.5 - phase * phase / 2
                     : phase < 3 ? (phase - 2) * (phase - 2) / 2 - 0.5
                                 : 0.5 - (4 - phase) * (4 - phase) / 2;
    EXPECT_NEAR(p.q[0], x, 1e-11) << p.t;
  }
}

TEST(Motion, NoticesStiffness) {
  const System system = read_model(R"toml(
coordinates = ["x"]
lagrangian = "x'^2/2"
[forces]
x = "-1e5*(x' - cos(t))"
[initial]
"x'" = 1
)toml",
                                   "stiff.toml");
  for (const Method method : methods) {
    MotionOptions options = until(1, 3);
    options.method = method;
    options.tolerance = 1e-9;
    Keeper keeper;
    const MotionSummary summary = run_motion(system, options, keeper);
    EXPECT_EQ(summary.status, MotionStatus::finished) << method;
    const bool said = !summary.notes.empty() && summary.notes.front().find("stiff") != std::string::npos;
    EXPECT_EQ(said, method == Method::taylor || method == Method::dop853) << method;
    EXPECT_NEAR(keeper.points.back().q[0], std::sin(1.0), 1e-4);
  }
}

// A table that turns does work on the ball, and the summary knows how much.
TEST(Motion, BalancesTheEnergyThatConstraintsAndForcesBringIn) {
  for (const std::string name : {"ball-on-turntable", "prescribed-speed-varying", "pursuit", "affine-degree-1"}) {
    Keeper keeper;
    const MotionSummary summary = run_motion(gallery_model(name), until(2), keeper);
    EXPECT_LT(summary.energy_drift, 1e-11) << name;
  }
}

// A million time units of the skate, a hundred thousand of the disc, ten thousand of a chaotic pendulum.
TEST(Motion, KeepsItsEnergyForALongTime) {
  struct Case {
    std::string model;
    std::vector<std::string> settings;
    double t_end;
  };
  const std::vector<Case> cases = {
      {"skate", {}, 1e6},
      {"rolling-disc",
       {"r=1", "psi=0", "theta=0.2", "phi=0", "psi'=0.5/cos(0.2)", "theta'=0", "phi'=5-0.5*tan(0.2)"},
       1e5},
      {"double-pendulum", {}, 1e4}};
  for (const Case& c : cases) {
    Keeper keeper;
    const MotionSummary summary = run_motion(gallery_model(c.model, c.settings), until(c.t_end, 1001), keeper);
    EXPECT_EQ(summary.status, MotionStatus::finished) << c.model;
    EXPECT_LT(summary.energy_drift, 1e-10) << c.model;
    EXPECT_LT(summary.max_residual, 1e-13) << c.model;
  }
}

TEST(Motion, RefusesBadOptions) {
  const System system = gallery_model("skate");
  Silent silent;
  const auto code = [&](auto change) {
    MotionOptions options = until(1);
    try {
      change(options);
      run_motion(system, options, silent);
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::cannot_write;
  };
  EXPECT_EQ(code([](MotionOptions& o) { o.method = parse_method("euler"); }), ErrorCode::bad_model);
  EXPECT_EQ(code([](MotionOptions& o) { o.form = "newton"; }), ErrorCode::bad_model);
  EXPECT_EQ(code([](MotionOptions& o) { o.tolerance = 0; }), ErrorCode::bad_model);
  EXPECT_EQ(code([](MotionOptions& o) { o.t_end = std::nan(""); }), ErrorCode::bad_model);
  EXPECT_EQ(code([](MotionOptions& o) { o.backend = parse_backend("abacus"); }), ErrorCode::bad_model);
}

// A point on a spring whose acceleration has the length A: P'' = A a₀/|a₀| with the free acceleration a₀ = −g e_z − κ P/m, and
// the multiplier m (A − |a₀|). By the classical method of Runge and Kutta for comparison.
TEST(Motion, UnderAConstraintNonlinearInTheAccelerationsFollowsTheLeastConstraint) {
  const double m = 1, g = 9.81, kappa = 2, A = 4;
  using Vector = std::array<double, 6>;
  const auto free = [&](const Vector& y) {
    return std::array{-kappa * y[0] / m, -kappa * y[1] / m, -g - kappa * y[2] / m};
  };
  const auto rates = [&](const Vector& y) {
    const auto a = free(y);
    const double size = std::hypot(a[0], a[1], a[2]);
    return Vector{y[3], y[4], y[5], A * a[0] / size, A * a[1] / size, A * a[2] / size};
  };
  const auto along = [](const Vector& y, double h, const Vector& k) {
    Vector result = y;
    for (std::size_t i = 0; i < 6; ++i) result[i] += h * k[i];
    return result;
  };
  Vector y = {1, -0.5, 0.25, 0.5, 1, 2};
  constexpr int steps = 20000;
  constexpr double h = 1.0 / steps;
  for (int step = 0; step < steps; ++step) {
    const Vector k1 = rates(y), k2 = rates(along(y, h / 2, k1)), k3 = rates(along(y, h / 2, k2)),
                 k4 = rates(along(y, h, k3));
    for (std::size_t i = 0; i < 6; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  const auto a0 = free(y);
  for (const Method method : methods) {
    MotionOptions options = until(1, 11);
    options.method = method;
    Keeper keeper;
    const MotionSummary summary = run_motion(gallery_model("prescribed-acceleration"), options, keeper);
    EXPECT_EQ(summary.status, MotionStatus::finished) << method;
    EXPECT_EQ(summary.form, "multipliers");
    ASSERT_EQ(keeper.points.size(), 11U);
    const auto& last = keeper.points.back();
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(last.q[i], y[i], accuracy(method) + 1e-12) << method;
      EXPECT_NEAR(last.v[i], y[i + 3], accuracy(method) + 1e-12) << method;
    }
    EXPECT_NEAR(last.multipliers[0], m * (A - std::hypot(a0[0], a0[1], a0[2])), 100 * accuracy(method)) << method;
    EXPECT_LT(summary.max_residual, 100 * accuracy(method)) << method;
    EXPECT_LT(summary.energy_drift, 1000 * accuracy(method)) << method;
  }
  MotionOptions options = until(1);
  options.form = "hamel";
  Silent silent;
  EXPECT_THROW(run_motion(gallery_model("prescribed-acceleration"), options, silent), Error);
}

// The basis of three blades that all say the same, multiplied out in powers of cos(a/50), has numbers of 1e14 in it.
TEST(Motion, EquationsThatWouldLoseTheirDigitsAreNotWrittenOut) {
  const System system = read_model(R"toml(
coordinates = ["x", "y", "z", "a"]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 + a'^2/2 - x - y/2 - z"
constraints = ["z'*cos(a) - x'*cos(1.3*a + 0.5) = 0", "x'*sin(a + 0.3) - y'*cos(a) = 0"]
[initial]
"x'" = 1
"a'" = 1
)toml",
                                   "blades.toml");
  Silent silent;
  MotionOptions options = until(1);
  const MotionSummary chosen = run_motion(system, options, silent);
  options.form = "voronec";
  const MotionSummary other = run_motion(system, options, silent);
  EXPECT_LT(chosen.energy_drift, 1e-13);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(chosen.last.q[i], other.last.q[i], 1e-12);
  // not written out, but solved at run time
  options.form = "hamel";
  const MotionSummary hamel = run_motion(system, options, silent);
  EXPECT_EQ(hamel.form, "hamel");
  EXPECT_LT(hamel.energy_drift, 1e-13);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(chosen.last.q[i], hamel.last.q[i], 1e-12);
}

}  // namespace
}  // namespace cetaev
