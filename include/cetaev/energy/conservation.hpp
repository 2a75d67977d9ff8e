// Is the energy conserved, which one, and if not, who does the work?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/constraint/homogeneity.hpp"
#include "cetaev/energy/energies.hpp"
#include "cetaev/energy/motion_sample.hpp"

namespace cetaev {

struct EnergyVerdict {
  Finding conserved;               // Ė = 0 along the motions of d'Alembert–Lagrange
  std::vector<Finding> by_branch;  // the same on each branch of the set, where it has several
  std::string because;             // the terms that vanish, or those that do not
  // E is not T + V but Jacobi's integral v·∂L/∂v − L: L has terms of degree 0 or 1 in the velocities beside −V.
  bool jacobi = false;
  bool same = false;  // E* = E: the set is a cone

  // For the energy of the independent velocities, where it is another one.
  std::optional<Finding> star_conserved;
  std::string star_because;

  // Every term of Ė, zero on the set or not.
  struct Term {
    std::string formula, meaning;
    Finding zero;
  };
  std::vector<Term> terms, star_terms;
};

EnergyVerdict energy_verdict(OnSet& set, const Homogeneity& homogeneity, const MotionSample& motions);

}  // namespace cetaev
