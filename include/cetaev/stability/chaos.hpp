// How fast motions that begin beside each other part: Lyapunov exponents.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/integrate/motion.hpp"

namespace cetaev {

struct LyapunovSpectrum {
  double t = 0;  // how long the motion was followed
  // Largest first, as many as the set of admissible states has dimensions; and by how much they are uncertain: the standard error of means
  // over parts of the motion, and what the second half of it changed.
  std::vector<double> exponents, spread;
  double sum = 0;
  // The mean of the divergence of the flow along the motion, computed by itself: what the sum has to be. Nothing where the accelerations have
  // no derivatives somewhere on the way.
  std::optional<double> divergence;
  bool interrupted = false;
  std::size_t steps = 0;
  // Of a large system, in words: the smaller exponents where not all directions are carried, and what comes after a counted effort; else empty.
  std::string left_out;
};

// From the initial state to the end of the options, with directions on the constraints that are made orthogonal again and again. Throws the
// diagnosis of a motion that ends before. Interrupted by `keep_going` it gives what there is.
LyapunovSpectrum lyapunov(const System& system, const MotionOptions& options);

}  // namespace cetaev
