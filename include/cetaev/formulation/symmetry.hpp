// Translations and rotations of the coordinates that leave a system as it is: L, the forces and the set of admissible velocities.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cetaev/constraint/on_set.hpp"
#include "cetaev/formulation/swings.hpp"
#include "cetaev/formulation/terms.hpp"

namespace cetaev {

// The field ξ = c + A q with Aᵀ = −A; its flow acts on velocities by exp(sA). With swings it is a rotation of space as Euler angles and spherical
// coordinates show it, which is not linear.
struct SymmetryField {
  // q_to grows with rate·q_from, q_from with −rate·q_to.
  struct Turn {
    std::size_t from = 0, to = 0;
    Rational rate;
  };
  std::vector<Turn> turns;      // A
  std::vector<Rational> shift;  // c, by coordinate
  std::vector<std::pair<Swing, Rational>> swings;
  Finding ground;

  bool is_shift() const { return turns.empty() && swings.empty(); }
  bool is_linear() const { return swings.empty(); }
  // ξ, by coordinate
  std::vector<Expr> at(std::span<const Expr> q) const;
};

struct Symmetry {
  std::vector<SymmetryField> fields;  // a basis: those that swing first, those that turn, then shifts in echelon form
  std::string group;                  // "SE(2) × R", empty where there is none
  Finding ground;                     // of all of them
  // Each linear one of them changes every constraint by a sum of constraints of its order with constant coefficients, proved whatever the parameters are: along the
  // orbits the constraints go over into combinations of each other.
  bool linear_in_constraints = true;
  bool turns_looked_for = true;  // not among very many coordinates
};

// Looked for by linear algebra at random states, whatever the values of the parameters are as far as L and the forces go, and then
// proved: ξ·∂L/∂q + ξ'·∂L/∂v = 0 as an identity, the like for the forces, and for the constraints on their set. None of systems whose
// constraints restrict accelerations.
Symmetry symmetry(OnSet& set, const Terms& terms);

}  // namespace cetaev
