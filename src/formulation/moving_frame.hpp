// Velocities in the axes that turn with an angle of the system, where the system is the same in all directions.
#pragma once

#include <optional>
#include <vector>

#include "basis.hpp"
#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

// Of fields ξ that leave the system as it is, one that turns pairs of coordinates and shifts an angle: v = N₀ w, the pairs turned by that
// angle. N₀ is the same everywhere on an orbit, g·N₀(q) = N₀(g·q). So what is said about w may be said at one place of each orbit, where the
// angle is zero and what can be shifted away is shifted away.
struct MovingFrame {
  std::size_t angle = 0;               // the coordinate that it turns with
  Matrix axes;                         // N₀
  std::vector<Replacement> place;      // q by g(q)·q, that place of the orbit
  bool linear_in_constraints = false;  // as Symmetry says it
};

std::optional<MovingFrame> moving_frame(const Setting& setting, const Symmetry& symmetry);

// A basis v = N u + n₀ whose N is N₀ times a function of the orbit, proved to satisfy the constraints: of the quasi-velocities given by
// their definitions; without any, as regular_basis() has it. Nothing where the definitions are not the same all along an orbit.
std::optional<Basis> basis_in_frame(const Setting& setting, const MovingFrame& frame,
                                    const std::vector<Expr>& definitions, Validity validity);

}  // namespace cetaev
