// Balls of a fixed precision as values.
#pragma once

#include <cstddef>

#include "cetaev/expr/ball.hpp"

namespace cetaev {

template <long bits>
class Enclosed {
 public:
  // What is below this times its scale is zero: some digits are lost on the way.
  static constexpr double zero = bits >= 320 ? 1e-60 : 1e-20;

  Enclosed() = default;
  explicit Enclosed(const Ball& ball) { value_.set(ball, bits); }
  static Enclosed constant(const Rational& r) {
    Enclosed x;
    x.value_.set(r, bits);
    return x;
  }
  static Enclosed pi() {
    Enclosed x;
    x.value_.set_pi(bits);
    return x;
  }

  void clear() { value_.set(0L); }
  void set(long n) { value_.set(n); }
  void set(double x) { value_.set(x); }
  bool is_exact_zero() const { return value_.is_exact_zero(); }
  bool is_finite() const { return value_.is_finite(); }
  bool contains_zero() const { return value_.contains_zero(); }
  bool is_negative() const { return value_.is_negative(); }
  double midpoint() const { return value_.midpoint(); }
  double radius() const { return value_.radius(); }
  double magnitude() const { return value_.magnitude(); }

  Enclosed& operator+=(const Enclosed& b) { return value_.set_sum(value_, b.value_, bits), *this; }
  Enclosed& operator-=(const Enclosed& b) { return value_.set_difference(value_, b.value_, bits), *this; }
  Enclosed& operator*=(const Enclosed& b) { return value_.set_product(value_, b.value_, bits), *this; }
  Enclosed& operator/=(const Enclosed& b) { return value_.set_quotient(value_, b.value_, bits), *this; }
  Enclosed& operator*=(long n) { return value_.set_product(value_, n, bits), *this; }
  Enclosed& operator/=(long n) { return value_.set_quotient(value_, n, bits), *this; }
  void negate() { value_.set_negative(value_); }
  void add_product(const Enclosed& a, const Enclosed& b) { value_.add_product(a.value_, b.value_, bits); }
  void subtract_product(const Enclosed& a, const Enclosed& b) { value_.subtract_product(a.value_, b.value_, bits); }

  // += Σ x[i] y[n−1−i]
  void add_convolution(const Enclosed* x, const Enclosed* y, std::size_t n) {
    static_assert(sizeof(Enclosed) == sizeof(Ball), "arrays of enclosed numbers are read as arrays of balls");
    value_.add_convolution(&x->value_, &y->value_, n, bits);
  }

  static Enclosed root(const Enclosed& x) {
    Enclosed y;
    y.value_.set_power(x.value_, Rational(1, 2), bits);
    return y;
  }
  static Enclosed apply(Function f, const Enclosed& x) {
    Enclosed y;
    y.value_.set_function(f, x.value_, bits);
    return y;
  }
  static Enclosed power(const Enclosed& x, const Enclosed& p) {
    Enclosed y;
    y.value_.set_power(x.value_, p.value_, bits);
    return y;
  }
  static Enclosed apply(Function f, const Enclosed& x, const Enclosed& y) {
    Enclosed z;
    z.value_.set_function(f, x.value_, y.value_, bits);
    return z;
  }

 private:
  Ball value_;
};
// Sixty digits with room to lose thirty, and a quicker kind whose numbers fit in two words.
using Precise = Enclosed<Ball::working_bits>;
using Quick = Enclosed<128>;

}  // namespace cetaev
