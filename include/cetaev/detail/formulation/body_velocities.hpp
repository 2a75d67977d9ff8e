// Angular velocities of bodies as quasi-velocities: in them the equations of a body that turns are Euler's.
#pragma once

#include <cstddef>
#include <vector>

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

struct BodyVelocities {
  // Which axes the components belong to: those of the body, others that follow it but do not spin with it, as with a top, or those of the ground.
  enum class Axes { body, without_spin, ground };
  std::size_t body = 0;
  Axes axes = Axes::body;
  std::vector<Expr> u;             // functions of q, v, t, as many as there are degrees of freedom
  std::vector<std::string> names;  // "omega_x", and "u1", … for those that are velocities of coordinates
};

// Of every body that turns about more than one axis: its angular velocity in the axes in which it is short, of a ball in those of the ground, too, and, as far as more are needed, velocities of
// coordinates. They and the constraints are independent of each other at a random place; each list stands once.
std::vector<BodyVelocities> velocities_of_bodies(const Setting& setting);

}  // namespace cetaev
