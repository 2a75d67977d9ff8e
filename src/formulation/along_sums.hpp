// Equations along admissible directions for a Lagrangian that is written with shared sums of velocities: Kane's, with the model's own sums for
// his partial velocities.
//
//   v = N u + n₀, x = Σ A y of every sum, so that x = B_x u + …, x' = B_x u̇ + d_x;
//   Σ_xy B_xᵀ P_xy B_y u̇ = Σ_x B_xᵀ r_x,   r the forces on the sums (forces_on_sums.hpp) at u̇ = 0
//
// H and b as derivatives of L would have every sum multiplied out in each entry.
#pragma once

#include <optional>
#include <vector>

#include "cetaev/formulation/first_order.hpp"

namespace cetaev {

struct AlongSums {
  std::vector<std::size_t> dependent;  // their velocities, solved from the constraints
  std::optional<Basis> root;           // of the others, where they are not free themselves
  std::vector<Expr> u;                 // the quasi-velocities of the root
  std::vector<Expr> velocities;        // of all coordinates, by those that are free
  Matrix N;                            // ∂v/∂u, u the free velocities or those of the root
  std::vector<Expr> d;                 // a at u̇ = 0
  LinearBlock rates;                   // whose unknowns are u̇
  std::vector<FirstOrderSystem::Squares> squares;
};

// Where some velocities have a matrix in the constraints, linear in the velocities, that no state makes singular, as one of sines and cosines
// whose determinant is constant, or one that is triangular with constants on its diagonal, as that of a chain of skates, before which a few constraints may have a basis that serves everywhere,
// as the first axle of trailers; nothing otherwise, and where L is no quadratic form in sums.
std::optional<AlongSums> along_sums(const Setting& s, const State& at, const std::string& stem);

}  // namespace cetaev
