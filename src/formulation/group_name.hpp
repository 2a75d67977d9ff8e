// The name of the group that fields generate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/formulation/symmetry.hpp"

namespace cetaev {

// "SE(2) × R", told by how the fields fail to commute. Fields that do not commute belong together; among them those that the Killing form sees
// are rotations, and the others shifts that they turn, or do not. What commutes with all is SO(2) where it turns or shifts an angle, R where it shifts lengths. Nothing
// where a bracket of them is no combination of them.
std::optional<std::string> group_name(const std::vector<SymmetryField>& fields, const Motion& motion,
                                      const std::vector<bool>& angle);

}  // namespace cetaev
