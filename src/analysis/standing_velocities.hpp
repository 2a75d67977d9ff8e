// Rates of quasi-velocities with a velocity standing for what it is: of Q(u) u̇-free terms that are quadratic in u and contain v = F(u) as a
// factor, as they do where matrices change with one coordinate, v ℓ(u) is left.
#pragma once

#include "cetaev/detail/algebra/simplify.hpp"
#include "cetaev/formulation/formulation.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

// Multiples of v − F(u) = 0, which stands beside the equations, are added to those that become shorter by it. False where none does.
bool let_velocities_stand(const System& system, Simplifier& simplifier, Formulation& form);

}  // namespace cetaev
