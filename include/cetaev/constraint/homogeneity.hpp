// Do the admissible velocities form a cone, and what are the virtual displacements?
#pragma once

#include <optional>
#include <vector>

#include "cetaev/constraint/on_set.hpp"

namespace cetaev {

// The set is a cone when v admissible implies s·v admissible for s near 1; where the constraints are regular that is
// J v = 0 on the set, and then the reactions do no work. Homogeneous functions suffice and are not needed.
struct Homogeneity {
  Finding conic;
  std::vector<Finding> by_branch;  // the same on each branch of the set
  bool functions = true;           // every function is homogeneous in the velocities
  // The same set in homogeneous functions v_dep − α, when it is a cone and the given functions are not homogeneous;
  // empty where α has no closed form.
  std::vector<Expr> rewritten;
  bool needs_rewriting() const { return conic.holds() && !functions; }
};
Homogeneity homogeneity(OnSet& set);

// J δq = 0 at one state.
struct VirtualDisplacements {
  std::vector<std::size_t> dependent, independent;
  std::vector<std::vector<double>> gamma;  // δq_dep = γ δq_ind: one row for each dependent coordinate
  std::vector<std::vector<double>> basis;  // of ker J: one vector for each independent coordinate
  // The velocity is itself a virtual displacement here: J v = 0 to 60 digits ([T2] Prop. 1).
  bool velocity_is_virtual = false;
  // Every admissible velocity at this position is one: virtual displacements and virtual velocities are the same vectors.
  // Otherwise a velocity that is admissible and not virtual.
  std::optional<bool> same_vectors;
  std::vector<double> other_velocity;
};
// Nothing where the state cannot be refined or J is singular there.
std::optional<VirtualDisplacements> virtual_displacements(OnSet& set, const AdmissibleState& at);

}  // namespace cetaev
