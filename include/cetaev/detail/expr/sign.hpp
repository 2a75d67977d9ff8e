// The sign that an expression is written with.
#pragma once

#include <cstddef>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// Does the text of e begin with a minus? A negative number, or a sum without a positive term; −e then has none.
bool has_leading_minus(Expr e);

// Terms of a sum by their signs.
struct SignsOfASum {
  std::size_t plus = 0, minus = 0;
  explicit SignsOfASum(Expr sum);
};

// Behind a minus such a factor is written with its signs turned, for it then has one less at least: (b − a) c for −(a − b) c. Divisors are not: they are the same
// in several terms.
bool turns_behind_minus(Expr base, const Rational& exponent);

}  // namespace cetaev
