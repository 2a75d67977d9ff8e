// What the eigenvalues of a linearisation prove.
#pragma once

#include "cetaev/stability/linearize.hpp"
#include "steady.hpp"
#include "told_spectrum.hpp"

namespace cetaev {

// Eigenvalues, zeros, modes and verdict, from A in balls; the point is certified where that is possible.
void judge(const ReducedField& field, Groundwork& work, const Movable& moves, SteadyPoint& point,
           Linearization& result);

// Those that grow fastest first, of pairs the one above.
void sort_by_growth(ToldSpectrum& values);

}  // namespace cetaev
