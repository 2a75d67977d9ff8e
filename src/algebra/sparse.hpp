// Polynomials as lists of terms, to be rewritten for a reader: identities between sines and cosines that shorten them, and
// terms with a common factor put together.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "field.hpp"
#include "ruler.hpp"

namespace cetaev::algebra {

using Monomial = std::map<std::size_t, long>;  // generator, positive exponent
using Terms = std::map<Monomial, Rational>;

// The generators of a field, and those that are made on the way for functions of sums of angles.
class Palette {
 public:
  // Symbols that stand for differences are as long as these.
  Palette(Field& field, std::span<const NamedDifference> differences);

  Terms terms(const Poly& p);
  // Those that it has in the ring, whose relations leave no squares of sines, and those that show without squares of cosines.
  Factorization factors(const Poly& p);
  // The shortest expression found for the polynomial.
  Expr expression(Terms terms);
  Expr expression(const Monomial& monomial);

 private:
  struct Angle {
    std::size_t cosine, sine;
    Expr argument;
  };
  // Two terms that add up to one by an identity become it, until none do.
  void merge(Terms& terms);
  bool merge_square(Terms& terms, const Angle& angle);
  bool merge_pair(Terms& terms, const Angle& a, const Angle& b);
  // The angles whose sines or cosines occur: of many angles in a formula, one of its coefficients has a few.
  std::vector<Angle> angles_in(const Terms& terms);
  // And the sign of the function beside it.
  std::pair<std::size_t, Rational> signed_generator_for(Function function, Expr argument);
  // cos² = 1 − sin² everywhere
  Terms in_sines(const Terms& terms, const Angle& angle);
  // Products of sines and cosines as sums of sines and cosines of sums and multiples of the angles; nothing where there are no angles or too many
  // terms.
  std::optional<Terms> in_multiples(const Terms& terms);
  Expr sum(const Terms& terms);
  // (a ± b)² times what its three terms have in common.
  std::optional<Expr> as_square(const Terms& terms);
  // 1 ± cos 2u as 2 cos² u or 2 sin² u, times what the two terms have in common.
  std::optional<Expr> as_half_angle(const Terms& terms);
  Expr shorter(const Terms& terms);
  std::optional<Expr> by_common_sums(const Terms& terms, bool of_functions);
  Expr grouped(const Terms& terms, int depth);
  Expr grouped_by(const Terms& terms, std::size_t generator, int depth);

  // Work on each of these terms.
  void charge(double units, const Terms& terms) { budget_.charge(units * static_cast<double>(terms.size())); }

  Budget& budget_;
  Ruler length_;
  Context& context_;
  std::vector<Expr> expressions_;  // of the generators
  std::vector<Angle> angles_;
};

}  // namespace cetaev::algebra
