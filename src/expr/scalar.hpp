#pragma once

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// A function of one argument, as <cmath> has it.
double apply_function(Function f, double x);

// std::invalid_argument that names the symbol when its value is not known.
void require_value(bool known, Expr symbol);

}  // namespace cetaev
