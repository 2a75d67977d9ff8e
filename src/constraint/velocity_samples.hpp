// Admissible velocities at one position and time that are connected with one another.
#pragma once

#include <vector>

#include "cetaev/constraint/on_set.hpp"

namespace cetaev {

struct VelocitySamples {
  // States at the same (q,t) whose (v, 1) are linearly independent, as many as were found.
  std::vector<PreciseState> states;
  // There are velocities that do not depend on these linearly: on other sheets, which no motion comes to from here.
  bool others = false;
};

// Those that walks on the set lead to from the velocity of a state, on all sheets of a cone.
VelocitySamples sample_velocities(OnSet& set, const PreciseState& at);

}  // namespace cetaev
