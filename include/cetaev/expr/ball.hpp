// Real numbers with a bound of their error.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// A real number known to lie within a radius of a midpoint. The result of an operation contains what the operation makes of
// every number in its operands; where it is not defined for one of them, the result is a ball that is not finite.
//
// The operators round midpoints to `working_bits`. Where another precision is wanted, or no temporary, a ball is told what to
// become; it may itself be an operand.
class Ball {
 public:
  static constexpr long working_bits = 320;  // sixty digits with room to lose thirty

  Ball();  // zero
  explicit Ball(const Rational& value, long bits = 128);
  static Ball from_double(double value);
  // Every number between these two.
  static Ball between(double low, double high);
  // Every real number.
  static Ball anything();
  Ball(const Ball& other);
  Ball(Ball&& other) noexcept;
  Ball& operator=(const Ball& other);
  Ball& operator=(Ball&& other) noexcept;
  ~Ball();

  bool is_finite() const;
  bool contains_zero() const;
  bool is_exact_zero() const;
  // Every number in it is.
  bool is_negative() const;
  bool contains(const Rational& value) const;
  bool overlaps(const Ball& other) const;
  double midpoint() const;
  double radius() const;
  // Doubles that no number in it is below, and above.
  double lower() const;
  double upper() const;
  // The midpoint as a ball of radius zero.
  Ball center() const;
  // An upper bound of |value|, and its log10: −infinity for exact zero.
  double magnitude() const;
  double magnitude_log10() const;
  // Decimal digits, as many as are certain, at most this many.
  std::string to_string(int digits = 30) const;

  friend Ball operator+(const Ball& a, const Ball& b);
  friend Ball operator-(const Ball& a, const Ball& b);
  friend Ball operator*(const Ball& a, const Ball& b);
  friend Ball operator/(const Ball& a, const Ball& b);
  friend Ball operator-(const Ball& a);
  friend Ball abs(const Ball& a);
  friend Ball sqrt(const Ball& a);
  Ball& operator+=(const Ball& b);
  Ball& operator-=(const Ball& b);
  Ball& operator*=(const Ball& b);
  Ball& operator/=(const Ball& b);

  void set(long value);
  void set(double value);
  void set(const Rational& value, long bits);
  void set(const Ball& value, long bits);
  void set_pi(long bits);
  void set_sum(const Ball& a, const Ball& b, long bits);
  void set_difference(const Ball& a, const Ball& b, long bits);
  void set_product(const Ball& a, const Ball& b, long bits);
  void set_product(const Ball& a, long b, long bits);
  void set_quotient(const Ball& a, const Ball& b, long bits);
  void set_quotient(const Ball& a, long b, long bits);
  void set_negative(const Ball& a);
  // Rational powers of negative numbers are not defined unless the exponent is an integer.
  void set_power(const Ball& base, const Rational& exponent, long bits);
  void set_power(const Ball& base, const Ball& exponent, long bits);
  void set_function(Function f, const Ball& x, long bits);                 // of one argument
  void set_function(Function f, const Ball& x, const Ball& y, long bits);  // of two
  // += a b, −= a b
  void add_product(const Ball& a, const Ball& b, long bits);
  void subtract_product(const Ball& a, const Ball& b, long bits);
  // += Σ xᵢ yₙ₋₁₋ᵢ of n balls each
  void add_convolution(const Ball* x, const Ball* y, std::size_t n, long bits);

 private:
  friend struct BallInside;
  // An Arb ball, whose type stays out of this header.
  alignas(std::int64_t) std::array<std::byte, 48> storage_;
};

// A X = B for an n × n matrix and an n × m one, both row after row; B becomes X. False where A may be singular.
bool solve_in_balls(std::span<const Ball> a, std::span<Ball> b, std::size_t n, std::size_t m, long bits);

struct ComplexBall {
  Ball re, im;
};
// The eigenvalues of an n × n matrix, row after row, each as often as it counts; those that cannot be told apart have one enclosure.
// Nothing where there is none.
std::optional<std::vector<ComplexBall>> eigenvalues_in_balls(std::span<const Ball> a, std::size_t n, long bits);
// Is a symmetric matrix, whose lower half alone is read, positive definite for certain?
bool positive_definite_in_balls(std::span<const Ball> a, std::size_t n, long bits);

}  // namespace cetaev
