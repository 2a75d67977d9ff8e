// Admissible velocities at one position and time, of every branch that a search from many starts finds.
#pragma once

#include <vector>

#include "cetaev/constraint/on_set.hpp"

namespace cetaev {

struct VelocitySamples {
  // States at the same (q,t) whose (v, 1) are linearly independent, as many as were found.
  std::vector<PreciseState> states;
  std::size_t starts = 0;
};

VelocitySamples sample_velocities(OnSet& set, const PreciseState& at);

}  // namespace cetaev
