// Equations that jump where an expression of the state vanishes, as abs(x)/x does: they are smooth on either side of it.
//
// |u| is σ u with a side σ = ±1, a parameter. Written like that the equations go on smoothly beyond the jump: a step of any method may cross it,
// u = 0 is located on the step, and there the motion begins anew with the other side.
#pragma once

#include <span>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/formulation/terms.hpp"

namespace cetaev {

struct SidedSystem {
  System system;            // its parameters are those of the model and then the sides
  std::vector<Expr> where;  // what vanishes at each jump: of q, v, t, parameters
};

// A system that may be added to, without the magnitudes at which its equations jump; the sides are 1. Nothing jumps: the same.
// With those at which they only bend, where the derivatives of the equations matter.
SidedSystem separate_sides(const System& system, const Terms& terms, bool with_bends = false);
// For somebody to read: |u|/u in the place of a side.
Expr without_sides(const System& system, std::span<const Expr> where, Expr e);
// With other sides.
System on_sides(const System& system, std::span<const double> sides);

}  // namespace cetaev
