// What stands under a root vanishes, and the equations go on: |v| v at rest, |x|^2.5 and its like. Closed forms for all of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "cetaev/integrate/batch.hpp"
#include "cetaev/integrate/compiled_motion.hpp"
#include "cetaev/integrate/motion.hpp"
#include "motions.hpp"

namespace cetaev {
namespace {

// v' = −g − k |v| v: a tangent up to the top, a hyperbolic tangent from there.
class Throw {
 public:
  Throw(double g, double k, double v)
      : rate_(std::sqrt(g * k)), limit_(std::sqrt(g / k)), angle_(std::atan(v / limit_)) {}
  double top() const { return angle_ / rate_; }
  double height(double t) const {
    const double highest = -limit_ / rate_ * std::log(std::cos(angle_));
    if (t < top()) return highest + limit_ / rate_ * std::log(std::cos(angle_ - rate_ * t));
    return highest - limit_ / rate_ * std::log(std::cosh(rate_ * (t - top())));
  }
  double speed(double t) const {
    return t < top() ? limit_ * std::tan(angle_ - rate_ * t) : -limit_ * std::tanh(rate_ * (t - top()));
  }

 private:
  double rate_, limit_, angle_;
};

std::string thrown(double v) {
  return fmt::format(
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - 9.81*y\"\n[forces]\nx = \"-0.1*x'*sqrt(x'^2 + "
      "y'^2)\"\n"
      "y = \"-0.1*y'*sqrt(x'^2 + y'^2)\"\n[initial]\ny = 100\n\"y'\" = {:.17g}\n",
      v);
}

TEST(Bends, WhatIsThrownStraightUpFallsBack) {
  for (const double v : {0.0, 5.0, 1e-3, 300.0}) {
    const Throw exact(9.81, 0.1, v);
    for (const Method method : methods) {
      for (const Backend backend : {Backend::jit, Backend::interpreter}) {
        MotionOptions options = until(3, method);
        options.backend = backend;
        const MotionSummary summary = run_text(thrown(v), options);
        ASSERT_EQ(summary.status, MotionStatus::finished) << v << " " << method << " " << summary.diagnosis->message();
        EXPECT_NEAR(summary.last.q[1], 100 + exact.height(3), 1000 * (1 + v) * accuracy(method)) << v << " " << method;
        EXPECT_NEAR(summary.last.v[1], exact.speed(3), 100 * (1 + v) * accuracy(method)) << v << " " << method;
        EXPECT_EQ(summary.last.q[0], 0) << v << " " << method;
      }
    }
  }
}

TEST(Bends, ItWasAtRestWhenItIsFollowedBackwards) {
  for (const Method method : methods) {
    MotionOptions options = until(-1, method);
    // backwards in time the drag drives, and the motion before the top is that of a throw
    const MotionSummary summary = run_text(thrown(0), options);
    ASSERT_EQ(summary.status, MotionStatus::finished) << method;
    const double rate = std::sqrt(0.981), limit = std::sqrt(98.1);
    EXPECT_NEAR(summary.last.v[1], limit * std::tan(rate), 1000 * accuracy(method)) << method;
  }
}

// Samples on both sides of the top and at it are those of the motion.
TEST(Bends, SamplesAndEventsAreThoseOfTheMotion) {
  const Throw exact(9.81, 0.1, 5);
  for (const Method method : methods) {
    Keeper keeper;
    const System system = read_model(thrown(5) + "[events]\ntop = \"y'\"\n", "bends.toml");
    MotionOptions options = until(2 * exact.top(), method);
    options.samples = 201;
    const MotionSummary summary = run_motion(system, options, keeper);
    ASSERT_EQ(keeper.points.size(), 201U) << method;
    for (const Keeper::Point& point : keeper.points) {
      EXPECT_NEAR(point.q[1], 100 + exact.height(point.t), 1000 * accuracy(method)) << method << " " << point.t;
      EXPECT_NEAR(point.v[1], exact.speed(point.t), 100 * accuracy(method)) << method << " " << point.t;
    }
    EXPECT_EQ(summary.event_counts[0], 1U) << method;
    ASSERT_FALSE(keeper.event_points.empty()) << method;
    EXPECT_NEAR(keeper.event_points[0].t, exact.top(), 100 * accuracy(method)) << method;
  }
}

// In a plane that every form knows how to follow: y' = 2 x', so that along the line −g sin α and the same drag act.
TEST(Bends, AllFormsPassThem) {
  const double sine = 2 / std::sqrt(5.0);
  const Throw exact(9.81 * sine, 0.1, 3);
  const std::string model = fmt::format(
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - 9.81*y\"\nconstraints = [\"y' = 2*x'\"]\n[forces]\n"
      "x = \"-0.1*x'*sqrt(x'^2 + y'^2)\"\ny = \"-0.1*y'*sqrt(x'^2 + y'^2)\"\n[initial]\n\"x'\" = {:.17g}\n",
      3 / std::sqrt(5.0));
  for (const Form form : {Form::multipliers, Form::gauss, Form::maggi, Form::hamel, Form::voronec, Form::appell}) {
    for (const Method method : methods) {
      MotionOptions options = until(2, method);
      options.form = form;
      const MotionSummary summary = run_text(model, options);
      ASSERT_EQ(summary.status, MotionStatus::finished) << form.name() << " " << method;
      EXPECT_NEAR(summary.last.q[1], exact.height(2) * sine, 100 * accuracy(method)) << form.name() << " " << method;
    }
  }
}

// x'²/2 + |x|^p: a quarter of the period is A^(1 − p/2) B(1/p, 1/2)/(p √2).
TEST(Bends, OscillatorsOfEveryPowerHaveTheirPeriods) {
  struct Power {
    double p;
    const char* text;
  };
  for (const auto& [p, text] :
       {Power{1.5, "abs(x)^1.5"}, Power{1.1, "abs(x)^1.1"}, Power{4.0 / 3, "(x^2)^(2/3)"},
        Power{1.5, "(x^2 + y^2)^0.75"}, Power{2.5, "abs(x)^2.5"}, Power{2.5, "(x^2)^1.25"}, Power{3, "(x^2 + y^2)^1.5"},
        Power{2.2, "abs(x)^2.2"}, Power{7.0 / 3, "abs(x)^(7/3)"}, Power{5, "sqrt(x^2 + y^2)^5"}}) {
    const double A = 0.8;
    const double quarter = std::pow(A, 1 - p / 2) *
                           std::exp(std::lgamma(1 / p) + std::lgamma(0.5) - std::lgamma(1 / p + 0.5)) /
                           (p * std::numbers::sqrt2);
    const std::string model =
        fmt::format("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - {}\"\n[initial]\nx = {}\n", text, A);
    for (const Method method : methods) {
      const MotionSummary summary = run_text(model, until(10 * quarter, method));
      ASSERT_EQ(summary.status, MotionStatus::finished) << text << " " << method << summary.diagnosis->message();
      EXPECT_NEAR(summary.last.q[0], -A, 1000 * accuracy(method)) << text << " " << method;
      EXPECT_NEAR(summary.last.v[0], 0, 1000 * accuracy(method)) << text << " " << method;
    }
  }
}

// Past the centre of r³ at every distance, also at one that time hardly resolves: angular momentum and energy.
TEST(Bends, PastThemAtEveryDistance) {
  for (double sideways = 1; sideways > 1e-17; sideways /= 10) {
    for (const Method method : methods) {
      const MotionSummary summary = run_text(
          fmt::format("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - (x^2 + y^2)^1.5/3\"\n[initial]\nx = "
                      "1\n\"y'\" = {:.17g}\n",
                      sideways),
          until(5, method));
      ASSERT_EQ(summary.status, MotionStatus::finished) << sideways << " " << method << summary.diagnosis->message();
      const auto& q = summary.last.q;
      const auto& v = summary.last.v;
      EXPECT_NEAR(q[0] * v[1] - q[1] * v[0], sideways, 100 * accuracy(method)) << sideways << " " << method;
      EXPECT_LT(summary.energy_drift, 100 * accuracy(method)) << sideways << " " << method;
    }
  }
}

// Roots of t alone that touch zero where no square is written: √(1 − cos(t − 1)) = √2 |sin((t − 1)/2)|, and its like.
TEST(Bends, RootsInTimeAreThoseOfTheirSquares) {
  struct Root {
    const char* force;
    double impulse;  // until t = 3
  };
  const double root2 = std::numbers::sqrt2;
  for (const auto& [force, impulse] :
       {Root{"sqrt(1 - cos(t - 1))", 2 * root2 * ((1 - std::cos(0.5)) + (1 - std::cos(1.0)))},
        Root{"sqrt(1 - sin(t)^2)", 1 + (1 - std::sin(3.0))},
        Root{"sqrt(1 + cos(2*t))", root2 * (1 + (1 - std::sin(3.0)))}}) {
    for (const Method method : methods) {
      const MotionSummary summary = run_text(
          fmt::format("coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = '{}'\n[initial]\nx = 1\n", force),
          until(3, method));
      ASSERT_EQ(summary.status, MotionStatus::finished) << force << " " << method;
      EXPECT_NEAR(summary.last.v[0], impulse, 100 * accuracy(method)) << force << " " << method;
    }
  }
}

// Where the equations do not go on the motion ends: beyond there are no numbers, or they have a direction and no value.
TEST(Bends, EndsStayEnds) {
  for (const char* force : {"-sqrt(x)", "-x/sqrt(x^2 + y^2)", "-(x^2)^-0.2", "-1 - log(abs(x))"}) {
    const MotionSummary summary = run_text(
        fmt::format(
            "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\n[forces]\nx = '{}'\n[initial]\nx = 1\n",
            force),
        until(4, Method::taylor));
    EXPECT_NE(summary.status, MotionStatus::finished) << force;
  }
}

// x'' = √|x| brings what comes to x = 0 at rest, x = (√12 − t)⁴/144, to a state from which it may go on or stay: the state is known to ten digits, the
// time to a quarter of them. Methods without series pass it on one of the motions that begin there.
TEST(Bends, WhereSeveralMotionsBeginAMotionEnds) {
  const MotionSummary summary = run_text(
      fmt::format("coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = 'sqrt(abs(x))'\n[initial]\nx = 1\n"
                  "\"x'\" = {:.17g}\n",
                  -2 / std::sqrt(3.0)),
      until(4, Method::taylor));
  EXPECT_EQ(summary.status, MotionStatus::singular);
  ASSERT_TRUE(summary.singular_at);
  EXPECT_NEAR(*summary.singular_at, std::sqrt(12.0), 0.03);
}

// Beginning where the formula −x/√|x| is 0/0 and what it stands for is 0: after a whole period it is back, and after half of it on its way back.
TEST(Bends, AMotionMayBeginAtOne) {
  const double p = 1.5, A = std::pow(p / 2, 1 / p);  // v²/2 = A^p/p
  const double quarter = std::sqrt(p) * std::pow(A, 1 - p / 2) *
                         std::exp(std::lgamma(1 / p) + std::lgamma(0.5) - std::lgamma(1 / p + 0.5)) /
                         (p * std::numbers::sqrt2);
  for (const Method method : methods) {
    for (const int halves : {1, 4}) {
      const MotionSummary summary = run_text(
          "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = '-x/sqrt(abs(x))'\n[initial]\n\"x'\" = 1\n",
          until(2 * halves * quarter, method));
      ASSERT_EQ(summary.status, MotionStatus::finished) << method;
      EXPECT_NEAR(summary.last.q[0], 0, 1000 * accuracy(method)) << method;
      EXPECT_NEAR(summary.last.v[0], halves == 1 ? -1 : 1, 1000 * accuracy(method)) << method;
    }
  }
}

// What rests at the bottom of |x|^p, 1 < p < 2, has no energy to leave it with, though the force has no derivative there and its formula no value; alone,
// at another place, in the plane, and beside something that moves. On top of it several motions begin.
TEST(Bends, WhatRestsAtTheBottomStaysThere) {
  struct Case {
    const char* coordinates;
    const char* lagrangian;
    const char* initial;
    double end;  // of the last coordinate
  };
  for (const auto& [coordinates, lagrangian, initial, end] :
       {Case{"'x'", "x'^2/2 - abs(x)^1.5", "", 0}, Case{"'x'", "x'^2/2 - abs(x)^1.05", "", 0},
        Case{"'x'", "x'^2/2 - abs(x)^1.9", "", 0}, Case{"'x'", "x'^2/2 - abs(x - 1)^1.5", "x = 1\n", 1},
        Case{"'x', 'y'", "(x'^2 + y'^2)/2 - (x^2 + y^2)^0.75", "", 0},
        Case{"'x', 'y'", "(x'^2 + y'^2)/2 - abs(x)^1.2", "\"y'\" = 1\n", 10}}) {
    for (const Method method : methods) {
      const MotionSummary summary = run_text(
          fmt::format("coordinates = [{}]\nlagrangian = \"{}\"\n[initial]\n{}", coordinates, lagrangian, initial),
          until(10, method));
      ASSERT_EQ(summary.status, MotionStatus::finished) << lagrangian << " " << method;
      EXPECT_NEAR(summary.last.q.back(), end, 1e-13) << lagrangian << " " << method;
      EXPECT_EQ(summary.energy_drift, 0) << lagrangian << " " << method;
    }
  }
  for (const char* lagrangian : {"x'^2/2 + abs(x)^1.5", "x'^2/2 + abs(x)^1.8", "x'^2/2 - abs(x)"}) {
    for (const Method method : methods) {
      EXPECT_THROW(run_text(fmt::format("coordinates = ['x']\nlagrangian = \"{}\"\n", lagrangian), until(10, method)),
                   Error)
          << lagrangian << " " << method;
    }
  }
}

// Against a wall of stiffness 10¹², as a number and as a parameter, and back after half a period of it: x(8) = −2 + π/10⁶. Where the wall begins rounding
// of the place shows in the force.
TEST(Bends, AStiffWallThrowsBack) {
  for (const char* text :
       {"coordinates = ['x']\nlagrangian = \"x'^2/2 - 1e12/2*((abs(x - 3) + x - 3)/2)^2\"\n[initial]\n\"x'\" = 1\n",
        "coordinates = ['x']\nlagrangian = \"x'^2/2 - k/2*((abs(x - 3) + x - 3)/2)^2\"\n[parameters]\nk = "
        "1e12\n[initial]\n\"x'\" = 1\n"}) {
    for (const Method method : methods) {
      for (const Backend backend : {Backend::jit, Backend::interpreter}) {
        MotionOptions options = until(8, method);
        options.backend = backend;
        const MotionSummary summary = run_text(text, options);
        ASSERT_EQ(summary.status, MotionStatus::finished) << text << method;
        EXPECT_NEAR(summary.last.q[0], -2 + std::numbers::pi / 1e6, 1000 * accuracy(method)) << text << method;
      }
    }
  }
}

// A ball is laid on a Hertzian contact, V = −g x + k max(x, 0)^p, or thrown on it from above, by the time of the way down to the lowest point and back.
TEST(Bends, HertzianContactsWrittenAsPotentials) {
  const double g = 0.5, k = 400, p = 2.5;
  const double deepest = std::pow(g / k, 1 / (p - 1));
  // ∫ dx/√(2 (g x − k x^p)) from 0 to its zero, x = deepest · s^(1/(p−1)) makes it a beta function: B(½/(p−1), ½)
  const double a = 0.5 / (p - 1);
  const double down =
      std::sqrt(deepest / (2 * g)) / (p - 1) * std::exp(std::lgamma(a) + std::lgamma(0.5) - std::lgamma(a + 0.5));
  for (const char* contact : {"((abs(x) + x)/2)^2.5", "(x/2 + abs(x)/2)^(5/2)"}) {
    const std::string model =
        fmt::format("coordinates = ['x']\nlagrangian = \"x'^2/2 + 0.5*x - 400*{}\"\n[initial]\nx = ", contact);
    for (const Method method : methods) {
      const MotionSummary laid = run_text(model + "0\n", until(down, method));
      ASSERT_EQ(laid.status, MotionStatus::finished) << contact << " " << method;
      EXPECT_NEAR(laid.last.q[0], deepest, 100 * accuracy(method)) << contact << " " << method;
      // from a height h: the fall, the contact, and up again to where it came from
      const MotionSummary thrown_back = run_text(model + "-0.25\n\"x'\" = 0.3\n", until(20, method));
      ASSERT_EQ(thrown_back.status, MotionStatus::finished) << contact << " " << method;
      EXPECT_LT(thrown_back.energy_drift, 1000 * accuracy(method)) << contact << " " << method;
    }
  }
}

// V = x² log |x| from x = 1 with v = −2 to x = −1: ∫ dx/√(4 − 2 V), by the double exponential rule.
TEST(Bends, LogarithmsOfMagnitudesToo) {
  double time = 0;
  const double step = 1.0 / 64;
  for (double s = -4; s <= 4; s += step) {
    const double inner = std::numbers::pi / 2 * std::sinh(s);
    const double x = 1 / (1 + std::exp(-2 * inner));  // of (0, 1)
    const double weight = std::numbers::pi / 4 * std::cosh(s) / std::pow(std::cosh(inner), 2);
    time += 2 * step * weight / std::sqrt(4 - 2 * x * x * std::log(x));
  }
  for (const Method method : methods) {
    const MotionSummary summary =
        run_text("coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2*log(abs(x))\"\n[initial]\nx = 1\n\"x'\" = -2\n",
                 until(time, method));
    ASSERT_EQ(summary.status, MotionStatus::finished) << method;
    EXPECT_NEAR(summary.last.q[0], -1, 100 * accuracy(method)) << method;
    EXPECT_NEAR(summary.last.v[0], -2, 100 * accuracy(method)) << method;
  }
}

// Where numbers in the series are too large for doubles, and the equations are not: a step 1/(1 + exp(1000 (x − 1))) gives the energy of the way
// through it, and so does a hill that is felt near x = 1 alone.
TEST(Bends, WhatIsTooLargeForSeriesIsFollowed) {
  struct Case {
    const char* system;
    double x, v, square;  // the last of v at the end; 0 where that depends on x
  };
  for (const auto& [system, x, v, square] :
       {Case{"lagrangian = \"x'^2/2\"\n[forces]\nx = '-1/(1 + exp(1000*(x - 1)))'\n", 2, -1, 0},
        Case{"lagrangian = \"x'^2/2\"\n[forces]\nx = '1/cosh(1000*(x - 1))'\n", 0, 1, 1 + 2 * std::numbers::pi / 1000},
        Case{"lagrangian = \"x'^2/2 - 0.1/cosh(1000*(x - 1))^2\"\n", 0, 1, 1},
        Case{"lagrangian = \"x'^2/2 + 0.2*tanh(900*(x - 1))\"\n", 0, 1, 1.8}}) {
    for (const Form form : {Form::multipliers, Form::hamel}) {
      for (const Method method : methods) {
        MotionOptions options = until(3, method);
        options.form = form;
        const MotionSummary summary =
            run_text(fmt::format("coordinates = ['x']\n{}[initial]\nx = {}\n\"x'\" = {}\n", system, x, v), options);
        ASSERT_EQ(summary.status, MotionStatus::finished) << system << form.name() << " " << method;
        const double speed = summary.last.v[0];
        // on the left of a step x'' = −1: v² = 1 + 2 (1 − x), but for what exp(1000 (x − 1)) leaves of it, which vanishes with x − 1
        const double expected = square > 0 ? square : 1 + 2 * (1 - summary.last.q[0]);
        EXPECT_NEAR(speed * speed, expected, 1e-4 * accuracy(method) / accuracy(Method::bdf) + 100 * accuracy(method))
            << system << form.name() << " " << method;
      }
    }
  }
}

// Steps written with exp, far beyond where exp(u) is a number: of a force, of a mass, and a potential that is one side of a wedge.
TEST(Bends, LogisticTermsAreFollowedWhereExponentialsAreTooLarge) {
  struct Case {
    const char* system;
    double x, v, square;  // the last of v at the end
  };
  for (const auto& [system, x, v, square] :
       {Case{"lagrangian = \"x'^2/2\"\n[forces]\nx = 'exp(1000*(x - 1))/(1 + exp(1000*(x - 1)))'\n", 5, -4, 8},
        Case{"lagrangian = \"(1 + 1/(1 + exp(1000*(x - 1))))*x'^2/2\"\n", 0, 1, 2},
        Case{"lagrangian = \"(1 + 1/(1 + exp(1000*(x - 1))))*x'^2/2\"\n", 2, -1, 0.5},
        Case{"lagrangian = \"x'^2/2 - log(1 + exp(-1000*x))/1000\"\n", -1, 3, 11},
        Case{"lagrangian = \"x'^2/2 - 0.3*log(2 + exp(1000*(x - 1)))/1000\"\n", 0, 1, 0}}) {
    for (const Form form : {Form::multipliers, Form::hamel}) {
      for (const Method method : methods) {
        MotionOptions options = until(3, method);
        options.form = form;
        const MotionSummary summary =
            run_text(fmt::format("coordinates = ['x']\n{}[initial]\nx = {}\n\"x'\" = {}\n", system, x, v), options);
        ASSERT_EQ(summary.status, MotionStatus::finished) << system << form.name() << " " << method;
        const double speed = summary.last.v[0];
        // of the last: 0.3 (x − 1) beyond x = 1, but for the 0.0003 log 2 at its foot
        const double expected = square > 0 ? square : 1 + 0.0006 * std::log(2.0) - 0.6 * (summary.last.q[0] - 1);
        EXPECT_NEAR(speed * speed, expected, 1e3 * accuracy(method)) << system << form.name() << " " << method;
        EXPECT_LT(summary.energy_drift, 1e3 * accuracy(method)) << system << form.name() << " " << method;
      }
    }
  }
}

// What is divided by a number that is too large is not zero: the force is −tanh(x)/√(1 + 1/cosh² x), from x = 355 on as it is written.
TEST(Bends, WhatIsTooLargeForNumbersIsNotTakenForZero) {
  const char* const text =
      "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = '-sinh(x)/sqrt(1 + cosh(x)^2)'\n"
      "[initial]\nx = 340\n\"x'\" = 10\n";
  for (const Method method : methods) {
    for (const Backend backend : {Backend::jit, Backend::interpreter}) {
      MotionOptions options = until(15, method);
      options.backend = backend;
      const MotionSummary summary = run_text(text, options);
      ASSERT_EQ(summary.status, MotionStatus::failed) << method;
      EXPECT_EQ(summary.diagnosis->code(), ErrorCode::non_finite) << method;
      // up to there it is right
      const double t = summary.last.t;
      EXPECT_NEAR(summary.last.q[0], 355.4, 0.5) << method;
      EXPECT_NEAR(summary.last.q[0], 340 + 10 * t - t * t / 2, 1000 * accuracy(method)) << method;
    }
  }
}

// Nor what is too small for them: here every force is, and nothing would move.
TEST(Bends, WhatIsTooSmallForNumbersIsNotTakenForZero) {
  MotionOptions options = until(10);
  options.once = true;  // as it is written
  const auto begin = [&](const char* x) {
    return run_text(
        fmt::format("coordinates = ['x']\nlagrangian = \"1e-200*x'^2/2 - 1e-200*x^2/2\"\n[initial]\nx = {}\n", x),
        options);
  };
  EXPECT_NEAR(begin("1e-50").last.q[0], 1e-50 * std::cos(10.0), 1e-61);
  try {
    begin("1e-150");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::non_finite);
    EXPECT_NE(error.message().find("other units"), std::string::npos) << error.message();
  }
}

// log cosh x is |x| − log 2 where cosh x is no number.
TEST(Bends, LogarithmsOfHyperbolicCosinesAreFollowed) {
  for (const Method method : methods) {
    const MotionSummary summary =
        run_text("coordinates = ['x']\nlagrangian = \"x'^2/2 + log(cosh(x))\"\n[initial]\nx = 1\n\"x'\" = 1\n",
                 until(1000, method));
    ASSERT_EQ(summary.status, MotionStatus::finished) << method;
    const double v = summary.last.v[0], x = summary.last.q[0];
    EXPECT_NEAR(v * v, 1 - 2 * std::log(std::cosh(1.0)) + 2 * (x - std::numbers::ln2), 1e6 * accuracy(method))
        << method;
    EXPECT_GT(x, 5e5);
    EXPECT_LT(summary.energy_drift, 1e6 * accuracy(method)) << method;
  }
}

// x'' = −√|t − 1|: nothing ends at t = 1, where only the power x/(2√|t − 1|) has a pole. Samples there are those of the motion.
TEST(Bends, RootsInTimeOfALagrangianHaveTheirEnergy) {
  const auto speed = [](double t) {
    const double s = std::abs(t - 1);
    return -2.0 / 3 + (t < 1 ? 1 : -1) * 2.0 / 3 * s * std::sqrt(s);
  };
  const auto place = [](double t) {
    const double s = std::abs(t - 1);
    return 0.6 - 2.0 / 3 * (t - 1) - 4.0 / 15 * s * s * std::sqrt(s);
  };
  const System system =
      read_model("coordinates = ['x']\nlagrangian = \"x'^2/2 - x*sqrt(abs(t - 1))\"\n[initial]\nx = 1\n", "root.toml");
  for (const Form form : {Form::multipliers, Form::hamel, Form::maggi}) {
    for (const Method method : methods) {
      MotionOptions options = until(2, method);
      options.form = form;
      Keeper keeper;
      const MotionSummary summary = run_motion(system, options, keeper);
      ASSERT_EQ(summary.status, MotionStatus::finished) << form.name() << " " << method;
      for (const auto& point : keeper.points) {
        EXPECT_NEAR(point.q[0], place(point.t), 100 * accuracy(method)) << form.name() << " " << method << point.t;
        EXPECT_NEAR(point.v[0], speed(point.t), 100 * accuracy(method)) << form.name() << " " << method << point.t;
      }
      EXPECT_EQ(keeper.points[50].t, 1) << form.name() << " " << method;
      EXPECT_LT(summary.energy_drift, 1e-9) << form.name() << " " << method;
    }
  }
}

// v' = −v^p along the way comes to rest at t = 1/(1 − p), after 1/(2 − p), and stays there.
TEST(Bends, FrictionBringsToRestInAFiniteTime) {
  for (const double p : {0.1, 0.5, 0.8}) {
    for (const Form form : {Form::multipliers, Form::hamel}) {
      for (const Method method : methods) {
        MotionOptions options = until(10, method);
        options.form = form;
        const std::string force = fmt::format("/(x'^2 + y'^2)^{}", (1 - p) / 2);
        const MotionSummary summary = run_text(
            fmt::format("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\n[forces]\nx = \"-x'{0}\"\n"
                        "y = \"-y'{0}\"\n[initial]\n\"x'\" = 0.6\n\"y'\" = 0.8\n",
                        force),
            options);
        ASSERT_EQ(summary.status, MotionStatus::finished) << p << " " << form.name() << " " << method;
        EXPECT_NEAR(summary.last.q[0], 0.6 / (2 - p), 100 * accuracy(method))
            << p << " " << form.name() << " " << method;
        EXPECT_NEAR(summary.last.q[1], 0.8 / (2 - p), 100 * accuracy(method))
            << p << " " << form.name() << " " << method;
        EXPECT_EQ(summary.last.v[0], 0) << p << " " << form.name() << " " << method;
        EXPECT_EQ(summary.last.v[1], 0) << p << " " << form.name() << " " << method;
      }
    }
  }
}

TEST(Bends, MotionsSideBySideAreTheSame) {
  const CompiledMotion compiled(read_model(thrown(5), "b.toml"), until(2));
  const std::vector<double> states = {0, 7, 0, 5, 0, 8, 0, 2, 0, 9, 0, 0};
  const BatchResult together = BatchMotion(compiled, 2).run({states, {}, {}});
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(together.ends[i].status, MotionStatus::finished);
    EXPECT_NEAR(together.last_state(i).q[1], states[4 * i + 1] + Throw(9.81, 0.1, states[4 * i + 3]).height(2), 1e-11);
  }
}

}  // namespace
}  // namespace cetaev
