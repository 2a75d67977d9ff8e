// Formulas of claims in TeX, in the notation of the papers: α_ν, q̇_{m+ν}, ∂L/∂q̇_r, E_i L.
#pragma once

#include <string>

#include "formula.hpp"

namespace cetaev::verify {

std::string formula_tex(const Statement& statement);

}  // namespace cetaev::verify
