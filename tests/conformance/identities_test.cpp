// Identities that hold inside the principles, on the whole gallery at random admissible states.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "cetaev/expr/evaluate.hpp"
#include "cetaev/gallery.hpp"
#include "forms.hpp"
#include "scratch.hpp"

namespace cetaev::conformance {
namespace {

constexpr double agreement = 1e-11;

// Calls f(forms, state) for some regular states of every model without constraints on accelerations.
template <typename F>
void on_every_model(F f) {
  for (const GalleryModel& model : gallery()) {
    SCOPED_TRACE(model.name);
    const System system = scratch_model(model.text, std::string(model.name) + ".toml");
    if (std::any_of(system->constraints.begin(), system->constraints.end(),
                    [](const Constraint& c) { return c.order == 2; }))
      continue;
    Forms forms(system);
    int states = 0;
    for (std::uint64_t seed = 1; seed <= 40 && states < 4; ++seed) {
      const std::optional<State> state = forms.admissible().random(seed);
      if (!state) continue;
      const AtState at = forms.at(*state);
      if (!at["multipliers"].regular()) continue;
      ++states;
      f(forms, at);
    }
    EXPECT_EQ(states, 4);
  }
}

std::vector<Value> values_at(const System& system, const State& state) {
  const std::vector<Expr> symbols = state_symbols(system);
  const std::vector<double> numbers = state_values(state, parameter_values(system));
  std::vector<Value> values;
  for (std::size_t i = 0; i < symbols.size(); ++i) values.emplace_back(symbols[i], numbers[i]);
  return values;
}

TEST(Mvm3, HasTheMultipliersAsTheRatesOfItsOwn) {
  int compared = 0;
  on_every_model([&](Forms& forms, const AtState& at) {
    if (!at["mvm3"].regular()) return;
    ++compared;
    EXPECT_LE(relative_difference(at["mvm3"].values->lambda_dot, at["multipliers"].values->multipliers), agreement)
        << describe(forms.system(), at.state);
  });
  EXPECT_GE(compared, 200);
}

TEST(TranspositionalRelations, SatisfyTheRowsThatTheConstraintsDemand) {
  // [L] (34): Σ_k ∂φ_α/∂v_k A_kj = E_jφ_α at the accelerations of the form
  int compared = 0;
  on_every_model([&](Forms& forms, const AtState& at) {
    const System& system = forms.system();
    const Setting& setting = at.derived->setting;
    const std::size_t n = system->size();
    for (const std::string_view name : {"mvm2", "mvm3"}) {
      const Outcome& outcome = at[name];
      if (!outcome.regular()) continue;
      ++compared;
      std::vector<Value> here = values_at(system, at.state);
      for (std::size_t i = 0; i < n; ++i) here.emplace_back(system->motion.a[i], outcome.values->a[i]);
      const std::vector<double>& A = outcome.values->transpositional;
      const std::vector<double> J = evaluate(setting.J().entries, here);
      const std::vector<Expr> phi = setting.phi();
      for (std::size_t row = 0; row < phi.size(); ++row) {
        std::vector<double> left(n, 0.0);
        for (std::size_t j = 0; j < n; ++j) {
          for (std::size_t k = 0; k < n; ++k) left[j] += J[row * n + k] * A[k * n + j];
        }
        const std::vector<double> right = evaluate(lagrangian_derivative(phi[row], system->motion), here);
        EXPECT_LE(relative_difference(left, right), agreement) << name << " at " << describe(system, at.state);
      }
    }
  });
  EXPECT_GE(compared, 400);
}

TEST(TranspositionalRelations, OfTheThirdTheoremDoNoWorkOnTheMomenta) {
  // Aᵀp = 0
  int compared = 0;
  on_every_model([&](Forms& forms, const AtState& at) {
    if (!at["mvm3"].regular()) return;
    ++compared;
    const std::size_t n = forms.system()->size();
    const std::vector<double> p = evaluate(forms.terms().momentum, values_at(forms.system(), at.state));
    const std::vector<double>& A = at["mvm3"].values->transpositional;
    double scale = 1;
    for (const double entry : A) scale = std::max(scale, std::fabs(entry));
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += A[k * n + j] * p[k];
      EXPECT_LE(std::fabs(sum), agreement * scale * (1 + std::fabs(p[j]))) << describe(forms.system(), at.state);
    }
  });
  EXPECT_GE(compared, 200);
}

TEST(Appell, HasASymmetricPositiveDefiniteMatrixOfAccelerations) {
  // C of [T3] Proposition 1: the matrix of the last step, after those that compute γ
  int compared = 0;
  on_every_model([&](Forms& forms, const AtState& at) {
    const Outcome& appell = at["appell"];
    if (!appell.regular()) return;
    const Formulation& form = appell.derived->form->form();
    const Matrix& C = form.steps[form.system_step].block.matrix;
    std::vector<LinearBlock> before;
    for (std::size_t i = 0; i < form.system_step; ++i) before.push_back(form.steps[i].block);
    const Program program(C.entries, state_symbols(forms.system()), before);
    std::vector<double> entries(C.entries.size());
    Interpreter run(program);
    ASSERT_LT(run(state_values(at.state, parameter_values(forms.system())), entries), 0);
    const auto m = static_cast<Eigen::Index>(C.rows);
    const Eigen::MatrixXd matrix = Eigen::Map<const Eigen::MatrixXd>(entries.data(), m, m);
    EXPECT_LE((matrix - matrix.transpose()).norm(), 1e-13 * matrix.norm());
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix).eigenvalues().minCoeff(), 0)
        << describe(forms.system(), at.state);
    ++compared;
  });
  EXPECT_GE(compared, 200);
}

TEST(Appell, FromThePointsIsAppellFromTheKineticEnergy) {
  // the same Lagrangian given whole: ξ, η, ζ then come from Christoffel's terms
  int compared = 0;
  on_every_model([&](Forms& forms, const AtState& at) {
    const System& system = forms.system();
    if (system->points.empty() || !system->kinetic) return;
    const System whole = system.with([](SystemData& data) {
      data.kinetic.reset();
      data.potential.reset();
    });
    const Terms terms(whole);
    const Setting setting(whole, terms, at.derived->setting.rows, at.derived->setting.dependent);
    const CompiledForm appell(setting, find_principle("appell")->derive(setting));
    EXPECT_LE(relative_difference(appell.evaluate(at.state).a, at["appell"].values->a), agreement)
        << describe(system, at.state);
    ++compared;
  });
  EXPECT_GE(compared, 100);
}

}  // namespace
}  // namespace cetaev::conformance
