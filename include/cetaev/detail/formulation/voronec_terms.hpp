// The terms of Voronec's equations, for the forms that use them: voronec, caplygin, reduced.
#pragma once

#include <string>
#include <vector>

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

struct VoronecTerms {
  VoronecTerms(const Setting& setting, const Jets& jets);

  std::vector<Expr> a;              // symbols of the independent accelerations
  std::vector<Expr> p;              // p_ν
  std::vector<Expr> momentum_rate;  // Dₜ(∂L*/∂v_r)
  std::vector<Expr> by_position;    // ∂L*/∂q_j, all j
  Matrix B;                         // B_r^ν at (ν, r)
  std::vector<Expr> force;          // F_r + Σ_ν γ_νr F_{m+ν}
};

struct VoronecParts {
  bool dependent_positions = true;  // the terms (∂L*/∂q_{m+ν}) γ_νr
  bool nonholonomic = true;         // the terms B_r^ν p_ν
};

// Its unknowns are called by the stem.
Formulation voronec_family(const Setting& setting, const std::string& stem, const VoronecParts& parts);

}  // namespace cetaev
