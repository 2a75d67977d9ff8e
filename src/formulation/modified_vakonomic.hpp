// What Theorems 2 and 3 of [L] share: N functions, their matrix W of derivatives by v, and s = W⁻ᵀ p.
#pragma once

#include <string>
#include <vector>

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

// E L − F = Σ_j s_j E f_j + Jᵀλ̇ over `acting` of the functions, and A = W⁻¹Ω with rows of Ω zero for those that do not act.
Formulation modified_vakonomic(const Setting& setting, const std::string& name, const std::vector<Expr>& functions,
                               std::size_t acting);

}  // namespace cetaev
