#pragma once

#include <optional>
#include <span>

#include "cetaev/expr/evaluate.hpp"
#include "cetaev/expr/expr.hpp"

namespace cetaev {

// x = result solves f(x, …) = 0 on the branch of the given values (which must contain one for x); nothing when x does not
// stand alone in f. The result does not contain x.
std::optional<Expr> isolate(Expr f, Expr x, std::span<const Value> at);

}  // namespace cetaev
