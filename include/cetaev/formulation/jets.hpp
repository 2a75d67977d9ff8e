// The dependent velocities as functions α of the others, and their derivatives.
//
// Where φ(q, v, t) = 0 is solved for the dependent velocities, v_dep = α(q, v_ind, t), the derivatives of α follow from
// those of φ by the implicit function theorem ([T1] Remark 3): J_dep γ + J_ind = 0, J_dep α_q + φ_q = 0, and once more for
// the second ones. All linear systems with the matrix J_dep, solved as steps of a program; nothing has to be solved
// symbolically, so this serves every constraint.
#pragma once

#include <vector>

#include "cetaev/expr/derivative.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

struct Setting;

// α_ν, ν = 0…k−1, r, s = 0…m−1 over the independent velocities, j over all coordinates. Entries are expressions in the
// state and the unknowns of `blocks`.
struct Jets {
  std::vector<LinearBlock> blocks;

  Matrix gamma;                           // γ_νr = ∂α_ν/∂v_r
  Matrix by_position;                     // ∂α_ν/∂q_j
  std::vector<Expr> by_time;              // ∂α_ν/∂t
  std::vector<Expr> drift;                // Σ_j (∂α_ν/∂q_j) v_j + ∂α_ν/∂t: Dₜα_ν without accelerations
  Matrix gamma_drift;                     // Dₜγ_νr without accelerations
  std::vector<Matrix> gamma_by_velocity;  // [s](ν, r) = ∂γ_νr/∂v_s

  // d/dt along a motion with independent accelerations a: q → v, v_ind → a, v_dep → drift + γ a, γ → …
  Derivation total_derivative(const Setting& setting, const std::vector<Expr>& independent_accelerations) const;
};

Jets implicit_jets(const Setting& setting);

// The same from expressions for α in q, v_ind, t.
Jets explicit_jets(const Setting& setting, const std::vector<Expr>& alpha);

}  // namespace cetaev
