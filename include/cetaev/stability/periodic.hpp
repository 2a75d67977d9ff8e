// Motions that come back to where they began.
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "cetaev/integrate/motion.hpp"

namespace cetaev {

struct PeriodicMotion {
  double period = 0;
  State state;                                    // that it begins with
  double residual = 0;                            // by how much it does not come back: the largest difference
  std::vector<std::size_t> ignorable;             // coordinates that need not
  std::vector<int> turns;                         // of each coordinate, where it is an angle
  std::vector<std::string> components;            // that tell the states near by apart
  std::vector<std::complex<double>> multipliers;  // of Floquet, on the constraints; those that grow fastest first
  std::optional<bool> stable;                     // of the motions near by: nothing where the multipliers leave it open
  std::string because;
};

// Newton's method from the initial state and a period near `period`: within three times as long, or as short. Where time stands in the equations the period is that one, and has to be
// one of the equations. Throws not-periodic where none is found, and the diagnosis of a motion that ends before its period.
PeriodicMotion find_periodic(const System& system, double period, const MotionOptions& options);

}  // namespace cetaev
