#pragma once

#include <span>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// The node e with other operands (in the layout of Expr::operands()), made canonical, in the context of these operands. Exact
// coefficients and exponents of sums and products are those of e.
Expr rebuild(Expr e, std::span<const Expr> operands, Context& target);

}  // namespace cetaev
