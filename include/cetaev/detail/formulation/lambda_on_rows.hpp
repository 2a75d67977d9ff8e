// Multipliers of redundant constraints, as those of an independent choice of them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cetaev/constraint/set.hpp"

namespace cetaev {

// Where some rows determine the others, φ_d = C φ near the set, E φ_d = C Eφ + Ċ J on it, so that
//   λᵀEφ + λ̇ᵀJ + λ_dᵀEφ_d + λ̇_dᵀJ_d = ΛᵀEφ + Λ̇ᵀJ,   Λ = λ + Cᵀλ_d,   J_d = C J:
// the vakonomic equations ([L] (3)) of all rows with λ are those of some with Λ. Inputs in the order of state_symbols(); one λ for each
// constraint, and one Λ for each of the rows, which are independent at the state.
std::vector<double> lambda_on_rows(const System& system, const ConstraintSet& constraints,
                                   std::span<const std::size_t> rows, std::span<const double> inputs,
                                   std::span<const double> lambda);

}  // namespace cetaev
