// Linear dependence over the rationals, found one vector at a time.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "fraction.hpp"

namespace cetaev::algebra {

using SparseVector = std::map<std::size_t, Rational>;  // no zero entries

class Span {
 public:
  // The coordinates of v in the basis so far, by number of the basis vector; or nothing, and v joins the basis.
  std::optional<SparseVector> add(SparseVector v);
  std::size_t dimension() const { return dimension_; }

 private:
  struct Row {
    SparseVector vector;
    SparseVector combination;  // of basis vectors
  };
  std::map<std::size_t, Row> rows_;  // by the first coordinate of the vector
  std::size_t dimension_ = 0;
};

// a += factor·b
void add_multiple(SparseVector& a, const Rational& factor, const SparseVector& b);

// The fractions as vectors over the rationals: over one common denominator, the coefficients of the monomials.
std::vector<SparseVector> coordinates(std::span<const Fraction> fractions);

// Arguments of kernels in terms of a basis chosen among them: given ones first, then arguments in their order.
struct Decomposition {
  struct Term {
    bool is_given;
    std::size_t index;  // in the given ones or in the arguments
    Rational times;     // of the given one; of the argument divided by its divisor, hence an integer
  };
  std::vector<std::vector<Term>> arguments;
  std::vector<std::optional<Rational>> divisors;  // of the arguments that are in the basis
};
Decomposition decompose(std::span<const Fraction> given, std::span<const Fraction> arguments);

Rational least_common_multiple(const Rational& a, const Rational& b);

}  // namespace cetaev::algebra
