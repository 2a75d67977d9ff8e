// Constants of the motion.
#pragma once

#include <string>
#include <vector>

#include "cetaev/constraint/on_set.hpp"
#include "cetaev/energy/motion_sample.hpp"

namespace cetaev {

// I = p·ξ with a field ξ(q) affine in q, or a rotation of angles, is constant along every motion of d'Alembert–Lagrange when, on the set,
//   J ξ = 0 and ξ·∂L/∂q + Dₜξ·∂L/∂v + ξ·F = 0   (Noether's theorem under constraints).
// A cyclic coordinate is the simplest case: ξ constant along it.
struct LinearIntegral {
  std::vector<Expr> field;  // ξ
  Expr integral;            // p·ξ
  std::string meaning;      // "the momentum of x", or empty
  Finding ground;
};

// All of them, up to combinations with constant coefficients: found by linear algebra at random admissible states, each then
// tested on the set by itself. Parameters have the values of the model.
std::vector<LinearIntegral> linear_integrals(OnSet& set, const Terms& terms);

// Dₜ I = 0 along the motions, for every integral that the model declares.
struct DeclaredIntegral {
  std::string name;
  Finding conserved;
};
std::vector<DeclaredIntegral> declared_integrals(const System& system, const MotionSample& motions);

}  // namespace cetaev
