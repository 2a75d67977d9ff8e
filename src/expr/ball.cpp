// Balls are Arb's; this file, ball_systems.cpp and ball_eigenvalues.cpp are the only ones that know it.
#include <arb.h>
#include <flint/fmpq.h>

#include <cmath>
#include <limits>

#include "ball_inside.hpp"
#include "cetaev/detail/expr/elliptic_orders.hpp"
#include "elliptic_balls.hpp"

namespace cetaev {

namespace {

// Known to no more than six digits, or not even by its sign: it stands for an interval, not for a number with rounding.
bool is_wide(arb_srcptr x) { return !arb_is_zero(x) && arb_rel_accuracy_bits(x) < 20; }

// The ends of an interval, and what a function makes of them; what lies between follows where it only rises or only falls.
class Ends {
 public:
  Ends(arb_srcptr x, long bits) : bits_(bits) {
    arb_init(low_);
    arb_init(high_);
    arb_get_lbound_arf(arb_midref(low_), x, bits);
    arb_get_ubound_arf(arb_midref(high_), x, bits);
  }
  ~Ends() {
    arb_clear(low_);
    arb_clear(high_);
  }
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;

  template <typename F>
  void apply(F f) {
    f(low_);
    f(high_);
  }
  bool are_finite() const { return arb_is_finite(low_) && arb_is_finite(high_); }
  void join(arb_ptr out) const { arb_union(out, low_, high_, bits_); }

 private:
  long bits_;
  arb_t low_, high_;
};

// xⁿ, which products, knowing nothing of each other, would make wider.
void wide_power(arb_ptr out, arb_srcptr x, ulong n, long bits) {
  if (n % 2 == 0 && arb_contains_zero(x)) {
    mag_t largest;
    mag_init(largest);
    arb_get_mag(largest, x);
    mag_pow_ui(largest, largest, n);
    arf_set_mag(arb_midref(out), largest);
    arf_mul_2exp_si(arb_midref(out), arb_midref(out), -1);
    mag_mul_2exp_si(arb_radref(out), largest, -1);
    mag_clear(largest);
    return;
  }
  Ends ends(x, bits);
  ends.apply([&](arb_ptr end) { arb_pow_ui(end, end, n, bits); });
  ends.join(out);
}

// A function that only rises or only falls; where it is not defined at the ends, of the ball itself.
void monotone(void (*f)(arb_t, const arb_t, slong), arb_ptr out, arb_srcptr x, long bits) {
  if (is_wide(x) && arb_is_finite(x)) {
    Ends ends(x, bits);
    ends.apply([&](arb_ptr end) { f(end, end, bits); });
    if (ends.are_finite()) {
      ends.join(out);
      return;
    }
  }
  f(out, x, bits);
}

const fmpq* fraction(const Rational& r) { return reinterpret_cast<const fmpq*>(r.words()); }

}  // namespace

Ball::Ball() { arb_init(inside(*this)); }
Ball::Ball(const Rational& value, long bits) : Ball() { set(value, bits); }
Ball::Ball(const Ball& other) : Ball() { arb_set(inside(*this), inside(other)); }
Ball::Ball(Ball&& other) noexcept : Ball() { arb_swap(inside(*this), inside(other)); }
Ball::~Ball() { arb_clear(inside(*this)); }

Ball& Ball::operator=(const Ball& other) {
  arb_set(inside(*this), inside(other));
  return *this;
}

Ball& Ball::operator=(Ball&& other) noexcept {
  arb_swap(inside(*this), inside(other));
  return *this;
}

Ball Ball::from_double(double value) {
  Ball ball;
  ball.set(value);
  return ball;
}

Ball Ball::between(double low, double high) {
  Ball ball;
  arf_t ends[2];
  for (arf_struct* end : {ends[0], ends[1]}) arf_init(end);
  arf_set_d(ends[0], low);
  arf_set_d(ends[1], high);
  arb_set_interval_arf(inside(ball), ends[0], ends[1], working_bits);
  for (arf_struct* end : {ends[0], ends[1]}) arf_clear(end);
  return ball;
}

Ball Ball::anything() {
  Ball ball;
  arb_zero_pm_inf(inside(ball));
  return ball;
}

bool Ball::is_finite() const { return arb_is_finite(inside(*this)) != 0; }
bool Ball::contains_zero() const { return arb_contains_zero(inside(*this)) != 0; }
bool Ball::is_exact_zero() const { return arb_is_zero(inside(*this)) != 0; }
bool Ball::is_negative() const { return arb_is_negative(inside(*this)) != 0; }
bool Ball::contains(const Rational& value) const { return arb_contains_fmpq(inside(*this), fraction(value)) != 0; }
bool Ball::overlaps(const Ball& other) const { return arb_overlaps(inside(*this), inside(other)) != 0; }
double Ball::midpoint() const { return arf_get_d(arb_midref(inside(*this)), ARF_RND_NEAR); }
double Ball::radius() const { return mag_get_d(arb_radref(inside(*this))); }

double Ball::lower() const {
  if (!is_finite()) return -std::numeric_limits<double>::infinity();
  arf_t bound;
  arf_init(bound);
  arb_get_lbound_arf(bound, inside(*this), working_bits);
  const double result = arf_get_d(bound, ARF_RND_FLOOR);
  arf_clear(bound);
  return result;
}

double Ball::upper() const { return -(-*this).lower(); }

Ball Ball::center() const {
  Ball result;
  arb_get_mid_arb(inside(result), inside(*this));
  return result;
}

double Ball::magnitude() const {
  mag_t bound;
  mag_init(bound);
  arb_get_mag(bound, inside(*this));
  const double result = mag_get_d(bound);
  mag_clear(bound);
  return result;
}

double Ball::magnitude_log10() const {
  if (is_exact_zero()) return -std::numeric_limits<double>::infinity();
  if (!is_finite()) return std::numeric_limits<double>::infinity();
  mag_t bound;
  mag_init(bound);
  arb_get_mag(bound, inside(*this));
  // mag_get_d_log2_approx covers magnitudes far outside the range of doubles
  const double result = mag_get_d_log2_approx(bound) * std::log10(2.0);
  mag_clear(bound);
  return result;
}

std::string Ball::to_string(int digits) const {
  char* text = arb_get_str(inside(*this), digits, ARB_STR_NO_RADIUS);
  std::string result(text);
  flint_free(text);
  return result;
}

Ball& Ball::operator+=(const Ball& b) { return set_sum(*this, b, working_bits), *this; }
Ball& Ball::operator-=(const Ball& b) { return set_difference(*this, b, working_bits), *this; }
Ball& Ball::operator*=(const Ball& b) { return set_product(*this, b, working_bits), *this; }
Ball& Ball::operator/=(const Ball& b) { return set_quotient(*this, b, working_bits), *this; }

Ball operator+(const Ball& a, const Ball& b) { return Ball(a) += b; }
Ball operator-(const Ball& a, const Ball& b) { return Ball(a) -= b; }
Ball operator*(const Ball& a, const Ball& b) { return Ball(a) *= b; }
Ball operator/(const Ball& a, const Ball& b) { return Ball(a) /= b; }

Ball operator-(const Ball& a) {
  Ball result;
  result.set_negative(a);
  return result;
}

Ball abs(const Ball& a) {
  Ball result;
  arb_abs(inside(result), inside(a));
  return result;
}

Ball sqrt(const Ball& a) {
  Ball result;
  arb_sqrt(inside(result), inside(a), Ball::working_bits);
  return result;
}

void Ball::set(long value) { arb_set_si(inside(*this), value); }
void Ball::set(double value) { arb_set_d(inside(*this), value); }
void Ball::set(const Rational& value, long bits) { arb_set_fmpq(inside(*this), fraction(value), bits); }
void Ball::set(const Ball& value, long bits) { arb_set_round(inside(*this), inside(value), bits); }
void Ball::set_pi(long bits) { arb_const_pi(inside(*this), bits); }

void Ball::set_sum(const Ball& a, const Ball& b, long bits) { arb_add(inside(*this), inside(a), inside(b), bits); }

void Ball::set_difference(const Ball& a, const Ball& b, long bits) {
  arb_sub(inside(*this), inside(a), inside(b), bits);
}

void Ball::set_product(const Ball& a, const Ball& b, long bits) { arb_mul(inside(*this), inside(a), inside(b), bits); }
void Ball::set_product(const Ball& a, long b, long bits) { arb_mul_si(inside(*this), inside(a), b, bits); }
void Ball::set_quotient(const Ball& a, const Ball& b, long bits) { arb_div(inside(*this), inside(a), inside(b), bits); }
void Ball::set_quotient(const Ball& a, long b, long bits) { arb_div_si(inside(*this), inside(a), b, bits); }
void Ball::set_negative(const Ball& a) { arb_neg(inside(*this), inside(a)); }

void Ball::set_power(const Ball& base, const Rational& exponent, long bits) {
  const arb_ptr out = inside(*this);
  const arb_srcptr x = inside(base);
  if (exponent.is_one()) {
    arb_set(out, x);
  } else if (exponent == Rational(-1)) {
    arb_inv(out, x, bits);
  } else if (exponent.is_integer()) {
    const auto n = exponent.to_long();
    if (n && *n > 1 && is_wide(x)) {
      wide_power(out, x, static_cast<ulong>(*n), bits);
    } else {
      arb_pow_fmpz(out, x, exponent.words(), bits);
    }
  } else if (exponent == Rational(1, 2)) {
    arb_sqrt(out, x, bits);
  } else if (exponent == Rational(-1, 2)) {
    arb_rsqrt(out, x, bits);
  } else if (const auto degree = exponent.denominator().to_long(); degree && *degree <= 64) {
    // b^(p/q) = (b^(1/q))^p, the real root of a non-negative number
    arb_root_ui(out, x, static_cast<ulong>(*degree), bits);
    arb_pow_fmpz(out, out, exponent.words(), bits);
  } else {
    arb_pow(out, x, inside(Ball(exponent, bits)), bits);
  }
}

void Ball::set_power(const Ball& base, const Ball& exponent, long bits) {
  arb_pow(inside(*this), inside(base), inside(exponent), bits);
}

void Ball::set_function(Function f, const Ball& argument, long bits) {
  const arb_ptr out = inside(*this);
  const arb_srcptr x = inside(argument);
  switch (f) {
    case Function::sin: arb_sin(out, x, bits); break;
    case Function::cos: arb_cos(out, x, bits); break;
    case Function::tan: arb_tan(out, x, bits); break;
    case Function::asin: monotone(arb_asin, out, x, bits); break;
    case Function::acos: monotone(arb_acos, out, x, bits); break;
    case Function::atan: monotone(arb_atan, out, x, bits); break;
    case Function::sinh: monotone(arb_sinh, out, x, bits); break;
    case Function::cosh: arb_cosh(out, x, bits); break;
    case Function::tanh: monotone(arb_tanh, out, x, bits); break;
    case Function::asinh: monotone(arb_asinh, out, x, bits); break;
    case Function::acosh: monotone(arb_acosh, out, x, bits); break;
    case Function::atanh: monotone(arb_atanh, out, x, bits); break;
    case Function::exp: monotone(arb_exp, out, x, bits); break;
    case Function::log: monotone(arb_log, out, x, bits); break;
    case Function::abs: arb_abs(out, x); break;
    default: arb_indeterminate(out); break;
  }
}

void Ball::set_function(Function f, const Ball& a, const Ball& b, long bits) {
  const arb_ptr out = inside(*this);
  const arb_srcptr x = inside(a), y = inside(b);
  if (f == Function::atan2) {
    arb_atan2(out, x, y, bits);
  } else if (is_elliptic(f)) {
    elliptic::value(f, out, x, y, bits);
  } else {
    arb_indeterminate(out);
  }
}

void Ball::add_product(const Ball& a, const Ball& b, long bits) {
  arb_addmul(inside(*this), inside(a), inside(b), bits);
}

void Ball::subtract_product(const Ball& a, const Ball& b, long bits) {
  arb_submul(inside(*this), inside(a), inside(b), bits);
}

void Ball::add_convolution(const Ball* x, const Ball* y, std::size_t n, long bits) {
  arb_dot(inside(*this), inside(*this), 0, inside(*x), 1, inside(y[n - 1]), -1, static_cast<slong>(n), bits);
}

}  // namespace cetaev
