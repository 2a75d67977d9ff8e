// Motions that pass places at which formulas, terms of constraints or methods fail, and nothing of the system does; and an inertia that is lost on the one direction that is free.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/integrate/motion.hpp"
#include "cetaev/model/read.hpp"
#include "closed_forms.hpp"
#include "motions.hpp"
#include "seeds.hpp"

namespace cetaev {
namespace {

MotionSummary run_in(const System& system, double t_end, const std::string& form, Method method) {
  MotionOptions options = until(t_end, method);
  options.samples = 2;
  options.form = parse_form(form);
  options.backend = Backend::interpreter;
  Silent nobody;
  return run_motion(system, options, nobody);
}

// A point whose direction is a matter of time keeps its speed: (x', y') = v e, the reaction being across e. Where one component of e vanishes all terms of p y' = q x' do,
// one by one, and what rounding leaves of them is as large as they are.
TEST(FalseEnds, ADirectionGivenInTimeKeepsTheSpeed) {
  for (const std::uint64_t seed : seeds(24).all()) {
    Random random(seed);
    const double a = rounded(random, 0.5, 2), b = rounded(random, -1, 1), c = rounded(random, 0.5, 3),
                 v = rounded(random, 0.3, 2), end = 5;
    const bool by_angle = seed % 2 == 0;
    const double first = rounded(random, 0.5, 1.5), second = rounded(random, 2, 3), third = rounded(random, 3.2, 4.5);
    const auto along = [&](double t) {
      std::array<double, 2> e = {(t - first) * (t - second), t - third};
      if (by_angle) e = {std::cos(a * t + b * std::sin(c * t)), std::sin(a * t + b * std::sin(c * t))};
      const double size = std::hypot(e[0], e[1]);
      return std::array{v * e[0] / size, v * e[1] / size};
    };
    const std::string heading = fmt::format("({}*t + {}*sin({}*t))", a, b, c);
    const std::string p = by_angle ? "cos" + heading : fmt::format("(t - {})*(t - {})", first, second),
                      q = by_angle ? "sin" + heading : fmt::format("(t - {})", third);
    const std::array<double, 2> start = along(0), truth = integral(along, end);
    const System system = read_model(fmt::format(R"toml(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2"
constraints = ["{}*y' = {}*x'"]
[initial]
"x'" = {:.17g}
"y'" = {:.17g}
)toml",
                                                 p, q, start[0], start[1]),
                                     "heading.toml");
    for (const std::string form : {"auto", "multipliers", "gauss", "maggi", "hamel", "voronec", "appell"}) {
      for (const Method method : methods) {
        if (method != Method::taylor && form != "auto" && form != "maggi" && form != "multipliers") continue;
        const MotionSummary summary = run_in(system, end, form, method);
        ASSERT_EQ(summary.status, MotionStatus::finished)
            << seed << form << method << (summary.diagnosis ? summary.diagnosis->message() : "");
        for (std::size_t i = 0; i < 2; ++i)
          EXPECT_NEAR(summary.last.q[i], truth[i], 10 * accuracy(method) * (1 + v * end)) << seed << form << method;
      }
    }
  }
}

// |x − b| stands for x − b where it is squared: x does not know of the bend.
TEST(FalseEnds, ABendOfAConstraintIsPassed) {
  for (const std::uint64_t seed : seeds(12).all()) {
    Random random(seed);
    const double b = rounded(random, -1, 1), k = rounded(random, 0.5, 2), x = rounded(random, -0.8, 0.8),
                 v = rounded(random, -1.5, 1.5), end = 6;
    const auto model = [&](const std::string& slope) {
      return read_model(fmt::format(R"toml(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - {}*x^2/2"
constraints = ["y' = {}*x'"]
[initial]
x = {}
"x'" = {}
)toml",
                                    k, slope, x, v),
                        "bend.toml");
    };
    const double truth = run_in(model(fmt::format("(x - ({}))", b)), end, "hamel", Method::taylor).last.q[0];
    const std::string bent = seed % 2 == 0 ? "abs(x - ({}))" : "sqrt((x - ({}))^2)";
    const System system = model(fmt::format(fmt::runtime(bent), b));
    for (const std::string form : {"auto", "multipliers", "maggi"}) {
      for (const Method method : methods) {
        const MotionSummary summary = run_in(system, end, form, method);
        ASSERT_EQ(summary.status, MotionStatus::finished)
            << seed << form << method << (summary.diagnosis ? summary.diagnosis->message() : "");
        EXPECT_NEAR(summary.last.q[0], truth, 10 * accuracy(method) * (1 + std::abs(truth))) << seed << form << method;
      }
    }
  }
}

// Whoever counts lengths of a constraint in micrometres and masses in tonnes has the motion of those who do not.
TEST(FalseEnds, UnitsOfRowsAndMassesAreNoMatterOfRank) {
  struct Shape {
    std::vector<std::string> coordinates;
    std::string lagrangian;
    std::vector<std::string> rows;
    std::string start;
  };
  const std::array<Shape, 4> shapes = {{
      {{"x", "y"}, "(x'^2 + y'^2)/2 - y", {"x^2 + y^2 - 1"}, "x = 1\n\"y'\" = -0.7"},
      {{"x", "y", "a"},
       "(x'^2 + y'^2)/2 + 0.3*a'^2/2 + 0.1*x'*a' - 0.5*x",
       {"x'*sin(a) - y'*cos(a)"},
       "a = 0.4\n\"x'\" = 0.8\n\"a'\" = 1.1"},
      {{"x", "y", "u", "w"},
       "(x'^2 + y'^2)/2 + 3*(u'^2 + w'^2)/2 - y - 3*w",
       {"x^2 + y^2 - 1", "(x - u)^2 + (y - w)^2 - 4"},
       "x = 1\nu = 3\n\"y'\" = 0.5\n\"w'\" = -0.2"},
      {{"x", "y"}, "(x'^2 + y'^2)/2 - 0.4*x*y", {"x'^2 + y'^2 - (1 + 0.2*sin(t))^2"}, "\"x'\" = 0.6\n\"y'\" = 0.8"},
  }};
  for (const std::uint64_t seed : seeds(16).all()) {
    Random random(seed);
    const Shape& shape = shapes[seed % shapes.size()];
    const double end = 3;
    const auto model = [&](bool in_units) {
      const auto unit = [&](int most) { return in_units ? std::pow(10, std::round(random.uniform(-most, most))) : 1; };
      std::string names, rows, parameters = fmt::format("[parameters]\nm = {:g}\n", unit(12));
      for (const std::string& name : shape.coordinates) names += "\"" + name + "\", ";
      for (std::size_t i = 0; i < shape.rows.size(); ++i) {
        const double scale = unit(12);
        const bool by_number = random.uniform(0, 1) < 0.5;
        parameters += fmt::format("c{} = {:g}\n", i, scale);
        rows += fmt::format("\"{}*({}) = 0\", ", by_number ? fmt::format("{:g}", scale) : fmt::format("c{}", i),
                            shape.rows[i]);
      }
      return read_model(
          fmt::format("coordinates = [{}]\nlagrangian = \"m*({})\"\nconstraints = [{}]\n[initial]\n{}\n{}", names,
                      shape.lagrangian, rows, shape.start, parameters),
          "units.toml");
    };
    const MotionSummary truth = run_in(model(false), end, "multipliers", Method::taylor);
    ASSERT_EQ(truth.status, MotionStatus::finished) << seed;
    const System system = model(true);
    for (const std::string form : {"auto", "multipliers", "gauss", "maggi", "hamel", "voronec", "appell"}) {
      for (const Method method : methods) {
        if (method != Method::taylor && form != "auto" && form != "voronec") continue;
        if (form == "hamel" && &shape == &shapes.back()) continue;  // for rows that are not linear there is no basis
        const MotionSummary summary = run_in(system, end, form, method);
        ASSERT_EQ(summary.status, MotionStatus::finished)
            << seed << form << method << (summary.diagnosis ? summary.diagnosis->message() : "");
        for (std::size_t i = 0; i < shape.coordinates.size(); ++i)
          EXPECT_NEAR(summary.last.q[i], truth.last.q[i], 100 * accuracy(method)) << seed << form << method;
      }
    }
  }
}

// A factor in time that becomes small does nothing to a constraint.
TEST(FalseEnds, ASmallFactorIsNoSingularSet) {
  for (const std::uint64_t seed : seeds(12).all()) {
    Random random(seed);
    const double at = rounded(random, 0.5, 2), least = std::pow(10, std::round(random.uniform(-10, -4))), end = 3;
    const std::string law = seed % 2 == 0 ? "y' - x'*sin(x)" : "y'*cos(x) - x'*(1 + y)";
    const auto model = [&](const std::string& constraint) {
      return read_model(fmt::format(R"toml(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - y"
constraints = ["{} = 0"]
[initial]
"x'" = {}
)toml",
                                    constraint, rounded(random, 0.5, 1)),
                        "factor.toml");
    };
    Random same = random;
    const System plain = model(law);
    random = same;
    const System system = model(fmt::format("((t - {})^2 + {:.0e})*({})", at, least, law));
    const State truth = run_in(plain, end, "multipliers", Method::taylor).last;
    for (const std::string form : {"auto", "multipliers", "gauss", "maggi", "hamel", "voronec", "appell"}) {
      for (const Method method : methods) {
        if (method != Method::taylor && form != "auto" && form != "voronec") continue;
        const MotionSummary summary = run_in(system, end, form, method);
        ASSERT_EQ(summary.status, MotionStatus::finished)
            << seed << form << method << least << (summary.diagnosis ? summary.diagnosis->message() : "");
        for (std::size_t i = 0; i < 2; ++i)
          EXPECT_NEAR(summary.last.q[i], truth.q[i], 10 * accuracy(method) * (1 + std::abs(truth.q[i])))
              << seed << form << method << least;
      }
    }
  }
}

// Four bars next to a dead point, where quasi-velocities written out are 0/0 at angles at which nothing happens, and where bdf does not get on.
TEST(FalseEnds, BarsNextToADeadPointGoOnInEveryForm) {
  for (const std::uint64_t seed : seeds(8).all()) {
    Random random(seed);
    // of a lozenge that is not quite one: the coupler is longer by little
    const double longer = std::pow(10, -1 - static_cast<double>(seed % 3)), a = rounded(random, 1.2, 2.2),
                 rate = rounded(random, 1, 2), end = 6;
    // (cos b, sin b) (1 + longer) = (1, 0) + (cos c, sin c) − (cos a, sin a): c near a, by bisection
    const double l2 = 1 + longer;
    const auto gap = [&](double c) {
      return std::hypot(1 + std::cos(c) - std::cos(a), std::sin(c) - std::sin(a)) - l2;
    };
    double low = a - 0.5, high = a;
    if (gap(low) * gap(high) > 0) continue;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (gap(low) * gap(middle) <= 0 ? high : low) = middle;
    }
    const double c = low, b = std::atan2(std::sin(c) - std::sin(a), 1 + std::cos(c) - std::cos(a));
    const System system = read_model(fmt::format(R"toml(
coordinates = ["a", "b", "c"]
lagrangian = "(a'^2 + b'^2 + c'^2)/2 + 0.3*a'*b'*cos(a - b)"
constraints = ["cos(a) + l*cos(b) - cos(c) = 1", "sin(a) + l*sin(b) - sin(c) = 0"]
[parameters]
l = "1 + {}"
[initial]
a = {}
b = {:.17g}
c = {:.17g}
"a'" = {}
)toml",
                                                 longer, a, b, c, rate),
                                     "bars.toml");
    const MotionSummary truth = run_in(system, end, "multipliers", Method::taylor);
    ASSERT_EQ(truth.status, MotionStatus::finished) << seed;
    EXPECT_LT(truth.energy_drift, 1e-11) << seed;
    for (const std::string form : {"hamel", "maggi", "voronec", "appell"}) {
      const MotionSummary summary = run_in(system, end, form, Method::taylor);
      ASSERT_EQ(summary.status, MotionStatus::finished)
          << seed << form << longer << (summary.diagnosis ? summary.diagnosis->message() : "");
      // errors grow by the inverse of the distance each time that the bars pass the dead point
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(summary.last.q[i], truth.last.q[i], 1e-10 / longer) << seed << form << longer;
    }
    EXPECT_EQ(run_in(system, end, "auto", Method::bdf).status, MotionStatus::finished) << seed << longer;
  }
}

// T = (x'² + x y'²)/2 with y' = c x' is (1 + c² x) x'²/2, which is constant: 1 + c² x, the inertia of the one direction that is free, vanishes after 2/3 (1 + c² x₀)/(c² |x'₀|), though
// the mass matrix diag(1, x) is regular there.
TEST(FalseEnds, TheInertiaOfASingleFreeDirectionIsLost) {
  for (const std::uint64_t seed : seeds(8).all()) {
    Random random(seed);
    const double c = rounded(random, 1, 3), x = rounded(random, 0.5, 2), v = rounded(random, -2, -0.5);
    const System system = read_model(fmt::format(R"toml(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + x*y'^2)/2"
constraints = ["y' = {}*x'"]
[initial]
x = {}
"x'" = {}
)toml",
                                                 c, x, v),
                                     "inertia.toml");
    const double truth = 2 * (1 + c * c * x) / (3 * c * c * std::abs(v));
    for (const std::string form : {"auto", "multipliers", "maggi", "hamel", "voronec", "appell"}) {
      for (const Method method : methods) {
        const MotionSummary summary = run_in(system, 2 * truth, form, method);
        ASSERT_EQ(summary.status, MotionStatus::singular) << seed << form << method;
        EXPECT_EQ(summary.diagnosis->code(), ErrorCode::singular_mass_matrix) << seed << form << method;
        EXPECT_NEAR(summary.singular_at.value_or(0), truth, (method == Method::bdf ? 1e-7 : 1e-9) * (1 + truth))
            << seed << form << method;
      }
    }
  }
}

// z has no mass: x z' = x' y + y' has no reaction, x and y move as if it were not there, and at x = 0 nothing determines z'' any more.
TEST(FalseEnds, ACoordinateWithoutMassIsBoundNoLonger) {
  for (const std::uint64_t seed : seeds(4).all()) {
    Random random(seed);
    const double x = rounded(random, -2, -0.5), v = rounded(random, 0.5, 2), a = rounded(random, 0.1, 1);
    const System system = read_model(fmt::format(R"toml(
coordinates = ["x", "y", "z"]
lagrangian = "(x'^2 + y'^2)/2 - y + {}*x"
constraints = ["x*z' = x'*y + y'"]
[initial]
x = {}
"x'" = {}
)toml",
                                                 a, x, v),
                                     "massless.toml");
    const double truth = (std::sqrt(v * v - 2 * a * x) - v) / a;
    for (const std::string form : {"auto", "multipliers", "maggi", "voronec"}) {
      for (const Method method : methods) {
        const MotionSummary summary = run_in(system, 5 + truth, form, method);
        ASSERT_EQ(summary.status, MotionStatus::singular) << seed << form << method;
        EXPECT_EQ(summary.diagnosis->code(), ErrorCode::singular_mass_matrix) << seed << form << method;
        EXPECT_NEAR(summary.singular_at.value_or(0), truth, (method == Method::bdf ? 1e-8 : 1e-9) * (1 + truth))
            << seed << form << method;
      }
    }
  }
}

// The velocity passes y' = 0, where the cube root that Čaplygin's equations are written with has no real value beyond.
TEST(FalseEnds, AFormThatHasNoStateBeyondAFoldIsLeft) {
  for (const double v : {0.3, 0.5, 0.7}) {
    const System system = read_model(fmt::format(R"toml(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 + x*y'"
constraints = ["x'^3 + y'^3 = 1"]
[initial]
"x'" = {}
)toml",
                                                 v),
                                     "cubes.toml");
    const State truth = run_in(system, 5, "multipliers", Method::taylor).last;
    for (const Method method : methods) {
      const MotionSummary summary = run_in(system, 5, "caplygin", method);
      ASSERT_EQ(summary.status, MotionStatus::finished) << v << method;
      for (std::size_t i = 0; i < 2; ++i)
        EXPECT_NEAR(summary.last.q[i], truth.q[i], 100 * accuracy(method)) << v << method;
    }
  }
}

// Bars that stand upright: quasi-velocities written out are 0/0 at the start, where J has its rank.
TEST(FalseEnds, FormulasWithoutAValueAtTheStartAreSolvedThere) {
  const System system = read_model(R"toml(
coordinates = ["a", "b", "c"]
lagrangian = "(a'^2 + b'^2 + c'^2)/2"
constraints = ["cos(a) + 2*cos(b) - cos(c) = 2", "sin(a) + 2*sin(b) - sin(c) = 0"]
[initial]
a = "pi/2"
b = 0
c = "pi/2"
"a'" = 1
)toml",
                                   "upright.toml");
  for (const Method method : methods) {
    // the bars turn together until they are in line
    const MotionSummary summary = run_in(system, 1, "hamel", method);
    ASSERT_EQ(summary.status, MotionStatus::finished) << method;
    EXPECT_NEAR(summary.last.q[0], 1 + std::acos(-1) / 2, accuracy(method)) << method;
    EXPECT_NEAR(summary.last.q[1], 0, accuracy(method)) << method;
  }
}

}  // namespace
}  // namespace cetaev
