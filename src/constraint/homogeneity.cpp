#include "cetaev/constraint/homogeneity.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cetaev/algebra/degree.hpp"
#include "cetaev/constraint/classify.hpp"
#include "cetaev/detail/constraint/explicit_form.hpp"
#include "cetaev/detail/numeric/dense.hpp"

namespace cetaev {

namespace {

// (J v)_i
Expr along_velocity(const ConstraintSet& set, const Motion& motion, std::size_t row) {
  std::vector<Expr> terms;
  for (std::size_t j = 0; j < motion.v.size(); ++j) terms.push_back(set.jacobian(row, j) * motion.v[j]);
  return motion.t.context().sum(terms);
}

// By the definition, for sets whose J does not span their normals, such as (x'² − 1)² = 0: is 9/8·v admissible?
Finding cone_by_definition(OnSet& on_set) {
  int states = 0;
  Admissible& admissible = on_set.admissible();
  const auto size = [](const std::vector<double>& r) {
    double largest = 0;
    for (const double x : r) largest = std::max(largest, std::fabs(x));
    return largest;
  };
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const std::optional<State> state = admissible.random(seed);
    if (!state) continue;
    State longer = *state, beside = *state;
    for (double& v : longer.v) v *= 1.125;
    for (double& v : beside.v) v = 1.125 * v + 0.125;
    const double before = size(admissible.residual(*state)), after = size(admissible.residual(longer));
    if (after > 1e-4 * size(admissible.residual(beside)) && after > 1e6 * before) {
      return Finding::failure(longer, after);
    }
    ++states;
  }
  // a double zero is known to half the digits of a double at best
  return Finding::evidence(states, 6);
}

std::vector<Expr> rewrite(OnSet& on_set) {
  const System& system = on_set.system();
  const ConstraintSet& set = on_set.admissible().constraints();
  if (on_set.states().empty()) return {};
  const PreciseState& state = on_set.states().front();
  std::vector<Expr> phi, unknowns;
  for (const std::size_t i : state.rows) phi.push_back(set.phi[i]);
  for (const std::size_t d : state.dependent) unknowns.push_back(system->motion.v[d]);
  const auto alpha = explicit_form(system, phi, unknowns, state.rounded);
  if (!alpha) return {};
  std::vector<Expr> rewritten;
  for (std::size_t i = 0; i < unknowns.size(); ++i) rewritten.push_back(unknowns[i] - (*alpha)[i]);
  return rewritten;
}

}  // namespace

Homogeneity homogeneity(OnSet& on_set) {
  const System& system = on_set.system();
  const ConstraintSet& set = on_set.admissible().constraints();
  Homogeneity result;
  std::vector<std::vector<Finding>> findings(on_set.branches().size());
  bool second_order = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    second_order = second_order || set.order[i] == 2;
    // Euler: a function homogeneous of degree σ has J v = σφ, which is 0 on the set
    const Expr phi = with_parameter_values(system, set.phi[i]);
    const bool euler = set.order[i] < 2 && homogeneity_degree(phi, system->motion.v).has_value();
    result.functions = result.functions && euler;
    const std::vector<Finding> here = euler ? std::vector(findings.size(), Finding::proof())
                                            : on_set.vanishes_by_branch(along_velocity(set, system->motion, i));
    for (std::size_t k = 0; k < std::min(here.size(), findings.size()); ++k) findings[k].push_back(here[k]);
  }
  for (const auto& rows : findings) result.by_branch.push_back(all_of(rows));
  result.conic = on_set.on_all_branches(result.by_branch);
  if (set.size() > 0 && !second_order && !result.functions && !on_set.admissible().regular()) {
    result.conic = cone_by_definition(on_set);
  }
  if (result.needs_rewriting() && !second_order && findings.size() == 1) result.rewritten = rewrite(on_set);
  return result;
}

std::optional<VirtualDisplacements> virtual_displacements(OnSet& on_set, const AdmissibleState& at) {
  const System& system = on_set.system();
  const ConstraintSet& set = on_set.admissible().constraints();
  const std::size_t n = system->size();
  const std::optional<PreciseState> state = on_set.refine(at.state);
  if (!state) return std::nullopt;

  VirtualDisplacements result;
  const std::vector<std::size_t>& rows = state->rows;
  result.dependent = at.dependent.size() == rows.size() ? at.dependent : state->dependent;
  if (result.dependent.size() != rows.size()) return std::nullopt;
  for (std::size_t i = 0; i < n; ++i) {
    if (std::find(result.dependent.begin(), result.dependent.end(), i) == result.dependent.end()) {
      result.independent.push_back(i);
    }
  }
  std::vector<Value> values;
  for (const BallValue& value : state->values) values.emplace_back(value.first, value.second.midpoint());
  const auto jacobian_at = [&](std::span<const std::size_t> which) {
    DenseMatrix j(which.size(), n);
    for (std::size_t r = 0; r < which.size(); ++r) {
      for (std::size_t c = 0; c < n; ++c) j(r, c) = evaluate(set.jacobian(which[r], c), values);
    }
    return j;
  };
  // γ = −(J_dep)⁻¹ J_ind and the basis [I; γ]
  const DenseMatrix J = jacobian_at(rows);
  if (!rows.empty()) {
    CompleteLu lu;
    lu.compute(J.select_columns(result.dependent));
    if (!lu.invertible()) return std::nullopt;
    const DenseMatrix opposite = lu.solve(J.select_columns(result.independent));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      result.gamma.emplace_back();
      for (std::size_t r = 0; r < opposite.columns(); ++r) result.gamma.back().push_back(-opposite(i, r) + 0.0);
    }
  }
  for (std::size_t r = 0; r < result.independent.size(); ++r) {
    std::vector<double> direction(n, 0.0);
    direction[result.independent[r]] = 1;
    for (std::size_t d = 0; d < result.dependent.size(); ++d) direction[result.dependent[d]] = result.gamma[d][r];
    result.basis.push_back(std::move(direction));
  }

  result.velocity_is_virtual = true;
  for (const std::size_t i : rows) {
    result.velocity_is_virtual =
        result.velocity_is_virtual && zero_at(along_velocity(set, system->motion, i), state->values);
  }
  // Other admissible velocities at the same position and time
  const bool linear = std::all_of(rows.begin(), rows.end(), [&](std::size_t i) {
    return affine_in(set.phi[i], set.order[i] == 2 ? system->motion.a : system->motion.v).has_value();
  });
  if (linear) {
    result.same_vectors = result.velocity_is_virtual;
    if (!result.velocity_is_virtual) result.other_velocity = at.state.v;
    return result;
  }
  int tried = 0;
  for (std::uint64_t seed = 1; seed <= 12 && tried < 6; ++seed) {
    const std::optional<State> other = on_set.admissible().random_velocity(at.state, seed);
    if (!other) continue;
    ++tried;
    const std::vector<double> leaves = J * other->v;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (std::fabs(leaves[i]) > 1e-6 * (1e-300 + row_length(J, i) * length(other->v))) {
        result.same_vectors = false;
        result.other_velocity = other->v;
        return result;
      }
    }
  }
  if (tried > 0) result.same_vectors = true;
  return result;
}

}  // namespace cetaev
