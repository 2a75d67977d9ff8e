// The states that count as one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cetaev/detail/numeric/rank.hpp"
#include "cetaev/expr/ball.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

// A number but for its last bits.
Ball but_for_rounding(double value);

// Angles and quaternions, as their units tell or as they stand in sines and cosines of the constraints by themselves, are pure numbers.
Kinds kinds_of(const System& system);

// Positions or velocities, each as far off as the state may be, by what it is known to.
std::vector<Ball> around(std::span<const double> x, const Kinds& kinds, double known = known_state);

// Inputs of a program in the order of state_symbols(), and what comes behind: positions and velocities of every state that counts as
// this one, the rest but for rounding.
std::vector<Ball> around_state(std::span<const double> inputs, std::size_t n, const Kinds& kinds);

// By how much the rows of a matrix are off, its entries in balls row by row: the length of the radii. Zero where one is not finite.
std::vector<double> row_errors(std::span<const Ball> entries, std::size_t columns);
// The same of a matrix whose columns are multiplied by these.
std::vector<double> row_errors(std::span<const Ball> entries, std::span<const double> units);

}  // namespace cetaev
