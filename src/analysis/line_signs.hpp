// Signs of whole lines: m x'' = −k x, not −m x'' = k x, whatever an equation was divided by.
#pragma once

#include "cetaev/analysis/equations.hpp"
#include "cetaev/constraint/state.hpp"

namespace cetaev {

// Lines whose own unknown has a negative coefficient at this state get the other sign on both sides, where they then begin without a minus; so do those
// without it that begin with one, where they then have no more of them.
void turn_signs(const System& system, const State& at, WrittenForm& form);

}  // namespace cetaev
