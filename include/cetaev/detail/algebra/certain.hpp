// What is known of an expression whatever the values of its symbols are.
#pragma once

#include <optional>
#include <span>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// The sign that e has whatever its symbols are, as its writing tells: of 1 + x², of tanh x − 1. 0 where that does not tell.
int certain_sign(Expr e);

// Is e zero for no real values of its symbols? By its writing, by its enclosure, or as a polynomial in its symbols and functions without
// real zeros: x² − 2xy + y² + 1. False means "not known".
bool never_zero(Expr e);

// Has every part of e that contains one of the symbols a real value, whatever all symbols are? Other parts count as defined. False means
// "not known".
bool defined_for_all(Expr e, std::span<const Expr> symbols);

// An expression without the symbols that is zero exactly where e is, and defined there: (1 + v²)·f is f. Nothing where e is no product of
// such a one and factors that are never zero.
std::optional<Expr> zeros_without(Expr e, std::span<const Expr> symbols);

}  // namespace cetaev
