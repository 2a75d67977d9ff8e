// α in closed form: the dependent velocities as expressions in q, the independent velocities and t.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cetaev/constraint/state.hpp"

namespace cetaev {

// Equations = 0 solved for as many of the symbols of the state, such as the dependent velocities: one expression each, on
// the branch of the given state; nothing where no closed form is found. Sets linear in the unknowns are solved exactly;
// otherwise one unknown after the other, where it stands alone: in one power, under one root, inside an invertible
// function.
std::optional<std::vector<Expr>> explicit_form(const System& system, std::span<const Expr> equations,
                                               std::span<const Expr> unknowns, const State& state);

// The same on every branch: there are no other solutions, wherever what is divided by does not vanish. Nothing where that cannot be told.
std::optional<std::vector<std::vector<Expr>>> explicit_forms(const System& system, std::span<const Expr> equations,
                                                             std::span<const Expr> unknowns);

}  // namespace cetaev
