// How an expression depends on some of its symbols: exact degree of homogeneity, linearity.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// σ such that e(s·v) = s^σ e(v) for every s > 0, v the symbols; 0 where none of them occurs. Nothing when there is
// none, when it is not rational, and for an expression that vanishes identically. Found from the structure, or else
// from Euler's relation v·∂e/∂v = σ e.
std::optional<Rational> homogeneity_degree(Expr e, std::span<const Expr> symbols);

// e = Σ slope·symbol + rest with slopes and rest free of the symbols, as functions on the whole of their domain. A constant derivative
// is not enough: atan(tan v) has one.
struct Affine {
  std::vector<Expr> slopes;
  Expr rest;
};
// Nothing when e is not affine in the symbols, or too large for algebra to tell.
std::optional<Affine> affine_in(Expr e, std::span<const Expr> symbols);

enum class Linearity { none, linear, affine, nonlinear };

// none: the expression does not depend on the symbols, even where they are written; linear: no part is free of them.
Linearity linearity_in(Expr e, std::span<const Expr> symbols);

}  // namespace cetaev
