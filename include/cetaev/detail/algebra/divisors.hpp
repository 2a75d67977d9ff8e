// Where functions have poles, or no derivative.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// Everything with a negative exponent, with this, as often as there are products of it.
std::vector<std::pair<Expr, Rational>> negative_powers(std::span<const Expr> expressions);

// What powers are negative of, and logarithms are taken of, and where inverse functions have no derivative; but for what roots have. Those that
// contain one of the symbols, each once.
std::vector<Expr> divisors_in(std::span<const Expr> expressions, std::span<const Expr> symbols);

}  // namespace cetaev
