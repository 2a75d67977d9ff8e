// What is known of the systems of the papers, principle by principle: closed forms, coincidences and false claims.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "cetaev/error.hpp"
#include "cetaev/formulation/evaluation.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;

// A model of the gallery, with other auxiliary functions if any are given.
Evaluation at_initial_state(const std::string& name, const std::vector<std::string>& settings = {},
                            const std::vector<std::string>& auxiliary = {}) {
  const std::string path = std::string(CETAEV_SOURCE_DIR) + "/gallery/" + name + ".toml";
  const System system = scratch_model_file(path, settings);
  return evaluate(system.with([&](SystemData& data) {
    if (!auxiliary.empty()) data.auxiliary.clear();
    for (const std::string& text : auxiliary) data.auxiliary.push_back(parse_expression(system, text));
  }));
}

const CompiledForm::Values& values(const Evaluation& evaluation, const std::string& form) {
  const FormResult* result = evaluation.find(form);
  if (result->error) throw *result->error;
  return *result->values;
}

ErrorCode failure(const Evaluation& evaluation, const std::string& form) {
  const FormResult* result = evaluation.find(form);
  if (!result->error) throw std::logic_error(form + " has values");
  return result->error->code();
}

std::string decimal(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

std::vector<std::string> dalembert_lagrange_forms() {
  std::vector<std::string> names;
  for (const Principle& principle : principles()) {
    if (principle.dalembert_lagrange) names.emplace_back(principle.name);
  }
  return names;
}

TEST(Skate, TurnsUniformlyByTheTruePrinciplesAndNotByMvm2WithTheVelocitiesYAndPhi) {
  // Against [L] (42): φ'' = −y'² cosφ/sin³φ where the true motion has φ'' = 0.
  const double tabulated = -1.830854685;
  for (const double phi : {0.7, 1.2, -0.4}) {
    for (const double rate : {0.8, -1.5}) {
      SCOPED_TRACE(decimal(phi) + ", " + decimal(rate));
      const double s = std::sin(phi), c = std::cos(phi);
      const Evaluation e =
          at_initial_state("skate", {"phi=" + decimal(phi), "x'=" + decimal(rate * c / s)}, {"y'", "phi'"});
      ASSERT_NEAR(e.initial.state.v[1], rate, 1e-14);
      const double expected = -rate * rate * c / (s * s * s);
      if (phi == 0.7 && rate == 0.8) {
        ASSERT_NEAR(expected, tabulated, 1e-9);
      }
      EXPECT_NEAR(values(e, "mvm2").a[2], expected, 1e-12 * (1 + std::fabs(expected)));
      EXPECT_GT(*e.find("mvm2")->discrepancy, 0.1);
      for (const std::string& form : dalembert_lagrange_forms()) EXPECT_NEAR(values(e, form).a[2], 0, 1e-14) << form;
    }
  }
}

TEST(Skate, OfTheVakonomicEquationsTurnsAsTheMultiplierChosenSays) {
  // On the level: φ'' = −(b₀cosφ − a₀ sinφ)(a₀cosφ + b₀ sinφ), a₀ = x' − λ₀ sinφ, b₀ = y' + λ₀ cosφ
  for (const double lambda : {-2.0, -0.3, 0.0, 0.5, 1.7}) {
    for (const double phi : {0.3, 1.1}) {
      SCOPED_TRACE(decimal(lambda) + ", " + decimal(phi));
      const System system = scratch_model_file(
          std::string(CETAEV_SOURCE_DIR) + "/gallery/skate-level.toml",
          std::vector<std::string>{"m=1", "J=1", "phi=" + decimal(phi), "x'=" + decimal(0.9 * std::cos(phi))});
      const Evaluation e = evaluate(system.with([&](SystemData& data) {
        data.initial.has_lambda = true;
        data.initial.lambda = {parse_expression(system, decimal(lambda))};
      }));
      const State& state = e.initial.state;
      const double s = std::sin(phi), c = std::cos(phi);
      const double a0 = state.v[0] - lambda * s, b0 = state.v[1] + lambda * c;
      EXPECT_NEAR(b0 * c - a0 * s, lambda, 1e-15);
      EXPECT_NEAR(values(e, "vakonomic").a[2], -(b0 * c - a0 * s) * (a0 * c + b0 * s), 1e-14);
      // x'' = (λ sinφ)˙, y'' = −(λ cosφ)˙
      const double rate = values(e, "vakonomic").lambda_dot[0];
      EXPECT_NEAR(values(e, "vakonomic").a[0], rate * s + lambda * state.v[2] * c, 1e-14);
      EXPECT_NEAR(values(e, "vakonomic").a[1], -rate * c + lambda * state.v[2] * s, 1e-14);
    }
  }
}

TEST(Mvm3, IsSingularAtRestWhereTheMomentaVanish) {
  const Evaluation e = at_initial_state("skate", {"x'=0", "phi'=0", "phi=0.4"});
  EXPECT_EQ(failure(e, "mvm3"), ErrorCode::singular_auxiliary);
  EXPECT_NEAR(values(e, "multipliers").a[0], 9.81 / 2 * std::cos(0.4) * std::cos(0.4), 1e-14);
  EXPECT_NEAR(values(e, "mvm2").a[0], values(e, "multipliers").a[0], 1e-14);
}

TEST(GantmachersRod, IsReproducedByMvm2WithTheFunctionsOfThePaperAndNotWithOthers) {
  const Evaluation paper = at_initial_state("gantmacher-rod");
  EXPECT_NEAR(*paper.find("mvm2")->discrepancy, 0, 1e-13);
  const Evaluation other = at_initial_state("gantmacher-rod", {}, {"x1'", "x4'"});
  EXPECT_GT(*other.find("mvm2")->discrepancy, 0.01);
  // μ₁ = −(x₁'² + x₂'²)/ℓ², μ₂ = (x₂'x₄' − x₁'x₃' + g x₁)/ℓ²
  const State& s = paper.initial.state;
  const double square = s.q[0] * s.q[0] + s.q[1] * s.q[1];
  const auto& mu = values(paper, "multipliers").multipliers;
  EXPECT_NEAR(mu[0], -(s.v[0] * s.v[0] + s.v[1] * s.v[1]) / square, 1e-14);
  EXPECT_NEAR(mu[1], (s.v[1] * s.v[3] - s.v[0] * s.v[2] + 9.81 * s.q[0]) / square, 1e-14);
}

TEST(TwoPoints, WithPerpendicularVelocitiesAreNotReproducedByMvm2) {
  const Evaluation e = at_initial_state("perpendicular-velocities-plane", {}, {"x1'", "y1'", "x2'"});
  EXPECT_GT(*e.find("mvm2")->discrepancy, 0.01);
  EXPECT_NEAR(values(e, "mvm3").a[0], values(e, "multipliers").a[0], 1e-13);
}

TEST(AppellHamelParticle, HasASingularSystemInMvm2ThoughItsFunctionsAreIndependent) {
  // |det W₁| = |y'| for φ = z' − a√(x'² + y'²), x', y'²/2; it is H − Σ s_j ∂²L_j/∂v∂v that leaves y'' undetermined
  const Evaluation e = at_initial_state("appell-hamel", {"x'=0.6", "y'=0.8"}, {"x'", "y'^2/2"});
  EXPECT_EQ(failure(e, "mvm2"), ErrorCode::singular_mass_matrix);
  // while dependent functions are another diagnosis
  EXPECT_EQ(failure(at_initial_state("appell-hamel", {}, {"x'", "2*x'"}), "mvm2"), ErrorCode::singular_auxiliary);
  // λ = g/(1 + a²), z'' = −a²λ in every form
  const double lambda = 9.81 / 1.25;
  for (const std::string& form : dalembert_lagrange_forms()) {
    if (form == "hamel" || form == "caplygin") continue;
    EXPECT_NEAR(values(e, form).a[2], -0.25 * lambda, 1e-13) << form;
    EXPECT_NEAR(values(e, form).a[0], -0.6 * 0.5 * lambda, 1e-13) << form;
  }
  EXPECT_EQ(failure(e, "hamel"), ErrorCode::not_applicable);
  EXPECT_NEAR(values(e, "mvm3").lambda_dot[0], lambda, 1e-13);
}

TEST(AppellHamelMachine, MovesAsItsTwoEquationsOfCaplyginSay) {
  // (A + mρ²)θ'' + (a m ρ/b)θ'z' = 0, ((m + m₁)a² + m b² + C) z'' − m a b ρ θ'² = −m g b²
  for (const std::string name : {"appell-hamel-machine", "appell-hamel-machine-behind"}) {
    const Evaluation e = at_initial_state(name);
    const double m = 1, m1 = 0.5, a = 1, b = 0.5, rho = name == "appell-hamel-machine" ? 0.3 : -0.3, A = 0.2, C = 0.3,
                 g = 9.81;
    const double turn = e.initial.state.v[3], rise = e.initial.state.v[4];
    for (const std::string& form : dalembert_lagrange_forms()) {
      EXPECT_NEAR(values(e, form).a[3], -(a * m * rho / b) * turn * rise / (A + m * rho * rho), 1e-13) << form;
      EXPECT_NEAR(values(e, form).a[4],
                  (m * a * b * rho * turn * turn - m * g * b * b) / ((m + m1) * a * a + m * b * b + C), 1e-13)
          << form;
    }
  }
}

TEST(RollingDisc, TurnsAndSpinsTheSameForEveryMassRadiusAndGravity) {
  // ψ'' = −2θ'φ'/cosθ, φ'' = θ'(−5ψ' cosθ + 6φ' tanθ)/3
  const double theta = 0.4, yaw = 0.7, lean = 0.3, spin = 1.1;
  const double psi2 = -2 * lean * spin / std::cos(theta);
  const double phi2 = lean * (-5 * yaw * std::cos(theta) + 6 * spin * std::tan(theta)) / 3;
  ASSERT_NEAR(psi2, -0.716564922, 1e-9);
  ASSERT_NEAR(phi2, -0.043327823, 1e-9);
  const std::vector<std::vector<std::string>> worlds = {
      {}, {"m=2.5", "r=0.3", "g=1.62"}, {"m=0.04", "r=7", "g=0"}, {"g=25", "r=0.02"}};
  for (const std::vector<std::string>& settings : worlds) {
    SCOPED_TRACE(testing::PrintToString(settings));
    const Evaluation e = at_initial_state("rolling-disc", settings);
    for (const std::string& form : dalembert_lagrange_forms()) {
      EXPECT_NEAR(values(e, form).a[2], psi2, 1e-12) << form;
      EXPECT_NEAR(values(e, form).a[4], phi2, 1e-12) << form;
    }
    EXPECT_GT(std::fabs(values(e, "reduced").a[2] - psi2), 0.01);
    EXPECT_THAT(e.find("reduced")->notes, Contains(HasSubstr("as if they were holonomic")));
  }
}

TEST(Circle, HasTranspositionalRelationsThatDependOnTheAuxiliaryFunctionAndAMotionThatDoesNot) {
  const Evaluation product = at_initial_state("circle"), angle = at_initial_state("circle-angle");
  double largest = 0;
  for (const double entry : values(product, "mvm2").transpositional) largest = std::max(largest, std::fabs(entry));
  EXPECT_GT(largest, 0.1);
  for (const double entry : values(angle, "mvm2").transpositional) EXPECT_NEAR(entry, 0, 1e-14);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(values(product, "mvm2").a[i], values(product, "multipliers").a[i], 1e-13);
    EXPECT_NEAR(values(angle, "mvm2").a[i], values(product, "multipliers").a[i], 1e-13);
  }
}

TEST(FreeParticle, IsBentByMvm2WithASuitableAuxiliaryFunction) {
  // Against [L] §7.1: no constraints at all, auxiliary functions x', (1 + x²)y'
  System system = scratch_model(
      "coordinates = ['x', 'y']\nkinetic = \"(x'^2 + y'^2)/2\"\nauxiliary = [\"x'\", \"(1 + x^2)*y'\"]\n"
      "[initial]\nx = 0.5\n\"x'\" = 0.3\n\"y'\" = 0.8\n",
      "free.toml");
  const Evaluation e = evaluate(system);
  // s = W⁻ᵀp = (x', y'/(1 + x²)); E_x(s₂ (1 + x²)y') = −2x y' s₂
  const double s2 = 0.8 / 1.25;
  EXPECT_NEAR(values(e, "mvm2").a[0], -2 * 0.5 * 0.8 * s2, 1e-14);
  EXPECT_NEAR(values(e, "mvm2").a[1], 2 * 0.5 * 0.3 * s2, 1e-14);
  EXPECT_THAT(values(e, "multipliers").a, Each(0.0));
}

}  // namespace
}  // namespace cetaev
