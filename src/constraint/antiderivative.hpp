// Antiderivatives of the simple terms that constraints are made of.
#pragma once

#include <optional>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// F with ∂F/∂x = e: sums of powers, of elementary functions of linear arguments and of what substitution makes of
// these. Nothing where the rules do not reach.
std::optional<Expr> antiderivative(Expr e, Expr x);

}  // namespace cetaev
