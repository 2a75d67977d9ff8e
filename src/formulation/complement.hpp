// The kinetic-orthogonal complement of the admissible directions, and the functions that are constant along it.
//
// Let the constraints be linear, D = ker J their distribution with the basis N, and p = Hv. Along D⊥ = ker NᵀH = {w: Hw ∈ rows of J} take functions f_j(q,t)
// that are constant, as many as D has dimensions. On the constraints p = HNu is a combination of the df_j alone, and E Dₜf_j = 0: with L_j = Dₜf_j
// Theorem 2 of [L] gives the motion of d'Alembert and Lagrange. There are such functions near every point exactly where D⊥ is integrable: always where it
// has one dimension.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

struct Complement {
  std::string outside;  // why the system is not of this class; empty where it is, and only then the rest has a meaning
  std::size_t dimension = 0;       // of D⊥
  std::optional<bool> integrable;  // nothing where it is not known
  bool proved = false;
  std::string ground;             // how this is known, in words
  std::vector<Expr> functions;    // those that were found, functionally independent
  bool functions_proved = false;  // that they are constant along D⊥, by algebra
};

Complement kinetic_complement(const Setting& setting);

}  // namespace cetaev
