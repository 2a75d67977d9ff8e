// Derivatives of the rates of a form by whatever its equations contain.
#pragma once

#include <vector>

#include "cetaev/expr/derivative.hpp"
#include "cetaev/formulation/first_order.hpp"

namespace cetaev {

// Along directions in which symbols change as their seeds say, one column each; as FirstOrderSystem::jacobian() for those of the state.
FirstOrderSystem::Jacobian slopes_along(const FirstOrderSystem& system,
                                        std::vector<std::vector<Derivation::Seed>> directions);

}  // namespace cetaev
