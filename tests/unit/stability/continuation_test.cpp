// Branches of periodic motions against closed forms, and against shooting that shares nothing with them: fixed steps of Runge and Kutta,
// and Newton's method on the condition itself.
#include "cetaev/stability/continuation.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

using std::numbers::pi;
using testing::HasSubstr;
using Kind = PeriodicBranch::Kind;

System model(const std::string& text) { return read_model(text, "model.toml"); }

BranchOptions near(const std::string& period, const std::vector<std::string>& hold = {}) {
  BranchOptions options;
  options.motion.cache = false;
  options.period = period;
  options.hold = hold;
  return options;
}

const PeriodicBranch::Point* at_value(const PeriodicBranch& branch, double value) {
  for (const PeriodicBranch::Point& point : branch.points)
    if (std::abs(point.value - value) < 1e-14) return &point;
  return nullptr;
}

std::vector<const PeriodicBranch::Point*> of_kind(const PeriodicBranch& branch, Kind kind) {
  std::vector<const PeriodicBranch::Point*> found;
  for (const PeriodicBranch::Point& point : branch.points)
    if (point.kind == kind) found.push_back(&point);
  return found;
}

// x'' = f(x, x', t, p) of period T(p): fixed steps, with the variations, and Newton's method with differences on
//   P(x) = x,   det(DP − sign) = 0.
struct Driven {
  double (*f)(double x, double v, double t, double p);
  double (*fx)(double x, double v, double t, double p);
  double (*fv)(double x, double v, double t, double p);
  double (*T)(double p);

  using Conditions = std::array<double, 3>;
  Conditions conditions(const Conditions& u, double sign) const {
    using Y = std::array<double, 6>;
    const double p = u[2], end = T(p);
    constexpr int steps = 4000;
    const double h = end / steps;
    Y y = {u[0], u[1], 1, 0, 0, 1};
    const auto rate = [&](const Y& at, double t) {
      const double a = fx(at[0], at[1], t, p), b = fv(at[0], at[1], t, p);
      return Y{at[1], f(at[0], at[1], t, p), at[3], a * at[2] + b * at[3], at[5], a * at[4] + b * at[5]};
    };
    const auto moved = [](const Y& a, double by, const Y& k) {
      Y r = a;
      for (std::size_t i = 0; i < 6; ++i) r[i] += by * k[i];
      return r;
    };
    for (int i = 0; i < steps; ++i) {
      const double t = i * h;
      const Y k1 = rate(y, t), k2 = rate(moved(y, h / 2, k1), t + h / 2), k3 = rate(moved(y, h / 2, k2), t + h / 2),
              k4 = rate(moved(y, h, k3), t + h);
      for (std::size_t j = 0; j < 6; ++j) y[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
    }
    return {y[0] - u[0], y[1] - u[1], (y[2] - sign) * (y[5] - sign) - y[3] * y[4]};
  }
  Conditions critical(Conditions u, double sign) const {
    for (int step = 0; step < 12; ++step) {
      const Conditions r = conditions(u, sign);
      double J[3][4];
      for (std::size_t j = 0; j < 3; ++j) {
        const double h = 1e-6;
        Conditions a = u, b = u;
        a[j] += h, b[j] -= h;
        const Conditions ra = conditions(a, sign), rb = conditions(b, sign);
        for (std::size_t i = 0; i < 3; ++i) J[i][j] = (ra[i] - rb[i]) / (2 * h);
      }
      for (std::size_t i = 0; i < 3; ++i) J[i][3] = -r[i];
      for (std::size_t c = 0; c < 3; ++c) {
        std::size_t best = c;
        for (std::size_t i = c; i < 3; ++i)
          if (std::abs(J[i][c]) > std::abs(J[best][c])) best = i;
        std::swap(J[c], J[best]);
        for (std::size_t i = 0; i < 3; ++i) {
          if (i == c) continue;
          const double factor = J[i][c] / J[c][c];
          for (std::size_t k = c; k < 4; ++k) J[i][k] -= factor * J[c][k];
        }
      }
      double size = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        u[i] += J[i][3] / J[i][i];
        size = std::max(size, std::abs(J[i][3] / J[i][i]));
      }
      if (size < 1e-12) break;
    }
    return u;
  }
};

// From a little beside what was found: it has to be led back there.
void expect_critical(const Driven& driven, const PeriodicBranch::Point& found, double sign, double tolerance) {
  const double x = found.motion.state.q[0], v = found.motion.state.v[0];
  const auto there = driven.critical({x + 1e-4, v - 1e-4, found.value + 1e-4}, sign);
  EXPECT_NEAR(found.value, there[2], tolerance);
  EXPECT_NEAR(x, there[0], std::sqrt(tolerance));
  EXPECT_NEAR(v, there[1], std::sqrt(tolerance));
}

const char* const van_der_pol =
    "coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2\"\nforces = {x = \"mu*(1 - x^2)*x'\"}\n[parameters]\nmu = "
    "1\n[initial]\nx = 2\n";

// The frequency as a series in µ (Andersen and Geer 1982).
TEST(Continuation, TheCycleOfVanDerPolHasThePeriodOfItsSeries) {
  const PeriodicBranch branch = follow_periodic(model(van_der_pol), Along::parse("mu=0.1:3:30"), near("6"));
  for (const double mu : {0.1, 0.2}) {
    const PeriodicBranch::Point* point = at_value(branch, mu);
    ASSERT_NE(point, nullptr);
    const double e = mu * mu;
    const double w = 1 - e / 16 + 17 * e * e / 3072 + 35 * e * e * e / 884736 - 678899 * e * e * e * e / 5096079360;
    EXPECT_NEAR(point->motion.period * w / (2 * pi), 1, mu < 0.15 ? 2e-12 : 3e-10);
    EXPECT_NEAR(point->largest[0], -point->least[0], 1e-10);
    EXPECT_EQ(point->motion.stable, std::optional(true));
  }
  ASSERT_NE(at_value(branch, 1), nullptr);
  EXPECT_NEAR(at_value(branch, 1)->motion.period, 6.663286859323130, 1e-11);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_NE(at_value(branch, Along::parse("mu=0.1:3:30").value(i)), nullptr) << i;
  for (const PeriodicBranch::Point& point : branch.points) EXPECT_FALSE(point.kind);
  EXPECT_EQ(branch.begins, "the range ends");
  EXPECT_EQ(branch.ends, "the range ends");
}

// The cycle is born where the damping changes its sign.
TEST(Continuation, ACycleShrinksToTheSteadyMotionItWasBornFrom) {
  const System system = model(
      "coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2\"\nforces = {x = \"(mu - x^2)*x'\"}\n[parameters]\nmu = "
      "0.25\n[initial]\nx = 1\n");
  const PeriodicBranch branch = follow_periodic(system, Along::parse("mu=-0.5:0.5:5"), near("6.3"));
  const auto rest = of_kind(branch, Kind::steady);
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(&branch.points.front(), rest.front());
  EXPECT_NEAR(rest.front()->value, 0, 1e-8);
  EXPECT_THAT(branch.begins, HasSubstr("shrinks to a steady one"));
  ASSERT_NE(at_value(branch, 0.25), nullptr);
  EXPECT_NEAR(at_value(branch, 0.25)->largest[0], 1, 0.01);  // 2 √µ, nearly
}

// A family of its own: along the energy, with the period of an elliptic integral, on a constraint.
const char* const pendulum =
    "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - y\"\nconstraints = ['x^2 + y^2 = "
    "l^2']\n[parameters]\nl = 1\n[initial]\nx = 0.8\ny = -0.6\n";

TEST(Continuation, APendulumHasThePeriodOfItsEnergy) {
  const PeriodicBranch branch = follow_periodic(model(pendulum), Along::parse("E=-0.9:0.9:10"), near("7"));
  ASSERT_GE(branch.points.size(), 10u);
  for (const PeriodicBranch::Point& point : branch.points) {
    EXPECT_NEAR(point.value, point.E, 1e-9);
    EXPECT_NEAR(point.motion.period, 4 * std::comp_ellint_1(std::sqrt((1 + point.E) / 2)), 1e-8) << point.value;
    EXPECT_NEAR(point.largest[1], std::abs(point.E), 1e-9 + 2 * (point.E < 0 ? -point.E : 0)) << point.value;
    EXPECT_FALSE(point.kind);
  }
  EXPECT_NE(at_value(branch, 0.9), nullptr);
  EXPECT_NE(at_value(branch, -0.9), nullptr);
  // both multipliers are one, however near the motion comes to the upright position, where the matrix that they belong to grows
  const PeriodicBranch farther = follow_periodic(model(pendulum), Along::parse("E=-0.9:0.9999:12"), near("7"));
  EXPECT_NE(at_value(farther, 0.9999), nullptr);
  for (const PeriodicBranch::Point& point : farther.points) EXPECT_FALSE(point.motion.stable) << point.value;
}

// The constraint moves with the parameter; with one energy there is one motion to each length.
TEST(Continuation, APendulumOfAnotherLengthAndTheSameEnergy) {
  try {
    (void)follow_periodic(model(pendulum), Along::parse("l=0.8:2:7"), near("7"));
    ADD_FAILURE() << "there is a family at each length";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_model);
    EXPECT_THAT(error.message(), HasSubstr("--hold"));
  }
  const PeriodicBranch branch = follow_periodic(model(pendulum), Along::parse("l=0.8:2:7"), near("7", {"E"}));
  ASSERT_GE(branch.points.size(), 7u);
  const double E = branch.points.front().E;
  for (const PeriodicBranch::Point& point : branch.points) {
    EXPECT_NEAR(point.E, E, 1e-9);
    const double l = point.value;
    EXPECT_NEAR(std::hypot(point.motion.state.q[0], point.motion.state.q[1]), l, 1e-11);
    EXPECT_NEAR(point.motion.period, 4 * std::sqrt(l) * std::comp_ellint_1(std::sqrt((E + l) / (2 * l))), 1e-8) << l;
  }
}

// Duffing's oscillator has three motions between two folds of its response; the period is that of the driver, which is varied.
TEST(Continuation, DuffingsResponseFoldsTwice) {
  const System system = model(
      "coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2 - x^4/4\"\nforces = {x = \"0.5*cos(W*t) - "
      "0.1*x'\"}\n[parameters]\nW = 0.8\n[initial]\nx = 1\n");
  const PeriodicBranch branch = follow_periodic(system, Along::parse("W=0.8:2.5:35"), near("2*pi/W"));
  const auto folds = of_kind(branch, Kind::fold);
  ASSERT_EQ(folds.size(), 2u);
  EXPECT_GT(folds[0]->value, folds[1]->value);
  const Driven duffing{
      [](double x, double v, double t, double p) { return -x - x * x * x + 0.5 * std::cos(p * t) - 0.1 * v; },
      [](double x, double, double, double) { return -1 - 3 * x * x; },
      [](double, double, double, double) { return -0.1; }, [](double p) { return 2 * pi / p; }};
  for (const PeriodicBranch::Point* fold : folds) {
    expect_critical(duffing, *fold, 1, 1e-9);
    EXPECT_NEAR(fold->motion.period, 2 * pi / fold->value, 1e-12);
  }
  // three motions between, of which the middle one is unstable
  const double between = 1.9;
  std::vector<std::optional<bool>> stable;
  for (const PeriodicBranch::Point& point : branch.points)
    if (std::abs(point.value - between) < 1e-14) stable.push_back(point.motion.stable);
  EXPECT_THAT(stable, testing::ElementsAre(true, false, true));
  EXPECT_EQ(branch.ends, "the range ends");
}

// Motions in a well that can be left (Thompson): the period doubles before they are.
TEST(Continuation, ThePeriodDoublesBeforeTheEscape) {
  const System system = model(
      "coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2 + x^3/3\"\nforces = {x = \"F*sin(0.85*t) - "
      "0.1*x'\"}\n[parameters]\nF = 0.03\n[initial]\nx = 0\n");
  const PeriodicBranch branch = follow_periodic(system, Along::parse("F=0.02:0.12:21"), near("2*pi/0.85"));
  const auto doublings = of_kind(branch, Kind::period_doubling);
  ASSERT_FALSE(doublings.empty());
  const Driven well{
      [](double x, double v, double t, double p) { return -x + x * x + p * std::sin(0.85 * t) - 0.1 * v; },
      [](double x, double, double, double) { return -1 + 2 * x; }, [](double, double, double, double) { return -0.1; },
      [](double) { return 2 * pi / 0.85; }};
  for (const PeriodicBranch::Point* doubling : doublings) {
    expect_critical(well, *doubling, -1, 1e-9);
    EXPECT_EQ(doubling->multiplier, -1.0);
  }
  for (const PeriodicBranch::Point* fold : of_kind(branch, Kind::fold)) expect_critical(well, *fold, 1, 1e-9);
}

// A driven pendulum swings to both sides alike until a pair of motions branches off that do not.
TEST(Continuation, TheSymmetryOfADrivenPendulumBreaksAtABranchPoint) {
  const System system = model(
      "coordinates = ['a']\nlagrangian = \"a'^2/2 + cos(a)\"\nforces = {a = \"g*cos(2*t/3) - "
      "a'/2\"}\n[parameters]\ng = 0.9\n[initial]\na = 1.5\n\"a'\" = 1\n");
  const PeriodicBranch branch = follow_periodic(system, Along::parse("g=0.9:1.1:11"), near("3*pi"));
  const auto points = of_kind(branch, Kind::branch_point);
  ASSERT_FALSE(points.empty());
  // the whole period twice the half with a mirror: there the multiplier of the mirrored half is −1
  const Driven mirrored{
      [](double x, double v, double t, double p) { return -std::sin(x) + p * std::cos(2 * t / 3) - v / 2; },
      [](double x, double, double, double) { return -std::cos(x); },
      [](double, double, double, double) { return -0.5; }, [](double) { return 3 * pi; }};
  const PeriodicBranch::Point& point = *points.front();
  const auto at = mirrored.conditions({point.motion.state.q[0], point.motion.state.v[0], point.value}, 1);
  for (const double one : at) EXPECT_NEAR(one, 0, 1e-8);
  // and it is passed: before it the motion is stable, behind it not
  const auto index = static_cast<std::size_t>(&point - branch.points.data());
  EXPECT_NE(branch.points[index - 1].motion.stable, branch.points[index + 1].motion.stable);
}

// A rotor that turns unevenly, and beside it an oscillator whose damping passes zero: its multipliers are known.
TEST(Continuation, APairOfMultipliersCrossesTheCircleWhereTheDampingVanishes) {
  const System system = model(
      "coordinates = ['a', 'x']\nlagrangian = \"(a'^2 + x'^2 - x^2)/2 + cos(a)/5\"\nforces = {a = \"1 - a'\", x = "
      "\"-c*x'\"}\n[parameters]\nc = 0.2\n[initial]\n\"a'\" = 1\n");
  const PeriodicBranch branch = follow_periodic(system, Along::parse("c=-0.15:0.25:5"), near("6.3"));
  const auto found = of_kind(branch, Kind::neimark_sacker);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found.front()->value, 0, 1e-9);
  const double T = found.front()->motion.period;
  EXPECT_NEAR(found.front()->multiplier.real(), std::cos(T), 1e-7);
  EXPECT_NEAR(found.front()->multiplier.imag(), std::abs(std::sin(T)), 1e-7);
  EXPECT_EQ(found.front()->motion.turns[0], 1);
}

// x'' = −x + g x' with g = 1/4 − (r² − 2)² − p², r² = x² + x'²: circles where g vanishes, a closed curve of them; multipliers exp(−4π r² (r² − 2)).
TEST(Continuation, AnIsolaComesBackToItsFirstMotion) {
  const System system = model(
      "coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2\"\nforces = {x = \"(1/4 - (x^2 + x'^2 - 2)^2 - "
      "p^2)*x'\"}\n[parameters]\np = 0.1\n[initial]\nx = 1.55\n");
  const PeriodicBranch branch = follow_periodic(system, Along::parse("p=-1:1:20"), near("6.3"));
  EXPECT_TRUE(branch.closed);
  EXPECT_THAT(branch.notes, testing::IsEmpty());
  const auto folds = of_kind(branch, Kind::fold);
  ASSERT_EQ(folds.size(), 2u);
  EXPECT_NEAR(std::abs(folds[0]->value), 0.5, 1e-9);
  EXPECT_NEAR(folds[0]->value, -folds[1]->value, 1e-9);
  std::size_t outer = 0, inner = 0;
  for (const PeriodicBranch::Point& point : branch.points) {
    EXPECT_TRUE(!point.kind || point.kind == Kind::fold) << point.value;
    const double r2 = std::pow(point.motion.state.q[0], 2) + std::pow(point.motion.state.v[0], 2);
    EXPECT_NEAR((r2 - 2) * (r2 - 2) + point.value * point.value, 0.25, 1e-9);
    EXPECT_NEAR(point.motion.period, 2 * pi, 1e-9);
    if (point.kind) continue;
    (r2 > 2 ? outer : inner) += 1;
    EXPECT_EQ(point.motion.stable, std::optional(r2 > 2)) << point.value;
    const double multiplier = std::exp(-4 * pi * r2 * (r2 - 2));
    double apart = INFINITY;
    for (const std::complex<double> one : point.motion.multipliers) apart = std::min(apart, std::abs(one - multiplier));
    EXPECT_LT(apart, 1e-8 * (1 + multiplier)) << point.value;
  }
  EXPECT_GE(outer, 10u);  // at each of the values between −1/2 and 1/2
  EXPECT_GE(inner, 10u);
}

// Beside a rotor, ζ'' + 2 i G ζ' − 3 ζ = 0: λ = −i G ± √(3 − G²), on the axis while G² > 3.
TEST(Continuation, TwoPairsOfMultipliersMeetOnTheCircleAndLeaveIt) {
  const System system = model(
      "coordinates = ['a', 'x', 'y']\nlagrangian = \"(a'^2 + x'^2 + y'^2)/2 + cos(a)/5 + G*(x*y' - y*x') + 3*(x^2 + "
      "y^2)/2\"\nforces = {a = \"1 - a'\"}\n[parameters]\nG = 2\n[initial]\n\"a'\" = 1\n");
  const PeriodicBranch branch = follow_periodic(system, Along::parse("G=1.6:2:5"), near("6.3"));
  const auto found = of_kind(branch, Kind::collision);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found.front()->value, std::sqrt(3.0), 1e-6);  // it leaves the circle like a root
  const double angle = std::sqrt(3.0) * found.front()->motion.period;
  EXPECT_NEAR(found.front()->multiplier.real(), std::cos(angle), 1e-3);
  for (const PeriodicBranch::Point& point : branch.points) EXPECT_TRUE(!point.kind || point.kind == Kind::collision);
}

// Without damping every motion of van der Pol's oscillator comes back; at the end of the range nothing is told from rounding.
TEST(Continuation, RoundingNextToACentreHasNoName) {
  for (const char* range : {"mu=0:1:5", "mu=1e-6:1:5", "mu=0:0.5:30"}) {
    const PeriodicBranch branch = follow_periodic(model(van_der_pol), Along::parse(range), near("6"));
    for (const PeriodicBranch::Point& point : branch.points) {
      EXPECT_FALSE(point.kind) << range << " " << point.value;
      EXPECT_NEAR(point.largest[0], 2, 0.03) << range << " " << point.value;
    }
    EXPECT_LT(branch.points.size(), 60u) << range;
    EXPECT_THAT(branch.begins, testing::AnyOf("the range ends", HasSubstr("form a family"))) << range;
  }
  // backwards in time it is the cycle of the other sign; at the centre itself the family of all motions crosses
  const PeriodicBranch across = follow_periodic(model(van_der_pol), Along::parse("mu=-0.5:1:7"), near("6"));
  ASSERT_EQ(of_kind(across, Kind::branch_point).size(), 1u);
  EXPECT_NEAR(of_kind(across, Kind::branch_point).front()->value, 0, 1e-8);
  EXPECT_EQ(across.begins, "the range ends");
  EXPECT_EQ(across.ends, "the range ends");
  ASSERT_NE(at_value(across, -0.5), nullptr);
  EXPECT_EQ(at_value(across, -0.5)->motion.stable, std::optional(false));
  EXPECT_NEAR(at_value(across, -0.5)->motion.period, at_value(across, 0.5)->motion.period, 1e-9);
  for (const PeriodicBranch::Point& point : across.points) EXPECT_TRUE(!point.kind || point.kind == Kind::branch_point);
}

// All motions of an anharmonic oscillator come back, at every energy: a family without any of these.
TEST(Continuation, AConservativeFamilyHasNoBifurcations) {
  const System system = model("coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2 - x^4/4\"\n[initial]\nx = 1\n");
  for (const char* range : {"E=0.01:20:9", "x=0.1:3:9", "period=3:6:7"}) {
    const PeriodicBranch branch = follow_periodic(system, Along::parse(range), near("5"));
    for (const PeriodicBranch::Point& point : branch.points) {
      EXPECT_FALSE(point.kind) << range << " " << point.value;
      // T = 4 K(m)/√(1 + A²), m = A²/(2 (1 + A²)), A the largest x
      const double A2 = point.largest[0] * point.largest[0];
      EXPECT_NEAR(point.motion.period, 4 * std::comp_ellint_1(std::sqrt(A2 / (2 * (1 + A2)))) / std::sqrt(1 + A2),
                  1e-8);
    }
  }
}

// A pendulum comes ever nearer to its upright position: the period has no bound there.
TEST(Continuation, ThePeriodGrowsBeyondBoundAtASeparatrix) {
  const System system = model("coordinates = ['a']\nlagrangian = \"a'^2/2 + cos(a)\"\n[initial]\na = 1\n");
  const PeriodicBranch branch = follow_periodic(system, Along::parse("E=0:2:9"), near("6.7"));
  EXPECT_THAT(branch.ends, HasSubstr("the period grows beyond bound towards E = 1"));
  EXPECT_LT(branch.points.size(), 200u);
  for (const PeriodicBranch::Point& point : branch.points) {
    EXPECT_FALSE(point.kind) << point.value;
    EXPECT_LT(point.value, 1 + 1e-9);
  }
}

TEST(Continuation, WhatCannotBeFollowedIsSaid) {
  const auto code_of = [](const std::string& text, const std::string& along, const BranchOptions& options) {
    try {
      (void)follow_periodic(model(text), Along::parse(along), options);
      return std::string("none");
    } catch (const Error& error) {
      return std::string(to_string(error.code()));
    }
  };
  EXPECT_EQ(code_of(van_der_pol, "nu=0:1:5", near("6")), "unknown-name");
  EXPECT_EQ(code_of(van_der_pol, "mu=0:1:5", near("6", {"mu"})), "bad-model");
  EXPECT_EQ(code_of(van_der_pol, "mu=1:1:5", near("6")), "bad-model");
  EXPECT_EQ(code_of(van_der_pol, "E=1:2:5", near("6")), "not-applicable");  // one cycle, one energy
  EXPECT_EQ(code_of(van_der_pol, "mu=0.5:1:5", near("2*pi/x")), "bad-model");
  EXPECT_EQ(code_of(van_der_pol, "mu=0.5:1:5", near("-1")), "bad-model");
  EXPECT_EQ(code_of(pendulum, "E=-0.9:0.9:5", near("7", {"period"})), "not-applicable");  // each energy has its own
}

}  // namespace
}  // namespace cetaev
