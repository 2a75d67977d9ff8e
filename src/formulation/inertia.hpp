// The inertia of a system as Newton's equations in independent velocities see it.
#pragma once

#include <vector>

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

// With g_ij = ∂P^(M)/∂q_i·∂P/∂q_j, w_k = Σ_ij ξ_ijk v_i v_j + 2 Σ_i η_ik v_i + ζ_k and all active forces: the equations without constraints are g a + w = force.
// Without points, T = ½ g v v + b·v + c₀ gives the same by
//   ξ_ijk = ½(∂_j g_ik + ∂_i g_jk − ∂_k g_ij), η_ij = ½(∂_t g_ij + ∂_i b_j − ∂_j b_i), ζ_i = ∂_t b_i − ∂_i c₀.
// A Lagrangian that is given whole counts as kinetic energy but for its part without velocities, which is −V.
struct Inertia {
  Matrix g;
  std::vector<Expr> w;
  std::vector<Expr> force;
};

// Throws not-applicable where T is not quadratic in the velocities, or V contains them.
Inertia inertia_of(const Setting& setting);

// {f}_i = f(i) + Σ_p γ_pi f(m+p), for each independent velocity.
std::vector<Expr> projected(const Setting& setting, const std::vector<Expr>& f);

}  // namespace cetaev
