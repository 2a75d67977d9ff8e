// Common divisors and factors of polynomials.
#include <flint/fmpz_mpoly_factor.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_map>

#include "polynomial.hpp"

namespace cetaev::algebra {

namespace {

// Limits beyond which these are not attempted: what they cost cannot be foreseen exactly.
constexpr std::size_t factor_terms = 400;
constexpr long factor_degree = 60;
constexpr double factor_units = 2e6;
constexpr std::size_t divisor_terms = 4000;
constexpr long divisor_degree = 200;

bool degree_within(const Poly& p, long limit) { return p.total_degree() <= limit; }

// Σ of the degrees in the generators that occur: in so many places algorithms evaluate and interpolate.
double sum_of_degrees(std::span<const long> degrees) {
  double sum = 0;
  for (const long degree : degrees) sum += static_cast<double>(std::max(degree, 0L));
  return sum;
}

// Common divisors and factors take a time that is about the number of terms times the sum of the degrees, as long as there
// is a generator of degree one or two: there are at most two factors to be found. Else it has no better bound than the
// number of terms that polynomials of these degrees can have; measured, it comes near.
double cost_of_divisor(const Poly& a, const Poly& b) {
  return static_cast<double>(a.length() + b.length()) * (sum_of_degrees(a.degrees()) + sum_of_degrees(b.degrees()));
}

double cost_of_factors(std::span<const long> degrees, std::size_t length) {
  constexpr double of_term = 20, of_dense_term = 10;
  double dense = 1;
  bool low = false;
  for (const long degree : degrees) {
    low = low || degree == 1 || degree == 2;
    dense *= 1 + static_cast<double>(std::max(degree, 0L));
  }
  return of_term * static_cast<double>(length) * sum_of_degrees(degrees) + (low ? 0 : of_dense_term * dense);
}

using Exponents = std::vector<unsigned long>;

// A g + B of a primitive polynomial that no monomial divides, A one term: a factor free of g would divide A and so be a monomial.
bool plainly_irreducible(std::span<const long> degrees, const std::vector<Exponents>& terms) {
  for (std::size_t g = 0; g < degrees.size(); ++g) {
    if (degrees[g] != 1) continue;
    if (std::ranges::count_if(terms, [&](const Exponents& e) { return e[g] != 0; }) == 1) return true;
  }
  return false;
}

// Only the generators that occur: what a polynomial is made of does not depend on where it was met, and fewer are faster.
class FewGenerators {
 public:
  explicit FewGenerators(std::size_t count) {
    fmpz_mpoly_ctx_init(context_, static_cast<slong>(std::max<std::size_t>(count, 1)), ORD_LEX);
  }
  ~FewGenerators() { fmpz_mpoly_ctx_clear(context_); }
  FewGenerators(const FewGenerators&) = delete;
  FewGenerators& operator=(const FewGenerators&) = delete;
  const fmpz_mpoly_ctx_struct* raw() const { return context_; }

 private:
  fmpz_mpoly_ctx_t context_;
};

// A polynomial as numbers one after the other: of each term the length of its coefficient, with its sign, the coefficient
// and the exponents.
using Words = std::vector<unsigned long>;

struct HashOfWords {
  std::size_t operator()(const Words& words) const {
    std::size_t hash = words.size();
    for (const unsigned long word : words) hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
    return hash ^ (hash >> 32);
  }
};

void append_term(Words& words, const fmpz* coefficient, std::span<const unsigned long> exponents) {
  const std::size_t size = static_cast<std::size_t>(fmpz_size(coefficient));
  words.push_back(2 * size + (fmpz_sgn(coefficient) < 0 ? 1 : 0));
  words.resize(words.size() + size);
  Rational magnitude;
  fmpz_abs(magnitude.words(), coefficient);
  fmpz_get_ui_array(words.data() + (words.size() - size), static_cast<slong>(size), magnitude.words());
  words.insert(words.end(), exponents.begin(), exponents.end());
}

// The way back; generator k is the one of number places[k].
void read_terms(fmpz_mpoly_struct* p, const Words& words, std::span<const std::size_t> places, std::size_t generators,
                const fmpz_mpoly_ctx_struct* context) {
  Exponents exponents(std::max<std::size_t>(generators, 1));
  Rational coefficient;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t size = words[at] / 2;
    fmpz_set_ui_array(coefficient.words(), words.data() + at + 1, static_cast<slong>(size));
    if (words[at] % 2 != 0) coefficient = -coefficient;
    at += 1 + size;
    for (const std::size_t place : places) exponents[place] = words[at++];
    fmpz_mpoly_push_term_fmpz_ui(p, coefficient.words(), exponents.data(), context);
  }
}

struct FactorWords {
  bool negative = false;                    // the constant is −1
  std::vector<std::pair<Words, long>> all;  // with exponents; none where FLINT gives up
};

FactorWords found_by_flint(const Words& words, std::size_t generators) {
  const FewGenerators few(generators);
  fmpz_mpoly_t p;
  fmpz_mpoly_init(p, few.raw());
  std::vector<std::size_t> places(generators);
  std::iota(places.begin(), places.end(), std::size_t{0});
  read_terms(p, words, places, generators, few.raw());
  fmpz_mpoly_factor_t parts;
  fmpz_mpoly_factor_init(parts, few.raw());
  FactorWords result;
  if (fmpz_mpoly_factor(parts, p, few.raw()) != 0) {
    // FLINT's order depends on the route its algorithm took; this one does not.
    fmpz_mpoly_factor_sort(parts, few.raw());
    result.negative = fmpz_sgn(parts->constant) < 0;
    Exponents exponents(generators);
    for (slong i = 0; i < fmpz_mpoly_factor_length(parts, few.raw()); ++i) {
      const fmpz_mpoly_struct* base = parts->poly + i;
      Words factor;
      for (slong k = 0; k < base->length; ++k) {
        fmpz_mpoly_get_term_exp_ui(exponents.data(), base, k, few.raw());
        append_term(factor, base->coeffs + k, exponents);
      }
      result.all.emplace_back(std::move(factor), fmpz_mpoly_factor_get_exp_si(parts, i, few.raw()));
    }
  }
  fmpz_mpoly_factor_clear(parts, few.raw());
  fmpz_mpoly_clear(p, few.raw());
  return result;
}

// What was factored before: the same coefficients and radicands come up in every form of a system's equations.
class Remembered {
 public:
  const FactorWords& factors_of(const Words& words, std::size_t generators) {
    constexpr std::size_t most_words = std::size_t{1} << 20;  // 8 MiB
    Words key = words;
    key.push_back(generators);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    const std::size_t size = 2 * key.size();  // and its factors, which are about as long
    words_ += size;
    if (words_ > most_words) {
      known_.clear();
      words_ = size;
    }
    return known_.emplace(std::move(key), found_by_flint(words, generators)).first->second;
  }

 private:
  std::unordered_map<Words, FactorWords, HashOfWords> known_;
  std::size_t words_ = 0;
};

thread_local Remembered remembered;

}  // namespace

Poly common_divisor(const Poly& a, const Poly& b) {
  Ring& ring = a.ring();
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  if (a.is_constant() || b.is_constant()) return Poly(ring, 1);
  const bool feasible =
      a.length() + b.length() <= divisor_terms && degree_within(a, divisor_degree) && degree_within(b, divisor_degree);
  if (!feasible) return Poly(ring, 1);
  ring.budget().charge(cost_of_divisor(a, b));
  Poly result(ring);
  if (fmpz_mpoly_gcd(result.raw(), a.raw(), b.raw(), ring.raw()) == 0) return Poly(ring, 1);
  take_content(result);
  return result;
}

Factorization factor(const Poly& p) {
  Ring& ring = p.ring();
  Poly rest = p;
  Factorization result{take_content(rest), {}};
  const std::vector<unsigned long> monomial = take_monomial(rest);
  for (std::size_t g = 0; g < monomial.size(); ++g) {
    if (monomial[g] != 0) result.factors.emplace_back(ring.generator(g), static_cast<long>(monomial[g]));
  }
  if (rest.is_one()) return result;
  const std::vector<long> degrees = rest.degrees();
  const double cost = cost_of_factors(degrees, rest.length());
  const bool feasible = rest.length() <= factor_terms && degree_within(rest, factor_degree) && cost <= factor_units;
  std::vector<Exponents> terms;
  for (std::size_t k = 0; feasible && k < rest.length(); ++k) terms.push_back(rest.exponents(k));
  if (!feasible || plainly_irreducible(degrees, terms)) {
    result.factors.emplace_back(std::move(rest), 1);
    return result;
  }
  ring.budget().charge(cost);
  std::vector<std::size_t> places;
  for (std::size_t g = 0; g < degrees.size(); ++g)
    if (degrees[g] > 0) places.push_back(g);
  Words words;
  Exponents own(places.size());
  for (std::size_t k = 0; k < rest.length(); ++k) {
    for (std::size_t i = 0; i < places.size(); ++i) own[i] = terms[k][places[i]];
    append_term(words, rest.raw()->coeffs + k, own);
  }
  const FactorWords& found = remembered.factors_of(words, places.size());
  if (found.all.empty()) {
    result.factors.emplace_back(std::move(rest), 1);
    return result;
  }
  for (const auto& [factor_words, exponent] : found.all) {
    Poly base(ring);
    read_terms(base.raw(), factor_words, places, ring.capacity(), ring.raw());
    const Rational sign = take_content(base);
    if (sign.sign() < 0 && exponent % 2 != 0) result.constant = -result.constant;
    result.factors.emplace_back(std::move(base), exponent);
  }
  if (found.negative) result.constant = -result.constant;
  return result;
}

}  // namespace cetaev::algebra
