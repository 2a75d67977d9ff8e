#include "lowest_terms.hpp"

#include <algorithm>

namespace cetaev::algebra {

namespace {

void cancel(LowestTerms& terms) {
  const Poly common = common_divisor(terms.numerator, terms.denominator);
  if (common.is_one()) return;
  auto numerator = divide(terms.numerator, common);
  auto denominator = divide(terms.denominator, common);
  if (!numerator || !denominator) return;
  terms.numerator = std::move(*numerator);
  terms.denominator = std::move(*denominator);
}

void make_canonical(LowestTerms& terms) {
  const Rational above = take_content(terms.numerator);
  if (above.is_zero()) {
    terms = {Rational(0), terms.numerator, Poly(terms.numerator.ring(), 1)};
    return;
  }
  terms.scale *= above / take_content(terms.denominator);
}

// The polynomial with −g in place of g.
Poly conjugate(const Poly& p, std::size_t generator) {
  Poly result = p;
  for (std::size_t k = 0; k < result.length(); ++k) {
    if (p.exponents(k)[generator] % 2 != 0) fmpz_neg(result.raw()->coeffs + k, result.raw()->coeffs + k);
  }
  return result;
}

std::size_t length(const LowestTerms& terms) { return terms.numerator.length() + terms.denominator.length(); }

// By the number of terms, then by degree, which takes a look at every term.
bool is_shorter(const LowestTerms& a, const LowestTerms& b) {
  if (length(a) != length(b)) return length(a) < length(b);
  const auto degree = [](const LowestTerms& of) { return of.numerator.total_degree() + of.denominator.total_degree(); };
  return degree(a) < degree(b);
}

// The same fraction with both sides multiplied, then cancelled again.
std::optional<LowestTerms> extended(const LowestTerms& terms, const Poly& factor) {
  LowestTerms result{terms.scale, terms.numerator * factor, terms.denominator * factor};
  // A factor that divides zero would change the value.
  if (result.denominator.is_zero() || result.numerator.is_zero()) return std::nullopt;
  make_canonical(result);
  cancel(result);
  make_canonical(result);
  return result;
}

}  // namespace

LowestTerms lowest_terms(Rational scale, Poly numerator, Poly denominator) {
  Ring& ring = numerator.ring();
  LowestTerms best{std::move(scale), std::move(numerator), std::move(denominator)};
  make_canonical(best);
  cancel(best);
  make_canonical(best);
  constexpr std::size_t worth_trying = 200;  // terms
  for (bool improved = true; improved;) {
    improved = false;
    for (std::size_t g = 0; g < ring.generator_count(); ++g) {
      if (ring.relation_degree(g) != 2 || best.denominator.is_constant() || length(best) > worth_trying) continue;
      const bool below = best.denominator.degree(g) > 0;
      if (!below && best.numerator.degree(g) <= 0) continue;
      const Poly factor = below ? conjugate(best.denominator, g) : ring.generator(g);
      const auto candidate = extended(best, factor);
      if (candidate && is_shorter(*candidate, best)) {
        best = *candidate;
        improved = true;
      }
    }
  }
  return best;
}

LowestTerms lowest_terms(const Fraction& f) {
  return lowest_terms(f.is_zero() ? Rational(0) : f.scale, f.numerator, denominator_poly(f));
}

Expr expression(Field& field, const Rational& scale, const Poly& p, Shape shape) {
  const Expr one = field.expression(Poly(p.ring(), 1));
  Context& context = one.context();
  if (p.is_zero() || scale.is_zero()) return context.zero();
  std::vector<Context::Term> factors;
  Rational constant = scale;
  if (shape == Shape::expanded) {
    factors.push_back({field.expression(p), Rational(1)});
  } else {
    const Factorization parts = factor(p);
    constant *= parts.constant;
    for (const auto& [base, exponent] : parts.factors) factors.push_back({field.expression(base), Rational(exponent)});
  }
  return context.power_product(constant, factors);
}

Expr expression(Field& field, const LowestTerms& terms, Shape shape) {
  const Expr above = expression(field, terms.scale, terms.numerator, shape);
  return terms.denominator.is_one() ? above : above / expression(field, 1, terms.denominator, shape);
}

}  // namespace cetaev::algebra
