// Has the flow of the equations of motion an invariant measure with a density in the coordinates?
//
// Of z = (coordinates that are not ignorable, independent velocities), z' = f(z), it has the measure μ(q) dz where
//
//   ∇·f + d/dt ln μ(q) = 0
//
// at every admissible state. Other velocities, as functions of these that are linear in them, change μ by a function of q: whether there is one
// does not depend on them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cetaev/constraint/on_set.hpp"
#include "cetaev/expr/rational.hpp"
#include "cetaev/formulation/groundwork.hpp"

namespace cetaev {

struct InvariantMeasure {
  System system;  // whose expressions these are: a scratch copy
  // Holds, with the density; fails, with a state at which the coordinates that are not ignorable stand still and volumes change all the same, and
  // how fast; or is not decided.
  Finding exists;
  std::vector<std::string> state;                  // names of z
  std::vector<std::pair<Expr, Rational>> density;  // μ = Π factor^exponent; none where volumes do not change at all
  // By Liouville's theorem, in momenta: of a system without forces that depend on velocities, whose constraints tie positions alone. In
  // velocities the density is the determinant of ∂²L/∂v∂v, in which velocities may stand, too; it is not always written out.
  bool of_phase_space = false;
  std::string because;
};

// Looked for as powers of what stands in the mass matrix and in the constraints solved for dependent velocities. Nothing is thrown: what has no answer is
// undecided, and says why.
InvariantMeasure invariant_measure(const System& system);
// With what was derived about the system already.
InvariantMeasure invariant_measure(Groundwork work);

}  // namespace cetaev
