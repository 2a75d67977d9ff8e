#include "polynomial.hpp"

#include <flint/fmpz_vec.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace cetaev::algebra {

namespace {

// Exponents beyond this are not worth expanding, and keep all degrees far from the end of a machine word.
constexpr unsigned long largest_exponent = 1'000'000;

// Of a polynomial whose degrees are sooner found term by term.
constexpr std::size_t few_terms = 8;

// Of the longest one, in machine words.
double coefficient_words(const Poly& p) {
  return std::max(1.0,
                  std::abs(static_cast<double>(_fmpz_vec_max_bits(p.raw()->coeffs, p.raw()->length))) / FLINT_BITS);
}

}  // namespace

Poly::Poly(Ring& ring) : ring_(&ring) { fmpz_mpoly_init(value_, ring.raw()); }
Poly::Poly(Ring& ring, long value) : Poly(ring) { fmpz_mpoly_set_si(value_, value, ring.raw()); }
Poly::Poly(const Poly& other) : Poly(*other.ring_) { fmpz_mpoly_set(value_, other.value_, ring_->raw()); }

Poly::Poly(Poly&& other) noexcept : ring_(other.ring_) {
  fmpz_mpoly_init(value_, ring_->raw());
  fmpz_mpoly_swap(value_, other.value_, ring_->raw());
}

Poly& Poly::operator=(const Poly& other) {
  if (this != &other) fmpz_mpoly_set(value_, other.value_, ring_->raw());
  return *this;
}

Poly& Poly::operator=(Poly&& other) noexcept {
  fmpz_mpoly_swap(value_, other.value_, ring_->raw());
  return *this;
}

Poly::~Poly() { fmpz_mpoly_clear(value_, ring_->raw()); }

bool Poly::is_constant() const { return fmpz_mpoly_is_fmpz(value_, ring_->raw()) != 0; }
bool Poly::is_one() const { return fmpz_mpoly_is_one(value_, ring_->raw()) != 0; }

long Poly::degree(std::size_t generator) const {
  return fmpz_mpoly_degree_si(value_, static_cast<slong>(generator), ring_->raw());
}

// FLINT finds degrees in numbers of any size, which for each generator takes as long as a few terms.
std::vector<long> Poly::degrees() const {
  std::vector<long> result(ring_->capacity(), -1);
  if (is_zero() || length() > few_terms || value_->bits > FLINT_BITS) {
    fmpz_mpoly_degrees_si(result.data(), value_, ring_->raw());
    return result;
  }
  for (std::size_t term = 0; term < length(); ++term) {
    const std::vector<unsigned long> own = exponents(term);
    for (std::size_t g = 0; g < own.size(); ++g) result[g] = std::max(result[g], static_cast<long>(own[g]));
  }
  return result;
}

long Poly::total_degree() const {
  if (is_zero() || length() > few_terms || value_->bits > FLINT_BITS)
    return fmpz_mpoly_total_degree_si(value_, ring_->raw());
  long result = 0;
  for (std::size_t term = 0; term < length(); ++term) {
    const std::vector<unsigned long> own = exponents(term);
    result = std::max(result, static_cast<long>(std::accumulate(own.begin(), own.end(), 0UL)));
  }
  return result;
}

std::vector<unsigned long> Poly::exponents(std::size_t term) const {
  std::vector<unsigned long> result(ring_->capacity());
  fmpz_mpoly_get_term_exp_ui(result.data(), value_, static_cast<slong>(term), ring_->raw());
  return result;
}

Rational Poly::coefficient(std::size_t term) const {
  Rational result;
  fmpz_mpoly_get_term_coeff_fmpz(result.words(), value_, static_cast<slong>(term), ring_->raw());
  return result;
}

void Poly::push_term(const std::vector<unsigned long>& exponents, const Poly& other, std::size_t term) {
  fmpz_mpoly_push_term_fmpz_ui(value_, other.value_->coeffs + term, exponents.data(), ring_->raw());
}

int Poly::leading_sign() const { return is_zero() ? 0 : fmpz_sgn(value_->coeffs); }

bool operator==(const Poly& a, const Poly& b) { return fmpz_mpoly_equal(a.value_, b.value_, a.ring_->raw()) != 0; }

Poly operator+(const Poly& a, const Poly& b) {
  Poly result(*a.ring_);
  a.ring_->charge_terms(static_cast<double>(a.length() + b.length()));
  fmpz_mpoly_add(result.value_, a.value_, b.value_, a.ring_->raw());
  return result;
}

Poly operator-(const Poly& a, const Poly& b) {
  Poly result(*a.ring_);
  a.ring_->charge_terms(static_cast<double>(a.length() + b.length()));
  fmpz_mpoly_sub(result.value_, a.value_, b.value_, a.ring_->raw());
  return result;
}

Poly operator*(const Poly& a, const Poly& b) {
  Poly result(*a.ring_);
  a.ring_->charge_product(a, b);
  fmpz_mpoly_mul(result.value_, a.value_, b.value_, a.ring_->raw());
  a.ring_->reduce(result);
  return result;
}

Poly operator-(const Poly& a) {
  Poly result(*a.ring_);
  fmpz_mpoly_neg(result.value_, a.value_, a.ring_->raw());
  return result;
}

Poly scaled(const Poly& a, const Rational& integer) {
  Poly result(*a.ring_);
  fmpz_mpoly_scalar_mul_fmpz(result.value_, a.value_, integer.words(), a.ring_->raw());
  return result;
}

Poly power(const Poly& base, unsigned long exponent) {
  Ring& ring = base.ring();
  if (exponent == 0) return Poly(ring, 1);
  if (exponent == 1 || base.is_one()) return base;
  if (exponent > largest_exponent) throw Exhausted();
  // A power of a single term needs no products, but its coefficient grows with the exponent.
  if (base.length() == 1) {
    const double bits = static_cast<double>(fmpz_bits(base.raw()->coeffs));
    ring.budget().charge(bits * static_cast<double>(exponent) / 64);
    if (base.total_degree() * static_cast<long>(exponent) > static_cast<long>(largest_exponent)) throw Exhausted();
    Poly result(ring);
    if (fmpz_mpoly_pow_ui(result.raw(), base.raw(), exponent, ring.raw()) == 0) throw Exhausted();
    ring.reduce(result);
    return result;
  }
  Poly result = base;
  for (unsigned long bit = std::bit_floor(exponent) >> 1; bit != 0; bit >>= 1) {
    result = result * result;
    if ((exponent & bit) != 0) result = result * base;
  }
  return result;
}

Rational take_content(Poly& p) {
  Rational content;
  if (p.is_zero()) return content;
  _fmpz_vec_content(content.words(), p.raw()->coeffs, p.raw()->length);
  if (p.leading_sign() < 0) content = -content;
  if (!content.is_one()) fmpz_mpoly_scalar_divexact_fmpz(p.raw(), p.raw(), content.words(), p.ring().raw());
  return content;
}

std::vector<unsigned long> take_monomial(Poly& p) {
  Ring& ring = p.ring();
  Poly term(ring);
  fmpz_mpoly_term_content(term.raw(), p.raw(), ring.raw());
  std::vector<unsigned long> exponents = term.exponents(0);
  if (std::any_of(exponents.begin(), exponents.end(), [](unsigned long e) { return e != 0; })) {
    fmpz_mpoly_divides(p.raw(), p.raw(), ring.monomial(exponents).raw(), ring.raw());
  }
  return exponents;
}

std::optional<Poly> divide(const Poly& a, const Poly& b) {
  Ring& ring = a.ring();
  ring.charge_product(a, b);
  Poly quotient(ring);
  if (fmpz_mpoly_divides(quotient.raw(), a.raw(), b.raw(), ring.raw()) == 0) return std::nullopt;
  return quotient;
}

Ring::Ring(std::size_t capacity, Budget& budget)
    : budget_(budget), words_(1 + static_cast<double>(capacity) / 8), relations_(capacity) {
  fmpz_mpoly_ctx_init(context_, static_cast<slong>(capacity), ORD_LEX);
}

Ring::~Ring() {
  // Polynomials are cleared with the context that made them.
  relations_.clear();
  denominators_.clear();
  fmpz_mpoly_ctx_clear(context_);
}

void Ring::charge_product(const Poly& a, const Poly& b) {
  const double words = coefficient_words(a) * coefficient_words(b);
  charge_terms(words * static_cast<double>(a.length()) * static_cast<double>(b.length()));
}

std::size_t Ring::add_generator() {
  if (count_ == relations_.size()) throw Exhausted();
  return count_++;
}

Poly Ring::generator(std::size_t index) {
  Poly result(*this);
  fmpz_mpoly_gen(result.raw(), static_cast<slong>(index), context_);
  return result;
}

Poly Ring::monomial(const std::vector<unsigned long>& exponents) {
  Poly result(*this);
  fmpz_mpoly_push_term_ui_ui(result.raw(), 1, exponents.data(), context_);
  return result;
}

void Ring::set_relation(std::size_t generator, unsigned long degree, Poly right_side) {
  relations_[generator].degree = degree;
  relations_[generator].powers.push_back(std::move(right_side));
  highest_relation_ = std::max(highest_relation_, generator + 1);
}

const Poly& Ring::relation_power(std::size_t generator, std::size_t exponent) {
  std::vector<Poly>& powers = relations_[generator].powers;
  while (powers.size() < exponent) powers.push_back(powers.back() * powers.front());
  return powers[exponent - 1];
}

// Σ cₖ gᵏ = Σ cₖ R^(k div d) g^(k mod d)
void Ring::reduce_in(Poly& p, std::size_t generator) {
  const long d = static_cast<long>(relations_[generator].degree);
  fmpz_mpoly_univar_t parts;
  fmpz_mpoly_univar_init(parts, context_);
  fmpz_mpoly_to_univar(parts, p.raw(), static_cast<slong>(generator), context_);
  std::vector<std::pair<long, Poly>> terms;
  for (slong i = 0; i < fmpz_mpoly_univar_length(parts, context_); ++i) {
    const long exponent = fmpz_mpoly_univar_get_term_exp_si(parts, i, context_);
    Poly coefficient(*this);
    fmpz_mpoly_univar_swap_term_coeff(coefficient.raw(), parts, i, context_);
    terms.emplace_back(exponent, std::move(coefficient));
  }
  fmpz_mpoly_univar_clear(parts, context_);
  Poly result(*this);
  std::vector<unsigned long> exponents(capacity());
  for (auto& [exponent, coefficient] : terms) {
    if (exponent >= d) {
      const Poly& right = relation_power(generator, static_cast<std::size_t>(exponent / d));
      charge_product(coefficient, right);
      fmpz_mpoly_mul(coefficient.raw(), coefficient.raw(), right.raw(), context_);
    }
    if (exponent % d != 0) {
      exponents[generator] = static_cast<unsigned long>(exponent % d);
      fmpz_mpoly_mul(coefficient.raw(), coefficient.raw(), monomial(exponents).raw(), context_);
    }
    fmpz_mpoly_add(result.raw(), result.raw(), coefficient.raw(), context_);
  }
  p = std::move(result);
}

void Ring::reduce(Poly& p) {
  if (highest_relation_ == 0 || p.is_zero()) return;
  std::vector<long> degree = p.degrees();
  std::vector<std::size_t> above;  // generators with powers that their relations say something about
  for (std::size_t g = 0; g < highest_relation_; ++g) {
    if (relations_[g].degree != 0 && degree[g] >= static_cast<long>(relations_[g].degree)) above.push_back(g);
  }
  if (above.empty()) return;
  if (above.size() < 2) {
    sweep(p, std::move(degree));
    return;
  }
  // of a long sum often a few terms: the squares of a square
  Poly done(*this), rest(*this);
  std::vector<unsigned long> exponents(capacity());
  for (std::size_t k = 0; k < p.length(); ++k) {
    fmpz_mpoly_get_term_exp_ui(exponents.data(), p.raw(), static_cast<slong>(k), context_);
    const bool high = std::ranges::any_of(above, [&](std::size_t g) { return exponents[g] >= relations_[g].degree; });
    (high ? rest : done).push_term(exponents, p, k);
  }
  sweep(rest, rest.degrees());
  fmpz_mpoly_add(p.raw(), done.raw(), rest.raw(), context_);
}

void Ring::sweep(Poly& p, std::vector<long> degree) {
  // Right sides lie in earlier generators, so one sweep downwards is enough.
  for (std::size_t g = highest_relation_; g-- > 0;) {
    const unsigned long d = relations_[g].degree;
    if (d == 0 || degree[g] < static_cast<long>(d)) continue;
    reduce_in(p, g);
    if (p.is_zero()) return;
    degree = p.degrees();
  }
}

std::size_t Ring::denominator_index(const Poly& p) {
  for (std::size_t i = 0; i < denominators_.size(); ++i) {
    if (denominators_[i].poly == p) return i;
  }
  std::optional<std::size_t> generator;
  for (std::size_t g = 0; g < count_ && p.length() == 1 && p.total_degree() == 1; ++g) {
    if (fmpz_mpoly_is_gen(p.raw(), static_cast<slong>(g), context_) != 0) generator = g;
  }
  denominators_.push_back({p, generator});
  return denominators_.size() - 1;
}

}  // namespace cetaev::algebra
