// Eigenvectors, named by what moves.
#pragma once

#include <span>

#include "cetaev/expr/ball.hpp"
#include "cetaev/stability/linearize.hpp"

namespace cetaev {

// From the matrix in balls, the enclosures of the eigenvalues in their order, where there are any, and the names of the state.
std::vector<Mode> modes_of(const Linearization& found, std::span<const Ball> A, std::span<const ComplexBall> enclosures,
                           long bits);

}  // namespace cetaev
