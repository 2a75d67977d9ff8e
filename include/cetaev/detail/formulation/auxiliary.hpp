// Auxiliary functions for which modified vakonomic mechanics (mvm2) gives the d'Alembert–Lagrange motion.
#pragma once

#include <optional>
#include <vector>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

// Looks among linear combinations of the velocities with coefficients from the model: the velocities themselves, the
// directions along each constraint that ties two velocities (x' cos φ + y' sin φ for a blade), and a basis of the admissible
// directions. What is returned has no discrepancy at several random admissible states; nothing when none is found.
std::optional<std::vector<Expr>> propose_auxiliary(const Setting& setting, Admissible& admissible);

}  // namespace cetaev
