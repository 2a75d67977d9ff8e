// The sign that an expression is written with.
#pragma once

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// Does the text of e begin with a minus? A negative number, or a sum without a positive term; −e then has none.
bool has_leading_minus(Expr e);

}  // namespace cetaev
