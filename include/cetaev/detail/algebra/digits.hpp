// Whether a shorter expression is as good in doubles.
#pragma once

#include <span>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// (x − c)² + y² keeps the digits of x − c; x² − 2 c x + c² + y² loses them where x is near c and both are large. Where sums of either are near
// their zeros, at random points of all sizes: is `after`, which is the same in other words, at worst off by two digits more than `before`?
bool keeps_digits(std::span<const Expr> before, std::span<const Expr> after);

}  // namespace cetaev
