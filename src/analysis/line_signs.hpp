// Signs of whole lines: m x'' = −k x, not −m x'' = k x, whatever an equation was divided by.
#pragma once

#include "cetaev/analysis/equations.hpp"
#include "cetaev/constraint/state.hpp"

namespace cetaev {

// Lines that begin with a negative term, as that of their own unknown is, get the other sign on both sides: what is negative at this state counts, where it can be
// told. Lines without an unknown of their own do where they then have no more minus signs.
void turn_signs(const System& system, const State& at, WrittenForm& form);

}  // namespace cetaev
