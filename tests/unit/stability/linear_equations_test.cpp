// The linear equations of small motions in symbols, held against published matrices, closed forms and the spectra of the exact linearisation.
#include "cetaev/stability/linear_equations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cetaev/constraint/state.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/stability/linearize.hpp"

namespace cetaev {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

System from_source(const std::string& path, const std::vector<std::string>& settings = {}) {
  return read_model_file(std::string(CETAEV_SOURCE_DIR) + "/" + path, settings);
}

double value(const LinearEquations& found, Expr e) {
  // what kept its name has the value of the model
  const State at = given_state(found.system);
  std::vector<Replacement> named;
  std::vector<Value> numbers;
  for (std::size_t i = 0; i < found.system->size(); ++i) {
    numbers.emplace_back(found.system->motion.q[i], at.q[i]);
    numbers.emplace_back(found.system->motion.v[i], at.v[i]);
  }
  for (std::size_t k = 0; k < found.quasi.size(); ++k)
    for (const auto& [symbol, number] : found.named)
      if (symbol == found.u_symbols[k]) numbers.emplace_back(symbol, evaluate(number, {}));
  const std::vector<double> parameters = parameter_values(found.system);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    numbers.emplace_back(found.system->parameters[i].symbol, parameters[i]);
  return evaluate(e, numbers);
}

// M x'' + C x' + K x = 0, or M u' + C u + K p = 0 with p' = P p + U u, as one matrix.
std::vector<std::complex<double>> spectrum(const LinearEquations& found) {
  const std::size_t m = found.M.rows, p = found.positions.size();
  const auto dense = [&](const Matrix& matrix) {
    DenseMatrix result(matrix.rows, matrix.columns);
    for (std::size_t r = 0; r < matrix.rows; ++r) {
      for (std::size_t c = 0; c < matrix.columns; ++c) result(r, c) = value(found, matrix(r, c));
    }
    return result;
  };
  CompleteLu lu;
  lu.compute(dense(found.M));
  const DenseMatrix by_u = lu.solve(dense(found.C)), by_p = lu.solve(dense(found.K));
  DenseMatrix A(m + p, m + p);
  for (std::size_t r = 0; r < m; ++r) {
    for (std::size_t c = 0; c < m; ++c) A(r, c) = -by_u(r, c);
    for (std::size_t c = 0; c < p; ++c) A(r, m + c) = -by_p(r, c);
  }
  if (found.second_order) {
    for (std::size_t r = 0; r < p; ++r) A(m + r, r) = 1;
  } else {
    const DenseMatrix P = dense(found.P), U = dense(found.U);
    for (std::size_t r = 0; r < p; ++r) {
      for (std::size_t c = 0; c < p; ++c) A(m + r, m + c) = P(r, c);
      for (std::size_t c = 0; c < m; ++c) A(m + r, c) = U(r, c);
    }
  }
  return *eigenvalues(A);
}

// Every eigenvalue of the linearisation is one of the matrices'; these have further zeros, of positions that do not matter.
void expect_the_spectrum_of_the_linearisation(const System& system) {
  const LinearEquations found = linear_equations(system);
  auto all = spectrum(found);
  for (const Eigenvalue& one : linearize(system).eigenvalues) {
    const auto nearest = std::ranges::min_element(all, {}, [&](auto x) { return std::abs(x - one.value); });
    ASSERT_NE(nearest, all.end());
    // zeros of families are double
    EXPECT_LT(std::abs(*nearest - one.value), 1e-6 * (1 + std::abs(one.value))) << one.value;
    all.erase(nearest);
  }
  for (const auto& left : all) EXPECT_LT(std::abs(left), 1e-6);
}

// Meijaard, Papadopoulos, Ruina and Schwab 2007, as printed, with g = 9.81 in K₀; the rear wheel by itself.
TEST(LinearEquations, OfTheBicycleAreThePublishedOnes) {
  const LinearEquations found = linear_equations(from_source("tests/unit/stability/bicycle.toml"));
  ASSERT_TRUE(found.second_order);
  ASSERT_TRUE(found.by_speed);
  EXPECT_EQ(found.by_speed->speed.name(), "v");
  std::vector<std::string> names;
  for (const std::size_t i : found.velocities) names.push_back(found.system->coordinates[i]);
  ASSERT_THAT(names, ElementsAre("roll", "rear", "steer"));
  const auto expect = [&](const Matrix& matrix, double a, double b, double c, double d) {
    const double expected[] = {a, b, c, d};
    const std::size_t which[] = {0, 2};
    for (std::size_t r = 0; r < 2; ++r) {
      for (std::size_t s = 0; s < 2; ++s) {
        const double own = value(found, matrix(which[r], which[s]));
        EXPECT_NEAR(own, expected[2 * r + s], 1e-12 * (1 + std::abs(own))) << r << s;
      }
    }
  };
  expect(found.M, 80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686);
  ASSERT_EQ(found.by_speed->C.size(), 1u);
  EXPECT_EQ(found.by_speed->C[0].exponent, 1);
  expect(found.by_speed->C[0].matrix, 0, 33.86641391492494, -0.85035641456978, 1.68540397397560);
  ASSERT_EQ(found.by_speed->K.size(), 2u);
  const double g = 9.81;
  expect(found.by_speed->K[0].matrix, -80.95 * g, -2.59951685249872 * g, -2.59951685249872 * g, -0.80329488458618 * g);
  EXPECT_EQ(found.by_speed->K[1].exponent, 2);
  expect(found.by_speed->K[1].matrix, 0, 76.59734589573222, 0, 2.65431523794604);
}

TEST(LinearEquations, KeepTheSymbolsOfTheModel) {
  const LinearEquations found = linear_equations(from_source("gallery/double-pendulum.toml", {"theta1=0", "theta2=0"}));
  std::vector<std::string> K;
  for (const Expr e : found.K.entries) K.push_back(to_string(e));
  EXPECT_THAT(K, ElementsAre("2*m*l*g", "0", "0", "m*l*g"));
  EXPECT_FALSE(found.by_speed);
}

// An upright disc may roll at any rate, which keeps its name.
TEST(LinearEquations, KeepARateThatMayBeAny) {
  const LinearEquations found =
      linear_equations(from_source("gallery/rolling-disc.toml", {"theta=0", "theta'=0", "psi'=0"}));
  ASSERT_TRUE(found.by_speed);
  EXPECT_EQ(found.by_speed->speed, found.system->motion.v[4]);
  EXPECT_EQ(to_string(found.K(1, 1)), "-m*r*g");
}

// A bead on a circle under gravity, in Cartesian coordinates: the position that the constraint determines follows.
TEST(LinearEquations, OnAConstraintOnPositions) {
  const System system = read_model(
      "coordinates = ['x', 'y']\nlagrangian = \"m*(x'^2 + y'^2)/2 - m*g*y\"\nconstraints = ['x^2 + y^2 = "
      "l^2']\n[parameters]\nm = "
      "2\ng = 9.81\nl = 3\n[initial]\nx = 0\ny = \"-l\"\n",
      "bead.toml");
  const LinearEquations found = linear_equations(system);
  ASSERT_EQ(found.K.entries.size(), 1u);
  EXPECT_NEAR(value(found, found.K(0, 0)) / value(found, found.M(0, 0)), 9.81 / 3, 1e-13);
  EXPECT_EQ(to_string(found.K(0, 0)), "m*g/l");
}

TEST(LinearEquations, HaveTheSpectrumOfTheLinearisation) {
  expect_the_spectrum_of_the_linearisation(from_source("gallery/double-pendulum.toml", {"theta1=0", "theta2=0"}));
  expect_the_spectrum_of_the_linearisation(
      from_source("gallery/rolling-disc.toml", {"theta=0", "theta'=0", "psi'=0", "phi'=2"}));
  expect_the_spectrum_of_the_linearisation(from_source("gallery/rolling-disc-steady.toml"));
  expect_the_spectrum_of_the_linearisation(from_source("tests/unit/stability/bicycle.toml", {"v=3.5"}));
}

// A skate that is driven round a circle: steady in its speed u and its rate w, not in x' and y'. m u' = −c (u − V), J w' = b (u − V) − k (w − W).
TEST(LinearEquations, InQuasiVelocitiesOfTheModel) {
  const char* text = R"toml(
coordinates = ["x", "y", "phi"]
lagrangian = "m*(x'^2 + y'^2)/2 + J*phi'^2/2"
constraints = ["x'*sin(phi) - y'*cos(phi) = 0"]
dependent = ["y"]
forces = {x = "-c*(x'*cos(phi) + y'*sin(phi) - V)*cos(phi)", y = "-c*(x'*cos(phi) + y'*sin(phi) - V)*sin(phi)", phi = "b*(x'*cos(phi) + y'*sin(phi) - V) - k*(phi' - W)"}
[parameters]
m = 2
J = 3
c = 0.5
b = 0.7
k = 1.1
V = 4
W = 0.6
[quasi_velocities]
u = "x'*cos(phi) + y'*sin(phi)"
w = "phi'"
[initial]
phi = 0.3
"x'" = "V*cos(0.3)"
"phi'" = "W"
)toml";
  const LinearEquations found = linear_equations(read_model(text, "skate.toml"));
  EXPECT_THAT(found.quasi, ElementsAre("u", "w"));
  EXPECT_FALSE(found.second_order);
  EXPECT_TRUE(found.positions.empty());
  std::vector<std::string> M, C;
  for (const Expr e : found.M.entries) M.push_back(to_string(e));
  for (const Expr e : found.C.entries) C.push_back(to_string(e));
  EXPECT_THAT(M, ElementsAre("m", "0", "0", "J"));
  EXPECT_THAT(C, ElementsAre("c", "0", "-b", "k"));
  ASSERT_EQ(found.u.size(), 2u);
  EXPECT_EQ(to_string(found.u[0]), "V");
  EXPECT_EQ(to_string(found.u[1]), "W");
  expect_the_spectrum_of_the_linearisation(read_model(text, "skate.toml"));
  // without drive and drag any speed and any rate will do, and both keep their names
  const LinearEquations level = linear_equations(from_source("gallery/skate-level.toml"));
  EXPECT_THAT(level.quasi, ElementsAre("u", "w"));
  EXPECT_EQ(level.u, level.u_symbols);
  ASSERT_EQ(level.named.size(), 3u);  // and phi
  EXPECT_NEAR(evaluate(level.named[0].second, {}), 1 / std::cos(0.3), 1e-15);
}

TEST(LinearEquations, OfWhatIsNotSteadyAreRefused) {
  const auto message = [](const System& system) {
    try {
      (void)linear_equations(system);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::not_steady);
      return error.message();
    }
    return std::string();
  };
  EXPECT_THAT(message(from_source("gallery/skate.toml")), HasSubstr("x'' = 4.905"));
  EXPECT_THAT(
      message(read_model("coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2\"\n[initial]\n\"x'\" = 1\n", "m.toml")),
      HasSubstr("x' = 1"));
  // what vanishes at the state and not beside it: x moves, and the stiffness of y with it
  EXPECT_THAT(message(read_model(
                  "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - x*y^2/2 - y^2\"\n[initial]\n\"x'\" = 1\n",
                  "m.toml")),
              HasSubstr("x' = 1"));
  EXPECT_THAT(message(read_model("coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2\"\nforces = {x = 'x*sin(t)'}\n",
                                 "m.toml")),
              HasSubstr("the time stands in the equations"));
}

}  // namespace
}  // namespace cetaev
