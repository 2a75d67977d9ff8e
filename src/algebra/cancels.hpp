// Zero by multiplying out and collecting what is alike, without polynomials.
#pragma once

#include "cetaev/expr/expr.hpp"

namespace cetaev::algebra {

// True where every term meets its opposite, with sums in products as they stand or multiplied out: a proof. False says nothing: no
// relation between functions is used, nothing is divided by but symbols, and no more work is done than some terms for each node.
bool cancels(Expr e);

}  // namespace cetaev::algebra
