// Eigenvectors, named by what moves.
#pragma once

#include "cetaev/stability/linearize.hpp"

namespace cetaev {

// From the matrix, the eigenvalues and the names of the state.
std::vector<Mode> modes_of(const Linearization& found);

}  // namespace cetaev
