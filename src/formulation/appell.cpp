// appell: Σ_r C_i^r a_r + Σ D v v + Σ E v + G = F_i + Σ_ν γ_νi F_{m+ν}, the derivatives ∂S/∂a_i of the Gibbs–Appell function
// S = ½ Σ m|P̈|² on the admissible accelerations. [T3] (5)–(7), corrected.
//
// With g_ij = ∂P^(M)/∂q_i·∂P/∂q_j and {f}_i = f(i) + Σ_p γ_pi f(m+p):
//   C_i^r = { g_{·r} + Σ_ν g_{·,m+ν} γ_νr }_i
//   D v v + E v + G = { w + Σ_ν g_{m+ν,·} drift_ν }_i
// where w = ξ v v + 2 η v + ζ (inertia.hpp), and drift_ν = Σ_j (∂α_ν/∂q_j) v_j + ∂α_ν/∂t.
#include "assemble.hpp"
#include "inertia.hpp"
#include "principles.hpp"

namespace cetaev {

namespace {

Formulation derive_appell(const Setting& s) {
  const std::size_t n = s.n(), k = s.rank(), m = s.independent.size();
  Formulation form;

  const Inertia inertia = inertia_of(s);
  const Jets& jets = s.jets();
  LinearBlock block{zeros(s, m, m), zeros(s, m, 1), s.symbols("appell", m)};
  for (std::size_t r = 0; r < m; ++r) {
    std::vector<Expr> f;
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<Expr> terms = {inertia.g(i, s.independent[r])};
      for (std::size_t v = 0; v < k; ++v) terms.push_back(inertia.g(i, s.dependent[v]) * jets.gamma(v, r));
      f.push_back(s.context().sum(terms));
    }
    const std::vector<Expr> column_r = projected(s, f);
    for (std::size_t i = 0; i < m; ++i) block.matrix(i, r) = column_r[i];
  }
  std::vector<Expr> rest;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Expr> terms = {inertia.w[i], -inertia.force[i]};
    for (std::size_t v = 0; v < k; ++v) terms.push_back(inertia.g(i, s.dependent[v]) * jets.drift[v]);
    rest.push_back(s.context().sum(terms));
  }
  const std::vector<Expr> remaining = projected(s, rest);
  for (std::size_t i = 0; i < m; ++i) block.right(i, 0) = -remaining[i];

  form.steps = jet_steps(s, jets);
  form.system_step = form.steps.size();
  for (std::size_t i = 0; s.with_equations && i < m; ++i) {
    std::vector<Expr> terms = {remaining[i]};
    for (std::size_t r = 0; r < m; ++r) terms.push_back(block.matrix(i, r) * s.system->motion.a[s.independent[r]]);
    form.equations.push_back({Equation::Kind::motion, s.independent[i], s.context().sum(terms)});
  }
  form.a = complete(s, jets, block.unknowns);
  if (m > 0) {
    form.steps.push_back({std::move(block), ErrorCode::singular_mass_matrix,
                          "the kinetic energy is degenerate on the admissible accelerations"});
  }
  append_constraints(s, form);
  return form;
}

}  // namespace

constinit const Principle appell_principle = {
    .name = "appell",
    .title = "Appell's equations",
    .equations = derive_appell,
    .state = FormState::independent_velocities,
    .dalembert_lagrange = true,
};

}  // namespace cetaev
