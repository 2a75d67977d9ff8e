// Motions that constants of the motion keep near, where eigenvalues on the axis leave it open: families with closed conditions.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/stability/linearize.hpp"
#include "seeds.hpp"

namespace cetaev {
namespace {

// The form that is shown is definite, as it says, by other means than those that proved it.
void expect_definite(const DefiniteForm& form, const std::string& where) {
  const std::size_t n = form.variables.size();
  DenseMatrix matrix(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      matrix(i, j) = (form.positive ? 1 : -1) * form.matrix[i * n + j];
      EXPECT_NEAR(form.matrix[i * n + j], form.matrix[j * n + i], 1e-12 * std::abs(form.matrix[i * n + j])) << where;
    }
  EXPECT_TRUE(Cholesky(n).compute(matrix)) << where;
  EXPECT_FALSE(form.combination.empty()) << where;
}

// A hill that turning makes stable: frequencies W ± √(W² − k), and E + α J is definite for some α exactly where these are apart.
TEST(HeldByConstants, AHillThatTurns) {
  for (const std::uint64_t number : seeds(16).all()) {
    Random random(number);
    const double unit = std::pow(10, random.uniform(-30, 30)), W = random.uniform(0.2, 3) * unit;
    const double k = W * W * (number % 2 == 0 ? random.uniform(0.1, 0.999) : random.uniform(1.001, 3));
    const std::string where = fmt::format("W = {}, k = {}", W, k);
    const Linearization found = linearize(read_model(
        fmt::format("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 + W*(x*y' - y*x') + k*(x^2 + y^2)/2 + "
                    "(x^2 + y^2)^2\"\n[parameters]\nW = {:.17g}\nk = {:.17g}\n",
                    W, k),
        "hill.toml"));
    EXPECT_EQ(found.verdict, k < W * W ? Stability::stable : Stability::unstable) << where << found.because;
    ASSERT_EQ(found.form.has_value(), k < W * W) << where;
    if (found.form) expect_definite(*found.form, where);
    if (found.form) {
      EXPECT_EQ(found.form->combination.size(), 2u) << where;
    }
  }
}

// Sleeping tops, by the horizontal components of their axes: C² ω² > 4 A m g l.
TEST(HeldByConstants, ATopSleepsAboveItsCriticalSpin) {
  for (const std::uint64_t number : seeds(8).all()) {
    Random random(number);
    const double A = random.uniform(0.5, 3), C = random.uniform(0.2, 1.9 * A), weight = random.uniform(0.1, 10);
    const double critical = std::sqrt(4 * A * weight) / C;
    const double spin = critical * (number % 2 == 0 ? random.uniform(1.001, 3) : random.uniform(0.1, 0.999));
    const std::string where = fmt::format("A = {}, C = {}, weight {}, spin {} of {}", A, C, weight, spin, critical);
    const Linearization found = linearize(read_model(
        fmt::format(
            "coordinates = ['a', 'b', 's']\nlagrangian = \"A/2*(a'^2 + b'^2 + (a*a' + b*b')^2/(1 - a^2 - b^2)) + "
            "C/2*(s' + (a*b' - b*a')/(1 + sqrt(1 - a^2 - b^2)))^2 - W*sqrt(1 - a^2 - b^2)\"\n[parameters]\nA = "
            "{:.17g}\nC = {:.17g}\nW = {:.17g}\nw = {:.17g}\n[initial]\n\"s'\" = \"w\"\n",
            A, C, weight, spin),
        "top.toml"));
    EXPECT_EQ(found.verdict, spin > critical ? Stability::stable : Stability::unstable) << where << found.because;
    ASSERT_EQ(found.form.has_value(), spin > critical) << where;
    if (found.form) expect_definite(*found.form, where);
  }
}

// A free body that turns about its axis of inertia I1, which is vertical: stable where I1 is the largest by its energy and its momentum about the
// vertical, where it is the least by the square of its momentum as well, which the model declares; unstable where it is between.
TEST(HeldByConstants, AFreeBodyTurnsAboutItsLargestAndItsLeastAxis) {
  const std::string w1 = "(psi'*sin(theta)*sin(phi) + theta'*cos(phi))",
                    w2 = "(psi'*sin(theta)*cos(phi) - theta'*sin(phi))", w3 = "(psi'*cos(theta) + phi')";
  for (const auto& [first, expected] :
       {std::pair{4.5, Stability::stable}, {2.5, Stability::unstable}, {1.5, Stability::stable}}) {
    const Linearization found = linearize(read_model(
        fmt::format(
            "coordinates = ['psi', 'theta', 'phi']\nlagrangian = \"I1/2*{0}^2 + I2/2*{1}^2 + I3/2*{2}^2\"\n"
            "[parameters]\nI1 = {3}\nI2 = 2\nI3 = 3\n[initial]\ntheta = \"pi/2\"\nphi = \"pi/2\"\n\"psi'\" = 1.3\n"
            "[integrals]\nsquare = \"(I1*{0})^2 + (I2*{1})^2 + (I3*{2})^2\"\n",
            w1, w2, w3, first),
        "body.toml"));
    EXPECT_EQ(found.verdict, expected) << first << found.because;
    if (expected != Stability::stable) continue;
    ASSERT_TRUE(found.form) << first;
    expect_definite(*found.form, fmt::format("I1 = {}", first));
    if (first < 2) {
      EXPECT_THAT(found.because, testing::HasSubstr("square"));
    }
  }
}

// What grows is not held, and what is not conserved holds nothing.
TEST(HeldByConstants, DampingEndsIt) {
  const Linearization found = linearize(read_model(
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 + 2*(x*y' - y*x') + (x^2 + y^2)/2\"\n[forces]\nx = "
      "\"-1e-9*x'\"\ny = \"-1e-9*y'\"\n",
      "hill.toml"));
  EXPECT_EQ(found.verdict, Stability::unstable);
  EXPECT_FALSE(found.form);
}

// Gimbals are written by frames, in which the angle of the outer ring stands and cancels: its momentum is found all the same.
TEST(HeldByConstants, AGyroscopeInGimbalsPrecesses) {
  const Linearization found =
      linearize(read_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/gyroscope.toml", {}), {"psi'"});
  EXPECT_EQ(found.verdict, Stability::stable) << found.because;
  ASSERT_TRUE(found.form);
  EXPECT_THAT(found.form->kept, testing::UnorderedElementsAre("the momentum of psi", "the momentum of phi"));
  // F = E − ψ' p_ψ − φ' p_φ, as of every relative equilibrium
  ASSERT_EQ(found.form->combination.size(), 3u);
  for (const DefiniteForm::Term& term : found.form->combination) {
    const double expected = term.constant == "the energy"            ? 1
                            : term.constant == "the momentum of psi" ? -found.steady.state.v[0]
                                                                     : -found.steady.state.v[2];
    EXPECT_NEAR(term.coefficient, expected, 1e-9 * std::abs(expected)) << term.constant;
  }
  expect_definite(*found.form, "gyroscope");
}

// Springs as forces, with a magnetic force that does no work: E + U with U = k (x² + y²)/2 + x⁴/4 is definite. With a force that turns there is no U.
TEST(HeldByConstants, ForcesMayHaveAPotential) {
  const std::string text =
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\n[parameters]\nk = 2\nturn = 0\n[forces]\n"
      "x = \"-k*x - x^3 + 3*y' + turn*y\"\ny = \"-k*y - 3*x' - turn*x\"\n";
  const Linearization held = linearize(read_model(text, "springs.toml"));
  EXPECT_EQ(held.verdict, Stability::stable);
  ASSERT_TRUE(held.form);
  EXPECT_EQ(held.form->matrix, (std::vector<double>{2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}));
  const std::vector<std::string> turning = {"turn=1"};
  EXPECT_NE(linearize(read_model(text, "springs.toml", turning)).verdict, Stability::stable);
  // without a minimum of U
  const std::vector<std::string> away = {"k=-1"};
  EXPECT_NE(linearize(read_model(text, "springs.toml", away)).verdict, Stability::stable);
}

}  // namespace
}  // namespace cetaev
