// The terms every principle shares, as expressions, computed once.
#pragma once

#include <span>
#include <vector>

#include "cetaev/constraint/set.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

// E L − F = H a − b and J a = c, where
//   H = ∂²L/∂v∂v,  b_j = ∂L/∂q_j + F_j − (∂²L/∂v_j∂q)·v − ∂²L/∂v_j∂t
struct Terms {
  explicit Terms(const System& system);
  // How often that was done in this process.
  static std::size_t derived();

  // To a copy of their context, by the numbers of the expressions.
  void move_to(std::span<const Expr> images);

  std::vector<Expr> momentum;  // p = ∂L/∂v
  Matrix mass;                 // H
  std::vector<Expr> bias;      // b
  ConstraintSet constraints;   // J, c
};

}  // namespace cetaev
