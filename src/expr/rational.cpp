#include "cetaev/expr/rational.hpp"

#include <arf.h>
#include <flint/fmpq.h>
#include <flint/fmpz.h>

#include <cmath>
#include <limits>
#include <utility>

#include "cetaev/error.hpp"

namespace cetaev {

static_assert(sizeof(fmpq) == 2 * sizeof(long));

namespace {

// A number that would fill the memory is a mistake in the model, not a computation to be attempted.
constexpr std::size_t largest_bits = std::size_t{1} << 20;

fmpq* raw(Rational& r) { return reinterpret_cast<fmpq*>(r.words()); }
const fmpq* raw(const Rational& r) { return reinterpret_cast<const fmpq*>(r.words()); }

void refuse_if_too_large(std::size_t bits) {
  if (bits > largest_bits) throw Error(ErrorCode::bad_model, "a constant of this model has millions of digits");
}

// FLINT would end the process.
void refuse_zero(bool zero) {
  if (zero) throw Error(ErrorCode::bad_model, "division by zero");
}

// The integer nearest to r/2^exponent, even when two are equally near; small enough to be a double.
double rounded_multiple(const Rational& r, long exponent) {
  const Rational scaled = r * Rational(2).power(-exponent);
  Rational whole = scaled.floor();
  const Rational rest = scaled - whole;
  const Rational half(1, 2);
  if (rest > half || (rest == half && !whole.is_even())) whole += Rational(1);
  return static_cast<double>(*whole.to_long());
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

Rational::Rational(long value) { fmpz_set_si(words_, value); }

Rational::Rational(long numerator, long denominator) {
  refuse_zero(denominator == 0);
  fmpz_set_si(words_, numerator);
  fmpz_set_si(words_ + 1, denominator);
  fmpq_canonicalise(raw(*this));
}

Rational::Rational(const Rational& other) {
  if (COEFF_IS_MPZ(other.words_[0]) || COEFF_IS_MPZ(other.words_[1])) {
    fmpq_set(raw(*this), raw(other));
  } else {
    words_[0] = other.words_[0];
    words_[1] = other.words_[1];
  }
}

Rational::Rational(Rational&& other) noexcept {
  std::swap(words_[0], other.words_[0]);
  std::swap(words_[1], other.words_[1]);
}

Rational& Rational::operator=(const Rational& other) {
  fmpq_set(raw(*this), raw(other));
  return *this;
}

Rational& Rational::operator=(Rational&& other) noexcept {
  std::swap(words_[0], other.words_[0]);
  std::swap(words_[1], other.words_[1]);
  return *this;
}

Rational::~Rational() {
  if (COEFF_IS_MPZ(words_[0]) || COEFF_IS_MPZ(words_[1])) fmpq_clear(raw(*this));
}

std::optional<Rational> Rational::parse(std::string_view text) {
  // digits [ . digits ] [ (e|E) [sign] digits ], with at least one digit before the exponent
  std::size_t i = 0;
  bool negative = false;
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) negative = text[i++] == '-';
  std::string digits;
  long scale = 0;  // digits after the point
  while (i < text.size() && is_digit(text[i])) digits += text[i++];
  if (i < text.size() && text[i] == '.') {
    ++i;
    while (i < text.size() && is_digit(text[i])) {
      digits += text[i++];
      ++scale;
    }
  }
  if (digits.empty()) return std::nullopt;
  long exponent = 0;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    bool down = false;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) down = text[i++] == '-';
    if (i == text.size()) return std::nullopt;
    while (i < text.size() && is_digit(text[i])) {
      exponent = 10 * exponent + (text[i++] - '0');
      refuse_if_too_large(static_cast<std::size_t>(exponent));
    }
    if (down) exponent = -exponent;
  }
  if (i != text.size()) return std::nullopt;
  refuse_if_too_large(4 * digits.size());

  Rational value;
  fmpz_set_str(value.words_, digits.c_str(), 10);
  value = value * Rational(10).power(exponent - scale);
  return negative ? -value : value;
}

int Rational::sign() const { return fmpz_sgn(words_); }

bool Rational::is_even() const { return is_integer() && fmpz_is_even(words_); }

std::optional<long> Rational::to_long() const {
  if (!is_integer() || !fmpz_fits_si(words_)) return std::nullopt;
  return fmpz_get_si(words_);
}

double Rational::to_double() const {
  // Machine integers up to 2^53 are exact doubles and their quotient is rounded correctly by the processor.
  constexpr long exact = 1L << 53;
  if (!COEFF_IS_MPZ(words_[0]) && !COEFF_IS_MPZ(words_[1]) && words_[0] <= exact && words_[0] >= -exact &&
      words_[1] <= exact) {
    return static_cast<double>(words_[0]) / static_cast<double>(words_[1]);
  }
  arf_t numerator, denominator, quotient;
  arf_init(numerator);
  arf_init(denominator);
  arf_init(quotient);
  arf_set_fmpz(numerator, words_);
  arf_set_fmpz(denominator, words_ + 1);
  arf_div(quotient, numerator, denominator, 53, ARF_RND_NEAR);
  double result = 0;
  if (arf_cmpabs_2exp_si(quotient, 1024) >= 0) {
    result = sign() * std::numeric_limits<double>::infinity();
  } else if (arf_cmpabs_2exp_si(quotient, -1022) >= 0) {
    result = arf_get_d(quotient, ARF_RND_NEAR);
  } else if (arf_cmpabs_2exp_si(quotient, -1080) > 0) {
    // Subnormal numbers have fewer bits: round once, to a multiple of 2^-1074.
    result = std::ldexp(rounded_multiple(*this, -1074), -1074);
  }
  arf_clear(numerator);
  arf_clear(denominator);
  arf_clear(quotient);
  return result;
}

std::string Rational::to_string() const {
  char* text = fmpq_get_str(nullptr, 10, raw(*this));
  std::string result(text);
  flint_free(text);
  return result;
}

std::size_t Rational::bits() const { return fmpz_bits(words_) + fmpz_bits(words_ + 1); }

std::uint64_t Rational::hash() const {
  const auto mix = [](std::uint64_t h) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdULL;
    h ^= h >> 33;
    return h;
  };
  const auto word = [](const fmpz* z) -> std::uint64_t {
    if (!COEFF_IS_MPZ(*z)) return static_cast<std::uint64_t>(*z);
    return fmpz_fdiv_ui(z, 0xffffffffffffffc5UL) ^ (fmpz_sgn(z) < 0 ? 0x9e3779b97f4a7c15UL : 0);
  };
  return mix(word(words_) + 0x9e3779b97f4a7c15ULL) ^ (mix(word(words_ + 1)) * 31);
}

Rational Rational::numerator() const {
  Rational r;
  fmpz_set(r.words_, words_);
  return r;
}

Rational Rational::denominator() const {
  Rational r;
  fmpz_set(r.words_, words_ + 1);
  return r;
}

Rational Rational::floor() const {
  Rational r;
  fmpz_fdiv_q(r.words_, words_, words_ + 1);
  return r;
}

Rational Rational::abs() const {
  Rational r;
  fmpq_abs(raw(r), raw(*this));
  return r;
}

Rational Rational::inverse() const {
  refuse_zero(is_zero());
  Rational r;
  fmpq_inv(raw(r), raw(*this));
  return r;
}

Rational Rational::power(long exponent) const {
  refuse_zero(is_zero() && exponent < 0);
  if (!is_zero()) {
    const auto size = static_cast<std::size_t>(exponent < 0 ? -exponent : exponent);
    const bool unit = bits() <= 2;  // 1 and −1
    if (!unit && size > largest_bits) refuse_if_too_large(size);
    if (!unit) refuse_if_too_large(size * (bits() - 1));
  }
  Rational r;
  fmpq_pow_si(raw(r), raw(*this), exponent);
  return r;
}

std::optional<Rational> Rational::root(unsigned long degree) const {
  Rational r;
  if (!fmpz_root(r.words_, words_, static_cast<slong>(degree))) return std::nullopt;
  if (!fmpz_root(r.words_ + 1, words_ + 1, static_cast<slong>(degree))) return std::nullopt;
  return r;
}

Rational operator+(const Rational& a, const Rational& b) {
  Rational r;
  fmpq_add(raw(r), raw(a), raw(b));
  if (COEFF_IS_MPZ(r.words_[0]) || COEFF_IS_MPZ(r.words_[1])) refuse_if_too_large(r.bits());
  return r;
}

Rational operator-(const Rational& a, const Rational& b) {
  Rational r;
  fmpq_sub(raw(r), raw(a), raw(b));
  if (COEFF_IS_MPZ(r.words_[0]) || COEFF_IS_MPZ(r.words_[1])) refuse_if_too_large(r.bits());
  return r;
}

Rational operator*(const Rational& a, const Rational& b) {
  Rational r;
  fmpq_mul(raw(r), raw(a), raw(b));
  if (COEFF_IS_MPZ(r.words_[0]) || COEFF_IS_MPZ(r.words_[1])) refuse_if_too_large(r.bits());
  return r;
}

Rational operator/(const Rational& a, const Rational& b) {
  refuse_zero(b.is_zero());
  Rational r;
  fmpq_div(raw(r), raw(a), raw(b));
  if (COEFF_IS_MPZ(r.words_[0]) || COEFF_IS_MPZ(r.words_[1])) refuse_if_too_large(r.bits());
  return r;
}

Rational operator-(const Rational& a) {
  Rational r;
  fmpq_neg(raw(r), raw(a));
  return r;
}

bool operator==(const Rational& a, const Rational& b) { return fmpq_equal(raw(a), raw(b)) != 0; }

std::strong_ordering operator<=>(const Rational& a, const Rational& b) { return fmpq_cmp(raw(a), raw(b)) <=> 0; }

Rational gcd(const Rational& a, const Rational& b) {
  // gcd(p/q, r/s) = gcd(p s, r q) / (q s)
  Rational r;
  fmpq_gcd(raw(r), raw(a), raw(b));
  return r;
}

}  // namespace cetaev
