#include "cetaev/detail/algebra/normal.hpp"

#include <array>

#include "lowest_terms.hpp"

namespace cetaev {

std::optional<Quotient> quotient(Expr e, Shape shape) {
  try {
    algebra::Budget budget(algebra::normal_form_units);
    algebra::Field field(std::array{e}, budget);
    const algebra::LowestTerms terms = algebra::lowest_terms(field(e));
    // Whole numbers on both sides: x/2 + 1/3 is (3x + 2)/6.
    return Quotient{algebra::expression(field, terms.scale.numerator(), terms.numerator, shape),
                    algebra::expression(field, terms.scale.denominator(), terms.denominator, shape)};
  } catch (const algebra::Exhausted&) {
    return std::nullopt;
  } catch (const algebra::ZeroDenominator& error) {
    throw algebra::division_by_zero(error);
  }
}

std::vector<Expr> normal(std::span<const Expr> expressions, Shape shape) {
  std::vector<Expr> results(expressions.begin(), expressions.end());
  for (Expr& e : results) {
    try {
      algebra::Budget budget(algebra::normal_form_units);
      algebra::Field field(std::array{e}, budget);
      e = algebra::expression(field, algebra::lowest_terms(field(e)), shape);
    } catch (const algebra::Exhausted&) {
      continue;
    } catch (const algebra::ZeroDenominator& error) {
      throw algebra::division_by_zero(error);
    }
  }
  return results;
}

Expr normal(Expr e, Shape shape) { return normal(std::array{e}, shape).front(); }

}  // namespace cetaev
