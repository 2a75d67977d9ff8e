// Momenta that equations in quasi-velocities say to be constant.
#pragma once

#include <optional>

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

// p = Σ M_k u_k where the equation Σ M_k u̇_k + … = 0 of the form says nothing but ṗ = 0, as that of an ignorable coordinate does.
std::optional<Expr> conserved_momentum(const System& system, const Formulation& derived, Expr equation);

}  // namespace cetaev
