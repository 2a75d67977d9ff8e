// mvm2: modified vakonomic mechanics, Theorem 2 of [L]. Constraints φ₁…φ_M, auxiliary functions L_{M+1}…L_N;
// W₁ = ∂(φ, L_j)/∂v, Ω₁ the rows E f of those N functions, A = W₁⁻¹Ω₁,
//
//   E L − F = Aᵀp + Σ λ̇_α ∂φ_α/∂v,  φ = 0;   equivalently E L − F = Σ_j s_j E L_j + Jᵀλ̇,  s = W₁⁻ᵀ p.
//
// It is the d'Alembert–Lagrange motion if and only if Nᵀ(Σ_j s_j E L_j) = 0 there; the claim [L] (42) that it always is
// for linear constraints is false.
#include <fmt/format.h>

#include "cetaev/detail/constraint/describe.hpp"
#include "modified_vakonomic.hpp"
#include "principles.hpp"

namespace cetaev {

namespace {

std::optional<Error> wrong_number_for_mvm2(const Setting& s) {
  const std::size_t needed = s.independent.size(), given = s.system->auxiliary.size();
  if (given == 0 || given == needed) return std::nullopt;
  return Error(ErrorCode::needs_auxiliary,
               fmt::format("mvm2 needs {} auxiliary function{} (coordinates less rank), and the model gives {}", needed,
                           needed == 1 ? "" : "s", given));
}

Formulation derive_mvm2(const Setting& s) { return modified_vakonomic(s, "mvm2", functions_of_theorem_2(s), s.zero()); }

}  // namespace

RelationFunctions functions_of_theorem_2(const Setting& s) {
  const std::vector<Expr>& auxiliary = s.system->auxiliary;
  if (!auxiliary.empty()) {
    RelationFunctions result{s.phi(), s.n(), auxiliary.size(), {}};
    result.f.insert(result.f.end(), auxiliary.begin(), auxiliary.end());
    return result;
  }
  RelationFunctions result = functions_of_suslov(s);
  std::vector<std::string> names;
  for (const std::size_t r : s.independent) names.push_back(s.system->coordinates[r] + "'");
  if (!names.empty())
    result.notes.push_back("no auxiliary functions are given; with the independent velocities " + enumerate(names) +
                           " in their place mvm2 is exactly `reduced`");
  return result;
}

constinit const Principle mvm2_principle = {
    .name = "mvm2",
    .title = "modified vakonomic equations (Theorem 2)",
    .equations = derive_mvm2,
    .reactions = FormReactions::multiplier_rates,
    .auxiliary_functions = true,
    .motion = "modified vakonomic",
    .own_obstacle = wrong_number_for_mvm2,
};

}  // namespace cetaev
