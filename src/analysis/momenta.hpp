// Momenta that equations in quasi-velocities say to be constant.
#pragma once

#include <optional>
#include <vector>

#include "cetaev/formulation/formulation.hpp"
#include "cetaev/formulation/symmetry.hpp"

namespace cetaev {

// p = Σ M_k u_k where the equation Σ M_k u̇_k + … = 0 of the form says nothing but ṗ = 0, as that of an ignorable coordinate does.
std::optional<Expr> conserved_momentum(const System& system, const Formulation& derived, Expr equation);

// p·ξ in the quasi-velocities of the form, for the fields ξ of the symmetry that the constraints allow and no force acts along: by algebra, those in which
// the angular velocity of the body stands: its angular momentum, which no line of its equations is the rate of.
std::vector<Expr> momenta_of_symmetry(const Setting& setting, const Symmetry& symmetry, const Formulation& derived);

}  // namespace cetaev
