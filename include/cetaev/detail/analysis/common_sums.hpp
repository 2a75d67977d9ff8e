// Sums that several formulas have in common, though they stand there multiplied out, with other factors, among other terms.
//
//   a c + b c + d,  a e + b e   →   c S + d,  e S,   S = a + b
#pragma once

#include <span>
#include <vector>

#include "cetaev/detail/algebra/simplify.hpp"
#include "cetaev/expr/expr.hpp"

namespace cetaev {

struct CommonSums {
  std::vector<Expr> formulas;      // those given, in the names
  std::vector<Replacement> names;  // symbol and value, each by those before it
};

// Names that make all of it with the lines that explain them shorter on paper by a twentieth; none where there are no such names, or more terms
// than anybody reads.
CommonSums common_sums(std::span<const Expr> formulas, Simplifier& simplifier);

}  // namespace cetaev
