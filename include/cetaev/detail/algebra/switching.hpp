// Where functions bend or jump: what holds on one side need not hold on the other.
#pragma once

#include <span>
#include <vector>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// Expressions at whose zeros one of the given ones bends, jumps or has a pole in a function: u in |u|, both arguments of atan2, what is
// divided by inside a function, cos u for tan u, sin u and cos u where an inverse function is applied to them. Those that contain one of the
// symbols, each once, whatever its sign. Where there is none, a function of the symbols is what its derivatives say.
std::vector<Expr> switching(std::span<const Expr> expressions, std::span<const Expr> symbols);

// What cannot be negative where the given ones are defined: radicands of even roots, arguments of logarithms, 1 ± u for asin u. Those that
// contain one of the symbols, each once.
std::vector<Expr> margins(std::span<const Expr> expressions, std::span<const Expr> symbols);

// Expressions far from whose zeros an exponential in one of the given ones is nothing, or everything, beside the rest: u in tanh u, cosh u
// and sinh u, u + 1 in eᵘ. Those that contain one of the symbols, each once.
std::vector<Expr> steep(std::span<const Expr> expressions, std::span<const Expr> symbols);
// As far from them a step may be and still be seen beside 1 in sixty digits.
inline constexpr double seen_from = 60;

// The |u| in e that contain one of the symbols, innermost first.
std::vector<Expr> absolute_values(Expr e, std::span<const Expr> symbols);

// The roots of squares in e written as absolute values: √u² is |u|.
Expr with_absolute_values(Expr e);

}  // namespace cetaev
