// Exact rational numbers of any size.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cetaev {

// A fraction in lowest terms with a positive denominator. Small values live in two words; large ones are FLINT integers,
// whose type stays out of this header. Division by zero and numbers of millions of digits are bad-model.
class Rational {
 public:
  Rational() = default;
  Rational(long value);  // NOLINT(google-explicit-constructor): an integer is a rational
  Rational(int value) : Rational(static_cast<long>(value)) {}  // NOLINT(google-explicit-constructor)
  Rational(long numerator, long denominator);
  Rational(const Rational& other);
  Rational(Rational&& other) noexcept;
  Rational& operator=(const Rational& other);
  Rational& operator=(Rational&& other) noexcept;
  ~Rational();

  // Decimal text as the model language has it: 12, 0.25, 1e-3, 2.5E+7; nothing if it is not a number. The caller bounds the length.
  static std::optional<Rational> parse(std::string_view text);

  bool is_zero() const { return words_[0] == 0; }
  bool is_one() const { return words_[0] == 1 && words_[1] == 1; }
  bool is_integer() const { return words_[1] == 1; }
  int sign() const;
  bool is_even() const;  // an even integer
  // The value as a machine integer, when it is an integer that fits.
  std::optional<long> to_long() const;
  // The nearest double (round half to even); ±infinity beyond the range.
  double to_double() const;
  // "-3/4", "17"
  std::string to_string() const;
  // Bits of the numerator and the denominator together.
  std::size_t bits() const;
  std::uint64_t hash() const;

  Rational numerator() const;
  Rational denominator() const;
  Rational floor() const;
  Rational abs() const;
  Rational inverse() const;
  Rational power(long exponent) const;
  // The exact root of this degree, when there is one: root(2) of 9/4 is 3/2. Only of non-negative values.
  std::optional<Rational> root(unsigned long degree) const;

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a);
  Rational& operator+=(const Rational& b) { return *this = *this + b; }
  Rational& operator*=(const Rational& b) { return *this = *this * b; }
  friend bool operator==(const Rational& a, const Rational& b);
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);

  friend Rational gcd(const Rational& a, const Rational& b);  // the greatest g with a/g and b/g integers

  // Two FLINT integers (fmpz), for the implementation files that speak FLINT.
  const long* words() const { return words_; }
  long* words() { return words_; }

 private:
  long words_[2] = {0, 1};  // numerator, denominator
};

}  // namespace cetaev
