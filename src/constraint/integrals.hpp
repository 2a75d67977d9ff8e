// The search for functions f(q,t) that are constant along every admissible motion.
#pragma once

#include <vector>

#include "cetaev/constraint/integrability.hpp"

namespace cetaev {

// At most `wanted` of them, functionally independent, each with the ground on which Dₜf = 0. φ of every constraint, in file
// order, written as linearly in v as it can be.
std::vector<FoundIntegral> find_integrals(OnSet& set, std::span<const Expr> phi, std::size_t wanted);

}  // namespace cetaev
