// Square matrices of balls in balanced parts.
#pragma once

#include <span>
#include <vector>

#include "cetaev/detail/numeric/balance.hpp"
#include "cetaev/expr/ball.hpp"

namespace cetaev {

// Of a matrix, row after row.
std::vector<BalancedPart> balanced_parts(std::span<const Ball> a, std::size_t n);
// D⁻¹ A D of one part.
std::vector<Ball> balanced(std::span<const Ball> a, std::size_t n, const BalancedPart& part);

}  // namespace cetaev
