#include "fraction.hpp"

#include <algorithm>
#include <map>

namespace cetaev::algebra {

namespace {

using Factors = std::vector<std::pair<std::size_t, long>>;

void make_canonical(Fraction& a) {
  const Rational content = take_content(a.numerator);
  if (content.is_zero()) {
    a.scale = 1;
    a.denominators.clear();
    return;
  }
  a.scale *= content;
}

// Cancels generators that divide both sides; other common factors are left to normal forms.
void cancel_generators(Fraction& a) {
  Ring& ring = a.ring();
  const auto is_generator = [&](const auto& factor) { return ring.denominator_generator(factor.first).has_value(); };
  if (a.is_zero() || std::none_of(a.denominators.begin(), a.denominators.end(), is_generator)) return;
  std::vector<unsigned long> left = take_monomial(a.numerator);
  for (auto& [index, exponent] : a.denominators) {
    const auto generator = ring.denominator_generator(index);
    if (!generator) continue;
    const long common = std::min(exponent, static_cast<long>(left[*generator]));
    exponent -= common;
    left[*generator] -= static_cast<unsigned long>(common);
  }
  std::erase_if(a.denominators, [](const auto& factor) { return factor.second == 0; });
  if (std::any_of(left.begin(), left.end(), [](unsigned long e) { return e != 0; })) {
    a.numerator = a.numerator * ring.monomial(left);
  }
}

Factors merged(const Factors& a, const Factors& b, long (*combine)(long, long)) {
  std::map<std::size_t, long> all(a.begin(), a.end());
  for (const auto& [index, exponent] : b) {
    const auto [place, fresh] = all.emplace(index, exponent);
    if (!fresh) place->second = combine(place->second, exponent);
  }
  return {all.begin(), all.end()};
}

Poly product(Ring& ring, const Factors& factors) {
  Poly result(ring, 1);
  for (const auto& [index, exponent] : factors) {
    result = result * power(ring.denominator(index), static_cast<unsigned long>(exponent));
  }
  return result;
}

// Π of what `target` has more than `present`
Poly cofactor(Ring& ring, const Factors& target, const Factors& present) {
  Factors missing;
  auto own = present.begin();
  for (const auto& [index, exponent] : target) {
    long less = 0;
    if (own != present.end() && own->first == index) less = (own++)->second;
    if (exponent > less) missing.emplace_back(index, exponent - less);
  }
  return product(ring, missing);
}

// Adds in a balanced tree: long sums of short terms stay linear times a logarithm.
Poly sum_of(std::vector<Poly> terms, Ring& ring) {
  if (terms.empty()) return Poly(ring);
  for (std::size_t width = 1; width < terms.size(); width *= 2) {
    for (std::size_t i = 0; i + width < terms.size(); i += 2 * width) terms[i] = terms[i] + terms[i + width];
  }
  return std::move(terms.front());
}

}  // namespace

Error division_by_zero(const ZeroDenominator& error) {
  const std::string what = error.expr ? to_string(error.expr) : "an expression";
  return {ErrorCode::bad_model, "division by zero: " + what + " vanishes identically"};
}

Fraction::Fraction(Ring& ring, const Rational& value) : scale(value), numerator(ring, value.is_zero() ? 0 : 1) {
  if (value.is_zero()) scale = 1;
}

Fraction::Fraction(Poly poly) : numerator(std::move(poly)) { make_canonical(*this); }

Fraction operator*(const Fraction& a, const Fraction& b) {
  if (a.is_zero() || b.is_zero()) return Fraction(a.ring());
  Fraction result(a.ring());
  result.scale = a.scale * b.scale;
  result.numerator = a.numerator.is_one()   ? b.numerator
                     : b.numerator.is_one() ? a.numerator
                                            : a.numerator * b.numerator;
  result.denominators = merged(a.denominators, b.denominators, [](long m, long n) { return m + n; });
  make_canonical(result);
  cancel_generators(result);
  return result;
}

Fraction operator*(const Rational& a, const Fraction& b) {
  if (a.is_zero()) return Fraction(b.ring());
  Fraction result = b;
  if (!b.is_zero()) result.scale *= a;
  return result;
}

Fraction operator-(const Fraction& a) { return Rational(-1) * a; }

CommonDenominator common_denominator(std::span<const Fraction> fractions) {
  CommonDenominator result;
  if (fractions.empty()) return result;
  Ring& ring = fractions.front().ring();
  for (const Fraction& f : fractions) {
    result.denominators = merged(result.denominators, f.denominators, [](long m, long n) { return std::max(m, n); });
  }
  for (const Fraction& f : fractions) {
    result.scales.push_back(f.scale);
    if (f.is_zero() || result.denominators == f.denominators) {
      result.numerators.push_back(f.numerator);
      continue;
    }
    const Poly missing = cofactor(ring, result.denominators, f.denominators);
    if (missing.is_zero()) throw ZeroDenominator();
    result.numerators.push_back(f.numerator * missing);
  }
  return result;
}

Fraction combination(Ring& ring, std::span<const Multiple> terms) {
  const auto counts = [](const Multiple& term) { return !term.coefficient.is_zero() && !term.fraction->is_zero(); };
  Factors denominators;
  Rational unit;
  for (const Multiple& term : terms) {
    if (!counts(term)) continue;
    if (!term.fraction->denominators.empty())
      denominators = merged(denominators, term.fraction->denominators, [](long m, long n) { return std::max(m, n); });
    unit = gcd(unit, term.coefficient * term.fraction->scale);
  }
  if (unit.is_zero()) return Fraction(ring);
  std::vector<Poly> numerators;
  numerators.reserve(terms.size());
  for (const Multiple& term : terms) {
    if (!counts(term)) continue;
    const Fraction& f = *term.fraction;
    const Rational factor = term.coefficient * f.scale / unit;
    if (denominators == f.denominators) {
      numerators.push_back(factor.is_one() ? f.numerator : scaled(f.numerator, factor));
      continue;
    }
    const Poly missing = cofactor(ring, denominators, f.denominators);
    if (missing.is_zero()) throw ZeroDenominator();
    Poly numerator = f.numerator * missing;
    numerators.push_back(factor.is_one() ? std::move(numerator) : scaled(numerator, factor));
  }
  Fraction result(sum_of(std::move(numerators), ring));
  if (result.is_zero()) return result;
  result.scale *= unit;
  result.denominators = std::move(denominators);
  cancel_generators(result);
  return result;
}

Fraction sum(std::span<const Fraction> terms) {
  std::vector<Multiple> all;
  all.reserve(terms.size());
  for (const Fraction& f : terms) all.push_back({Rational(1), &f});
  return combination(terms.front().ring(), all);
}

Fraction operator+(const Fraction& a, const Fraction& b) {
  const Fraction terms[] = {a, b};
  return sum(terms);
}

Fraction operator-(const Fraction& a, const Fraction& b) { return a + -b; }

Fraction inverse(const Fraction& a) {
  if (a.is_zero()) throw ZeroDenominator();
  Ring& ring = a.ring();
  Fraction result(product(ring, a.denominators));
  // Denominators multiply to zero only where a relation is reducible; nothing is defined there.
  if (result.is_zero()) throw ZeroDenominator();
  result.scale = result.scale / a.scale;
  Poly rest = a.numerator;
  const std::vector<unsigned long> monomial = take_monomial(rest);
  std::map<std::size_t, long> factors;
  for (std::size_t g = 0; g < monomial.size(); ++g) {
    if (monomial[g] != 0) factors[ring.denominator_index(ring.generator(g))] = static_cast<long>(monomial[g]);
  }
  if (!rest.is_one()) factors[ring.denominator_index(rest)] = 1;
  result.denominators.assign(factors.begin(), factors.end());
  cancel_generators(result);
  return result;
}

Fraction power(const Fraction& base, long exponent) {
  if (exponent < 0) return power(inverse(base), -exponent);
  Fraction result(base.ring(), 1);
  if (exponent == 0) return result;
  if (base.is_zero()) return base;
  if (static_cast<double>(base.scale.bits()) * static_cast<double>(exponent) > 1e6) throw Exhausted();
  result.scale = base.scale.power(exponent);
  result.numerator = power(base.numerator, static_cast<unsigned long>(exponent));
  result.denominators = base.denominators;
  for (auto& factor : result.denominators) factor.second *= exponent;
  make_canonical(result);
  cancel_generators(result);
  return result;
}

bool equal(const Fraction& a, const Fraction& b) {
  if (a.denominators == b.denominators) {
    return a.numerator == b.numerator && (a.is_zero() || a.scale == b.scale);
  }
  return (a - b).is_zero();
}

Poly denominator_poly(const Fraction& a) { return product(a.ring(), a.denominators); }

}  // namespace cetaev::algebra
