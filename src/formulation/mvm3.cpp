// mvm3: modified vakonomic mechanics, Theorem 3 of [L]. N−M−1 auxiliary functions, the last function is L itself, and its
// row of Ω₂ is zero. Then s = W₂⁻ᵀp selects L alone, Aᵀp = 0, and the equations are those of d'Alembert–Lagrange with
// λ̇ in the place of λ, for every choice of auxiliary functions with det W₂ ≠ 0.
#include <fmt/format.h>

#include "modified_vakonomic.hpp"
#include "principles.hpp"

namespace cetaev {

namespace {

std::optional<Error> wrong_number_for_mvm3(const Setting& s) {
  const std::size_t m = s.independent.size(), given = s.system->auxiliary.size();
  if (m == 0) return Error(ErrorCode::not_applicable, "mvm3 needs at least one degree of freedom");
  if (given == 0 || given == m || given == m - 1) return std::nullopt;
  return Error(ErrorCode::needs_auxiliary,
               fmt::format("mvm3 uses {} auxiliary function{} (coordinates less rank less one), and the model gives {}",
                           m - 1, m == 2 ? "" : "s", given));
}

Formulation derive_mvm3(const Setting& s) { return modified_vakonomic(s, "mvm3", functions_of_theorem_3(s), s.zero()); }

}  // namespace

RelationFunctions functions_of_theorem_3(const Setting& s) {
  const std::size_t m = s.independent.size();
  const std::vector<Expr>& auxiliary = s.system->auxiliary;
  RelationFunctions result{s.phi(), s.n() - 1, auxiliary.empty() ? 0 : m - 1, {}};
  if (auxiliary.empty()) {
    // The independent velocities but one; det W₂ is then det J_dep times ∂L*/∂v of the one left out.
    const std::size_t left_out = s.mvm3_left_out.value_or(m - 1);
    for (std::size_t r = 0; r < m; ++r) {
      if (r != left_out) result.f.push_back(s.system->motion.v[s.independent[r]]);
    }
    result.notes.push_back("no auxiliary functions are given; the independent velocities except " +
                           s.system->coordinates[s.independent[left_out]] + "' are used");
  }
  result.f.insert(result.f.end(), auxiliary.begin(), auxiliary.begin() + static_cast<std::ptrdiff_t>(result.auxiliary));
  result.f.push_back(s.system->lagrangian);
  return result;
}

constinit const Principle mvm3_principle = {
    .name = "mvm3",
    .title = "modified vakonomic equations (Theorem 3)",
    .equations = derive_mvm3,
    .reactions = FormReactions::multiplier_rates,
    .dalembert_lagrange = true,
    .auxiliary_functions = true,
    .own_obstacle = wrong_number_for_mvm3,
};

}  // namespace cetaev
