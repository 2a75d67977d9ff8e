// Fractions of polynomials whose denominators stay products of known factors: sums need no greatest common divisor.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "cetaev/error.hpp"
#include "cetaev/expr/expr.hpp"
#include "polynomial.hpp"

namespace cetaev::algebra {

// Division by an expression that is zero in the ring. Never leaves the stage.
struct ZeroDenominator : std::runtime_error {
  explicit ZeroDenominator(Expr denominator = {})
      : std::runtime_error("division by an expression that vanishes identically"), expr(denominator) {}
  Expr expr;  // where it is known
};
// What the user is told.
Error division_by_zero(const ZeroDenominator& error);

// scale · numerator / Π denominator(i)^eᵢ. The numerator is primitive with a positive leading coefficient, or zero.
struct Fraction {
  explicit Fraction(Ring& ring) : numerator(ring) {}
  Fraction(Ring& ring, const Rational& value);
  explicit Fraction(Poly poly);

  Ring& ring() const { return numerator.ring(); }
  bool is_zero() const { return numerator.is_zero(); }
  bool is_number() const { return denominators.empty() && numerator.is_constant(); }
  Rational number() const { return is_zero() ? Rational(0) : scale; }

  Rational scale = 1;
  Poly numerator;
  std::vector<std::pair<std::size_t, long>> denominators;  // index in the ring, positive exponent; ordered by index
};

Fraction operator*(const Fraction& a, const Fraction& b);
Fraction operator*(const Rational& a, const Fraction& b);
Fraction operator+(const Fraction& a, const Fraction& b);
Fraction operator-(const Fraction& a, const Fraction& b);
Fraction operator-(const Fraction& a);
// Σ coefficient·fraction
struct Multiple {
  Rational coefficient;
  const Fraction* fraction;
};
Fraction combination(Ring& ring, std::span<const Multiple> terms);
Fraction sum(std::span<const Fraction> terms);
Fraction inverse(const Fraction& a);  // throws ZeroDenominator
Fraction power(const Fraction& base, long exponent);
bool equal(const Fraction& a, const Fraction& b);

// Over one common denominator: scale(i)·numerator(i) / (that denominator).
struct CommonDenominator {
  std::vector<std::pair<std::size_t, long>> denominators;
  std::vector<Rational> scales;
  std::vector<Poly> numerators;
};
CommonDenominator common_denominator(std::span<const Fraction> fractions);

// The denominator multiplied out.
Poly denominator_poly(const Fraction& a);

}  // namespace cetaev::algebra
