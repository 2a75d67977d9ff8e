#pragma once

#include <optional>
#include <vector>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// Equations with the same real zeros as e = 0 whose derivatives do not vanish there without need: (x − y)² = 0 becomes
// x − y = 0, and x² + y² = 0 becomes x = 0, y = 0.
std::vector<Expr> simple_zeros(Expr e);

// The factors of e, each once; e itself where it has none. Nothing where it is too large to factor.
std::optional<std::vector<Expr>> distinct_factors(Expr e);

}  // namespace cetaev
