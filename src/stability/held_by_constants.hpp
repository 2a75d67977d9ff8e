// Stability by constants of the motion, as Lagrange, Routh and Arnold prove it.
#pragma once

#include <optional>
#include <string>

#include "cetaev/stability/linearize.hpp"
#include "steady.hpp"

namespace cetaev {

// Is a combination of constants of the motion least, or greatest, there among all states near by with the same values of the others? Then no motion
// leads far away: its first variation along the constraints vanishes, and its second one is definite on what leaves the others as they are.
// Of points that are certified; `units` of z are exponents of two in which the equations are balanced; `because` says it in words.
std::optional<DefiniteForm> held_by_constants(const ReducedField& field, Groundwork& work, const SteadyPoint& point,
                                              std::span<const long> units, long bits, std::string& because);

}  // namespace cetaev
