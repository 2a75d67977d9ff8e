// mvm1: modified vakonomic mechanics, Theorem 1 of [L] (corrected: its (8), (9) have A for Aᵀ). The model gives A(q,v,a,t) of the
// transpositional relations δ(q̇) − Dₜ(δq) = A δq and constants λ⁰_j for its auxiliary functions L_j; with D_ν f = E_ν f − Σ_k A_kν ∂f/∂v_k,
//
//   E_ν L − F_ν = Σ_k A_kν p_k + Σ_α (λ_α D_ν φ_α + λ̇_α ∂φ_α/∂v_ν) + Σ_j λ⁰_j D_ν L_j,   φ = 0,
//
// which is E 𝓛 − F = Aᵀ ∂𝓛/∂v + Jᵀλ̇ for 𝓛 = L − ψ, ψ = Σ λ_α φ_α + Σ λ⁰_j L_j. λ belongs to the state. A = 0 without auxiliary functions is
// `vakonomic`; the A of Theorems 2 and 3 have D_ν = 0 for all functions of ψ, so that λ and λ⁰ drop out of mvm2 and mvm3.
#include "assemble.hpp"
#include "cetaev/detail/formulation/relations.hpp"
#include "modified_vakonomic.hpp"
#include "principles.hpp"

namespace cetaev {

namespace {

using View = Transpositional::View;

View view_of(const Setting& s) { return s.system->transpositional->view; }

std::optional<Error> obstacle_of_mvm1(const Setting& s) {
  if (!s.system->transpositional) {
    return Error(ErrorCode::not_applicable,
                 "mvm1 needs the matrix A of the transpositional relations, and the model gives none: write it as "
                 "`transpositional`, or one of the names hoelder, suslov, mvm2, mvm3 in its place");
  }
  switch (view_of(s)) {
    case View::written:
    case View::hoelder:
    case View::suslov: return std::nullopt;
    case View::mvm2: return Form::mvm2->own_obstacle(s);
    case View::mvm3: return Form::mvm3->own_obstacle(s);
  }
  return std::nullopt;
}

// A = W⁻¹Ω of a point of view that has functions.
std::optional<RelationFunctions> functions_of(const Setting& s) {
  switch (view_of(s)) {
    case View::suslov: s.require_dependent(); return functions_of_suslov(s);
    case View::mvm2: return functions_of_theorem_2(s);
    case View::mvm3: return functions_of_theorem_3(s);
    case View::hoelder:
    case View::written: break;
  }
  return std::nullopt;
}

// A as it is written, or zero.
Matrix matrix_of(const Setting& s) {
  const Matrix& written = s.system->transpositional->A;
  return written.entries.empty() ? zeros(s, s.n(), s.n()) : written;
}

// Σ λ_α φ_α + Σ λ⁰_j L_j over the first so many auxiliary functions
Expr psi(const Setting& s, const std::vector<Expr>& lambda, std::size_t auxiliary) {
  std::vector<Expr> terms = {dot(s, lambda, s.phi())};
  const std::vector<Expr>& constants = s.system->initial.lambda0;
  for (std::size_t j = 0; j < std::min(auxiliary, constants.size()); ++j)
    terms.push_back(constants[j] * s.system->auxiliary[j]);
  return s.context().sum(terms);
}

// A as it is written, or zero: E L − F = E ψ + Aᵀ(p − ∂ψ/∂v) + Jᵀλ̇.
Formulation with_matrix(const Setting& s, const Matrix& A, Expr psi) {
  const Motion& motion = s.system->motion;
  Formulation form;
  std::vector<Expr> momentum = s.terms.momentum;
  const std::vector<Expr> of_psi = gradient(psi, motion.v);
  for (std::size_t j = 0; j < s.n(); ++j) momentum[j] = momentum[j] - of_psi[j];
  std::vector<Expr> g = lagrangian_derivative(psi, motion);
  const std::vector<Expr> by_relations = multiply(s, transpose(A), momentum);
  for (std::size_t j = 0; j < s.n(); ++j) g[j] = g[j] + by_relations[j];
  form.steps.push_back(driven_step(s, g, "mvm1", form));
  form.steps.back().meaning =
      "the equations of mvm1 do not determine the accelerations: their matrix is singular at this state";
  if (form.iterated)
    form.notes.emplace_back(
        "the equations are not linear in the accelerations; these are the ones that Newton's method finds from 0, and "
        "there "
        "may be others");
  std::vector<Replacement> found;
  for (std::size_t i = 0; i < s.n(); ++i) found.emplace_back(motion.a[i], form.a[i]);
  form.transpositional = Matrix{s.n(), s.n(), substitute(A.entries, found)};

  if (!s.with_equations) return form;
  form.transpositional_formula = A;
  append_driven_equations(s, g, form);
  append_constraints(s, form);
  return form;
}

Formulation derive_mvm1(const Setting& s) {
  const std::vector<Expr> lambda = lambda_symbols(s);
  const std::size_t all = s.system->auxiliary.size();
  const auto functions = functions_of(s);
  Formulation form;
  if (functions) {
    const bool of_suslov = view_of(s) == View::suslov;
    form = modified_vakonomic(s, "mvm1", *functions, psi(s, lambda, of_suslov ? all : functions->auxiliary));
  } else {
    form = with_matrix(s, matrix_of(s), psi(s, lambda, all));
  }
  form.lambda = lambda;
  return form;
}

}  // namespace

RelationMatrix relation_matrix(const Setting& s) {
  if (const auto error = mvm1_principle.obstacle(s)) throw *error;
  if (const auto functions = functions_of(s)) {
    SolveStep step = relations_step(s, std::string(name_of(view_of(s))), *functions);
    return {{s.n(), s.n(), step.block.unknowns}, {std::move(step)}};
  }
  return {matrix_of(s), {}};
}

constinit const Principle mvm1_principle = {
    .name = "mvm1",
    .title = "modified vakonomic equations (Theorem 1)",
    .equations = derive_mvm1,
    .state = FormState::velocities_and_multipliers,
    .reactions = FormReactions::multiplier_rates,
    .auxiliary_functions = true,
    .motion = "modified vakonomic with A of the model",
    .listed = [](const System& system) { return system->transpositional.has_value(); },
    .own_obstacle = obstacle_of_mvm1,
};

}  // namespace cetaev
