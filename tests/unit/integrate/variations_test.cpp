// Motions differentiated on their way, held against derivatives of closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cetaev/integrate/batch.hpp"
#include "cetaev/integrate/compiled_motion.hpp"
#include "motions.hpp"

namespace cetaev {
namespace {

using testing::HasSubstr;

MotionOptions varied(double t_end, std::vector<std::string> names) {
  MotionOptions options = until(t_end, 2);
  options.variations = std::move(names);
  return options;
}

const char* const oscillator =
    "coordinates = ['x']\nlagrangian = \"m*x'^2/2 - k*x^2/2\"\n[parameters]\nm = 2\nk = '4*m'\n[initial]\nx = 1\n"
    "\"x'\" = 0.5\n";

// x = a cos ωt + b/ω sin ωt with ω² = k/m, which is 4 whatever m is: only x and x' matter, and k by itself.
TEST(Variations, OfAnOscillatorAreThoseOfItsClosedForm) {
  const double w = 2, t = 3, c = std::cos(w * t), s = std::sin(w * t);
  for (const Method method : {Method::taylor, Method::dop853, Method::adams, Method::bdf}) {
    for (const Backend backend : {Backend::jit, Backend::interpreter}) {
      MotionOptions options = varied(t, {"m", "k", "x", "x'"});
      options.method = method;
      options.backend = backend;
      const MotionSummary end = run_text(oscillator, options);
      ASSERT_EQ(end.variations.size(), 4u);
      const double tolerance = method == Method::bdf ? 1e-7 : 1e-11;
      EXPECT_NEAR(end.variations[0].q[0], 0, tolerance) << to_string(method);
      EXPECT_NEAR(end.variations[0].v[0], 0, tolerance);
      // dω/dk = 1/(2 m ω)
      const double by_w = -t * s + 0.5 * (t * c / w - s / (w * w));
      EXPECT_NEAR(end.variations[1].q[0], by_w / (2 * 2 * w), tolerance) << to_string(method);
      EXPECT_NEAR(end.variations[2].q[0], c, tolerance);
      EXPECT_NEAR(end.variations[2].v[0], -w * s, tolerance);
      EXPECT_NEAR(end.variations[3].q[0], s / w, tolerance);
      EXPECT_NEAR(end.variations[3].v[0], c, tolerance);
      EXPECT_EQ(end.variations[3].name, "x'");
    }
  }
}

// φ = ω t, u = (g s/ω) sin φ along the blade: x = (g s/2ω²) sin² φ, y = (g s/2ω²)(φ − sin φ cos φ).
TEST(Variations, OfTheSkateInEveryForm) {
  const double t = 2.5, w = 1.3, g = 9.81 / 2, c = std::cos(w * t), s = std::sin(w * t);
  const double x_w = -g / (w * w * w) * s * s + g / (w * w) * s * c * t;
  const double y_w = -g / (w * w * w) * (w * t - s * c) + g / (2 * w * w) * (t - t * (c * c - s * s));
  const double v_w = -g / (w * w) * s + g / w * c * t;  // of the speed along the blade
  for (const char* form : {"multipliers", "gauss", "maggi", "voronec", "hamel", "appell"}) {
    MotionOptions options = varied(t, {"phi'", "m", "x'"});
    options.form = parse_form(form);
    Silent nobody;
    const MotionSummary end = run_motion(gallery_model("skate"), options, nobody);
    const auto& by_turning = end.variations[0];
    EXPECT_NEAR(by_turning.q[0], x_w, 1e-11) << form;
    EXPECT_NEAR(by_turning.q[1], y_w, 1e-11) << form;
    EXPECT_NEAR(by_turning.q[2], t, 1e-12) << form;
    const double u = g / w * s;
    EXPECT_NEAR(by_turning.v[0], v_w * c - u * s * t, 1e-11) << form;
    EXPECT_NEAR(by_turning.v[1], v_w * s + u * c * t, 1e-11) << form;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(end.variations[1].q[i], 0, 1e-12) << form;
    // a push along the blade at the start stays what it is: x' = cos φ, y' = sin φ more
    EXPECT_NEAR(end.variations[2].q[0], s / w, 1e-12) << form;
    EXPECT_NEAR(end.variations[2].q[1], (1 - c) / w, 1e-12) << form;
  }
}

// On a circle of radius l at the constant rate w: what is given and what follows from it.
TEST(Variations, FollowTheConstraintsFromTheStart) {
  const auto circle = [](const std::string& initial) {
    return "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\nconstraints = ['x^2 + y^2 = "
           "l^2']\n[parameters]\n"
           "l = 2\n[initial]\n" +
           initial;
  };
  // y and y' are not given: x = 0 stays, y = l follows; x' = 3 stays, and so the rate is 3/l
  MotionSummary end = run_text(circle("x = 0\ny = 2\n\"x'\" = 3\n\"y'\" = 0\n"), varied(1, {"l", "x'"}));
  const double w = -1.5, a = M_PI / 2 + w;
  EXPECT_NEAR(end.variations[1].q[0], 2 * -std::sin(a) * -0.5, 1e-12);
  EXPECT_NEAR(end.variations[1].q[1], 2 * std::cos(a) * -0.5, 1e-12);
  EXPECT_NEAR(end.variations[0].q[0], std::cos(a) - 2 * std::sin(a) * 0.75, 1e-12);
  EXPECT_NEAR(end.variations[0].q[1], std::sin(a) + 2 * std::cos(a) * 0.75, 1e-12);
  // all values given, and beside the circle: the nearest state, l (cos, sin) of the angle of (x, y) = (0, 4), with the part of the velocity
  // along the circle; dangle/dx = −1/4
  end = run_text(circle("x = 0\ny = 4\n\"x'\" = 3\n\"y'\" = 1\n"), varied(1, {"l", "x", "y", "y'"}));
  // by x: the angle turns by −1/4, and v = (3, 1) has −3 sin − … along the circle: u = 3 sin a₀ − 1 cos a₀ at a₀ = π/2, du = −1/4
  const double du = -0.25, da = -0.25 - 0.5 * du;
  EXPECT_NEAR(end.variations[1].q[0], -2 * std::sin(a) * da, 1e-11);
  EXPECT_NEAR(end.variations[1].q[1], 2 * std::cos(a) * da, 1e-11);
  // by y and y': nothing to first order
  for (const std::size_t k : {2u, 3u}) {
    EXPECT_NEAR(end.variations[k].q[0], 0, 1e-11);
    EXPECT_NEAR(end.variations[k].q[1], 0, 1e-11);
  }
}

// x'' = f before a place, −f beyond it: parabolas whose parameters change with when they cross.
TEST(Variations, AreCarriedAcrossJumps) {
  const std::string text =
      "coordinates = ['x']\nlagrangian = \"x'^2/2\"\nforces = {x = '-f*abs(x - a)/(x - a)'}\n[parameters]\nf = 2\na = "
      "1\n"
      "[initial]\nx = 0\n\"x'\" = 1\n";
  // x = v t + f t²/2 up to a at T = (−v + √(v² + 2 f a))/f with V = √(v² + 2 f a), then a + V (t − T) − f (t − T)²/2
  const double t = 1.2;
  const auto end_of = [&](double f, double a, double v) {
    const double V = std::sqrt(v * v + 2 * f * a), T = (V - v) / f;
    return a + V * (t - T) - f * (t - T) * (t - T) / 2;
  };
  const double h = 1e-4;
  const auto by = [&](double df, double da, double dv) {
    const auto d = [&](double step) {
      return (end_of(2 + df * step, 1 + da * step, 1 + dv * step) -
              end_of(2 - df * step, 1 - da * step, 1 - dv * step)) /
             (2 * step);
    };
    return (4 * d(h / 2) - d(h)) / 3;
  };
  for (const Method method : {Method::taylor, Method::dop853, Method::adams}) {
    MotionOptions options = varied(t, {"f", "a", "x'"});
    options.method = method;
    const MotionSummary end = run_text(text, options);
    ASSERT_EQ(end.status, MotionStatus::finished);
    EXPECT_NEAR(end.variations[0].q[0], by(1, 0, 0), 1e-10) << to_string(method);
    EXPECT_NEAR(end.variations[1].q[0], by(0, 1, 0), 1e-10) << to_string(method);
    EXPECT_NEAR(end.variations[2].q[0], by(0, 0, 1), 1e-10) << to_string(method);
  }
}

// Forces that only bend are no obstacle: x'' = −|x − d|, a cosine and then a hyperbolic sine.
// A jump at the time p: x'' + x = π up to there, and x = cos t + π (cos(t − p) − cos t) beyond. A cusp: x'' = √|t − p|. Both times are given by another
// parameter, too.
TEST(Variations, FollowJumpsAndCuspsInTime) {
  const double t = 3, p = 1.3;
  const auto model = [](const char* V, const char* force) {
    return std::string("coordinates = ['x']\nlagrangian = \"x'^2/2") + V +
           "\"\n[parameters]\nh = 0.65\np = '2*h'\n[forces]\nx = '" + force + "'\n[initial]\nx = 1\n";
  };
  for (const Method method : methods) {
    MotionOptions options = varied(t, {"h", "x"});
    options.method = method;
    const double tolerance = 1e-8 + 1000 * accuracy(method);
    const MotionSummary jump = run_text(model(" - x^2/2", "atan2(0, t - p)"), options);
    ASSERT_EQ(jump.status, MotionStatus::finished) << method;
    EXPECT_NEAR(jump.variations[0].q[0], 2 * std::numbers::pi * std::sin(t - p), tolerance) << method;
    EXPECT_NEAR(jump.variations[0].v[0], 2 * std::numbers::pi * std::cos(t - p), tolerance) << method;
    EXPECT_NEAR(jump.variations[1].q[0], std::cos(t), tolerance) << method;
    const MotionSummary cusp = run_text(model("", "sqrt(abs(t - p))"), options);
    ASSERT_EQ(cusp.status, MotionStatus::finished) << method;
    const double before = std::sqrt(p), after = std::sqrt(t - p);
    EXPECT_NEAR(cusp.variations[0].v[0], 2 * (before - after), tolerance) << method;
    EXPECT_NEAR(cusp.variations[0].q[0], 2 * (t * before - 2.0 / 3 * (p * before + (t - p) * after)), tolerance)
        << method;
  }
}

TEST(Variations, GoOverBends) {
  const std::string text =
      "coordinates = ['x']\nlagrangian = \"x'^2/2\"\nforces = {x = '-abs(x - d)'}\n[parameters]\nd = 0.1\n[initial]\nx "
      "= 0.3\n"
      "\"x'\" = -1\n";
  // u = x − d: u = a cos t − sin t up to tan T = a, there u' = −√(1 + a²) = −w, and then u = −w sinh(t − T)
  const double t = 0.7, a = 0.2, w = std::sqrt(1 + a * a), T = std::atan(a);
  const double by_x = -a / w * std::sinh(t - T) + w * std::cosh(t - T) / (1 + a * a);
  for (const Method method : {Method::taylor, Method::dop853, Method::adams}) {
    for (const Backend backend : {Backend::jit, Backend::interpreter}) {
      MotionOptions options = varied(t, {"x", "d"});
      options.method = method;
      options.backend = backend;
      const MotionSummary end = run_text(text, options);
      ASSERT_EQ(end.status, MotionStatus::finished) << to_string(method);
      EXPECT_NEAR(end.variations[0].q[0], by_x, 1e-11) << to_string(method);
      EXPECT_NEAR(end.variations[1].q[0], 1 - by_x, 1e-11) << to_string(method);
    }
  }
}

// A throw x = x₀ + v t − g t²/2 that ends on the way down at the height h: t = (v + √(v² + 2 g (x₀ − h)))/g.
TEST(Variations, AtAnEventAreThoseOfItsTimeAndOfTheStateThere) {
  const std::string text =
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - g*x\"\n[parameters]\ng = 9.81\nh = 0.5\n[initial]\n"
      "x = 2\n\"x'\" = 3\n\"y'\" = 4\n[events]\nlands = {when = 'x - h', direction = -1, action = 'stop'}\n";
  const double g = 9.81, v = 3, V = std::sqrt(v * v + 2 * g * 1.5), t = (v + V) / g;
  for (const Method method : {Method::taylor, Method::dop853}) {
    MotionOptions options = varied(10, {"x", "x'", "y'", "g", "h"});
    options.method = method;
    const MotionSummary end = run_text(text, options);
    ASSERT_EQ(end.status, MotionStatus::event);
    EXPECT_NEAR(end.last.t, t, 1e-12);
    const double later[] = {1 / V, (1 + v / V) / g, 0, 1.5 / (V * g) - t / g, -1 / V};
    const double falls[] = {-g / V, -v / V, 0, -1.5 / V, g / V};  // of x' = −V there
    for (std::size_t k = 0; k < 5; ++k) {
      ASSERT_TRUE(end.variations[k].at_event) << k;
      const auto& there = *end.variations[k].at_event;
      EXPECT_NEAR(there.t, later[k], 1e-12) << k;
      EXPECT_NEAR(there.q[0], k == 4 ? 1 : 0, 1e-12) << k;  // it is at h
      EXPECT_NEAR(there.q[1], 4 * later[k] + (k == 2 ? t : 0), 1e-12) << k;
      EXPECT_NEAR(there.v[0], falls[k], 1e-12) << k;
    }
    // and at the time itself
    EXPECT_NEAR(end.variations[0].q[0], 1, 1e-12);
    EXPECT_NEAR(end.variations[3].q[0], -t * t / 2, 1e-12);
  }
  // the skate after a turn of 1: t = 1/ω, x = (g s/2ω²) sin² φ, in quasi-velocities and in dependent ones
  const double w = 1.3, half = 9.81 / 4, s = std::sin(1.0);
  for (const char* form : {"hamel", "voronec", "multipliers"}) {
    MotionOptions options = varied(5, {"phi'"});
    options.form = parse_form(form);
    const std::string skate = gallery_model("skate")->text;
    Silent nobody;
    const MotionSummary end =
        run_motion(read_model(skate + "\n[events]\nturned = {when = 'phi - 1', action = 'stop'}\n", "skate.toml"),
                   options, nobody);
    ASSERT_EQ(end.status, MotionStatus::event) << form;
    ASSERT_TRUE(end.variations[0].at_event) << form;
    EXPECT_NEAR(end.variations[0].at_event->t, -1 / (w * w), 1e-12) << form;
    EXPECT_NEAR(end.variations[0].at_event->q[0], -2 * half / (w * w * w) * s * s, 1e-11) << form;
    EXPECT_NEAR(end.variations[0].at_event->q[2], 0, 1e-12) << form;
  }
}

// Constraints on accelerations beside forces that jump.
TEST(Jumps, BesideConstraintsOnAccelerations) {
  const MotionSummary end = run_text(
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - abs(y)\"\nconstraints = [\"x'' = y\"]\n[initial]\ny "
      "= 0.3\n\"y'\" = -1\n",
      until(0.2, 2));
  ASSERT_EQ(end.status, MotionStatus::finished);
  // y = 0.3 − t − t²/2 and x its second integral
  EXPECT_NEAR(end.last.q[1], 0.3 - 0.2 - 0.02, 1e-13);
  EXPECT_NEAR(end.last.q[0], 0.3 * 0.02 - 0.008 / 6 - 0.0016 / 24, 1e-13);
}

// x'' = x: variations grow to e⁶⁰ beside a motion that decays, and both have all their digits.
TEST(Variations, ThatGrowDoNotSpoilTheMotion) {
  const std::string text =
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + x^2)/2 + (y'^2 - y^2)/2\"\n[initial]\nx = 0\ny = 1\n";
  const MotionSummary end = run_text(text, varied(60, {"x", "x'", "y"}));
  EXPECT_NEAR(end.last.q[1], std::cos(60.0), 1e-12);
  EXPECT_NEAR(end.variations[0].q[0] / std::cosh(60.0), 1, 1e-12);
  EXPECT_NEAR(end.variations[1].v[0] / std::cosh(60.0), 1, 1e-12);
  EXPECT_NEAR(end.variations[2].q[1], std::cos(60.0), 1e-12);
  EXPECT_EQ(end.variations[2].q[0], 0);
}

TEST(Variations, OfManySamplesAreThereAtEachOfThem) {
  struct Kept : Recorder {
    void sample(const MotionPoint& point) override { worst = std::max(worst, error(point)); }
    static double error(const MotionPoint& p) {
      return std::abs(p.variations[0] - std::cos(2 * p.t)) + std::abs(p.variations[1] + 2 * std::sin(2 * p.t));
    }
    double worst = 0;
  } kept;
  MotionOptions options = varied(3, {"x"});
  options.samples = 301;
  run_motion(read_model(oscillator, "model.toml"), options, kept);
  EXPECT_LT(kept.worst, 1e-12);
}

TEST(Variations, OfWhatIsNotThereAreRefused) {
  const auto message = [](const std::string& text, const MotionOptions& options) {
    try {
      run_text(text, options);
    } catch (const Error& error) {
      return std::string(to_string(error.code())) + ": " + error.message() + " " + error.suggestion();
    }
    return std::string();
  };
  EXPECT_THAT(message(oscillator, varied(1, {"mm"})),
              HasSubstr("unknown-name: there is no parameter or initial value 'mm'"));
  MotionOptions through = varied(1, {"m"});
  through.through_singular = true;
  EXPECT_THAT(message(oscillator, through), HasSubstr("bad-model: variations are not carried through singular sets"));
  MotionOptions vakonomic = varied(1, {"x"});
  vakonomic.form = parse_form("vakonomic");
  const std::string skating =
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\nconstraints = [\"x' = x*y'\"]\n[initial]\n\"y'\" = "
      "1\n";
  EXPECT_THAT(message(skating, vakonomic), HasSubstr("not-applicable: the multipliers of vakonomic"));
  MotionOptions lanes = varied(1, {"x"});
  lanes.method = Method::taylor;
  const CompiledMotion motion(read_model(oscillator, "model.toml"), lanes);
  EXPECT_THROW(BatchMotion{motion}, Error);
}

}  // namespace
}  // namespace cetaev
