// vakonomic: E_k L − F_k = Σ_ν (λ_ν E_k φ_ν + λ̇_ν ∂φ_ν/∂v_k), φ = 0.
// Kozlov; [L] (3). From L − Σ λ_ν φ_ν made stationary; λ belongs to the state and its initial value is free. The matrix of
// the accelerations is H − Σ λ_ν ∂²φ_ν/∂v∂v.
#include "assemble.hpp"
#include "principles.hpp"

namespace cetaev {

namespace {

Formulation derive_vakonomic(const Setting& s) {
  Formulation form;
  form.lambda = lambda_symbols(s);
  // Σ λ_ν E_k φ_ν for the constant λ of this instant
  const std::vector<Expr> E = lagrangian_derivative(dot(s, form.lambda, s.phi()), s.system->motion);
  form.steps.push_back(driven_step(s, E, "vakonomic", form));

  if (!s.with_equations) return form;
  append_driven_equations(s, E, form);
  append_constraints(s, form);
  return form;
}

}  // namespace

constinit const Principle vakonomic_principle = {
    .name = "vakonomic",
    .title = "vakonomic equations",
    .equations = derive_vakonomic,
    .state = FormState::velocities_and_multipliers,
    .reactions = FormReactions::multiplier_rates,
    .uses_dependent = false,
};

}  // namespace cetaev
