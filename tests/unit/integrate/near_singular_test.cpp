// Motions that come near a singular set and are regular all the way: they go on, and arrive where they should. And motions that meet the
// set, which end there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "cetaev/integrate/motion.hpp"
#include "cetaev/model/read.hpp"
#include "motions.hpp"

namespace cetaev {
namespace {

// ∫ f over [a, b] by Gauss–Legendre of five points on many pieces.
double integral(double a, double b, const std::function<double(double)>& f, int pieces = 4000) {
  constexpr double x[] = {0, 0.5384693101056831, 0.9061798459386640};
  constexpr double w[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  double sum = 0;
  const double h = (b - a) / pieces;
  for (int i = 0; i < pieces; ++i) {
    const double middle = a + (i + 0.5) * h;
    sum += w[0] * f(middle);
    for (const int k : {1, 2}) sum += w[k] * (f(middle - x[k] * h / 2) + f(middle + x[k] * h / 2));
  }
  return sum * h / 2;
}

MotionSummary motion(const std::string& model, double t_end, Method method, double tolerance = 1e-14) {
  MotionOptions options = until(t_end, method);
  options.tolerance = tolerance;
  Silent nobody;
  return run_motion(read_model(model, "near.toml"), options, nobody);
}

// The time from x₀ to x with x' = u(x) > 0 and everything sharp near x = 0 on the scale ε.
double time_between(double x0, double x, double epsilon, const std::function<double(double)>& u) {
  return integral(std::asinh(x0 / epsilon), std::asinh(x / epsilon), [&](double s) {
    const double at = epsilon * std::sinh(s);
    return epsilon * std::cosh(s) / u(at);
  });
}

// x'²/2 + 1/√(x² + ε²), through the centre.
TEST(NearSingular, ASoftenedCentreIsPassed) {
  for (const double epsilon : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    const std::string model = fmt::format(
        "coordinates = ['x']\nlagrangian = \"x'^2/2 + 1/sqrt(x^2 + {:.17g}^2)\"\n[initial]\nx = -1\n\"x'\" = 0.5\n",
        epsilon);
    const double E = 0.125 - 1 / std::hypot(1, epsilon);
    const auto u = [&](double x) { return std::sqrt(2 * (E + 1 / std::hypot(x, epsilon))); };
    for (const Method method : {Method::taylor, Method::dop853}) {
      const double t_end = time_between(-1, 0.5, epsilon, u);
      const MotionSummary summary = motion(model, t_end, method);
      ASSERT_EQ(summary.status, MotionStatus::finished) << method << " " << epsilon;
      // the speed at the centre is √(2/ε): an error of time is that much of the way
      EXPECT_NEAR(summary.last.q[0], 0.5, 1e-9 / std::sqrt(epsilon)) << method << " " << epsilon;
    }
  }
}

// To and fro, from rest: the speed is 1400 at the centre, and methods of ten digits lose 1e-4 of the energy there and say so.
TEST(NearSingular, ASoftenedCentreIsPassedByMultistepMethods) {
  for (const Method method : {Method::adams, Method::bdf}) {
    const MotionSummary summary =
        motion("coordinates = ['x']\nlagrangian = \"x'^2/2 + 1/sqrt(x^2 + 1e-12)\"\n[initial]\nx = 1\n", 1.2, method);
    ASSERT_EQ(summary.status, MotionStatus::finished) << method;
    EXPECT_NEAR(summary.last.v[0] * summary.last.v[0] / 2 - 1 / std::abs(summary.last.q[0]), -1, 1e-4) << method;
    EXPECT_LT(summary.last.q[0], 0) << method;
  }
}

// √(x² + ε²) has no zero, however small ε is: |x| but for ε, with periods of 4 √(2 x₀).
TEST(NearSingular, ARootOfASumOfSquaresHasNoZero) {
  for (const char* epsilon : {"1e-8", "1e-10", "1e-13"}) {
    for (const Method method : {Method::taylor, Method::dop853}) {
      const MotionSummary summary =
          motion(fmt::format("coordinates = ['x']\nlagrangian = \"x'^2/2 - sqrt(x^2 + eps^2)\"\n[parameters]\neps = "
                             "{}\n[initial]\nx = 1\n",
                             epsilon),
                 4 * std::sqrt(2), method);
      ASSERT_EQ(summary.status, MotionStatus::finished) << method << " " << epsilon;
      EXPECT_NEAR(summary.last.q[0], 1, 1e-6) << method << " " << epsilon;
      EXPECT_NEAR(summary.last.v[0], 0, 1e-6) << method << " " << epsilon;
    }
  }
}

// Where the origin lies is of no matter: a circle a million radii away is a circle.
TEST(NearSingular, APendulumFarFromTheOriginIsAPendulum) {
  const auto swing = [](double centre) {
    return motion(fmt::format("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - y\"\nconstraints = ['(x - "
                              "{0})^2 + y^2 = 1']\n[initial]\nx = {1}\ny = 0\n",
                              centre, centre + 1),
                  10, Method::taylor);
  };
  const MotionSummary here = swing(0);
  for (const double centre : {1e3, 1e6}) {
    const MotionSummary there = swing(centre);
    ASSERT_EQ(there.status, MotionStatus::finished) << centre;
    EXPECT_NEAR(there.last.q[0] - centre, here.last.q[0], 1e-13 * centre) << centre;
    EXPECT_NEAR(there.last.q[1], here.last.q[1], 1e-13 * centre) << centre;
  }
}

// (x'² + (x² + ε²) y'²)/2: p = (x² + ε²) y' is constant, and so is x'² + p²/(x² + ε²).
TEST(NearSingular, AMassThatIsSmallIsAMass) {
  for (const double epsilon : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    const double p = epsilon / 2;  // which does not reflect
    const std::string model = fmt::format(
        "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + (x^2 + {0:.17g}^2)*y'^2)/2\"\n[initial]\nx = -1\n\"x'\" = "
        "1\n\"y'\" = "
        "{1:.17g}\n",
        epsilon, p / (1 + epsilon * epsilon));
    const double twice_E = 1 + p * p / (1 + epsilon * epsilon);
    const auto u = [&](double x) { return std::sqrt(twice_E - p * p / (x * x + epsilon * epsilon)); };
    const double t_end = time_between(-1, 1, epsilon, u);
    const double y = integral(std::asinh(-1 / epsilon), std::asinh(1 / epsilon), [&](double s) {
      const double x = epsilon * std::sinh(s);
      return epsilon * std::cosh(s) / u(x) * p / (x * x + epsilon * epsilon);
    });
    for (const Method method : {Method::taylor, Method::dop853, Method::adams}) {
      const MotionSummary summary = motion(model, t_end, method);
      ASSERT_EQ(summary.status, MotionStatus::finished) << method << " " << epsilon;
      EXPECT_NEAR(summary.last.q[0], 1, 1e-9) << method << " " << epsilon;
      EXPECT_NEAR(summary.last.q[1], y, 1e-8) << method << " " << epsilon;
    }
  }
}

// Past the pole of a sphere at this angle, in the coordinates that are singular there and in others.
TEST(NearSingular, APolePassedByIsNotMet) {
  for (const double aside : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5}) {
    const double speed = 1.3;
    const std::string on_sphere = fmt::format(
        "coordinates = ['th', 'ph']\nlagrangian = \"(th'^2 + sin(th)^2*ph'^2)/2 - cos(th)\"\n[initial]\nth = "
        "1\n\"th'\" = {:.17g}\n"
        "\"ph'\" = {:.17g}\n",
        -speed, aside * speed / (std::sin(1) * std::sin(1)));
    const std::string in_space = fmt::format(
        "coordinates = ['x', 'y', 'z']\nlagrangian = \"(x'^2 + y'^2 + z'^2)/2 - z\"\nconstraints = ['x^2 + y^2 + z^2 = "
        "1']\n"
        "[initial]\nx = {:.17g}\nz = {:.17g}\n\"x'\" = {:.17g}\n\"y'\" = {:.17g}\n\"z'\" = {:.17g}\n",
        std::sin(1), std::cos(1), -speed * std::cos(1), aside * speed / std::sin(1), speed * std::sin(1));
    const MotionSummary truth = motion(in_space, 3, Method::taylor);
    ASSERT_EQ(truth.status, MotionStatus::finished);
    for (const Method method : {Method::taylor, Method::dop853}) {
      const MotionSummary summary = motion(on_sphere, 3, method);
      ASSERT_EQ(summary.status, MotionStatus::finished) << method << " " << aside;
      const double th = summary.last.q[0], ph = summary.last.q[1];
      // the angle turns by π within a moment, known as well as the way aside is
      EXPECT_NEAR(std::sin(th) * std::cos(ph), truth.last.q[0], 1e-11 / aside) << method << " " << aside;
      EXPECT_NEAR(std::sin(th) * std::sin(ph), truth.last.q[1], 1e-11 / aside) << method << " " << aside;
      EXPECT_NEAR(std::cos(th), truth.last.q[2], 1e-11 / aside) << method << " " << aside;
    }
  }
}

// p = F t: x = √(1 + t²) − 1, ever nearer to the speed of light.
TEST(NearSingular, TheSpeedOfLightIsNotReached) {
  const std::string model = "coordinates = ['x']\nlagrangian = \"-sqrt(1 - x'^2) + x\"\n";
  for (const Method method : {Method::taylor, Method::dop853, Method::adams, Method::bdf}) {
    for (const double tolerance : {1e-6, 1e-10, 1e-14}) {
      for (const double t_end : {30.0, 1000.0, 10000.0}) {
        if (t_end > 100 && method != Method::taylor && method != Method::dop853) continue;
        const MotionSummary summary = motion(model, t_end, method, tolerance);
        ASSERT_EQ(summary.status, MotionStatus::finished) << method << " " << tolerance << " " << t_end;
        EXPECT_NEAR(summary.last.q[0] / (std::hypot(1, t_end) - 1), 1, std::max(1e-9, 1e3 * tolerance))
            << method << " " << tolerance << " " << t_end;
      }
    }
  }
}

// What does vanish still ends the motion, whatever its end is asked to be: steps may be long.
TEST(NearSingular, ASetThatIsMetIsTheEndHoweverLongTheStep) {
  const double end = 5 * 1.25 / (0.5 * 9.81);
  for (const double t_end : {1.28, 1.3, 1.5, 1.9, 2.0, 2.1, 2.5, 3.0, 5.0, 8.0, 13.0}) {
    MotionOptions options = until(t_end);
    Silent nobody;
    const MotionSummary summary = run_motion(gallery_model("appell-hamel"), options, nobody);
    EXPECT_EQ(summary.status, MotionStatus::singular) << t_end;
    EXPECT_NEAR(summary.singular_at.value_or(0), end, 1e-9) << t_end;
  }
  // (x'² + (1 − x)² y'²)/2: x = t with y' = 0, and no inertia for y at 1
  for (const double t_end : {1.5, 2.0, 3.0, 5.0, 10.0}) {
    const MotionSummary summary =
        motion("coordinates = ['x', 'y']\nlagrangian = \"x'^2/2 + (1 - x)^2*y'^2/2\"\n[initial]\n\"x'\" = 1\n", t_end,
               Method::taylor);
    EXPECT_EQ(summary.status, MotionStatus::singular) << t_end;
    EXPECT_NEAR(summary.singular_at.value_or(0), 1, 1e-9) << t_end;
  }
}

// Two parallelograms of uniform rods turn as one angle θ does, 3/2 θ'² + 7/2 g cos θ = E with θ from the top, until all rods lie on one line. In
// forms that divide by a part of J and in others.
TEST(NearSingular, ParallelogramsEndInLineInEveryForm) {
  const std::string model = R"toml(
coordinates = ["x0", "y0", "x1", "y1", "x2", "y2"]
kinetic = "(2*(x0'^2 + y0'^2) + 3*(x1'^2 + y1'^2) + 2*(x2'^2 + y2'^2) + x0'*x1' + y0'*y1' + x1'*x2' + y1'*y2')/6"
potential = "9.81/2*(2*y0 + 3*y1 + 2*y2)"
constraints = ["x0^2 + y0^2 = 1", "(x1 - 1)^2 + y1^2 = 1", "(x2 - 2)^2 + y2^2 = 1", "(x1 - x0)^2 + (y1 - y0)^2 = 1", "(x2 - x1)^2 + (y2 - y1)^2 = 1"]
[initial]
x0 = 0
y0 = 1
x1 = 1
y1 = 1
x2 = 2
y2 = 1
"x0'" = 1
)toml";
  const double weight = 3.5 * 9.81, inertia = 1.5;
  const double E = inertia + weight;
  const double end =
      integral(0, M_PI / 2, [&](double angle) { return std::sqrt(inertia / (E - weight * std::cos(angle))); });
  for (const std::string form : {"multipliers", "gauss", "maggi", "hamel", "voronec", "appell"}) {
    for (const Method method : {Method::taylor, Method::adams}) {
      MotionOptions options = until(2, method);
      options.form = parse_form(form);
      Silent nobody;
      const MotionSummary summary = run_motion(read_model(model, "bars.toml"), options, nobody);
      ASSERT_EQ(summary.status, MotionStatus::singular) << form << method;
      EXPECT_NEAR(summary.singular_at.value_or(0), end, 2e-9) << form << method;
      const double speed = std::sqrt(E / inertia);
      for (const std::size_t y : {1U, 3U, 5U}) EXPECT_NEAR(summary.last.v[y], -speed, 0.01) << form << method;
      EXPECT_LT(summary.energy_drift, 1e-7 * E) << form << method;
    }
  }
}

// A bead on a rod that is turned: r = cosh 2t. The larger r is, the less the multiplier of φ = 2t weighs beside the inertia r².
TEST(NearSingular, ABeadLeavesItsRodBehind) {
  const System system = read_model(
      "coordinates = ['r', 'phi']\nlagrangian = \"(r'^2 + r^2*phi'^2)/2\"\nconstraints = ['phi = 2*t']\n"
      "[initial]\nr = 1\n",
      "rod.toml");
  for (const Form form :
       {Form::multipliers, Form::gauss, Form::maggi, Form::hamel, Form::voronec, Form::caplygin, Form::appell}) {
    for (const Method method : {Method::taylor, Method::dop853}) {
      for (const Backend backend : {Backend::jit, Backend::interpreter}) {
        MotionOptions options = until(20, method);
        options.form = form;
        options.backend = backend;
        Silent nobody;
        const MotionSummary summary = run_motion(system, options, nobody);
        ASSERT_EQ(summary.status, MotionStatus::finished) << form << " " << method << " " << backend;
        EXPECT_NEAR(summary.last.q[0] / std::cosh(40.0), 1, 1e-11) << form << " " << method << " " << backend;
      }
    }
  }
}

// A free particle in polar coordinates, past the centre at a fiftieth of its distance: regular however coarse the tolerance.
TEST(NearSingular, CoarseTolerancesAreNoReasonToEnd) {
  const double b = 0.02;
  for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-8}) {
    for (const Method method : methods) {
      const MotionSummary summary = motion(
          fmt::format("coordinates = ['r', 'phi']\nlagrangian = \"(r'^2 + r^2*phi'^2)/2\"\n[initial]\nr = {:.17g}\n"
                      "\"r'\" = {:.17g}\n\"phi'\" = {:.17g}\n",
                      std::hypot(1, b), -1 / std::hypot(1, b), b / (1 + b * b)),
          2, method, tolerance);
      ASSERT_EQ(summary.status, MotionStatus::finished) << tolerance << " " << method << summary.diagnosis->message();
      EXPECT_NEAR(summary.last.q[0], std::hypot(1, b), 1e3 * tolerance) << tolerance << " " << method;
    }
  }
}

// A spherical pendulum over the top, past the pole of its angles at 3·10⁻⁷, against the same in Cartesian coordinates: sines of angles that are π but
// for so little have lost half of their digits, and steps that are to hold fourteen become too short to get anywhere.
TEST(NearSingular, APoleOfAnglesIsPassed) {
  const double w = 1e-6, end = 5, s = std::sin(1.0), c = std::cos(1.0);
  const std::string sphere = fmt::format(
      "coordinates = ['x', 'y', 'z']\nlagrangian = \"(x'^2 + y'^2 + z'^2)/2 - z\"\nconstraints = ['x^2 + y^2 + z^2 = "
      "1']\n"
      "[initial]\nx = {:.17g}\nz = {:.17g}\n\"x'\" = {:.17g}\n\"y'\" = {:.17g}\n\"z'\" = {:.17g}\n",
      s, c, -2 * c, s * w, 2 * s);
  const MotionSummary expected = motion(sphere, end, Method::taylor);
  ASSERT_EQ(expected.status, MotionStatus::finished);
  const std::string angles = fmt::format(
      "coordinates = ['a', 'b']\nlagrangian = \"(a'^2 + sin(a)^2*b'^2)/2 - cos(a)\"\n[initial]\na = 1\n\"a'\" = "
      "-2\n\"b'\" = {}\n",
      w);
  for (const Method method : methods) {
    const MotionSummary found = motion(angles, end, method);
    ASSERT_EQ(found.status, MotionStatus::finished) << method << " " << found.diagnosis->message();
    const double a = found.last.q[0], b = found.last.q[1];
    const double within = method == Method::taylor ? 1e-7 : 1e-5;  // 10⁻¹⁶ beside 3·10⁻⁷ at each of three poles
    EXPECT_NEAR(std::sin(a) * std::cos(b), expected.last.q[0], within) << method;
    EXPECT_NEAR(std::sin(a) * std::sin(b), expected.last.q[1], within) << method;
    EXPECT_NEAR(std::cos(a), expected.last.q[2], within) << method;
  }
}

// A disc that nearly lies flat comes up again: whichever equations a single motion begins with, it has its energy and the end of the motions in
// quasi-velocities, which divide by less.
TEST(NearSingular, DiscsComeUpAgain) {
  for (const char* lean : {"1.4", "1.5", "1.55"}) {
    const System disc = read_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/rolling-disc.toml",
                                        std::vector<std::string>{std::string("theta=") + lean});
    Silent nobody;
    MotionOptions options = until(1, Method::taylor);
    options.once = true;
    const MotionSummary one = run_motion(disc, options, nobody);
    options.form = Form::hamel;
    const MotionSummary other = run_motion(disc, options, nobody);
    EXPECT_EQ(one.status, MotionStatus::finished) << lean;
    EXPECT_LT(one.energy_drift, 1e-9) << lean;
    EXPECT_NEAR(one.last.q[3], other.last.q[3], 1e-6) << lean;
  }
}

// A row that vanishes at x = a: Maggi's and Voronec's forms give way to multipliers near it, and these keep on to it.
TEST(NearSingular, FormsMeetARowThatVanishesWhereMultipliersDo) {
  const System system = read_model(R"toml(
coordinates = ["x", "y", "z"]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 + 1.52*x - 0.37*y*z + 0.85*sin(z)"
constraints = ["(x - 0.17)*(y' - 0.12*z*x') = 0"]
[initial]
x = -0.3
y = 0.4
z = 0.7
"x'" = 0.1
"y'" = 0.0084
"z'" = 0.5
)toml",
                                   "row.toml");
  Silent nobody;
  MotionOptions options = until(2, Method::taylor);
  options.form = Form::multipliers;
  const MotionSummary expected = run_motion(system, options, nobody);
  ASSERT_EQ(expected.status, MotionStatus::singular);
  EXPECT_NEAR(expected.last.q[0], 0.17, 1e-14);
  options.tolerance = 1e-12;
  for (const Form form : {Form::maggi, Form::voronec}) {
    for (const Method method : methods) {
      options.form = form;
      options.method = method;
      const MotionSummary found = run_motion(system, options, nobody);
      EXPECT_EQ(found.status, MotionStatus::singular) << form.name() << method;
      EXPECT_EQ(found.reselections, 0U) << form.name() << method;
      EXPECT_NEAR(found.singular_at.value_or(0), *expected.singular_at, 1e-10) << form.name() << method;
    }
  }
}

// A speed that vanishes on the way: what is left of the velocities near there is not what a tolerance is relative to.
TEST(NearSingular, ASpeedThatVanishesIsMetByFewSteps) {
  const System system = read_model(R"toml(
coordinates = ["x", "y", "z"]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - 1.4*x + 0.86*y*z + 0.11*sin(z)"
constraints = ["x'^2 + y'^2 + z'^2 = 1.6*(x + 0.53)"]
[initial]
x = -0.36766071084442764
"x'" = -0.29294548086482552
y = 0.44714156333564636
"y'" = -0.3938781580234661
z = 1.7910000511682207
"z'" = -0.13706131665000676
)toml",
                                   "speed.toml");
  Silent nobody;
  MotionOptions options = until(1, Method::taylor);
  options.form = Form::multipliers;
  options.tolerance = 1e-12;
  const double set = run_motion(system, options, nobody).singular_at.value_or(0);
  for (const Form form : {Form::maggi, Form::voronec, Form::appell}) {
    for (const Method method : {Method::dop853, Method::adams, Method::bdf}) {
      options.form = form;
      options.method = method;
      const MotionSummary found = run_motion(system, options, nobody);
      EXPECT_EQ(found.status, MotionStatus::singular) << form.name() << method;
      EXPECT_NEAR(found.singular_at.value_or(0), set, 1e-9) << form.name() << method;
      EXPECT_LT(found.steps, 1000U) << form.name() << method;
    }
  }
}

// x = 1 − cos t reaches 2/5 at acos 3/5: motions that end before that are finished, however little.
TEST(NearSingular, ASetBeyondTheEndIsNotMet) {
  const System system = read_model(R"toml(
coordinates = ["x", "y", "z"]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - (x - 1)^2/2 - y*z - sin(z)"
constraints = ["(x - 2/5)*(y' - z') = 0"]
[initial]
y = 0.4
z = 0.7
"y'" = 0.5
"z'" = 0.5
)toml",
                                   "beyond.toml");
  Silent nobody;
  for (const Form form : {Form::multipliers, Form::maggi}) {
    for (const Method method : methods) {
      for (const double before : {1e-9, 1e-7, 1e-5, 1e-4}) {
        MotionOptions options = until(std::acos(0.6) - before, method);
        options.form = form;
        options.tolerance = 1e-12;
        const MotionSummary found = run_motion(system, options, nobody);
        EXPECT_EQ(found.status, MotionStatus::finished) << form.name() << method << before;
        EXPECT_EQ(found.last.t, options.t_end) << form.name() << method << before;
        EXPECT_NEAR(found.last.q[0], 1 - std::cos(options.t_end), 1e-9) << form.name() << method << before;
      }
    }
  }
}

}  // namespace
}  // namespace cetaev
