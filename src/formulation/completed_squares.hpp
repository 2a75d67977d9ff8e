// Quasi-velocities in which the mass matrix is diagonal, by completing squares.
#pragma once

#include <vector>

#include "cetaev/formulation/first_order.hpp"

namespace cetaev {

// z instead of u: with M = NᵀHN, pivot by pivot Σ M_jk u_j u_k = D_i (u_i + Σ_j l_j u_j)² + what is left of the others,
// z_i = u_i + Σ_j l_j u_j, constant pivots first. Where D_i = c s² with c constant, σ_i = s z_i belongs to the state: its equation
// has c for mass.
class CompletedSquares {
 public:
  // Puts z in the place of u, which are the last of the state: in the basis, in u and in the state. Throws not-applicable where
  // no square can be completed. The setting must outlive it.
  CompletedSquares(const Setting& setting, Basis& basis, std::vector<Expr>& u, FirstOrderSystem& system);

  // N u by the quasi-velocities before the squares were completed, so that equal parts are made once.
  std::vector<Expr> along(const std::vector<Expr>& z) const;
  // The rates of σ, and the accelerations; the velocities of the system are known. d = Ṅ z + ṅ₀.
  void add_rates(const Basis& basis, const std::vector<Expr>& z, const std::vector<Expr>& d,
                 FirstOrderSystem& system) const;

 private:
  Expr square_root_of_moving_part(Expr e, const std::vector<Expr>& moving) const;
  Expr with_sigma(Expr e, const std::vector<Expr>& z, const FirstOrderSystem& system) const;

  const Setting& s_;
  Matrix N_;                 // of the basis before
  Matrix T_;                 // u = T z
  std::vector<Expr> scale_;  // s
  std::vector<Expr> D_;
};

}  // namespace cetaev
