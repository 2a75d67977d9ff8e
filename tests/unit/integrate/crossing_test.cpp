// Equations that jump where the state crosses a set: the motion goes on with those of the other side, whatever the method. Exact motions are
// made of parabolas.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/integrate/batch.hpp"
#include "cetaev/integrate/compiled_motion.hpp"
#include "cetaev/integrate/motion.hpp"
#include "motions.hpp"

namespace cetaev {
namespace {

struct Place {
  double x, v;
};

// A force that is constant between places in order, exactly: forces[i] is that before places[i].
class Pieces {
 public:
  std::vector<double> places, forces;

  Place after(double time, Place at) const {
    std::size_t piece = 0;
    while (piece < places.size() && at.x > places[piece]) ++piece;
    for (;;) {
      const double F = forces[piece];
      double first = time;
      std::size_t to = piece;
      // the earliest way out: x + v t + F t²/2 = place
      const auto way_out = [&](double place, std::size_t beyond) {
        const double gap = at.x - place, root = at.v * at.v - 2 * F * gap;
        if (root < 0) return;
        for (const double sign : {-1.0, 1.0}) {
          // without cancellation
          const double q = -(at.v + std::copysign(std::sqrt(root), at.v));
          const double t = sign < 0 ? (F != 0 ? q / F : -1) : (q != 0 ? 2 * gap / q : -1);
          const double v = at.v + F * t;
          const bool outwards = beyond > piece ? v > 0 : v < 0;
          if (t > 0 && outwards && t < first) first = t, to = beyond;
        }
      };
      if (piece < places.size()) way_out(places[piece], piece + 1);
      if (piece > 0) way_out(places[piece - 1], piece - 1);
      if (to == piece) return {at.x + at.v * time + F * time * time / 2, at.v + F * time};
      at = {places[std::min(piece, to)], at.v + F * first};
      time -= first;
      piece = to;
    }
  }

  // The mean of the outermost forces, and half a change of force times a sign at each place.
  std::string text(const std::string& z = "x") const {
    std::string result = fmt::format("{:.17g}", (forces.front() + forces.back()) / 2);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::string u = fmt::format("({} - ({:.17g}))", z, places[i]);
      const std::string change = fmt::format("({:.17g})", (forces[i + 1] - forces[i]) / 2);
      const std::string signs[] = {"abs" + u + "/" + u, u + "/abs" + u, "sqrt(" + u + "^2)/" + u};
      result += " + " + change + "*" + signs[i % 3];
    }
    return result;
  }

  // Of the forces for pieces of time.
  Place at_time(double end, Place at) const {
    double t = 0;
    for (std::size_t i = 0; i < forces.size(); ++i) {
      const double lasts = (i < places.size() ? std::min(places[i], end) : end) - t;
      at = {at.x + at.v * lasts + forces[i] * lasts * lasts / 2, at.v + forces[i] * lasts};
      t += lasts;
    }
    return at;
  }
};

// x'' = −x/|x|: a quarter of the period is √(2 x₀).
TEST(Crossing, AParticleBetweenTwoConstantForcesSwings) {
  for (const char* model :
       {"coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = '-abs(x)/x'\n[initial]\nx = 0.7\n",
        "coordinates = ['x']\nlagrangian = \"x'^2/2 - abs(x)\"\n[initial]\nx = 0.7\n",
        "coordinates = ['x']\nlagrangian = \"x'^2/2 - sqrt(x^2)\"\n[initial]\nx = 0.7\n"}) {
    for (const Method method : methods) {
      for (const Backend backend : {Backend::jit, Backend::interpreter}) {
        MotionOptions options = until(10 * 4 * std::sqrt(1.4), method);
        options.backend = backend;
        const MotionSummary summary = run_text(model, options);
        ASSERT_EQ(summary.status, MotionStatus::finished) << method << " " << model;
        EXPECT_NEAR(summary.last.q[0], 0.7, 100 * accuracy(method)) << method << " " << model;
        EXPECT_NEAR(summary.last.v[0], 0, 100 * accuracy(method)) << method << " " << model;
        EXPECT_LT(summary.energy_drift, 100 * accuracy(method)) << method << " " << model;
      }
    }
  }
}

// The motion is even in time.
TEST(Crossing, BackwardsAsForwards) {
  const char* model = "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = \"-abs(x)/x\"\n[initial]\nx = 1\n";
  for (const Method method : methods) {
    const MotionSummary back = run_text(model, until(-6, method));
    ASSERT_EQ(back.status, MotionStatus::finished) << method;
    const double late = 6 - 4 * std::sqrt(2.0);  // beyond a whole swing
    EXPECT_NEAR(back.last.q[0], 1 - late * late / 2, 100 * accuracy(method)) << method;
    EXPECT_NEAR(back.last.v[0], late, 100 * accuracy(method)) << method;
  }
}

TEST(Crossing, RandomConstantForcesGiveParabolas) {
  Random random(17);
  for (int number = 0; number < 40; ++number) {
    Pieces pieces;
    const int places = 1 + static_cast<int>(random.uniform(0, 4));
    for (double x = random.uniform(-1, -0.5); static_cast<int>(pieces.places.size()) < places;
         x += random.uniform(0.05, 0.6))
      pieces.places.push_back(x);
    // inwards from outside, anything between
    for (int i = 0; i <= places; ++i)
      pieces.forces.push_back(i == 0        ? random.uniform(0.3, 2)
                              : i == places ? random.uniform(-2, -0.3)
                                            : random.uniform(-0.5, 0.5));
    const Place start = {random.uniform(-1.5, -1.1), random.uniform(0.5, 2)};
    const double t_end = random.uniform(3, 12);
    const Place exact = pieces.after(t_end, start);
    const std::string model = fmt::format(
        "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\n[forces]\nx = '{}'\n[initial]\nx = "
        "{:.17g}\n\"x'\" "
        "= {:.17g}\n\"y'\" = 0.3\n",
        pieces.text(), start.x, start.v);
    for (const Method method : methods) {
      const MotionSummary summary = run_text(model, until(t_end, method));
      ASSERT_EQ(summary.status, MotionStatus::finished) << method << "\n" << model << summary.diagnosis->message();
      EXPECT_NEAR(summary.last.q[0], exact.x, 1000 * accuracy(method)) << method << "\n" << model;
      EXPECT_NEAR(summary.last.v[0], exact.v, 1000 * accuracy(method)) << method << "\n" << model;
    }
  }
}

// With the places at rest in a frame that moves.
TEST(Crossing, PlacesThatMoveGiveParabolasInTheirFrame) {
  Random random(18);
  for (int number = 0; number < 10; ++number) {
    Pieces pieces{{random.uniform(-0.5, 0), random.uniform(0.1, 0.5)},
                  {random.uniform(0.3, 2), 0.1, -random.uniform(0.3, 2)}};
    const Place start = {-1, random.uniform(0.5, 2)};
    const double w = random.uniform(-1, 1), t_end = random.uniform(3, 12);
    const Place exact = pieces.after(t_end, {start.x, start.v - w});
    const std::string model = fmt::format(
        "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = '{}'\n[initial]\nx = -1\n\"x'\" = {:.17g}\n",
        pieces.text(fmt::format("(x - ({:.17g})*t)", w)), start.v);
    for (const Method method : methods) {
      const MotionSummary summary = run_text(model, until(t_end, method));
      ASSERT_EQ(summary.status, MotionStatus::finished) << method << "\n" << model << summary.diagnosis->message();
      EXPECT_NEAR(summary.last.q[0], exact.x + w * t_end, 1000 * accuracy(method)) << method << "\n" << model;
      EXPECT_NEAR(summary.last.v[0], exact.v + w, 1000 * accuracy(method)) << method << "\n" << model;
    }
  }
}

// A force that is switched: at times near the start and near the end, too.
TEST(Crossing, RandomForcesSwitchedInTimeGiveParabolas) {
  Random random(19);
  for (int number = 0; number < 30; ++number) {
    Pieces pieces;
    const int times = 1 + static_cast<int>(random.uniform(0, 4));
    double t = number % 3 == 0 ? 1e-9 : random.uniform(0.1, 1);
    for (int i = 0; i < times; ++i, t += random.uniform(0.05, 2)) pieces.places.push_back(t);
    for (int i = 0; i <= times; ++i) pieces.forces.push_back(random.uniform(-1, 1));
    const double t_end = number % 5 == 0 ? t + 1e-7 : t + 1;
    const Place exact = pieces.at_time(t_end, {0, 0.3});
    const std::string model =
        fmt::format("coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = '{}'\n[initial]\n\"x'\" = 0.3\n",
                    pieces.text("t"));
    for (const Method method : methods) {
      const MotionSummary summary = run_text(model, until(t_end, method));
      ASSERT_EQ(summary.status, MotionStatus::finished) << method << "\n" << model << summary.diagnosis->message();
      EXPECT_NEAR(summary.last.q[0], exact.x, 100 * accuracy(method)) << method << "\n" << model;
      EXPECT_NEAR(summary.last.v[0], exact.v, 100 * accuracy(method)) << method << "\n" << model;
    }
  }
}

// On a plane that turns, by a constraint that all forms share: along the blade x'' = −|x|/x again.
TEST(Crossing, AllFormsGoOnBeyond) {
  const std::string model =
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - 2*abs(x)\"\nconstraints = [\"y' = "
      "x'\"]\n[initial]\nx = "
      "0.5\n";
  for (const Form form : {Form::multipliers, Form::gauss, Form::maggi, Form::hamel, Form::voronec, Form::appell}) {
    for (const Method method : methods) {
      MotionOptions options = until(4, method);
      options.form = form;
      const MotionSummary summary = run_text(model, options);
      ASSERT_EQ(summary.status, MotionStatus::finished) << form.name() << " " << method;
      // quarters of the period are 1
      EXPECT_NEAR(summary.last.q[0], 0.5, 100 * accuracy(method)) << form.name() << " " << method;
      EXPECT_NEAR(summary.last.q[1], 0, 100 * accuracy(method)) << form.name() << " " << method;
    }
  }
}

// An event where the equations jump happens once each time.
TEST(Crossing, EventsAtTheJumpAreCountedOnce) {
  for (const Method method : methods) {
    Keeper keeper;
    const System system = read_model(
        "coordinates = ['x']\nlagrangian = \"x'^2/2 - abs(x)\"\n[initial]\nx = 0.7\n[events]\nzero = 'x'\nturn = "
        "\"x'\"\ndown = {when = 'x', direction = -1}\n",
        "events.toml");
    const double quarter = std::sqrt(1.4);
    const MotionSummary summary = run_motion(system, until(39.5 * quarter, method), keeper);
    EXPECT_EQ(summary.event_counts, (std::vector<std::size_t>{20, 19, 10})) << method;
    for (std::size_t i = 0; i < keeper.events.size(); ++i) {
      const double quarters = keeper.event_points[i].t / quarter;
      EXPECT_NEAR(quarters, std::round(quarters), 1000 * accuracy(method)) << method << " " << i;
    }
  }
}

// Friction brings it to rest at t = 1, and no force of the law holds it there.
TEST(Crossing, DryFrictionEndsAtRest) {
  for (const Method method : methods) {
    const MotionSummary summary =
        run_text("coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = \"-abs(x')/x'\"\n[initial]\n\"x'\" = 1\n",
                 until(3, method));
    ASSERT_EQ(summary.status, MotionStatus::singular) << method;
    EXPECT_NEAR(*summary.singular_at, 1, 1e-9) << method;
    EXPECT_NEAR(summary.last.q[0], 0.5, 1e-9) << method;
    EXPECT_NE(summary.diagnosis->message().find("lead back to it from both sides"), std::string::npos)
        << summary.diagnosis->message();
  }
}

// On a slope steeper than friction holds it turns round: v = −a t below and above with other accelerations.
TEST(Crossing, FrictionOnASteepSlopeTurnsRound) {
  for (const Method method : methods) {
    const MotionSummary summary = run_text(
        "coordinates = ['x']\nlagrangian = \"x'^2/2 - 2*x\"\n[forces]\nx = \"-abs(x')/x'\"\n[initial]\n\"x'\" = 3\n",
        until(3, method));
    ASSERT_EQ(summary.status, MotionStatus::finished) << method;
    // up with −3 until t = 1, x = 1.5; then down with −1
    EXPECT_NEAR(summary.last.q[0], 1.5 - 2, 100 * accuracy(method)) << method;
    EXPECT_NEAR(summary.last.v[0], -2, 100 * accuracy(method)) << method;
  }
}

// y' = ±x' cannot be satisfied beyond x = 1 by the velocities it comes with, nor can those of a corner y = |x − 1| be.
TEST(Crossing, ConstraintsThatJumpEndAMotion) {
  for (const char* constraint : {"y' = (abs(x - 1)/(x - 1))*x'", "y = abs(x - 1)"}) {
    const std::string model = fmt::format(
        "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\nconstraints = [\"{}\"]\n"
        "[initial]\n\"x'\" = 1\nx = 0.1\n",
        constraint);
    for (const Form form : {Form::multipliers, Form::gauss, Form::hamel, Form::voronec}) {
      for (const Method method : methods) {
        MotionOptions options = until(3, method);
        options.form = form;
        const MotionSummary summary = run_text(model, options);
        ASSERT_EQ(summary.status, MotionStatus::singular) << form.name() << " " << method;
        EXPECT_NEAR(*summary.singular_at, 0.9, 1e-9) << form.name() << " " << method;
        EXPECT_NE(summary.diagnosis->message().find("the constraints jump"), std::string::npos);
      }
    }
  }
}

TEST(Crossing, MotionsSideBySideAreTheSame) {
  const System system =
      read_model("coordinates = ['x']\nlagrangian = \"x'^2/2 - abs(x)\"\n[initial]\nx = 0.7\n", "b.toml");
  const MotionOptions options = until(5);
  const CompiledMotion compiled(system, options);
  const std::vector<double> states = {0.7, 0, -0.3, 0.2, 1.1, -0.5};
  const BatchResult together = BatchMotion(compiled, 2).run({states, {}, {}});
  for (std::size_t i = 0; i < 3; ++i) {
    const MotionSummary alone =
        run_text(fmt::format("coordinates = ['x']\nlagrangian = \"x'^2/2 - abs(x)\"\n[initial]\nx = {:.17g}\n\"x'\" = "
                             "{:.17g}\n",
                             states[2 * i], states[2 * i + 1]),
                 options);
    EXPECT_EQ(together.ends[i].status, MotionStatus::finished);
    EXPECT_NEAR(together.last_state(i).q[0], alone.last.q[0], 1e-13);
  }
}

std::string pushed(const std::string& force, double x = 0, double v = 0) {
  return fmt::format(
      "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = \"{}\"\n[initial]\nx = {}\n\"x'\" = {}\n", force, x,
      v);
}

// Which side a motion begins on that begins on a jump follows from where it leads.
TEST(Crossing, AMotionMayBeginOnAJump) {
  struct Case {
    const char* force;
    double v, t_end, x;
  };
  for (const auto& [force, v, t_end, x] :
       {Case{"abs(t)/t", 0, 3, 4.5}, Case{"abs(t)/t", 1, -2, -2 - 2}, Case{"2 - abs(x)/x", 0, 3, 4.5},
        Case{"-2 - abs(x)/x", 0, 3, -4.5}, Case{"-abs(x)/x", 1, 3, -0.5}, Case{"-abs(x)/x", -1, 3, 0.5},
        Case{"-3*abs(x')/x' + 4*(1 + abs(x)/x)", 0.5, 2, 1 + 5 * 2}}) {
    for (const Method method : methods) {
      const MotionSummary summary = run_text(pushed(force, 0, v), until(t_end, method));
      ASSERT_EQ(summary.status, MotionStatus::finished) << force << " " << method;
      EXPECT_NEAR(summary.last.q[0], x, 100 * accuracy(method)) << force << " " << method;
    }
  }
}

// |u³| = |u|³ jumps where u does, and crosses zero with a speed where u does.
TEST(Crossing, PowersJumpWhereTheirBasesDo) {
  for (const Method method : methods) {
    // from t = 1 on the other way
    for (const char* force :
         {"abs((t - 1)^3)/(t - 1)^3", "(t - 1)^5/abs((t - 1)^5)", "abs(2*(t - 1)*exp(t))/(t - 1)*exp(-t)/2"}) {
      const MotionSummary summary = run_text(pushed(force), until(3, method));
      ASSERT_EQ(summary.status, MotionStatus::finished) << force << " " << method;
      EXPECT_NEAR(summary.last.q[0], -0.5 - 2 + 2, 100 * accuracy(method)) << force << " " << method;
    }
    // v² = 1.21 at x = −1, of which 0.21 is left at x = −1.5; beyond, the force leads on
    const MotionSummary summary = run_text(pushed("abs((x + 1.5)^3)/(x + 1.5)^3", -1, -1.1), until(3, method));
    ASSERT_EQ(summary.status, MotionStatus::finished) << method;
    const double speed = std::sqrt(0.21), crossed = 1.1 - speed, rest = 3 - crossed;
    EXPECT_NEAR(summary.last.q[0], -1.5 - speed * rest - rest * rest / 2, 100 * accuracy(method)) << method;
  }
}

// √(x² − 2x + 1) = |x − 1| pulls towards 1 with the force one: from 2 at rest to 0 in 2√2. And √(1 − sin² x) is |cos x|.
TEST(Crossing, SquaresUnderARootMayBeMultipliedOut) {
  const auto potential = [](const char* V, double x) {
    return fmt::format("coordinates = ['x']\nlagrangian = \"x'^2/2 - {}\"\n[initial]\nx = {}\n", V, x);
  };
  const double t = 3, after = t - 2 * std::sqrt(2.0);
  for (const Method method : methods) {
    for (const char* V : {"sqrt(x^2 - 2*x + 1)", "sqrt(3*x^2 - 6*x + 3)/sqrt(3)"}) {
      const MotionSummary summary = run_text(potential(V, 2), until(t, method));
      ASSERT_EQ(summary.status, MotionStatus::finished) << V << " " << method;
      EXPECT_NEAR(summary.last.q[0], after * after / 2, 100 * accuracy(method)) << V << " " << method;
    }
    const MotionSummary one = run_text(potential("sqrt(1 - sin(x)^2)", 1), until(4, method));
    const MotionSummary other = run_text(potential("abs(cos(x))", 1), until(4, method));
    ASSERT_EQ(one.status, MotionStatus::finished) << method;
    ASSERT_EQ(other.status, MotionStatus::finished) << method;
    EXPECT_NEAR(one.last.q[0], other.last.q[0], 100 * accuracy(method)) << method;
  }
}

// √(|x|³ + x²) is |x| √(|x| + 1): what is no square stays under the root, and the force jumps where x vanishes. From rest at 1 a quarter of a period is
// ∫ dx/√(2 (V(1) − V(x))) over [0, 1], with x = 1 − s².
TEST(Crossing, SquaresAreTakenOutOfARoot) {
  const auto V = [](double x) { return x * std::sqrt(x + 1); };
  constexpr int parts = 1000;
  double quarter = 0;
  for (int i = 0; i < parts; ++i) {
    // the middle of a part, where the integrand is a number
    const double s = (i + 0.5) / parts;
    quarter += 2 * s / std::sqrt(2 * (V(1) - V(1 - s * s))) / parts;
  }
  for (const Method method : methods) {
    const MotionSummary summary =
        run_text("coordinates = ['x']\nlagrangian = \"x'^2/2 - sqrt(abs(x)^3 + x^2)\"\n[initial]\nx = 1\n",
                 until(6 * quarter, method));
    ASSERT_EQ(summary.status, MotionStatus::finished) << method;
    EXPECT_NEAR(summary.last.q[0], -1, 1e-5) << method;
    EXPECT_NEAR(summary.last.v[0], 0, 1e-5) << method;
    EXPECT_LT(summary.energy_drift, 100 * accuracy(method)) << method;
  }
}

// Magnitudes are taken out of equations, and nobody reads of what stands in their place.
TEST(Crossing, DiagnosesAreInTheWordsOfTheModel) {
  MotionOptions options = until(3);
  options.variations = {"x"};
  const MotionSummary summary = run_text(
      "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = '-sqrt(abs(x) - 1/2)'\n[initial]\nx = 1\n", options);
  ASSERT_EQ(summary.status, MotionStatus::singular);
  EXPECT_NE(summary.diagnosis->message().find("sqrt(abs(x) - 1/2)"), std::string::npos) << summary.diagnosis->message();
}

// No force shows where a potential or a momentum jumps with the place, and an impact is not in the equations: the motion ends there. A potential that
// jumps in time changes the energy and nothing else.
TEST(Crossing, WhatTakesAnImpactEnds) {
  struct Case {
    const char* lagrangian;
    double end;  // from x = 0 with speed 1
  };
  for (const auto& [lagrangian, end] :
       {Case{"x'^2/2 - 0.1*abs(x - 1)/(x - 1)", 1}, Case{"(2 + abs(x - 1)/(x - 1))*x'^2/2", 1},
        Case{"(2 + abs(t - 1)/(t - 1))*x'^2/2", 1},
        Case{"x'^2/2 + x'*(abs(x - 2)/(x - 2) + abs(t - 1.5)/(t - 1.5))", 1.5}}) {
    for (const Method method : methods) {
      const MotionSummary summary =
          run_text(fmt::format("coordinates = ['x']\nlagrangian = \"{}\"\n[initial]\n\"x'\" = 1\n", lagrangian),
                   until(3, method));
      EXPECT_EQ(summary.status, MotionStatus::singular) << lagrangian << " " << method;
      ASSERT_TRUE(summary.singular_at) << lagrangian << " " << method;
      EXPECT_NEAR(*summary.singular_at, end, 100 * accuracy(method)) << lagrangian << " " << method;
    }
  }
  for (const Method method : methods) {
    const MotionSummary summary =
        run_text("coordinates = ['x']\nlagrangian = \"x'^2/2 - (2 + abs(t - 1)/(t - 1))*x^2/2\"\n[initial]\nx = 1\n",
                 until(3, method));
    ASSERT_EQ(summary.status, MotionStatus::finished) << method;
    const double w = std::sqrt(3.0), x = std::cos(1.0), v = -std::sin(1.0);
    EXPECT_NEAR(summary.last.q[0], x * std::cos(2 * w) + v / w * std::sin(2 * w), 100 * accuracy(method)) << method;
    EXPECT_LT(summary.energy_drift, 100 * accuracy(method)) << method;
    EXPECT_TRUE(summary.notes.empty()) << method;
  }
}

}  // namespace
}  // namespace cetaev
