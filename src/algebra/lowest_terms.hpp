// Fractions in lowest terms, multiplied out.
#pragma once

#include "cetaev/detail/algebra/normal.hpp"
#include "field.hpp"

namespace cetaev::algebra {

// scale·numerator/denominator; both primitive with positive leading coefficients (numerator 0 for zero).
struct LowestTerms {
  Rational scale;
  Poly numerator, denominator;
};

// Neither side has a common factor with the other as they stand. Where kernels are algebraic there are several such
// forms; the shortest one found is taken: (1 − c²)/s is s.
LowestTerms lowest_terms(const Fraction& f);
LowestTerms lowest_terms(Rational scale, Poly numerator, Poly denominator);

Expr expression(Field& field, const LowestTerms& terms, Shape shape = Shape::expanded);
Expr expression(Field& field, const Rational& scale, const Poly& p, Shape shape);

}  // namespace cetaev::algebra
