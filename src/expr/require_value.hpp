#pragma once

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// Throws unknown-name, with the symbol, when its value is not known.
void require_value(bool known, Expr symbol);

}  // namespace cetaev
