// Accelerations and multipliers against closed forms, and against the equations themselves in high precision.
#include "cetaev/detail/formulation/multipliers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/error.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "cetaev/formulation/evaluation.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

using testing::HasSubstr;

System gallery_model(const std::string& name, const std::vector<std::string>& settings = {}) {
  return scratch_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/" + name + ".toml", settings);
}

// The form `multipliers` of an evaluation.
struct Evaluated {
  AdmissibleState initial;
  std::vector<double> residual;
  std::optional<std::size_t> rank;
  std::optional<CompiledForm::Values> multipliers;
  std::optional<Error> multipliers_error;
};

Evaluated evaluated(const System& system) {
  const Evaluation e = evaluate(system, EvaluationOptions{{"multipliers"}, false});
  const FormResult& form = *e.find("multipliers");
  return {e.initial, e.residual, e.rank, form.values, form.error};
}

// Residuals of E L − F = Jᵀλ and Dₜφ = 0 at the computed a, λ, from the Lagrangian derivative, not from H and b.
template <typename Reaction>
double largest_residual(const System& system, const State& state, const Reaction& reaction) {
  std::vector<Value> at;
  const std::vector<Expr> symbols = state_symbols(system);
  const std::vector<double> values = state_values(state, parameter_values(system));
  for (std::size_t i = 0; i < symbols.size(); ++i) at.emplace_back(symbols[i], values[i]);
  for (std::size_t i = 0; i < system->size(); ++i) at.emplace_back(system->motion.a[i], reaction.a[i]);

  Derivation d = total_derivative(system->motion);
  std::vector<Expr> phi;
  for (const Constraint& c : system->constraints) phi.push_back(c.order == 0 ? d(c.expression) : c.expression);
  double largest = 0;
  const std::vector<Expr> el = lagrangian_derivative(system->lagrangian, system->motion);
  for (std::size_t j = 0; j < system->size(); ++j) {
    double sum = evaluate(el[j] - system->forces[j], at);
    for (std::size_t i = 0; i < phi.size(); ++i) {
      const Expr by = system->constraints[i].order == 2 ? system->motion.a[j] : system->motion.v[j];
      sum -= reaction.multipliers[i] * evaluate(derivative(phi[i], by), at);
    }
    largest = std::max(largest, std::fabs(sum));
  }
  for (std::size_t i = 0; i < phi.size(); ++i) {
    largest = std::max(largest, std::fabs(evaluate(system->constraints[i].order == 2 ? phi[i] : d(phi[i]), at)));
  }
  return largest;
}

TEST(Multipliers, OfTheSkateOnASlope) {
  // μ = −g sin β sin φ − φ' u, u = x' cos φ + y' sin φ; x'' = g sin β + μ sin φ, y'' = −μ cos φ
  const double phi = 0.7, rate = 1.3, u = 0.9, g = 9.81, slope = std::acos(-1.0) / 6;
  const System system = gallery_model(
      "skate", {"phi=" + std::to_string(phi), "phi'=" + std::to_string(rate), "x'=0.9*cos(0.7)", "m=1", "J=1"});
  const Evaluated e = evaluated(system);
  ASSERT_TRUE(e.multipliers);
  const double mu = -g * std::sin(slope) * std::sin(phi) - rate * u;
  EXPECT_NEAR(e.multipliers->multipliers[0], mu, 1e-13);
  EXPECT_NEAR(e.multipliers->a[0], g * std::sin(slope) + mu * std::sin(phi), 1e-13);
  EXPECT_NEAR(e.multipliers->a[1], -mu * std::cos(phi), 1e-13);
  EXPECT_NEAR(e.multipliers->a[2], 0, 1e-15);
}

TEST(Multipliers, OfTheAppellHamelParticle) {
  // λ = g/(1 + a²) for φ = z' − a√(x'² + y'²), z'' = −a²g/(1 + a²)
  const System system = gallery_model("appell-hamel", {"a=0.75", "g=9.81", "m=1", "x'=-1.2", "y'=0.5"});
  const Evaluated e = evaluated(system);
  ASSERT_TRUE(e.multipliers);
  const double lambda = 9.81 / (1 + 0.75 * 0.75);
  EXPECT_NEAR(e.multipliers->multipliers[0], lambda, 1e-13);
  EXPECT_NEAR(e.multipliers->a[2], -0.75 * 0.75 * lambda, 1e-13);
  EXPECT_NEAR(e.multipliers->a[0], 1.2 / 1.3 * 0.75 * lambda, 1e-13);
}

TEST(Multipliers, SatisfyTheEquationsOfMotionOnEveryGalleryModelAtRandomStates) {
  for (const char* name : {"skate", "appell-hamel", "parallel-velocities", "pendulum", "pursuit"}) {
    SCOPED_TRACE(name);
    const System system = gallery_model(name);
    Admissible admissible(system);
    const Terms terms(system);
    const Multipliers form(system, terms);
    int states = 0;
    for (std::uint64_t seed = 1; seed < 60 && states < 10; ++seed) {
      const auto state = admissible.random(seed);
      if (!state) continue;
      ++states;
      const auto reaction = form.evaluate(*state);
      EXPECT_LT(largest_residual(system, *state, reaction), 1e-10);
    }
    EXPECT_EQ(states, 10);
  }
}

System particle(const std::string& constraints, const std::string& rest = "") {
  return scratch_model("coordinates = ['x', 'y', 'z']\nkinetic = \"(x'^2 + 2*y'^2 + 3*z'^2)/2\"\nconstraints = [" +
                           constraints + "]\n" + rest,
                       "particle.toml");
}

TEST(Multipliers, OfRedundantConstraintsAreOfLeastNorm) {
  // x' = 0 three times, once as 2x' = 0: Jᵀ = (1, 1, 2, …), H a − b = −F; least norm shares the reaction 1 : 1 : 2
  const System system = particle("\"x' = 0\", \"x' = 0\", \"2*x' = 0\"", "[forces]\nx = 6\n");
  const Evaluated e = evaluated(system);
  ASSERT_TRUE(e.multipliers);
  EXPECT_EQ(e.rank, 1u);
  EXPECT_NEAR(e.multipliers->multipliers[0], -1, 1e-14);
  EXPECT_NEAR(e.multipliers->multipliers[1], -1, 1e-14);
  EXPECT_NEAR(e.multipliers->multipliers[2], -2, 1e-14);
  EXPECT_NEAR(e.multipliers->a[0], 0, 1e-15);
}

TEST(Multipliers, AreTheSameWhetherTheQuickOrTheCarefulWayIsTaken) {
  // a redundant copy forces the careful way; the accelerations and the total reaction must not change
  const std::string first = "\"x'*y' = z'^2 + t\", \"x'*cos(y) = y'\"";
  const std::string initial =
      "[initial]\nt = 0.5\ny = 0.4\n\"x'\" = 1.5\n\"y'\" = 1.4\n\"z'\" = 1\n[forces]\nx = \"sin(y)\"\nz = \"-x'\"\n";
  const Evaluated quick = evaluated(particle(first, initial));
  const Evaluated careful = evaluated(particle(first + ", \"2*x'*y' = 2*z'^2 + 2*t\"", initial));
  ASSERT_TRUE(quick.multipliers);
  ASSERT_TRUE(careful.multipliers);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(quick.multipliers->a[i], careful.multipliers->a[i], 1e-12);
  const auto& l = careful.multipliers->multipliers;
  EXPECT_NEAR(quick.multipliers->multipliers[0], l[0] + 2 * l[2], 1e-12);
  EXPECT_NEAR(l[2], 2 * l[0], 1e-12);
}

TEST(Multipliers, DoNotNeedAMassWhereTheConstraintsDetermineTheMotion) {
  // y has no mass but is tied to x
  const System system = scratch_model(
      "coordinates = ['x', 'y']\nkinetic = \"x'^2/2\"\nconstraints = [\"y' = 3*x'\"]\n[forces]\nx = 2\ny = 5\n",
      "tied.toml");
  const Evaluated e = evaluated(system);
  ASSERT_TRUE(e.multipliers);
  // virtual work: x'' = 2 + 3·5
  EXPECT_NEAR(e.multipliers->a[0], 17, 1e-13);
  EXPECT_NEAR(e.multipliers->a[1], 51, 1e-13);
}

TEST(Multipliers, TakePartThroughTheirDerivativesWhenHolonomic) {
  // pendulum: λ/|P| is the tension of the rod per unit length: x'' = λ x/l, and |P|² constant gives P·P'' = −|P'|²
  const Evaluated e = evaluated(gallery_model("pendulum"));
  ASSERT_TRUE(e.multipliers);
  const State& s = e.initial.state;
  EXPECT_NEAR(s.q[0] * e.multipliers->a[0] + s.q[1] * e.multipliers->a[1], -(s.v[0] * s.v[0] + s.v[1] * s.v[1]), 1e-13);
}

TEST(Multipliers, OfConstraintsOnAccelerationsLinearInThem) {
  const System system = particle("\"x'' + 2*y'' = 3 + x'\"", "[initial]\n\"x'\" = 4\n[forces]\nz = 6\n");
  const Evaluated e = evaluated(system);
  ASSERT_TRUE(e.multipliers);
  EXPECT_NEAR(e.multipliers->a[0] + 2 * e.multipliers->a[1], 7, 1e-14);
  EXPECT_NEAR(e.multipliers->a[2], 2, 1e-15);
  EXPECT_LT(largest_residual(system, e.initial.state, *e.multipliers), 1e-13);
  EXPECT_NEAR(e.residual[0], 0, 1e-14);
}

Error failure(const System& system) {
  const Evaluated e = evaluated(system);
  EXPECT_TRUE(e.multipliers_error);
  return e.multipliers_error ? *e.multipliers_error : Error(ErrorCode::bad_model, "");
}

TEST(Diagnosis, SingularMassMatrixNamesTheCoordinates) {
  const Error error = failure(scratch_model("coordinates = ['x', 'spin']\nkinetic = \"x'^2/2\"\n", "massless.toml"));
  EXPECT_EQ(error.code(), ErrorCode::singular_mass_matrix);
  EXPECT_THAT(error.message(), HasSubstr("along spin"));
}

TEST(Diagnosis, AMassMatrixSingularOnTheFreeDirectionsOnlyIsFound) {
  for (const char* model : {"kinetic = \"(x' + y')^2/2\"\npotential = \"x\"\nconstraints = [\"y' = -x'\"]",
                            "kinetic = \"(x' - y')^2/2\"\npotential = \"x^2\"\nconstraints = [\"x' = y'\"]",
                            "kinetic = \"(x' + 3*y')^2/2\"\nconstraints = [\"x' = -3*y'\"]"}) {
    EXPECT_EQ(failure(scratch_model("coordinates = ['x', 'y']\n" + std::string(model), "singular.toml")).code(),
              ErrorCode::singular_mass_matrix);
  }
}

TEST(Diagnosis, RankLostNamesTheConstraint) {
  const Error rest = failure(particle("\"cross([x', y', z'], [x, y, z]) = 0\"", "[initial]\n"));
  EXPECT_EQ(rest.code(), ErrorCode::rank_lost);
  EXPECT_THAT(rest.message(), HasSubstr("cross([x', y', z'], [x, y, z]) = 0 (x)"));
  // z' = √(x'² + y'²) at rest has no derivative
  const Error apex = failure(gallery_model("appell-hamel", {"x'=0", "y'=0"}));
  EXPECT_EQ(apex.code(), ErrorCode::rank_lost);
  // irregular everywhere
  EXPECT_EQ(failure(particle("\"(x' - 1)^2 = 0\"", "[initial]\n\"x'\" = 1\n")).code(), ErrorCode::rank_lost);
}

TEST(Diagnosis, ConstraintsThatHideAConditionAreInconsistent) {
  // both hold where y = z, but then y' = z' must hold too
  const Error error = failure(particle("\"x' = y\", \"x' = z\"", "[initial]\ny = 1\nz = 1\n\"y'\" = 2\n"));
  EXPECT_EQ(error.code(), ErrorCode::inconsistent_constraints);
  EXPECT_THAT(error.message(), HasSubstr("x' = "));
}

}  // namespace
}  // namespace cetaev
