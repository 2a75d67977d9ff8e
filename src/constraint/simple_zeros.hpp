#pragma once

#include <optional>
#include <vector>

#include "cetaev/expr/derivative.hpp"
#include "cetaev/expr/expr.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

// Equations with the same real zeros as e = 0 whose derivatives do not vanish there without need: (x − y)² = 0 becomes
// x − y = 0, and x² + y² = 0 becomes x = 0, y = 0.
std::vector<Expr> simple_zeros(Expr e);

// The same set with such constraints; `origin` is given, for each of them, the number of the one as written.
System with_simple_zeros(const System& system, std::vector<std::size_t>& origin);

// Σ dᵢ (sᵢ − rᵢ)² with dᵢ of one sign, symbols sᵢ and rᵢ in those after sᵢ: what each is equal to where the sum is zero, to be inserted in
// this order. Nothing where e is no such sum.
std::optional<std::vector<Replacement>> squares_in(Expr e);

// The factors of e, each once; e itself where it has none. Nothing where it is too large to factor.
std::optional<std::vector<Expr>> distinct_factors(Expr e);

}  // namespace cetaev
