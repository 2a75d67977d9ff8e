// What the theorems of [L] share: Hamilton's principle for 𝓛 = L − ψ with transpositional relations δ(q̇) − Dₜ(δq) = A δq,
//
//   E 𝓛 − F = Aᵀ ∂𝓛/∂v + Σ λ̇_α ∂φ_α/∂v,  φ = 0,
//
// where λ and λ⁰ in ψ = Σ λ_α φ_α + Σ λ⁰_j L_j are the constants of this instant. Of A = W⁻¹Ω: E L − F = E ψ + Σ_j s_j E f_j + Jᵀλ̇ with
// s = W⁻ᵀ ∂𝓛/∂v, which needs no inverse.
#pragma once

#include <string>
#include <vector>

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

// N functions f, W = ∂f/∂v, and Ω the rows E f of the first `acting` of them, zero for the others: A = W⁻¹Ω.
struct RelationFunctions {
  std::vector<Expr> f;  // the constraints first
  std::size_t acting = 0;
  std::size_t auxiliary = 0;  // how many of them are auxiliary functions of the model
  std::vector<std::string> notes;
};
// φ, and the auxiliary functions of the model, or the independent velocities where it has none (mvm2.cpp).
RelationFunctions functions_of_theorem_2(const Setting& setting);
// φ, the first of those but one, and L, which does not act (mvm3.cpp).
RelationFunctions functions_of_theorem_3(const Setting& setting);
// φ and the independent velocities, whose E is zero: they commute, and (34) of [L] gives the dependent ones.
RelationFunctions functions_of_suslov(const Setting& setting);

// W A = Ω as a step whose unknowns are A.
SolveStep relations_step(const Setting& setting, const std::string& name, const RelationFunctions& functions);

// The equations above for A = W⁻¹Ω.
Formulation modified_vakonomic(const Setting& setting, const std::string& name, const RelationFunctions& functions,
                               Expr psi);

}  // namespace cetaev
