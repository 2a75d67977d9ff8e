// The equations in quasi-velocities piece by piece: for the form, and for its first-order system.
#pragma once

#include <string>
#include <vector>

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

// u from v by (NᵀN) u = Nᵀ(v − n₀).
SolveStep coordinates_in(const Setting& setting, const Basis& basis, const std::string& stem);

// d = Ṅ u + ṅ₀, so that a = N u̇ + d.
std::vector<Expr> rate_at_fixed_u(const Setting& setting, const Basis& basis, const std::vector<Expr>& u);

// The basis of quasi-velocities given by their definitions, as the unknowns of two steps.
struct SolvedBasis {
  Basis basis;
  std::vector<Expr> d;
  std::vector<SolveStep> steps;
};
SolvedBasis solved_basis(const Setting& setting, const QuasiVelocities& quasi);

// Nᵀ(b − H d)
std::vector<Expr> force_along(const Setting& setting, const Matrix& N, const std::vector<Expr>& d);
// (NᵀHN) u̇ = Nᵀ(b − H d)
SolveStep rates_along(const Setting& setting, const Matrix& N, const std::vector<Expr>& d, const std::string& stem);
// N u̇ + d
std::vector<Expr> accelerations_along(const Setting& setting, const Matrix& N, const std::vector<Expr>& rates,
                                      const std::vector<Expr>& d);
// What it means where that system is singular.
SolveStep without_inertia(LinearBlock block);

}  // namespace cetaev
