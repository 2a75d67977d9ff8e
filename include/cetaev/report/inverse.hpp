// Inverse dynamics for people, for programs and as a table: what `cetaev inverse` prints.
#pragma once

#include <string>

#include "cetaev/analysis/inverse.hpp"

namespace cetaev {

std::string to_text(const System& system, const InverseDynamics& found);
std::string to_json(const System& system, const InverseDynamics& found);
// t, coordinates, velocities, then of every drive "force NAME" and "power NAME".
std::string to_csv(const System& system, const InverseDynamics& found);

}  // namespace cetaev
