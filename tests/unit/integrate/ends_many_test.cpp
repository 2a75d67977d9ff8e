// Where motions end, and what is told of it.
#include "cetaev/integrate/motion.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

#include "cetaev/formulation/formulation.hpp"
#include "cetaev/model/read.hpp"
#include "four_bars.hpp"
#include "motions.hpp"
#include "seeds.hpp"

namespace cetaev {
namespace {

// The motion of Appell and Hamel's particle ends at u₀ (1 + a²)/(a g), on a straight line.
TEST(Motion, EndsWhereTheSquareRootDoes) {
  for (const Method method : methods) {
    MotionOptions options = until(3);
    options.method = method;
    Keeper keeper;
    const MotionSummary summary = run_motion(gallery_model("appell-hamel"), options, keeper);
    EXPECT_EQ(summary.status, MotionStatus::singular);
    ASSERT_TRUE(summary.singular_at);
    const double a = 0.5, g = 9.81, end = 5 * (1 + a * a) / (a * g);
    EXPECT_NEAR(*summary.singular_at, end, 1e-9) << method;
    ASSERT_TRUE(summary.diagnosis);
    EXPECT_NE(summary.diagnosis->message().find("sqrt(x'^2 + y'^2)"), std::string::npos)
        << summary.diagnosis->message();
    // x = 3 s, y = 4 s, u² = 25 s'²
    for (const auto& p : keeper.points) {
      const double s = p.t - a * g / (1 + a * a) / 5 * p.t * p.t / 2;
      EXPECT_NEAR(p.q[0], 3 * s, 1e-11);
      EXPECT_NEAR(p.q[1], 4 * s, 1e-11);
    }
  }
}

// Two points that meet on spirals that turn ever faster, or head for each other. No two methods come equally near, all say when
// it is.
TEST(Motion, EndsAtTheSameSingularSetWhateverTheMethod) {
  for (const std::string& model :
       some_of<std::string>({"pursuit-straight", "zekovic", "midpoint-along-plane", "zekovic-perpendicular-along"})) {
    std::optional<double> end;
    if (model == "pursuit-straight") end = 2;
    for (const Method method : methods) {
      MotionOptions options = until(20, 2);
      options.method = method;
      Silent silent;
      const MotionSummary summary = run_motion(gallery_model(model), options, silent);
      EXPECT_EQ(summary.status, MotionStatus::singular) << model << " " << method;
      ASSERT_TRUE(summary.singular_at) << model << " " << method;
      if (!end) end = summary.singular_at;
      EXPECT_NEAR(*summary.singular_at, *end, 1e-9) << model << " " << method;
      EXPECT_LE(summary.last.t, *summary.singular_at + 1e-12);
      EXPECT_LT(summary.steps, 50000U) << model << " " << method;
    }
  }
}

// A row that vanishes, rows that become parallel, a common factor: all at x = 1, at t = 2. What is lost is lost in every form, also
// in those whose equations do not notice.
TEST(Motion, EndsWhereConstraintsLoseRankWhateverTheForm) {
  const std::array<const char*, 3> constraints = {R"("(1-x)*y' = 0", "z' = y'")",
                                                  R"("y' + z' = 0", "y' + (2-x)*z' = 0")", R"("(1-x)*y' = (1-x)*z'")"};
  for (const std::string rows : constraints) {
    const System system = read_model(R"toml(
coordinates = ["x", "y", "z"]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - z/10"
constraints = [)toml" + rows + R"toml(]
[initial]
"x'" = 0.5
)toml",
                                     "rank.toml");
    for (const std::string form : {"auto", "hamel", "multipliers", "maggi", "gauss", "voronec", "appell"}) {
      MotionOptions options = until(10, 11);
      options.form = parse_form(form);
      Silent silent;
      const MotionSummary summary = run_motion(system, options, silent);
      EXPECT_EQ(summary.status, MotionStatus::singular) << rows << form;
      EXPECT_NEAR(summary.singular_at.value_or(0), 2, 1e-9) << rows << form;
      ASSERT_TRUE(summary.diagnosis);
      EXPECT_EQ(summary.diagnosis->code(), ErrorCode::rank_lost);
      EXPECT_NE(summary.diagnosis->message().find("is the one lost"), std::string::npos);
    }
  }
}

// x = cos t; the end is so far away that no step is anything beside the way to it. An event ends the motion before.
TEST(Motion, WithAnEndFarAwayGoesOn) {
  for (const Method method : methods) {
    // thousands of steps of each method
    const double stop = method == Method::taylor  ? 10'000
                        : method == Method::bdf   ? 50
                        : method == Method::adams ? 300
                                                  : 1000;
    const System system = read_model(
        "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2 - x^2)/2\"\n"
        "[initial]\nx = 1\n\"y'\" = 1\n"
        "[events]\nfar = {when = 'y - stop', action = 'stop'}\n"
        "[parameters]\nstop = " +
            std::to_string(stop),
        "far.toml");
    for (const double t_end : {1e13, 1e300}) {
      MotionOptions options = until(t_end, 2);
      options.method = method;
      Silent silent;
      const MotionSummary summary = run_motion(system, options, silent);
      EXPECT_EQ(summary.status, MotionStatus::event)
          << method << ": " << (summary.diagnosis ? summary.diagnosis->message() : "");
      EXPECT_GT(summary.steps, 4096U) << method;
      EXPECT_NEAR(summary.last.t, stop, stop * accuracy(method)) << method;
      EXPECT_NEAR(summary.last.q[0], std::cos(stop), stop * accuracy(method)) << method;
    }
  }
}

// |v| = 1 − t: at t = 1 there is no speed and no direction of a reaction, and at t_end = 10 a sample is due just there.
TEST(Motion, IsToldUpToTheSingularSet) {
  const System system = read_model(R"(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2"
constraints = ["sqrt(x'^2 + y'^2) = 1 - t"]
[initial]
"x'" = 1
)",
                                   "braked.toml");
  for (const double t_end : {1.5, 3.0, 5.0, 9.0, 10.0, 20.0}) {
    Keeper keeper;
    const MotionSummary summary = run_motion(system, until(t_end, 1001), keeper);
    EXPECT_EQ(summary.status, MotionStatus::singular);
    ASSERT_TRUE(summary.singular_at.has_value());
    EXPECT_NEAR(*summary.singular_at, 1, 1e-12);
    EXPECT_NEAR(summary.last.t, 1, 1e-12) << t_end;
    EXPECT_NEAR(summary.last.q[0], 0.5, 1e-12) << t_end;
    EXPECT_NEAR(summary.last.v[0], 0, 1e-6) << t_end;
    ASSERT_FALSE(keeper.points.empty());
    EXPECT_EQ(keeper.points.size(), summary.samples);
    const double apart = t_end / 1000;
    EXPECT_GT(keeper.points.back().t + apart, *summary.singular_at - 1e-12) << t_end;
    EXPECT_EQ(keeper.points.size(), static_cast<std::size_t>(std::floor(1 / apart + 1e-9)) + 1) << t_end;
  }
}

// x x'²/2 = 1/2 from x = 1 towards 0: x^(3/2) = 1 − 3t/2. Of one coordinate the inertia vanishes as a whole.
TEST(Motion, EndsWhereAllInertiaVanishes) {
  const System system = read_model(R"(
coordinates = ["x"]
lagrangian = "x*x'^2/2"
[initial]
x = 1
"x'" = -1
)",
                                   "inertia.toml");
  for (const Method method : methods) {
    MotionOptions options = until(10);
    options.method = method;
    Silent silent;
    const MotionSummary summary = run_motion(system, options, silent);
    EXPECT_EQ(summary.status, MotionStatus::singular) << method;
    ASSERT_TRUE(summary.diagnosis && summary.singular_at) << method;
    EXPECT_EQ(summary.diagnosis->code(), ErrorCode::singular_mass_matrix) << method;
    EXPECT_NEAR(*summary.singular_at, 2.0 / 3, accuracy(method)) << method;
    EXPECT_NEAR(summary.last.t, 2.0 / 3, 1e-6) << method;
  }
}

// Inertia 1 whatever the forces are: what is not defined is a force.
TEST(Motion, WithForcesThatHaveNoValueDoesNotStart) {
  // a pole; a jump on which the motion stays; one from which it is driven to either side; a force with a direction and no value
  for (const char* forces :
       {"x = '0.1/y'", "x = '0.1*abs(y)/y'", "y = '-abs(y)/y'", "y = 'abs(y)/y'", "y = 'y/sqrt(y^2 + (x - 1)^2)'"}) {
    const System system =
        read_model(fmt::format("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - ((x - 1)^2 + "
                               "y^2)/2\"\n[forces]\n{}\n[initial]\nx = 1\n",
                               forces),
                   "quotient.toml");
    for (const Method method : methods) {
      Keeper keeper;
      try {
        run_motion(system, until(1, method), keeper);
        ADD_FAILURE() << method << " " << forces;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::non_finite) << method << " " << forces;
      }
      EXPECT_TRUE(keeper.points.empty()) << method << " " << forces;
    }
  }
}

// A pursuer on a straight line meets the pursued and passes it. The particle of Appell and Hamel would go on with a negative
// speed, which its constraint forbids; put on the constraint again it has another energy. Nothing of that may be told.
TEST(Motion, GoesThroughASingularSetOnlyWithItsEnergy) {
  const auto noted = [](const MotionSummary& summary, const std::string& text) {
    return std::any_of(summary.notes.begin(), summary.notes.end(),
                       [&](const std::string& note) { return note.find(text) != std::string::npos; });
  };
  MotionOptions options = until(3, 301);
  options.through_singular = true;
  Keeper passes;
  const MotionSummary passed = run_motion(gallery_model("pursuit-straight"), options, passes);
  EXPECT_EQ(passed.status, MotionStatus::finished);
  EXPECT_TRUE(noted(passed, "went through a singular set at t = 2: "));
  EXPECT_LT(passed.energy_drift, 1e-12);
  EXPECT_EQ(passes.points.size(), 301U);

  Keeper stops;
  const MotionSummary stopped = run_motion(gallery_model("appell-hamel"), options, stops);
  EXPECT_EQ(stopped.status, MotionStatus::singular);
  const double end = 5 * 1.25 / (0.5 * 9.81);
  EXPECT_NEAR(stopped.singular_at.value_or(0), end, 1e-9);
  EXPECT_NEAR(stopped.last.t, end, 1e-9);
  // by the one sign or the other
  EXPECT_TRUE(noted(stopped, "the energy is lost beyond the singular set") ||
              noted(stopped, "beyond the singular set the motion returns to it at once"));
  EXPECT_FALSE(noted(stopped, "went through"));
  EXPECT_LT(stopped.energy_drift, 1e-12);
  EXPECT_EQ(stops.points.size(), 128U);  // 0, 0.01, …, 1.27
}

// Two parallelograms of rods, all on one line twice in a turn, where they could fold: the smooth motion is that of the parallelogram, a
// pendulum. It crosses the line ten times in ten seconds.
TEST(Motion, AParallelogramGoesOnThroughTheLine) {
  const System system = read_model(four_bars, "fourbar.toml"),
               pendulum = read_model(four_bars_as_pendulum, "pendulum.toml");
  MotionOptions options = until(10, 101);
  options.through_singular = true;
  Keeper bars, angle;
  const MotionSummary summary = run_motion(system, options, bars);
  ASSERT_EQ(summary.status, MotionStatus::finished);
  EXPECT_LT(summary.energy_drift, 1e-10);
  EXPECT_EQ(std::count_if(summary.notes.begin(), summary.notes.end(),
                          [](const std::string& note) { return note.starts_with("went through a singular set"); }),
            10);
  (void)run_motion(pendulum, options, angle);
  ASSERT_EQ(bars.points.size(), angle.points.size());
  for (std::size_t i = 0; i < bars.points.size(); ++i) {
    const double theta = angle.points[i].q[0];
    for (const std::size_t rod : {0, 1, 2}) {
      EXPECT_NEAR(bars.points[i].q[2 * rod], std::sin(theta) + static_cast<double>(rod), 1e-8) << i;
      EXPECT_NEAR(bars.points[i].q[2 * rod + 1], std::cos(theta), 1e-8) << i;
    }
  }
}

// Where all rods are nearly on the line a step may fail as one at the foot of a root does, which is passed by steps without series; the leap over the line is
// one of series all the same. Rounding decides at which of the crossings that happens: other backends, forms and events are other motions to the last digit.
TEST(Motion, AParallelogramGoesOnThroughTheLineWithEventsThere) {
  const System system = read_model(std::string(four_bars) + "[events]\nlevel = 'y0'\n", "fourbar.toml");
  for (const Backend backend : {Backend::interpreter, Backend::jit}) {
    for (const Form form : {Form::multipliers, Form::gauss}) {
      MotionOptions options = until(10, 2);
      options.through_singular = true;
      options.form = form;
      options.backend = backend;
      Silent silent;
      const MotionSummary summary = run_motion(system, options, silent);
      EXPECT_EQ(summary.status, MotionStatus::finished) << form.name();
      EXPECT_LT(summary.energy_drift, 1e-10) << form.name();
      EXPECT_EQ(summary.event_counts, std::vector<std::size_t>{10}) << form.name();
    }
  }
}

// On a circle that has vanished at t = 0.81, all the faster the smaller it is: steps of multistep methods become shorter than time can tell some 10⁻⁹ before
// that, where all that is measured is rounding. The way there tells the time.
TEST(Motion, EndsAtTheTimeThatTheWayThereTells) {
  const System system = read_model(R"(
coordinates = ["x", "y", "z"]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 + 1.42*sin(z) + 1.82*x + 0.41*y*z"
constraints = ["x^2 + y^2 = 0.81 - t"]
[initial]
x = -0.67790921766366108
"x'" = -0.266153163585713
y = 0.58411930177479532
"y'" = -1.1648779296244436
z = 1.1731247399643765
"z'" = 0.099812996513465979
)",
                                   "circle.toml");
  for (const Form form : {Form::multipliers, Form::maggi, Form::voronec, Form::mvm3}) {
    for (const Method method : methods) {
      MotionOptions options = until(1, 2);
      options.form = form;
      options.method = method;
      options.tolerance = 1e-12;
      Silent silent;
      const MotionSummary summary = run_motion(system, options, silent);
      EXPECT_EQ(summary.status, MotionStatus::singular) << form.name() << method;
      EXPECT_NEAR(summary.singular_at.value_or(0), 0.81, 1e-11) << form.name() << method;
      EXPECT_LE(summary.last.t, 0.81) << form.name() << method;
    }
  }
}

// Near the line steps of other methods are held down by what it does to the equations: they leap over it from where nothing of that is to be seen.
TEST(Motion, AParallelogramGoesOnThroughTheLineByEveryMethod) {
  const System bars = read_model(four_bars, "fourbar.toml"),
               pendulum = read_model(four_bars_as_pendulum, "pendulum.toml");
  MotionOptions options = until(10, 2);
  Silent silent;
  const double angle = run_motion(pendulum, options, silent).last.q[0];
  options.through_singular = true;
  for (const Form form : {Form::multipliers, Form::gauss, Form::maggi, Form::hamel, Form::voronec, Form::appell}) {
    for (const Method method : methods) {
      options.form = form;
      options.method = method;
      const MotionSummary summary = run_motion(bars, options, silent);
      ASSERT_EQ(summary.status, MotionStatus::finished) << form.name() << method;
      EXPECT_LT(summary.energy_drift, 1e-7) << form.name() << method;
      EXPECT_LT(summary.steps, 100000U) << form.name() << method;
      EXPECT_NEAR(summary.last.q[0], std::sin(angle), 1e-6) << form.name() << method;
    }
  }
}

// What multistep methods have drifted by, an error of the leap may take away: the place it is taken from is the best of those that it is right from.
TEST(Motion, AParallelogramGoesOnThroughTheLineWhateverHasDrifted) {
  struct Start {
    std::string rate;
    Form form;
    Method method;
  };
  const auto at = [](std::string model, const std::string& name, const std::string& rate) {
    const std::string whole = name + " = 1\n";
    return read_model(model.replace(model.rfind(whole), whole.size(), name + " = " + rate + "\n"), "bars.toml");
  };
  for (const Start& start : {Start{"0.9992687284882248", Form::gauss, Method::bdf},
                             {"0.99945467814992939", Form::hamel, Method::adams},
                             {"0.99991116981567973", Form::gauss, Method::bdf},
                             {"0.99917348687048124", Form::gauss, Method::bdf}}) {
    SCOPED_TRACE(start.rate);
    MotionOptions options = until(10, 2);
    Silent silent;
    const double angle = run_motion(at(four_bars_as_pendulum, "\"th'\"", start.rate), options, silent).last.q[0];
    options.through_singular = true;
    options.backend = Backend::interpreter;
    options.form = start.form;
    options.method = start.method;
    const MotionSummary summary = run_motion(at(four_bars, "\"x0'\"", start.rate), options, silent);
    ASSERT_EQ(summary.status, MotionStatus::finished);
    EXPECT_LT(summary.energy_drift, 1e-7);
    EXPECT_NEAR(summary.last.q[0], std::sin(angle), 1e-6);
  }
}

// With coarse steps it is easy to jump over a singular set; what comes after it is no motion.
TEST(Motion, WithACoarseToleranceEndsAtTheSingularSetToo) {
  for (const Method method : methods) {
    for (const double tolerance : {1e-5, 1e-8}) {
      MotionOptions options = until(20, 201);
      options.method = method;
      options.tolerance = tolerance;
      Keeper keeper;
      const MotionSummary summary = run_motion(gallery_model("zekovic"), options, keeper);
      EXPECT_EQ(summary.status, MotionStatus::singular) << method << tolerance;
      EXPECT_NEAR(summary.singular_at.value_or(0), 1.71594917134, 2e-3) << method << tolerance;
      EXPECT_LE(summary.last.t, 1.7161) << method << tolerance;
      // a few steps, of each less than this part
      EXPECT_LT(summary.energy_drift, 20 * std::sqrt(tolerance) * summary.E_start) << method << tolerance;
    }
  }
}

// The points meet, and all rows of a redundant vector equation vanish there, one after the other: forms that have left for multipliers choose
// among these, as multipliers do. With the distance r, its direction e, the speed w = r' and the velocity W of the first point across it,
//   r' = w,  w' = −g e_z − κ r/m₂,  e' = −W/r,  W' = |W|² e/r − g (z − e_z e),
// and with dt = r ds nothing is singular: the direction goes round for ever, and r vanishes at a time that is told by extrapolation in 30 digits.
TEST(Motion, EndsWhereThePointsMeetByEveryForm) {
  const double meet = 1.606252947452164;
  for (const Method method : methods) {
    for (const Form form : {Form::multipliers, Form::gauss, Form::maggi, Form::hamel, Form::voronec, Form::appell}) {
      // by others it takes tens of thousands of steps
      if (method != Method::taylor && form != Form::multipliers && form != Form::voronec) continue;
      MotionOptions options = until(3, 2);
      options.form = form;
      options.method = method;
      Silent silent;
      const MotionSummary summary = run_motion(gallery_model("zekovic-space"), options, silent);
      EXPECT_EQ(summary.status, MotionStatus::singular) << form.name() << method;
      EXPECT_LE(summary.last.t, meet) << form.name() << method;
      EXPECT_NEAR(summary.last.t, meet, 1e-5) << form.name() << method;
      EXPECT_NEAR(summary.singular_at.value_or(0), meet, 1e-9) << form.name() << method;
    }
  }
}

// One row three times, by factors that vanish in turn: the choice goes round, and each is made once. The truth is the row alone.
TEST(Motion, ComesBackToRowsThatItHadChosen) {
  const std::string start = "[initial]\n\"z'\" = 1\ny = 1\n\"y'\" = 0.5\n",
                    free = "coordinates = ['x', 'y', 'z']\nlagrangian = \"(x'^2 + y'^2 + z'^2)/2 - y\"\n";
  const System once = read_model(free + "constraints = [\"x' = y*z'\"]\n" + start, "once.toml");
  const System thrice = read_model(
      free + "constraints = [\"sin(t)*(x' - y*z') = 0\", \"cos(t)*(x' - y*z') = 0\", \"sin(2*t)*(x' - y*z') = 0\"]\n" +
          start,
      "thrice.toml");
  for (const Form form : {Form::multipliers, Form::voronec, Form::maggi}) {
    MotionOptions options = until(20, 2);
    options.form = form;
    Silent silent;
    const MotionSummary expected = run_motion(once, options, silent), found = run_motion(thrice, options, silent);
    ASSERT_EQ(found.status, MotionStatus::finished) << form.name();
    EXPECT_GT(found.reselections, 6) << form.name();
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(found.last.q[i], expected.last.q[i], 1e-9 * (1 + std::abs(expected.last.q[i]))) << form.name() << i;
  }
}

// Constraints that become parallel like 1/t³ as the points fall: there is no time to tell.
TEST(Motion, DoesNotTellTheTimeOfASingularSetThatIsNeverReached) {
  Silent silent;
  const MotionSummary summary = run_motion(gallery_model("constant-distance-equal-speeds-plane"), until(20, 2), silent);
  EXPECT_EQ(summary.status, MotionStatus::singular);
  EXPECT_EQ(summary.singular_at.value_or(0), summary.last.t);
  ASSERT_TRUE(summary.diagnosis);
  EXPECT_NE(summary.diagnosis->message().find("norm(P1') = norm(P2')"), std::string::npos)
      << summary.diagnosis->message();
}

// Four bars in line, in forms that divide by a part of J and in others.
TEST(Motion, OfFourBarsEndsInLine) {
  const System system = read_model(R"toml(
coordinates = ["x1", "y1", "x2", "y2"]
lagrangian = "(x1'^2 + y1'^2 + x2'^2 + y2'^2)/2"
constraints = ["x1^2 + y1^2 = 1", "(x2 - x1)^2 + (y2 - y1)^2 = 4", "(x2 - 2)^2 + y2^2 = 1"]
[initial]
x1 = 0
y1 = 1
x2 = 2
y2 = 1
"x1'" = 1
)toml",
                                   "bars.toml");
  for (const std::string form : {"auto", "multipliers", "gauss", "maggi", "hamel", "voronec", "appell"}) {
    MotionOptions options = until(10, 101);
    options.form = parse_form(form);
    Keeper keeper;
    const MotionSummary summary = run_motion(system, options, keeper);
    EXPECT_EQ(summary.status, MotionStatus::singular) << form;
    EXPECT_NEAR(summary.singular_at.value_or(0), std::numbers::pi / 2, form == "auto" ? 1e-9 : 1e-8) << form;
    // All turn alike: the velocity of each joint is that of the circle. Errors grow like one over the distance from the set, and the last state is as near as that
    // lets it: at 24 speeds from 1 to 1.23 that makes up to 3.3e-3 of the velocities by Voronec's and Appell's forms, in 2e-7 to 3.4e-7 of the time.
    const double distance = std::abs(std::numbers::pi / 2 - summary.last.t);
    EXPECT_LT(distance, 1e-6) << form;
    for (const double v : {summary.last.v[1], summary.last.v[3]}) {
      EXPECT_NEAR(v, -1, 5e-3) << form;
      EXPECT_LT(std::abs(v + 1) * distance, 2e-9) << form;
    }
    EXPECT_FALSE(keeper.points.empty());
  }
}

// q = t³ exactly, at which exp 40 q is too large for doubles at t = (log(max)/40)^(1/3) = 2.608: no escape, though the work grows.
TEST(Motion, NumbersThatAreTooLargeAreNoEscape) {
  const System system = read_model(R"toml(
coordinates = ["q"]
lagrangian = "1e8*q'^2/2"
[forces]
q = "6e8*t + tanh(q)*(1 + exp(40*q))/(2 + exp(40*q)) - tanh(q)*(1 + exp(-40*q))/(1 + 2*exp(-40*q))"
[initial]
q = 0
"q'" = 0
)toml",
                                   "overflow.toml");
  const double end = std::cbrt(std::log(std::numeric_limits<double>::max()) / 40);
  for (const Method method : methods) {
    MotionOptions options = until(4, method);
    Silent nobody;
    const MotionSummary summary = run_motion(system, options, nobody);
    EXPECT_EQ(summary.status, MotionStatus::failed) << method;
    ASSERT_TRUE(summary.diagnosis) << method;
    EXPECT_EQ(summary.diagnosis->code(), ErrorCode::non_finite) << method << summary.diagnosis->what();
    EXPECT_LT(summary.last.t, end + 1e-9) << method;
    EXPECT_NEAR(summary.last.q[0], std::pow(summary.last.t, 3), 1e-6) << method;
  }
}

// y' = y² and the like: x'' = 2 x x', x = tan t.
TEST(Motion, SaysThatItEscapes) {
  const System system = read_model(R"toml(
coordinates = ["x"]
lagrangian = "x'^2/2"
[forces]
x = "2*x*x'"
[initial]
x = 0
"x'" = 1
)toml",
                                   "escape.toml");
  for (const Method method : methods) {
    MotionOptions options = until(3, 301);
    options.method = method;
    Keeper keeper;
    const MotionSummary summary = run_motion(system, options, keeper);
    EXPECT_EQ(summary.status, MotionStatus::failed) << method;
    ASSERT_TRUE(summary.diagnosis);
    EXPECT_EQ(summary.diagnosis->code(), ErrorCode::finite_escape) << method << summary.diagnosis->what();
    EXPECT_NEAR(summary.last.t, std::numbers::pi / 2, 1e-3) << method;
    for (const auto& p : keeper.points) {
      if (p.t < 1.5) {
        EXPECT_NEAR(p.q[0], std::tan(p.t), 1e4 * accuracy(method)) << method;
      }
    }
  }
}

TEST(Motion, StopsWhenAsked) {
  MotionOptions options = until(1e6, 11);
  options.keep_going = [](double t) { return t < 200; };
  Keeper keeper;
  const MotionSummary summary = run_motion(gallery_model("skate"), options, keeper);
  EXPECT_EQ(summary.status, MotionStatus::interrupted);
  EXPECT_GE(summary.last.t, 200);
  EXPECT_LT(summary.last.t, 1000);
}

// Bodies that fall upon each other: no constraint is there to lose its rank. From rest at distance 1 the fall takes π/√8 where the potential is −1/r,
// 1 where it is −1/2r² and √(π/2) where it is log r.
TEST(Motion, OfACollisionEndsWhereTheForceDoes) {
  struct Case {
    const char* system;
    double end;
  };
  const double kepler = std::numbers::pi / std::sqrt(8.0);
  for (const auto& [text, end] :
       {Case{"coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)\"\n[initial]\nx = 1\n",
             kepler},
        Case{"coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 + 1/(2*abs(x - y))\"\n[initial]\nx = 1\n",
             kepler},
        Case{"coordinates = ['r', 'phi']\nlagrangian = \"(r'^2 + r^2*phi'^2)/2 + 1/r\"\n[initial]\nr = 1\n", kepler},
        Case{"coordinates = ['x']\nlagrangian = \"x'^2/2 + 1/x\"\n[initial]\nx = 1\n", kepler},
        Case{"coordinates = ['x']\nlagrangian = \"x'^2/2 + 1/(2*x^2)\"\n[initial]\nx = 1\n", 1},
        Case{"coordinates = ['x']\nlagrangian = \"x'^2/2 - log(abs(x))\"\n[initial]\nx = 1\n",
             std::sqrt(std::numbers::pi / 2)}}) {
    for (const Method method : methods) {
      const MotionSummary summary = run_text(text, until(3, method));
      EXPECT_EQ(summary.status, MotionStatus::singular) << text << method;
      ASSERT_TRUE(summary.diagnosis) << text << method;
      EXPECT_NE(summary.diagnosis->code(), ErrorCode::rank_lost) << text << method;
      EXPECT_NEAR(summary.singular_at.value_or(0), end, 1e-10) << text << method;
    }
  }
}

// x = t, as far as numbers go.
TEST(Motion, WhatIsFarAwayHasNotEscaped) {
  for (const Method method : methods) {
    const MotionSummary summary =
        run_text("coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[initial]\n\"x'\" = 1\n", until(1e300, method));
    ASSERT_EQ(summary.status, MotionStatus::finished) << method;
    EXPECT_NEAR(summary.last.q[0] / 1e300, 1, 1e-14) << method;
  }
}

// A force that swings faster than the time of the whole motion can be told apart: no progress is made.
TEST(Motion, SaysThatStepsBecomeTooSmall) {
  const System system = read_model(R"toml(
coordinates = ["x"]
kinetic = "x'^2/2"
[forces]
x = "1e18*sin(1e12*t^2)"
[initial]
t = 1
)toml",
                                   "shaken.toml");
  MotionOptions options = until(1e6, 3);
  options.method = Method::dop853;
  Keeper keeper;
  const MotionSummary summary = run_motion(system, options, keeper);
  EXPECT_EQ(summary.status, MotionStatus::failed);
  ASSERT_TRUE(summary.diagnosis);
  EXPECT_EQ(summary.diagnosis->code(), ErrorCode::step_too_small) << summary.diagnosis->message();
  EXPECT_FALSE(keeper.points.empty());
}

// Two oscillators, x = cos t and y = sin(√2 t)/√2 until the constraint x' = y' comes into force: their velocities differ then.
TEST(Motion, EndsWhereAConstraintComesIntoForceThatItDoesNotSatisfy) {
  const std::string oscillators = R"toml(
coordinates = ["x", "y"]
constraints = ["(1 - atan2(0, t - 1.3)/pi)*(x' - y') = 0"]
)toml";
  const System apart = read_model(
      oscillators + "lagrangian = \"(x'^2 + y'^2)/2 - x^2/2 - y^2\"\n[initial]\nx = 1\n\"y'\" = 1\n", "apart.toml");
  // together from the start: x = y = cos t, with the constraint and without
  const System together = read_model(
      oscillators + "lagrangian = \"(x'^2 + y'^2)/2 - (x^2 + y^2)/2\"\n[initial]\nx = 1\ny = 1\n", "together.toml");
  for (const Method method : methods) {
    Silent nobody;
    const MotionSummary ends = run_motion(apart, until(3, method), nobody);
    EXPECT_EQ(ends.status, MotionStatus::singular) << method;
    EXPECT_NEAR(ends.singular_at.value_or(0), 1.3, 1e-14) << method;
    EXPECT_NEAR(ends.last.q[0], std::cos(1.3), accuracy(method)) << method;
    EXPECT_NEAR(ends.last.q[1], std::sin(1.3 * std::numbers::sqrt2) / std::numbers::sqrt2, accuracy(method)) << method;
    EXPECT_LT(ends.max_residual, 1e-15) << method;
    const MotionSummary goes_on = run_motion(together, until(3, method), nobody);
    EXPECT_EQ(goes_on.status, MotionStatus::finished) << method;
    EXPECT_EQ(goes_on.reselections, 1U) << method;
    EXPECT_NEAR(goes_on.last.q[0], std::cos(3.0), 10 * accuracy(method)) << method;
    EXPECT_NEAR(goes_on.last.q[1], std::cos(3.0), 10 * accuracy(method)) << method;
  }
}

// y' = 0 for x < 1 and y' = 2 x' beyond: no velocity is on both sides. x = 0.3 + 1.1 t up to there.
TEST(Motion, EndsWhereTheStateMeetsAJumpOfTheConstraints) {
  const System system = read_model(R"toml(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2"
constraints = ["y' = (1 + abs(x - 1)/(x - 1))*x'"]
[initial]
x = 0.3
"x'" = 1.1
)toml",
                                   "step.toml");
  for (const Method method : methods) {
    for (const char* form : {"auto", "multipliers", "voronec"}) {
      MotionOptions options = until(3, method);
      options.form = parse_form(form);
      options.samples = 2;
      Silent nobody;
      const MotionSummary summary = run_motion(system, options, nobody);
      EXPECT_TRUE(summary.status == MotionStatus::singular || summary.status == MotionStatus::failed) << method << form;
      ASSERT_TRUE(summary.diagnosis) << method << form;
      // not the start, though there is no sample between
      EXPECT_NEAR(summary.last.t, 0.7 / 1.1, 1e-9) << method << form;
      EXPECT_NEAR(summary.last.q[0], 1, 1e-9) << method << form;
      EXPECT_NEAR(summary.last.q[1], 0, 1e-9) << method << form;
    }
  }
}

// x = t²/2 at t = 1e9: kinetic and potential energy are 5e17 each, and their sum is 0.
TEST(Motion, OfALongFallIsTrusted) {
  const System system = read_model("coordinates = [\"x\"]\nlagrangian = \"x'^2/2 + x\"\n", "fall.toml");
  Silent nobody;
  const MotionSummary summary = run_motion(system, until(1e9, 2), nobody);
  EXPECT_NEAR(summary.last.q[0], 5e17, 1e4);
  EXPECT_TRUE(summary.notes.empty());
}

// L = x'²/2 − a x + b √s with s = x − 0.84, against the wall at s = 0: with s = w² the time to it is ∫ 2 w dw/√(v² + 2 a (s − w²) − 2 b (√s − w)).
// Next to it x is 0.84 and a few units of its last place, and what steps of multistep methods add to it is less: such motions stood there for ever.
TEST(Motion, EndsWhereStepsNoLongerMoveItsPositions) {
  const double a = 1.78, b = 1.07, wall = 0.84, x = 0.86035700821371552, v = -1.1565545510934963;
  const double s = x - wall, root = std::sqrt(s);
  const auto rate = [&](double w) { return 2 * w / std::sqrt(v * v + 2 * a * (s - w * w) - 2 * b * (root - w)); };
  constexpr int parts = 1000;
  double time = 0;
  for (int i = 0; i < parts; ++i) {
    const double low = root * i / parts, high = root * (i + 1) / parts;
    time += (rate(low) + 4 * rate((low + high) / 2) + rate(high)) * (high - low) / 6;
  }
  const System system = read_model(R"toml(
coordinates = ["x"]
lagrangian = "x'^2/2 - 1.78*x + 1.07*sqrt(x - 0.84)"
[initial]
x = 0.86035700821371552
"x'" = -1.1565545510934963
)toml",
                                   "wall.toml");
  for (const Method method : methods) {
    for (const double tolerance : {1e-10, 1e-12}) {
      MotionOptions options = until(1, method);
      options.tolerance = tolerance;
      options.samples = 2;
      Silent nobody;
      const MotionSummary summary = run_motion(system, options, nobody);
      ASSERT_EQ(summary.status, MotionStatus::singular) << method << " " << tolerance;
      EXPECT_NEAR(summary.singular_at.value_or(0), time, 1e-9) << method << " " << tolerance;
      EXPECT_EQ(summary.diagnosis->code(), ErrorCode::non_finite) << method << " " << tolerance;
    }
  }
}

}  // namespace
}  // namespace cetaev
