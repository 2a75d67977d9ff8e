#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cetaev/expr/evaluate.hpp"
#include "cetaev/expr/expr.hpp"

namespace cetaev {

// x = result solves f(x, …) = 0 on the branch of the given values (which must contain one for x); nothing when x does not
// stand alone in f. The result does not contain x.
std::optional<Expr> isolate(Expr f, Expr x, std::span<const Value> at);

// Every solution of f(x, …) = 0, wherever what f divides by does not vanish: each is one where it is defined, and there are no others.
// Squares, absolute values and quadratic equations have two. Nothing when x does not stand alone in f, or has infinitely many.
std::optional<std::vector<Expr>> isolate_all(Expr f, Expr x);

}  // namespace cetaev
