// Terms of an equation that differ in their velocities or unknowns alone stand together: c (2 x' + y') y' for 2 c x' y' + c y'^2.
#pragma once

#include "cetaev/analysis/equations.hpp"

namespace cetaev {

// Of the equations of motion, where it makes them shorter. Unknowns and velocities stay apart, and what is taken out depends on the place: m x'' +
// m y'' is read as fast as m (x'' + y'').
void share_factors(const System& system, WrittenForm& form);

}  // namespace cetaev
