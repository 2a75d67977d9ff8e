// Functions of a function: of several that are constant together, the one that is easiest to read.
#pragma once

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// exp(f), with powers of what stands under logarithms.
Expr exponential_of(Expr f);

// Without logarithms, additive constants, numerical factors and common powers.
Expr simplest_function_of(Expr f);

}  // namespace cetaev
