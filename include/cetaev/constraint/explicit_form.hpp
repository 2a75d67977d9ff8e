// α in closed form: the dependent velocities as expressions in q, the independent velocities and t.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cetaev/constraint/state.hpp"

namespace cetaev {

// φ = 0 solved for the dependent velocities, as many as there are equations: one expression each, on the branch of the
// given state; nothing where no closed form is found. Sets linear in the dependent velocities are solved exactly;
// otherwise one velocity after the other, where it stands alone: in one power, under one root, inside an invertible
// function.
std::optional<std::vector<Expr>> explicit_form(const System& system, std::span<const Expr> phi,
                                               std::span<const std::size_t> dependent, const State& state);

}  // namespace cetaev
