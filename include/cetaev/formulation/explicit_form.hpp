// α in closed form: the dependent velocities as expressions in q, the independent velocities and t.
#pragma once

#include <optional>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

// One expression per dependent velocity of the setting, on the branch of the given state; nothing where no closed form is
// found. Sets linear in the dependent velocities are solved exactly; otherwise one velocity after the other, where it
// stands alone: in one power, under one root, inside an invertible function.
std::optional<std::vector<Expr>> explicit_form(const Setting& setting, const State& state);

}  // namespace cetaev
