// Expressions as one fraction in lowest terms.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// Of numerator and denominator: sums of products, or products of irreducible sums.
enum class Shape { expanded, factored };

struct Quotient {
  Expr numerator, denominator;
};

// e = numerator/denominator, polynomials in the symbols and kernels without a common factor, the relations between
// kernels used (sin² is 1 − cos², (√r)² is r). Nothing when exact algebra would become too large. Throws
// Error(bad_model) when e divides by an expression that vanishes identically.
std::optional<Quotient> quotient(Expr e, Shape shape = Shape::expanded);

// The same as one expression each; those too large for exact algebra come back unchanged. Equal wherever the given
// expression is defined.
std::vector<Expr> normal(std::span<const Expr> expressions, Shape shape = Shape::expanded);
Expr normal(Expr e, Shape shape = Shape::expanded);

}  // namespace cetaev
