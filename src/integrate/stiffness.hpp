// Are steps held down by stability rather than by accuracy?
#pragma once

#include <span>

#include "cetaev/detail/integrate/stepper.hpp"

namespace cetaev {

// An eigenvalue λ of ∂f/∂y that decays fast: |λ| h above 1, so that an explicit method must resolve it, while the state
// itself changes a hundred times more slowly than 1/|λ|.
bool looks_stiff(Field& field, double t, std::span<const double> y, double h);

}  // namespace cetaev
