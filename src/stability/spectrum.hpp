// What the eigenvalues of a linearisation prove.
#pragma once

#include "cetaev/stability/linearize.hpp"
#include "steady.hpp"

namespace cetaev {

// Eigenvalues, zeros and verdict, from A in balls where the point is certified, else from doubles.
void judge(const ReducedField& field, Groundwork& work, SteadyPoint& point, long bits, Linearization& result);

// Those that grow fastest first, of pairs the one above.
void sort_by_growth(std::vector<std::complex<double>>& values);

}  // namespace cetaev
