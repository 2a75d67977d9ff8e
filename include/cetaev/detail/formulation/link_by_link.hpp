// The equations with multipliers as recursions over the velocities that bodies share, as one writes those of a robot's arm.
#pragma once

#include <optional>
#include <vector>

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

// With a symbol for each sum of velocities that the kinetic energy is written with, w = Σ A y: rates w' = Σ A y' + A' y go up a chain, forces f_y = Σ A f_w down again
// (forces_on_sums.hpp), and what arrives at the velocity of a coordinate is its equation. Nothing is multiplied out, so the lines are as many as the
// bodies and as short as what one body does to the next.
struct LinkByLink {
  enum class Kind { velocity, rate, momentum, force };
  struct Line {
    Kind kind;
    std::size_t of;  // a sum, by its number
    Expr symbol, value;
  };
  std::vector<Line> lines;   // in an order in which each uses those before it
  std::vector<Expr> motion;  // = 0, for each coordinate: inertia less what acts
  Expr lagrangian;           // by the velocities
};

// Nothing where the Lagrangian is not quadratic in the velocities, where constraints are not on positions and velocities, where no sums are shared, and where velocities or
// constraints have parts without velocities, as on frames that are driven.
std::optional<LinkByLink> link_by_link(const Setting& s);

}  // namespace cetaev
