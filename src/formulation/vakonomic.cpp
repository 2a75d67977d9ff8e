// vakonomic: E_k L − F_k = Σ_ν (λ_ν E_k φ_ν + λ̇_ν ∂φ_ν/∂v_k), φ = 0.
// Kozlov; [L] (3). From L − Σ λ_ν φ_ν made stationary; λ belongs to the state and its initial value is free. The matrix of
// the accelerations is H − Σ λ_ν ∂²φ_ν/∂v∂v.
#include "assemble.hpp"
#include "principles.hpp"

namespace cetaev {

namespace {

Formulation derive_vakonomic(const Setting& s) {
  const Motion& motion = s.system->motion;
  const std::size_t n = s.n(), r = s.rank();
  Formulation form;
  form.lambda = lambda_symbols(s);
  const Matrix J = s.J();

  // Σ λ_ν E_k φ_ν for the constant λ of this instant
  const Expr weighted = dot(s, form.lambda, s.phi());
  const std::vector<Expr> E = r == 0 ? std::vector<Expr>(n, s.zero()) : lagrangian_derivative(weighted, motion);
  const Matrix second = r == 0 ? zeros(s, n, n) : hessian(weighted, motion.v);

  Matrix K = s.terms.mass;
  std::vector<Expr> f = s.terms.bias;
  std::vector<Replacement> at_rest;
  for (const Expr a : motion.a) at_rest.emplace_back(a, s.zero());
  const std::vector<Expr> E0 = substitute(E, at_rest);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) K(i, j) = K(i, j) - second(i, j);
    f[i] = f[i] + E0[i];
  }
  form.steps.push_back(bordered_step(s, K, f, "vakonomic", form.a, form.lambda_dot));

  if (!s.with_equations) return form;
  const std::vector<Expr> rates = lambda_dot_symbols(s);
  const std::vector<Expr> free = free_equations(s);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<Expr> terms = {free[j], -E[j]};
    for (std::size_t v = 0; v < r; ++v) terms.push_back(-(rates[v] * J(v, j)));
    form.equations.push_back({Equation::Kind::motion, j, s.context().sum(terms)});
  }
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
