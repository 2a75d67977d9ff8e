// Small motions about steady ones, held against closed forms: eigenvalues, their bounds, critical values, verdicts.
#include "cetaev/stability/linearize.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Complex = std::complex<double>;

System gallery(const std::string& name, const std::vector<std::string>& settings) {
  return read_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/" + name + ".toml", settings);
}
System model(const std::string& text) { return read_model(text, "steady.toml"); }

// All of them, in any order, each within its proved radius and the rounding of what is expected.
void expect_eigenvalues(const Linearization& found, std::vector<Complex> expected, const std::string& where) {
  ASSERT_EQ(found.eigenvalues.size(), expected.size()) << where;
  for (const Eigenvalue& one : found.eigenvalues) {
    ASSERT_TRUE(one.radius) << where;
    EXPECT_LT(*one.radius, 1e-12 * (1 + std::abs(one.value))) << where;
    const auto nearest =
        std::ranges::min_element(expected, {}, [&](Complex value) { return std::abs(value - one.value); });
    EXPECT_LT(std::abs(*nearest - one.value), *one.radius + 1e-14 * (1 + std::abs(one.value))) << where << one.value;
    expected.erase(nearest);
  }
}

// λ² = (4 g/r − 12 φ'²)/5 of a uniform disc that rolls upright, and a family of circles.
TEST(Linearize, AnUprightDiscRollsStablyAboveItsCriticalSpeed) {
  for (const double rate : {0.5, 2.0, 2.6, 7.0}) {
    const Linearization found =
        linearize(gallery("rolling-disc", {"theta=0", "theta'=0", "psi'=0", fmt::format("phi'={}", rate)}));
    EXPECT_TRUE(found.steady.certified);
    EXPECT_THAT(found.steady.ignorable, ElementsAre(0, 1, 2, 4));
    EXPECT_THAT(found.state, ElementsAre("theta", "psi'", "theta'", "phi'"));
    const Complex root = std::sqrt(Complex((4 * 9.81 / 0.5 - 12 * rate * rate) / 5));
    expect_eigenvalues(found, {root, -root, 0, 0}, fmt::format("phi' = {} ", rate));
    EXPECT_EQ(found.zero, 2u);
    EXPECT_EQ(found.families.size(), 2u);
    EXPECT_EQ(found.verdict, rate < 2.5 ? Stability::unstable : Stability::undecided) << rate;
  }
  const VariedSpectrum varied =
      linearize_along(gallery("rolling-disc", {"theta=0", "theta'=0", "psi'=0"}), Along::parse("phi'=0.5:8:31"));
  ASSERT_EQ(varied.critical.size(), 1u);
  EXPECT_NEAR(varied.critical[0].value, std::sqrt(9.81 / (3 * 0.5)), 1e-12);
  EXPECT_EQ(varied.critical[0].kind, VariedSpectrum::Critical::Kind::zero);
}

std::string top(double theta) {
  return fmt::format(
      "coordinates = ['psi', 'theta', 'phi']\nlagrangian = \"A/2*(theta'^2 + psi'^2*sin(theta)^2) + C/2*(phi' + "
      "psi'*cos(theta))^2 - m*g*l*cos(theta)\"\n[parameters]\nA = 2\nC = 1\nm = 1\ng = 9.81\nl = 0.3\n[initial]\n"
      "theta = {}\n\"psi'\" = 1\n\"phi'\" = 10\n",
      theta);
}

// Regular precession, found by Newton's method: A ψ'² cos θ − C n ψ' + m g l = 0; it nutates with Ω² = ψ'² sin² θ + (C n/A − 2 ψ' cos θ)².
TEST(Linearize, APrecessingTopNutates) {
  for (const double theta : {0.4, 1.0, 2.0}) {
    const Linearization found = linearize(model(top(theta)), {"psi'"});
    EXPECT_TRUE(found.steady.certified);
    const double psi = found.steady.state.v[0], n = 10 + psi * std::cos(theta);
    EXPECT_NEAR(2 * psi * psi * std::cos(theta) - n * psi + 9.81 * 0.3, 0, 1e-12);
    const double nutation = std::hypot(psi * std::sin(theta), n / 2 - 2 * psi * std::cos(theta));
    expect_eigenvalues(found, {Complex(0, nutation), Complex(0, -nutation), 0, 0}, fmt::format("theta = {} ", theta));
    // by its energy and its two momenta, as Routh would say
    EXPECT_EQ(found.verdict, Stability::stable) << theta;
    EXPECT_THAT(found.because, HasSubstr("the momentum of psi"));
  }
}

// The same pendulums in angles and in coordinates that constraints tie together: ω² = (2 ± √2) g/l.
TEST(Linearize, HolonomicConstraintsAreFollowed) {
  const char* in_plane = R"toml(
coordinates = ["x1", "y1", "x2", "y2"]
lagrangian = "(x1'^2 + y1'^2 + x2'^2 + y2'^2)/2 - g*(y1 + y2)"
constraints = ["x1^2 + y1^2 = 1", "(x2 - x1)^2 + (y2 - y1)^2 = 1"]
[parameters]
g = 9.81
[initial]
y1 = -1
y2 = -2
)toml";
  const double g = 9.81, slow = std::sqrt((2 - std::numbers::sqrt2) * g),
               fast = std::sqrt((2 + std::numbers::sqrt2) * g);
  const Linearization found = linearize(model(in_plane));
  EXPECT_TRUE(found.steady.certified);
  EXPECT_EQ(found.state.size(), 4u);
  expect_eigenvalues(found, {Complex(0, slow), Complex(0, -slow), Complex(0, fast), Complex(0, -fast)}, "hanging ");
  EXPECT_EQ(found.verdict, Stability::stable);
  EXPECT_THAT(found.because, HasSubstr("energy"));
  // the same constraint twice changes nothing
  std::string twice = in_plane;
  twice.replace(twice.find("\"x1^2 + y1^2 = 1\""), 17, "\"x1^2 + y1^2 = 1\", \"2*x1^2 + 2*y1^2 = 2\"");
  expect_eigenvalues(linearize(model(twice)),
                     {Complex(0, slow), Complex(0, -slow), Complex(0, fast), Complex(0, -fast)}, "redundant ");
  // standing on its head
  std::string inverted = in_plane;
  inverted.replace(inverted.find("y1 = -1\ny2 = -2"), 15, "y1 = 1\ny2 = 2");
  const Linearization up = linearize(model(inverted));
  expect_eigenvalues(up, {slow, -slow, fast, -fast}, "standing ");
  EXPECT_EQ(up.verdict, Stability::unstable);
}

// |v| = 1 near the x axis under −k y: y'' = −k y; a constraint that is not linear in the velocities.
TEST(Linearize, ConstraintsNonlinearInTheVelocities) {
  const Linearization found = linearize(model(
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - 3*y^2/2\"\nconstraints = [\"x'^2 + y'^2 = 1\"]\n"
      "dependent = ['x']\n[initial]\n\"x'\" = 1\n"));
  EXPECT_THAT(found.state, ElementsAre("y", "y'"));
  expect_eigenvalues(found, {Complex(0, std::sqrt(3.0)), Complex(0, -std::sqrt(3.0))}, "");
  EXPECT_EQ(found.verdict, Stability::undecided);  // the energy is not that of y alone
}

// x'' + c x' + x = 0 by −c and −1 of the polynomial; a sleigh goes straight with its mass centre ahead of the blade.
TEST(Linearize, WhatIsDampedIsAsymptoticallyStable) {
  const Linearization found =
      linearize(model("coordinates = ['x']\nlagrangian = \"x'^2/2 - 1 + cos(x)\"\n[forces]\nx = \"-0.4*x'\"\n"));
  const double w = std::sqrt(1 - 0.04);
  expect_eigenvalues(found, {Complex(-0.2, w), Complex(-0.2, -w)}, "");
  EXPECT_EQ(found.verdict, Stability::asymptotically_stable);
  EXPECT_EQ(linearize(gallery("chaplygin-sleigh", {"phi'=0", "x'=0.5"})).verdict, Stability::stable);
  EXPECT_EQ(linearize(gallery("chaplygin-sleigh", {"phi'=0", "x'=-0.5"})).verdict, Stability::unstable);
}

// A rattleback spins steadily one way only: reversing the spin reverses the signs of all growth.
TEST(Linearize, ARattlebackPrefersOneWayRound) {
  const auto growth = [](const char* spin) {
    double sum = 0;
    const Linearization found = linearize(gallery("rattleback", {"alpha=0", "beta=0", spin}));
    for (const Eigenvalue& one : found.eigenvalues) sum += one.value.real();
    EXPECT_EQ(found.zero, 1u);
    return sum;
  };
  EXPECT_NEAR(growth("psi'=-5"), -growth("psi'=5"), 1e-12);
  EXPECT_GT(growth("psi'=-5"), 1);
}

// Of M x'' + v C₁ x' + (g K₀ + v² K₂) x = 0 in lean and steer, as Meijaard, Papadopoulos, Ruina and Schwab (2007) print it.
std::vector<Complex> eigenvalues_of_the_benchmark(double v) {
  const double M[] = {80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686};
  const double C1[] = {0, 33.86641391492494, -0.85035641456978, 1.68540397397560};
  const double K0[] = {-80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618};
  const double K2[] = {0, 76.59734589573222, 0, 2.65431523794604};
  const double det = M[0] * M[3] - M[1] * M[2];
  const double inverse[] = {M[3] / det, -M[1] / det, -M[2] / det, M[0] / det};
  DenseMatrix A(4, 4);
  A(0, 2) = A(1, 3) = 1;
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      for (std::size_t k = 0; k < 2; ++k) {
        A(2 + i, j) -= inverse[2 * i + k] * (9.81 * K0[2 * k + j] + v * v * K2[2 * k + j]);
        A(2 + i, 2 + j) -= inverse[2 * i + k] * v * C1[2 * k + j];
      }
    }
  }
  return eigenvalues(A).value_or(std::vector<Complex>());
}

TEST(Linearize, TheBicycleHasTheEigenvaluesOfItsBenchmark) {
  const auto bicycle = [](double v) {
    const std::vector<std::string> settings = {fmt::format("v={}", v)};
    return read_model_file(std::string(CETAEV_SOURCE_DIR) + "/tests/unit/stability/bicycle.toml", settings);
  };
  const VariedSpectrum at_speeds = linearize_along(bicycle(5), Along::parse("v=0:10:11"));
  for (int step = 0; step <= 10; ++step) {
    const double v = step;
    const std::vector<Complex> expected = eigenvalues_of_the_benchmark(v);
    ASSERT_EQ(expected.size(), 4u);
    double largest = 1;  // entries of matrices, known to so many digits, determine eigenvalues beside it
    for (const Complex value : expected) largest = std::max(largest, std::abs(value));
    for (const Complex value : expected) {
      double nearest = 1;
      for (const Complex one : at_speeds.eigenvalues[static_cast<std::size_t>(step)])
        nearest = std::min(nearest, std::abs(one - value));
      EXPECT_LT(nearest, 1e-12 * largest) << v << " " << value;
    }
  }
  const Linearization found = linearize(bicycle(5));
  EXPECT_EQ(found.eigenvalues.size() - found.zero, 4u);
  ASSERT_EQ(at_speeds.critical.size(), 2u);
  EXPECT_NEAR(at_speeds.critical[0].value, 4.292382536341, 1e-12);
  EXPECT_EQ(at_speeds.critical[0].kind, VariedSpectrum::Critical::Kind::hopf);
  EXPECT_NEAR(at_speeds.critical[1].value, 6.024262015388, 1e-12);
  EXPECT_EQ(at_speeds.critical[1].kind, VariedSpectrum::Critical::Kind::zero);
}

// Its dependent velocities follow from a linear system and do not vanish; upright and straight it may roll at any speed.
TEST(Linearize, TheBicycleIsCertified) {
  struct Case {
    double v;
    Stability verdict;
  };
  for (const auto& [v, verdict] : {Case{3.5, Stability::unstable}, Case{4.6, Stability::stable}}) {
    const Linearization found = linearize(gallery("bicycle", {fmt::format("v={}", v)}));
    EXPECT_TRUE(found.steady.certified);
    EXPECT_EQ(found.verdict, verdict) << found.because;
    EXPECT_THAT(found.families, ElementsAre("rear'"));
    EXPECT_EQ(found.zero, 1u);
    // where it is and where it heads do not matter, by its symmetry
    EXPECT_THAT(found.steady.ignorable, ElementsAre(0, 1, 2, 6, 7));
    std::vector<Complex> printed = eigenvalues_of_the_benchmark(v);
    ASSERT_EQ(found.eigenvalues.size(), printed.size() + 1);
    for (const Eigenvalue& one : found.eigenvalues) {
      ASSERT_TRUE(one.radius);
      EXPECT_LT(*one.radius, 1e-14 * (1 + std::abs(one.value)));
      if (one.value == 0.0) continue;
      // M, C₁, K₀ and K₂ are printed to fourteen digits behind the point
      const auto nearest =
          std::ranges::min_element(printed, {}, [&](Complex value) { return std::abs(value - one.value); });
      EXPECT_LT(std::abs(*nearest - one.value), *one.radius + 1e-12 * (1 + std::abs(one.value))) << one.value;
      printed.erase(nearest);
    }
  }
}

// In Moore's coordinates its pitch follows from a constraint with no formula for its value; upright it may roll at any speed all the same.
TEST(Linearize, ABicycleWhosePitchFollowsFromAConstraintHasItsFamily) {
  struct Case {
    double v;
    Stability verdict;
  };
  for (const auto& [v, verdict] :
       {Case{4.0, Stability::unstable}, Case{5, Stability::stable}, Case{7, Stability::unstable}}) {
    const std::vector<std::string> settings = {fmt::format("v={}", v)};
    const Linearization found =
        linearize(read_model_file(std::string(CETAEV_SOURCE_DIR) + "/tests/unit/stability/bicycle.toml", settings));
    EXPECT_TRUE(found.steady.certified);
    EXPECT_EQ(found.zero, 1u);
    EXPECT_THAT(found.families, ElementsAre("rear'")) << v;
    EXPECT_THAT(found.steady.ignorable, ElementsAre(0, 1, 2, 5, 7)) << v;
    EXPECT_EQ(found.verdict, verdict) << v << found.because;
  }
}

TEST(Linearize, CriticalValuesHaveTheirKinds) {
  using Kind = VariedSpectrum::Critical::Kind;
  const VariedSpectrum hopf = linearize_along(model("coordinates = ['x']\nlagrangian = \"x'^2/2 - 2*x^2\"\n[forces]\nx "
                                                    "= \"(mu - 1/3)*x' - x'^3\"\n[parameters]\nmu = "
                                                    "1\n"),
                                              Along::parse("mu=-1:1:7"));
  ASSERT_EQ(hopf.critical.size(), 1u);
  EXPECT_EQ(hopf.critical[0].kind, Kind::hopf);
  EXPECT_NEAR(hopf.critical[0].value, 1.0 / 3, 1e-14);
  EXPECT_NEAR(hopf.critical[0].eigenvalue.imag(), 2, 1e-12);
  // ζ'' + 2 i Γ ζ' − k ζ = 0: λ = −i Γ ± √(k − Γ²)
  const VariedSpectrum collision = linearize_along(
      model("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 + G*(x*y' - y*x') + 3*(x^2 + y^2)/2\"\n"
            "[parameters]\nG = 1\n"),
      Along::parse("G=1:3:20"));
  ASSERT_EQ(collision.critical.size(), 1u);
  EXPECT_EQ(collision.critical[0].kind, Kind::collision);
  EXPECT_NEAR(collision.critical[0].value, std::sqrt(3.0), 1e-11);
  EXPECT_NEAR(collision.critical[0].eigenvalue.imag(), std::sqrt(3.0), 1e-5);
}

// A particle on a circle around a centre of force −k/r^p: stable for p < 2 by Routh, though the energy alone proves nothing.
// m x'' + c x' + k x = 0: at m = 0 there is no equation of second order, and on both sides of it an eigenvalue, −c/m + …, has no bound.
TEST(Linearize, SingularValuesOfARangeAreToldAndPassed) {
  const System system = read_model(
      "coordinates = ['x']\nlagrangian = \"m*x'^2/2 - k*x^2/2\"\ndissipation = \"c/2*x'^2\"\n"
      "[parameters]\nm = 1\nk = 4\nc = 10\n",
      "massless.toml");
  const VariedSpectrum through = linearize_along(system, Along::parse("m=-1:1:5"));
  EXPECT_TRUE(through.critical.empty());
  for (std::size_t i = 0; i < through.values.size(); ++i) {
    const double m = through.values[i];
    EXPECT_EQ(through.eigenvalues[i].size(), m == 0 ? 0U : 2U);
    ASSERT_EQ(through.diagnosis[i].has_value(), m == 0);
    if (m == 0) {
      EXPECT_EQ(through.diagnosis[i]->code(), ErrorCode::singular_mass_matrix);
    }
    for (const std::complex<double> one : through.eigenvalues[i])
      EXPECT_LT(std::abs(m * one * one + 10.0 * one + 4.0), 1e-12);
  }
  // between two values, also where halving comes upon it
  for (const char* range : {"m=-1:1:2", "m=-1:1:4", "m=-1:1:8"}) {
    const VariedSpectrum beside = linearize_along(system, Along::parse(range));
    ASSERT_EQ(beside.critical.size(), 1U) << range;
    EXPECT_EQ(beside.critical[0].kind, VariedSpectrum::Critical::Kind::singular) << range;
    EXPECT_NEAR(beside.critical[0].value, 0, 1e-9) << range;
  }
  EXPECT_THROW(linearize_along(system, Along::parse("m=0:0:3")), Error);
}

TEST(Linearize, ConstantsOfTheMotionDecide) {
  for (const auto& [power, verdict] :
       {std::pair(1.0, Stability::stable), std::pair(1.9, Stability::stable), std::pair(2.5, Stability::unstable)}) {
    const Linearization found = linearize(model(
        fmt::format("coordinates = ['r', 'phi']\nlagrangian = \"(r'^2 + r^2*phi'^2)/2 + 1/r^{0}\"\n[initial]\nr = 1\n"
                    "\"phi'\" = \"sqrt({0})\"\n",
                    power)));
    // r'' = L²/r³ − p/r^(p+1): Ω² = (2 − p) p
    const Complex root = std::sqrt(Complex(power * (power - 2)));
    ASSERT_EQ(found.eigenvalues.size(), 3u);
    EXPECT_LT(std::abs(std::abs(found.eigenvalues[0].value) - std::abs(root)), 1e-12) << power;
    EXPECT_EQ(found.verdict, verdict) << power << found.because;
  }
  // a saddle that turns is held by Coriolis forces in the linearisation, and by no constant of the motion: where there is more than that nothing is
  // proved
  const std::string saddle = "(x'^2 + y'^2)/2 + 3*(x*y' - y*x') + (x^2 + 2*y^2)/2";
  for (const std::string more : {"", " + x^4"}) {
    const Linearization gyroscopic =
        linearize(model("coordinates = ['x', 'y']\nlagrangian = \"" + saddle + more + "\"\n"));
    EXPECT_EQ(gyroscopic.verdict, more.empty() ? Stability::stable : Stability::undecided) << gyroscopic.because;
    EXPECT_FALSE(gyroscopic.form);
  }
}

TEST(Linearize, WhatIsNotSteadyIsTold) {
  const auto error = [](const System& system, const std::vector<std::string>& solve = {}) {
    try {
      (void)linearize(system, solve);
    } catch (const Error& found) {
      return found;
    }
    return Error(ErrorCode::internal_error, "nothing was thrown");
  };
  const Error moving = error(model(top(1)));
  EXPECT_EQ(moving.code(), ErrorCode::not_steady);
  EXPECT_THAT(moving.message(), HasSubstr("theta'' = "));
  const Error driven = error(model("coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[forces]\nx = 'sin(t)'\n"));
  EXPECT_EQ(driven.code(), ErrorCode::not_steady);
  EXPECT_THAT(driven.message(), HasSubstr("time"));
  EXPECT_EQ(error(model(top(1)), {"tau"}).code(), ErrorCode::unknown_name);
  EXPECT_EQ(error(gallery("rolling-disc", {}), {"X'"}).code(), ErrorCode::bad_model);
  EXPECT_EQ(error(model("coordinates = ['x']\nlagrangian = \"x'^2/2 - abs(x)^1.5\"\n")).code(), ErrorCode::non_finite);
  EXPECT_EQ(error(model("coordinates = ['x', 'y']\nlagrangian = \"x'^2/2\"\n")).code(),
            ErrorCode::singular_mass_matrix);
  // in balls the force may be anything, zero too: they grow twofold with each of these
  std::string nested =
      "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[initial]\nx = 0.5\n[forces]\nx = 's50'\n[definitions]\n";
  for (int k = 1; k <= 50; ++k) {
    const std::string before = k == 1 ? "x" : "s" + std::to_string(k - 1);
    nested += "s" + std::to_string(k) + " = '" + before + "*(2 - " + before + ")'\n";
  }
  const Error grown = error(model(nested));
  EXPECT_EQ(grown.code(), ErrorCode::not_steady);
  EXPECT_THAT(grown.message(), HasSubstr("x'' = 1"));
  // none near by: a constant force and nothing to hold it
  EXPECT_EQ(error(model("coordinates = ['x']\nlagrangian = \"x'^2/2 - x\"\n"), {"x"}).code(), ErrorCode::not_steady);
}

}  // namespace
}  // namespace cetaev
