// The constraints of a system as equations for velocities and accelerations.
#pragma once

#include <cstddef>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/model/system.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

// Rows in file order, whatever their order:
//   order 0, f(q,t) = 0:      φ = Dₜf,  J = ∂φ/∂v,  c = −(φ_q·v + φ_t)
//   order 1, φ(q,v,t) = 0:              J = ∂φ/∂v,  c = −(φ_q·v + φ_t)
//   order 2, h(q,v,a,t) = 0:            J = ∂h/∂a,  c = J a − h (free of a when h is linear in a)
// so that the accelerations satisfy J a = c.
struct ConstraintSet {
  explicit ConstraintSet(const System& system);

  std::size_t size() const { return residual.size(); }
  std::size_t unknowns() const { return jacobian.columns; }

  std::vector<Expr> residual;  // f, φ or h as written
  std::vector<Expr> phi;       // on the level of velocities: Dₜf, φ; h for order 2
  Matrix jacobian;             // J
  std::vector<Expr> bias;      // c
  std::vector<int> order;
  std::vector<bool> nonlinear_in_accelerations;

  // Rows that restrict positions and velocities.
  std::vector<std::size_t> position_rows;  // order 0
  std::vector<std::size_t> velocity_rows;  // order 0 and 1
};

}  // namespace cetaev
