// Invariant measures, held against known densities and against divergences by differences.
#include "cetaev/stability/invariant_measure.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cetaev/expr/evaluate.hpp"
#include "cetaev/formulation/first_order.hpp"
#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

System gallery(const std::string& name, const std::vector<std::string>& settings = {}) {
  return read_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/" + name + ".toml", settings);
}

// The divergence of μ f by differences, and the size of its terms.
template <class Density>
std::pair<double, double> divergence(const FirstOrderProgram& program, const Density& density, std::vector<double> y) {
  double sum = 0, size = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double h = 1e-5, kept = y[i];
    y[i] = kept + h;
    const double above = density(y) * program.rates(0, y)[i];
    y[i] = kept - h;
    const double below = density(y) * program.rates(0, y)[i];
    y[i] = kept;
    sum += (above - below) / (2 * h);
    size += std::abs(above - below) / (2 * h);
  }
  return {sum, size};
}

// ∇·(μ f) = 0 with f from the equations as they are integrated and all derivatives by differences, over all of the state.
void expect_density(const System& system, const InvariantMeasure& measure) {
  Groundwork work(system);
  const AdmissibleState start = work.initial();
  const FirstOrderProgram program(work.system(),
                                  first_order(work.setting_at(start), start.state,
                                              system->constraints.empty() ? Form::multipliers : Form::voronec));
  const std::vector<double> parameters = parameter_values(system);
  const auto density = [&](std::span<const double> y) {
    std::vector<Value> values;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      values.emplace_back(measure.system->parameters[i].symbol, parameters[i]);
    const auto& state = program.equations().state;
    for (std::size_t i = 0; i < state.size(); ++i)
      for (std::size_t k = 0; k < system->size(); ++k)
        if (state[i].name == system->coordinates[k]) values.emplace_back(measure.system->motion.q[k], y[i]);
    double result = 1;
    for (const auto& [factor, exponent] : measure.density)
      result *= std::pow(std::abs(evaluate(factor, values)), exponent.to_double());
    return result;
  };
  int states = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const auto at = work.admissible().random(seed);
    if (!at) continue;
    const std::vector<double> y = program.state(*at);
    const auto [sum, size] = divergence(program, density, y);
    EXPECT_NEAR(sum, 0, 1e-6 * (size + density(y))) << system->name << " at state " << seed;
    ++states;
  }
  EXPECT_GT(states, 3) << system->name;
}

TEST(InvariantMeasure, OfALagrangianSystemIsTheDeterminantOfItsMassMatrix) {
  const System pendulum = gallery("double-pendulum");
  const InvariantMeasure measure = invariant_measure(pendulum);
  ASSERT_TRUE(measure.exists.holds()) << measure.because;
  EXPECT_TRUE(measure.exists.proved);
  expect_density(pendulum, measure);
}

// d'Alembert and Čaplygin: with the mass centre beside the blade there is none; above it there is.
TEST(InvariantMeasure, ChaplyginsSleighHasNone) {
  const InvariantMeasure sleigh = invariant_measure(gallery("chaplygin-sleigh"));
  EXPECT_TRUE(sleigh.exists.fails()) << sleigh.because;
  EXPECT_TRUE(sleigh.exists.proved);
  ASSERT_TRUE(sleigh.exists.witness);
  EXPECT_EQ(sleigh.exists.witness->v[2], 0);  // it goes straight
  for (const char* name : {"skate-level", "skate"}) {
    const InvariantMeasure skate = invariant_measure(gallery(name));
    EXPECT_TRUE(skate.exists.holds()) << name << ": " << skate.because;
    EXPECT_TRUE(skate.exists.proved) << name;
    expect_density(gallery(name), skate);
  }
}

// ∇·(det H f) = 0 with a density of velocities, too; and where there are too many coordinates to write it out, or positions are tied.
TEST(InvariantMeasure, OfWhateverLagrangianIsLiouvilles) {
  const System force = gallery("relativistic-force");
  const InvariantMeasure measure = invariant_measure(force);
  ASSERT_TRUE(measure.exists.holds()) << measure.because;
  EXPECT_TRUE(measure.exists.proved);
  EXPECT_TRUE(measure.of_phase_space);
  ASSERT_EQ(measure.density.size(), 1u);
  Groundwork work(force);
  const AdmissibleState start = work.initial();
  const FirstOrderProgram program(work.system(), first_order(work.setting_at(start), start.state, Form::multipliers));
  const std::vector<double> parameters = parameter_values(force);
  const auto density = [&](std::span<const double> y) {
    std::vector<Value> values;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      values.emplace_back(measure.system->parameters[i].symbol, parameters[i]);
    for (std::size_t k = 0; k < force->size(); ++k) {
      values.emplace_back(measure.system->motion.q[k], y[k]);
      values.emplace_back(measure.system->motion.v[k], y[force->size() + k]);
    }
    return evaluate(measure.density[0].first, values);
  };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto at = work.admissible().random(seed);
    ASSERT_TRUE(at);
    std::vector<double> y = program.state(*at);
    for (double& one : y) one *= 0.3;  // below the speed of light
    const auto [sum, size] = divergence(program, density, y);
    EXPECT_NEAR(sum, 0, 1e-7 * (size + density(y))) << seed;
  }
  for (const char* name : {"arm", "stewart"}) {
    const InvariantMeasure large = invariant_measure(gallery(name));
    EXPECT_TRUE(large.exists.holds() && large.exists.proved && large.of_phase_space) << name << large.because;
  }
}

// Newton's method finds snakes folded flat, whose equations do not vanish by algebra at the numbers it gives; exact elimination over sines of
// these took minutes for each.
TEST(InvariantMeasure, SteadyMotionsThatCannotBeProvedAreLeft) {
  for (const char* name : {"snake-6", "snake-8"}) {
    const InvariantMeasure measure = invariant_measure(read_model(generated_model(name).value(), name));
    EXPECT_FALSE(measure.exists.proved) << name << ": " << measure.because;
    EXPECT_FALSE(measure.exists.holds()) << name;
  }
}

// Damping makes volumes shrink at rest, too.
TEST(InvariantMeasure, WhatIsDampedHasNone) {
  const InvariantMeasure measure = invariant_measure(
      read_model("coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2\"\n[forces]\nx = \"-x'/4\"\n", "damped.toml"));
  EXPECT_TRUE(measure.exists.fails());
  EXPECT_TRUE(measure.exists.proved);
  EXPECT_EQ(measure.exists.value, -0.25);
}

TEST(InvariantMeasure, OfARollingDiscAndBall) {
  for (const char* name : {"rolling-disc", "chaplygin-ball"}) {
    const InvariantMeasure measure = invariant_measure(gallery(name));
    ASSERT_TRUE(measure.exists.holds()) << name << ": " << measure.because;
    expect_density(gallery(name), measure);
  }
}

// The sum of the eigenvalues of a bicycle that rides straight and of a racer that rolls straight does not vanish: of the bicycle −tr M⁻¹C₁ v.
TEST(InvariantMeasure, ThereIsNoneWhereASteadyMotionHasATrace) {
  for (const char* name : {"bicycle", "roller-racer"}) {
    const InvariantMeasure measure = invariant_measure(gallery(name));
    EXPECT_TRUE(measure.exists.fails()) << name << measure.because;
    EXPECT_TRUE(measure.exists.proved) << name;
  }
  const System bicycle = gallery("bicycle", {"v=5"});
  // M and C₁ of Meijaard et al.
  const double M[2][2] = {{80.81722, 2.31941332208709}, {2.31941332208709, 0.29784188199686}},
               C[2][2] = {{0, 33.86641391492494}, {-0.85035641456978, 1.68540397397560}};
  const double determinant = M[0][0] * M[1][1] - M[0][1] * M[1][0];
  const double trace = (M[1][1] * C[0][0] - M[0][1] * C[1][0] - M[1][0] * C[0][1] + M[0][0] * C[1][1]) / determinant;
  EXPECT_NEAR(invariant_measure(bicycle).exists.value, -5 * trace, 1e-9);
}

}  // namespace
}  // namespace cetaev
