// Real numbers with a bound of their error: Arb balls of a fixed precision as values.
#pragma once

#include <arb.h>

#include <cmath>
#include <cstddef>

#include "../expr/ball_data.hpp"
#include "cetaev/expr/evaluate.hpp"

namespace cetaev {

template <slong bits>
class Enclosed {
 public:
  // What is below this times its scale is zero: some digits are lost on the way.
  static constexpr double zero = bits >= 320 ? 1e-60 : 1e-20;

  Enclosed() { arb_init(value_); }
  ~Enclosed() { arb_clear(value_); }
  Enclosed(const Enclosed& other) : Enclosed() { arb_set(value_, other.value_); }
  Enclosed(Enclosed&& other) noexcept : Enclosed() { arb_swap(value_, other.value_); }
  Enclosed& operator=(const Enclosed& other) {
    arb_set(value_, other.value_);
    return *this;
  }
  Enclosed& operator=(Enclosed&& other) noexcept {
    arb_swap(value_, other.value_);
    return *this;
  }

  explicit Enclosed(const Ball& ball) : Enclosed() { arb_set_round(value_, ball.data().value, bits); }
  static Enclosed constant(const Rational& r) {
    Enclosed x;
    set_rational(x.value_, r, bits);
    return x;
  }
  static Enclosed pi() {
    Enclosed x;
    arb_const_pi(x.value_, bits);
    return x;
  }

  void clear() { arb_zero(value_); }
  void set(long n) { arb_set_si(value_, n); }
  void set(double x) { arb_set_d(value_, x); }
  bool is_exact_zero() const { return arb_is_zero(value_) != 0; }
  bool is_finite() const { return arb_is_finite(value_) != 0; }
  bool contains_zero() const { return arb_contains_zero(value_) != 0; }
  bool is_negative() const { return arb_is_negative(value_) != 0; }
  // |midpoint|, radius and an upper bound of |value|
  double midpoint() const { return arf_get_d(arb_midref(value_), ARF_RND_NEAR); }
  double radius() const { return mag_get_d(arb_radref(value_)); }
  double magnitude() const {
    mag_t m;
    mag_init(m);
    arb_get_mag(m, value_);
    const double result = mag_get_d(m);
    mag_clear(m);
    return result;
  }

  Enclosed& operator+=(const Enclosed& b) { return arb_add(value_, value_, b.value_, bits), *this; }
  Enclosed& operator-=(const Enclosed& b) { return arb_sub(value_, value_, b.value_, bits), *this; }
  Enclosed& operator*=(const Enclosed& b) { return arb_mul(value_, value_, b.value_, bits), *this; }
  Enclosed& operator/=(const Enclosed& b) { return arb_div(value_, value_, b.value_, bits), *this; }
  Enclosed& operator*=(long n) { return arb_mul_si(value_, value_, n, bits), *this; }
  Enclosed& operator/=(long n) { return arb_div_si(value_, value_, n, bits), *this; }
  void negate() { arb_neg(value_, value_); }
  void add_product(const Enclosed& a, const Enclosed& b) { arb_addmul(value_, a.value_, b.value_, bits); }
  void subtract_product(const Enclosed& a, const Enclosed& b) { arb_submul(value_, a.value_, b.value_, bits); }

  // += Σ x[i] y[n−1−i]
  void add_convolution(const Enclosed* x, const Enclosed* y, std::size_t n) {
    arb_dot(value_, value_, 0, x->value_, 1, (y + n - 1)->value_, -1, static_cast<slong>(n), bits);
  }

  static Enclosed root(const Enclosed& x) {
    Enclosed y;
    arb_sqrt(y.value_, x.value_, bits);
    return y;
  }
  static Enclosed apply(Function f, const Enclosed& x) {
    Enclosed y;
    apply_in_balls(y.value_, f, x.value_, bits);
    return y;
  }
  static Enclosed power(const Enclosed& x, const Enclosed& p) {
    Enclosed y;
    arb_pow(y.value_, x.value_, p.value_, bits);
    return y;
  }
  static Enclosed arctangent2(const Enclosed& y, const Enclosed& x) {
    Enclosed z;
    arb_atan2(z.value_, y.value_, x.value_, bits);
    return z;
  }

 private:
  arb_t value_;
};
// Sixty digits with room to lose thirty, and a quicker kind whose numbers fit in two words.
using Precise = Enclosed<320>;
using Quick = Enclosed<128>;
static_assert(sizeof(Precise) == sizeof(arb_struct), "arrays of enclosed numbers are read as vectors of arb_struct");

}  // namespace cetaev
