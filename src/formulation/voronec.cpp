// voronec: with the dependent velocities v_{m+ν} = α_ν(q, v₁…v_m, t) and L* = L after that substitution, for r = 1…m
//
//   Dₜ(∂L*/∂v_r) − ∂L*/∂q_r − Σ_ν (∂L*/∂q_{m+ν}) γ_νr − Σ_ν B_r^ν p_ν = F_r + Σ_ν γ_νr F_{m+ν}
//   B_r^ν = Dₜγ_νr − ∂α_ν/∂q_r − Σ_μ γ_μr ∂α_ν/∂q_{m+μ},   p_ν = ∂L/∂v_{m+ν} at α
//
// [T1] (14)(15), [T3] (9)(10), [L] (20).
// reduced: the same with every B_r^ν replaced by 0 — the constraint substituted into L as if it were holonomic. Wrong
// unless Σ_ν B_r^ν p_ν = 0 (Lindelöf 1895); kept for teaching and for diagnosis.
#include "cetaev/detail/formulation/voronec_terms.hpp"

#include "assemble.hpp"
#include "principles.hpp"

namespace cetaev {

VoronecTerms::VoronecTerms(const Setting& s, const Jets& jets) {
  const Motion& motion = s.system->motion;
  const std::size_t k = s.rank(), m = s.independent.size();
  const std::vector<Expr>& p_all = s.terms.momentum;
  const std::vector<Expr> by_q = gradient(s.system->lagrangian, motion.q);
  for (const std::size_t r : s.independent) a.push_back(motion.a[r]);
  for (const std::size_t v : s.dependent) p.push_back(p_all[v]);
  Derivation d_t = jets.total_derivative(s, a);

  // ∂L*/∂v_r = ∂L/∂v_r + Σ_ν γ_νr p_ν and ∂L*/∂q_j = ∂L/∂q_j + Σ_ν p_ν ∂α_ν/∂q_j
  for (std::size_t r = 0; r < m; ++r) {
    std::vector<Expr> terms = {p_all[s.independent[r]]};
    for (std::size_t v = 0; v < k; ++v) terms.push_back(jets.gamma(v, r) * p[v]);
    momentum_rate.push_back(d_t(s.context().sum(terms)));
  }
  for (std::size_t j = 0; j < s.n(); ++j) {
    std::vector<Expr> terms = {by_q[j]};
    for (std::size_t v = 0; v < k; ++v) terms.push_back(jets.by_position(v, j) * p[v]);
    by_position.push_back(s.context().sum(terms));
  }
  // B_r^ν, with Dₜγ_νr in its two parts
  B = zeros(s, k, m);
  for (std::size_t v = 0; v < k; ++v) {
    for (std::size_t r = 0; r < m; ++r) {
      std::vector<Expr> terms = {jets.gamma_drift(v, r), -jets.by_position(v, s.independent[r])};
      for (std::size_t d = 0; d < m; ++d) terms.push_back(jets.gamma_by_velocity[d](v, r) * a[d]);
      for (std::size_t u = 0; u < k; ++u) terms.push_back(-(jets.gamma(u, r) * jets.by_position(v, s.dependent[u])));
      B(v, r) = s.context().sum(terms);
    }
  }
  // F_r + Σ_ν γ_νr F_{m+ν}
  for (std::size_t r = 0; r < m; ++r) {
    std::vector<Expr> terms = {s.system->forces[s.independent[r]]};
    for (std::size_t v = 0; v < k; ++v) terms.push_back(jets.gamma(v, r) * s.system->forces[s.dependent[v]]);
    force.push_back(s.context().sum(terms));
  }
}

namespace {

// The Hessian of L* is NᵀHN + P, P_rs = Σ_ν p_ν ∂²α_ν/∂v_r∂v_s, and the two may cancel: with |P'| given nothing is left of a
// kinetic energy ½|P'|². Solved as [[NᵀHN, P], [−1, 1]] (a, a) = (f, 0), of the same determinant, so that what rounding leaves of
// such a sum is seen beside its parts and does not pass for a mass.
void keep_parts_of_hessian_apart(const Setting& s, const Jets& jets, const std::vector<Expr>& p, LinearBlock& block,
                                 const std::string& stem) {
  const std::size_t m = block.unknowns.size();
  LinearBlock wide{zeros(s, 2 * m, 2 * m), zeros(s, 2 * m, 1), s.symbols(stem, 2 * m)};
  for (std::size_t r = 0; r < m; ++r) {
    for (std::size_t d = 0; d < m; ++d) {
      std::vector<Expr> sum;
      for (std::size_t v = 0; v < p.size(); ++v) sum.push_back(jets.gamma_by_velocity[d](v, r) * p[v]);
      wide.matrix(r, m + d) = s.context().sum(sum);
      wide.matrix(r, d) = block.matrix(r, d) - wide.matrix(r, m + d);
    }
    wide.matrix(m + r, r) = -s.context().one();
    wide.matrix(m + r, m + r) = s.context().one();
    wide.right(r, 0) = block.right(r, 0);
  }
  block = std::move(wide);
}

}  // namespace

Formulation voronec_family(const Setting& s, const std::string& stem, const VoronecParts& parts) {
  const Jets& jets = s.jets();
  const VoronecTerms terms(s, jets);
  const std::size_t k = s.rank(), m = s.independent.size();
  std::vector<Expr> equations;
  for (std::size_t r = 0; r < m; ++r) {
    std::vector<Expr> sum = {terms.momentum_rate[r], -terms.by_position[s.independent[r]], -terms.force[r]};
    if (parts.dependent_positions) {
      for (std::size_t v = 0; v < k; ++v) sum.push_back(-(terms.by_position[s.dependent[v]] * jets.gamma(v, r)));
    }
    if (parts.nonholonomic) {
      for (std::size_t v = 0; v < k; ++v) sum.push_back(-(terms.B(v, r) * terms.p[v]));
    }
    equations.push_back(s.context().sum(sum));
  }

  Formulation form;
  form.steps = jet_steps(s, jets);
  form.system_step = form.steps.size();
  if (m > 0) {
    form.steps.push_back(linear_step(s, equations, terms.a, stem));
    LinearBlock& block = form.steps.back().block;
    bool nonlinear = false;
    for (const Matrix& second : jets.gamma_by_velocity) {
      for (const Expr e : second.entries) nonlinear = nonlinear || !e.is_zero();
    }
    if (nonlinear && !parts.nonholonomic) keep_parts_of_hessian_apart(s, jets, terms.p, block, stem);
    std::vector<Expr> found(block.unknowns.begin(), block.unknowns.begin() + static_cast<std::ptrdiff_t>(m));
    form.a = complete(s, jets, found);
  } else {
    form.a = complete(s, jets, {});
  }
  for (std::size_t r = 0; r < m; ++r)
    form.equations.push_back({Equation::Kind::motion, s.independent[r], equations[r]});
  append_constraints(s, form);
  return form;
}

namespace {

Formulation derive_voronec(const Setting& s) { return voronec_family(s, "voronec", {}); }

Formulation derive_reduced(const Setting& s) {
  VoronecParts parts;
  parts.nonholonomic = false;
  Formulation form = voronec_family(s, "reduced", parts);
  form.notes.emplace_back(
      "the constraints are substituted into L as if they were holonomic; for other constraints these equations are "
      "wrong");
  return form;
}

}  // namespace

constinit const Principle voronec_principle = {
    .name = "voronec",
    .title = "Voronec's equations",
    .equations = derive_voronec,
    .state = FormState::independent_velocities,
    .dalembert_lagrange = true,
    .reduced_lagrangian = true,
    .nonholonomic_terms = true,
};

constinit const Principle reduced_principle = {
    .name = "reduced",
    .title = "the constraint substituted into L as if it were holonomic",
    .equations = derive_reduced,
    .state = FormState::independent_velocities,
    .reduced_lagrangian = true,
    .motion = "constraints put into L",
};

}  // namespace cetaev
