#include "cetaev/formulation/jets.hpp"

#include "assemble.hpp"
#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

namespace {

// −(J̇_dep γ + J̇_ind) for the derivative of J along some direction
void right_side_for(Matrix& right, std::size_t first_column, const Matrix& J, Derivation& along, const Setting& s,
                    const Matrix& gamma) {
  Matrix rate{J.rows, J.columns, {}};
  for (const Expr e : J.entries) rate.entries.push_back(along(e));
  const Matrix dependent = columns_of(rate, s.dependent);
  const Matrix independent = columns_of(rate, s.independent);
  const Matrix change = multiply(s, dependent, gamma);
  for (std::size_t i = 0; i < J.rows; ++i) {
    for (std::size_t r = 0; r < s.independent.size(); ++r) {
      right(i, first_column + r) = -(change(i, r) + independent(i, r));
    }
  }
}

std::vector<Expr> drift_of(const Jets& jets, const Setting& s) {
  std::vector<Expr> drift;
  for (std::size_t v = 0; v < s.rank(); ++v) {
    std::vector<Expr> terms = {jets.by_time[v]};
    for (std::size_t j = 0; j < s.n(); ++j) terms.push_back(jets.by_position(v, j) * s.system->motion.v[j]);
    drift.push_back(s.context().sum(terms));
  }
  return drift;
}

// The direction of the motion without independent accelerations: q → v, v_dep → drift, t → 1
Derivation along_drift(const Jets& jets, const Setting& s) {
  const Motion& motion = s.system->motion;
  std::vector<Derivation::Seed> seeds;
  for (std::size_t j = 0; j < s.n(); ++j) seeds.emplace_back(motion.q[j], motion.v[j]);
  for (std::size_t v = 0; v < s.rank(); ++v) seeds.emplace_back(motion.v[s.dependent[v]], jets.drift[v]);
  seeds.emplace_back(motion.t, s.context().one());
  return Derivation(seeds);
}

}  // namespace

Jets implicit_jets(const Setting& s) {
  const Motion& motion = s.system->motion;
  const std::size_t k = s.rank(), m = s.independent.size(), n = s.n();
  Jets jets;
  const Matrix J = s.J();
  const std::vector<Expr> phi = s.phi();
  const Matrix by_q = jacobian(phi, motion.q);
  const Matrix J_dep = columns_of(J, s.dependent);
  const Matrix J_ind = columns_of(J, s.independent);

  // J_dep [γ | α_q | α_t] = −[J_ind | φ_q | φ_t]
  LinearBlock first{J_dep, zeros(s, k, m + n + 1), {}};
  const auto name = [&](std::size_t i) -> const std::string& { return s.system->coordinates[i]; };
  for (std::size_t v = 0; v < k; ++v) {
    const std::string& dependent = name(s.dependent[v]);
    for (const std::size_t r : s.independent)
      first.unknowns.push_back(s.context().symbol("$gamma[" + dependent + "," + name(r) + "]"));
    for (std::size_t j = 0; j < n; ++j)
      first.unknowns.push_back(s.context().symbol("$alpha[" + dependent + "]_" + name(j)));
    first.unknowns.push_back(s.context().symbol("$alpha[" + dependent + "]_t"));
  }
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t r = 0; r < m; ++r) first.right(i, r) = -J_ind(i, r);
    for (std::size_t j = 0; j < n; ++j) first.right(i, m + j) = -by_q(i, j);
    first.right(i, m + n) = -derivative(phi[i], motion.t);
  }
  jets.gamma = zeros(s, k, m);
  jets.by_position = zeros(s, k, n);
  for (std::size_t v = 0; v < k; ++v) {
    for (std::size_t r = 0; r < m; ++r) jets.gamma(v, r) = first.unknown(v, r);
    for (std::size_t j = 0; j < n; ++j) jets.by_position(v, j) = first.unknown(v, m + j);
    jets.by_time.push_back(first.unknown(v, m + n));
  }
  jets.drift = drift_of(jets, s);

  // J_dep γ̇ = −(J̇_dep γ + J̇_ind) along the drift, and J_dep γ_s = … along each independent velocity where J depends on v
  bool linear = true;
  for (const Expr e : J.entries) linear = linear && !depends_on(e, motion.v);
  const std::size_t directions = linear ? 1 : 1 + m;
  LinearBlock second{J_dep, zeros(s, k, m * directions), {}};
  for (std::size_t v = 0; v < k; ++v) {
    for (std::size_t d = 0; d < directions; ++d) {
      const std::string mark = d == 0 ? "'" : "_" + name(s.independent[d - 1]) + "'";
      for (const std::size_t r : s.independent) {
        second.unknowns.push_back(s.context().symbol("$gamma[" + name(s.dependent[v]) + "," + name(r) + "]" + mark));
      }
    }
  }
  Derivation drift = along_drift(jets, s);
  right_side_for(second.right, 0, J, drift, s, jets.gamma);
  for (std::size_t d = 0; d + 1 < directions; ++d) {
    std::vector<Derivation::Seed> seeds = {{motion.v[s.independent[d]], s.context().one()}};
    for (std::size_t v = 0; v < k; ++v) seeds.emplace_back(motion.v[s.dependent[v]], jets.gamma(v, d));
    Derivation along(seeds);
    right_side_for(second.right, m * (d + 1), J, along, s, jets.gamma);
  }
  jets.gamma_drift = zeros(s, k, m);
  jets.gamma_by_velocity.assign(m, zeros(s, k, m));
  for (std::size_t v = 0; v < k; ++v) {
    for (std::size_t r = 0; r < m; ++r) {
      jets.gamma_drift(v, r) = second.unknown(v, r);
      for (std::size_t d = 0; d + 1 < directions; ++d)
        jets.gamma_by_velocity[d](v, r) = second.unknown(v, m * (d + 1) + r);
    }
  }
  if (k > 0) {
    jets.blocks.push_back(std::move(first));
    if (m > 0) jets.blocks.push_back(std::move(second));
  }
  return jets;
}

Jets explicit_jets(const Setting& s, const std::vector<Expr>& alpha) {
  const Motion& motion = s.system->motion;
  const std::size_t k = s.rank(), m = s.independent.size();
  std::vector<Expr> v_ind;
  for (const std::size_t r : s.independent) v_ind.push_back(motion.v[r]);
  Jets jets;
  jets.gamma = zeros(s, k, m);
  jets.by_position = zeros(s, k, s.n());
  jets.gamma_by_velocity.assign(m, zeros(s, k, m));
  if (k > 0) {
    jets.gamma = jacobian(alpha, v_ind);
    jets.by_position = jacobian(alpha, motion.q);
    jets.by_time = jacobian(alpha, std::span(&motion.t, 1)).entries;
    for (std::size_t d = 0; d < m; ++d)
      jets.gamma_by_velocity[d].entries = jacobian(jets.gamma.entries, std::span(&v_ind[d], 1)).entries;
  }
  jets.drift = drift_of(jets, s);
  jets.gamma_drift = Matrix{k, m, {}};
  Derivation drift = along_drift(jets, s);
  for (const Expr e : jets.gamma.entries) jets.gamma_drift.entries.push_back(drift(e));
  return jets;
}

Derivation Jets::total_derivative(const Setting& s, const std::vector<Expr>& a) const {
  const Motion& motion = s.system->motion;
  const std::size_t k = s.rank(), m = a.size();
  std::vector<Derivation::Seed> seeds;
  for (std::size_t j = 0; j < s.n(); ++j) seeds.emplace_back(motion.q[j], motion.v[j]);
  for (std::size_t r = 0; r < m; ++r) seeds.emplace_back(motion.v[s.independent[r]], a[r]);
  seeds.emplace_back(motion.t, s.context().one());
  for (std::size_t v = 0; v < k; ++v) {
    std::vector<Expr> rate = {drift[v]};
    for (std::size_t r = 0; r < m; ++r) rate.push_back(gamma(v, r) * a[r]);
    seeds.emplace_back(motion.v[s.dependent[v]], s.context().sum(rate));
    if (blocks.empty()) continue;  // γ is an expression and differentiates itself
    for (std::size_t r = 0; r < m; ++r) {
      std::vector<Expr> gamma_rate = {gamma_drift(v, r)};
      for (std::size_t d = 0; d < m; ++d) gamma_rate.push_back(gamma_by_velocity[d](v, r) * a[d]);
      seeds.emplace_back(gamma(v, r), s.context().sum(gamma_rate));
    }
  }
  return Derivation(seeds);
}

}  // namespace cetaev
