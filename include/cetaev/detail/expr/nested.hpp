// Sums and products of parts that stay as they are.
//
// Short sums are flattened into the sums that use them and numbers are multiplied into them (expr.hpp): algebra sees what cancels. A recursion
// whose steps use each of its results several times has nothing that cancels, and loses what its steps share. Here every operand is kept, as long
// sums are everywhere. What is made of such a node by the usual operations is flattened again.
#pragma once

#include <span>
#include <vector>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// Σ factor·expr
Expr nested_sum(Context& context, std::span<const Context::Term> terms);
Expr nested_product(Expr a, Expr b);
// As substitute(), but sums and products keep their parts.
std::vector<Expr> nested_substitute(std::span<const Expr> roots, std::span<const Replacement> replacements);

}  // namespace cetaev
