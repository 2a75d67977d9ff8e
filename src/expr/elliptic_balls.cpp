#include "elliptic_balls.hpp"

#include <acb_elliptic.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cetaev/detail/expr/elliptic_orders.hpp"

#include "ball_digits.hpp"
#include "ball_inside.hpp"
#include "elliptic.hpp"

namespace cetaev::elliptic {

namespace {

// Bits that differences usually cost, and so many times the bits wanted are the most that are tried.
constexpr long guard = 64;
constexpr long most = 256;
constexpr int most_steps = 100;  // of Newton's method, which needs a few

class Complex {
 public:
  Complex() { acb_init(x_); }
  explicit Complex(const Ball& re) : Complex() { acb_set_arb(x_, inside(re)); }
  ~Complex() { acb_clear(x_); }
  Complex(const Complex&) = delete;
  Complex& operator=(const Complex&) = delete;
  acb_ptr get() { return x_; }
  Ball real() {
    Ball result;
    arb_set(inside(result), acb_realref(x_));
    return result;
  }

 private:
  acb_t x_;
};

Ball nothing() {
  Ball result;
  arb_indeterminate(inside(result));
  return result;
}

bool is_positive(const Ball& a) { return arb_is_positive(inside(a)) != 0; }

// At one number φ = n π + r.
Ball integral_at(Function f, const Ball& phi, const Ball& m, long bits) {
  const BallDigits d{bits};
  const Ball one(Rational(1), bits);
  Ball pi;
  pi.set_pi(bits);
  Ball n;
  arb_floor(inside(n), inside(d.sum(d.quotient(phi, pi), Ball(Rational(1, 2), bits))), bits);
  if (!arb_is_exact(inside(n))) return nothing();
  const bool reduced = arb_is_zero(inside(n)) != 0;
  const Ball r = d.difference(phi, d.product(n, pi));
  const Ball s = d.value(Function::sin, r), c2 = d.square(d.value(Function::cos, r)), s2 = d.square(s);
  const bool is_first = f == Function::elliptic_f;
  // ∫ |cos θ| dθ
  if (!is_first && arb_is_one(inside(m))) return d.sum(d.sum(n, n), s);
  const Ball rest = d.difference(one, m);
  const Ball square = d.sum(c2, d.product(rest, s2));  // 1 − m sin²φ
  if (!is_positive(square) || !(reduced || is_positive(rest))) return nothing();
  Complex x(c2), y(square), z(one), parameter(m), value;
  acb_elliptic_rf(value.get(), x.get(), y.get(), z.get(), 0, bits);
  Ball result = d.product(s, value.real());
  if (!is_first) {
    // E = F − m/3 sin³φ R_D
    acb_elliptic_rj(value.get(), x.get(), y.get(), z.get(), z.get(), 0, bits);
    const Ball cube = d.quotient(d.product(d.product(s, s2), m), Ball(Rational(3), bits));
    result = d.difference(result, d.product(cube, value.real()));
  }
  if (reduced) return result;
  (is_first ? acb_elliptic_k : acb_elliptic_e)(value.get(), parameter.get(), bits);
  return d.sum(result, d.product(d.sum(n, n), value.real()));
}

// ∫ √(1 − m sin²θ) dθ and the like over a ball: they rise with φ, and the ends will do.
Ball integral_over(Function f, const Ball& phi, const Ball& m, long bits) {
  Ball low, high;
  arb_get_lbound_arf(arb_midref(inside(low)), inside(phi), bits - guard / 2);
  arb_get_ubound_arf(arb_midref(inside(high)), inside(phi), bits - guard / 2);
  Ball result = integral_at(f, low, m, bits);
  if (!arb_equal(inside(low), inside(high)))
    arb_union(inside(result), inside(result), inside(integral_at(f, high, m, bits)), bits);
  return result;
}

// am(u, m) for m < 1 and u between −K and K, or not far beyond. From any φ₀, |am(u, m) − φ₀| ≤ |u − F(φ₀, m)| max dn, and dn ≤ max(1, √(1 − m)).
Ball amplitude_of_one_period(const Ball& u, const Ball& m, long bits) {
  Ball phi = Ball::from_double(roughly(u.midpoint(), m.midpoint()).am);
  const Ball middle_u = u.center(), middle_m = m.center();
  long now = std::min(2 * std::numeric_limits<double>::digits + guard, bits);
  for (int step = 0; step < most_steps; ++step) {
    // Newton's method: dφ = (u − F) dn
    const BallDigits d{now};
    const Ball square = d.product(middle_m, d.square(d.value(Function::sin, phi)));
    const Ball dn = d.root(d.difference(d.of(1), square));
    const Ball missing = d.difference(middle_u, integral_at(Function::elliptic_f, phi, middle_m, now));
    const Ball change = d.product(missing, dn);
    phi = d.sum(phi, change);
    if (!phi.is_finite()) return nothing();
    phi = phi.center();
    // the error is now about the square of the change
    const double size = std::max(change.magnitude_log10() / std::log10(2.0), -static_cast<double>(bits));
    if (now == bits && size < -static_cast<double>(bits) / 2) break;
    now = std::clamp(static_cast<long>(-2 * size) + guard, now, bits);
  }
  const BallDigits d{bits};
  const Ball off = d.difference(u, integral_at(Function::elliptic_f, phi, m, bits));
  const Ball root = d.root(d.difference(d.of(1), m));
  mag_t error, steepest;
  mag_init(error);
  mag_init(steepest);
  arb_get_mag(error, inside(off));
  arb_get_mag(steepest, inside(root));
  if (mag_cmp_2exp_si(steepest, 0) > 0) mag_mul(error, error, steepest);
  arb_add_error_mag(inside(phi), error);
  mag_clear(error);
  mag_clear(steepest);
  return phi;
}

// am(u, m) for m < 1: am(u + 2 n K, m) = am(u, m) + n π.
Ball amplitude_below_one(const Ball& u, const Ball& m, long bits) {
  const BallDigits d{bits};
  Complex parameter(m), complete;
  acb_elliptic_k(complete.get(), parameter.get(), bits);
  const Ball period = d.product(d.of(2), complete.real());
  Ball n = d.sum(d.quotient(u, period), Ball(Rational(1, 2)));
  if (!n.is_finite()) return nothing();
  arb_floor(inside(n), inside(n.center()), bits);
  n = n.center();
  if (n.is_exact_zero()) return amplitude_of_one_period(u, m, bits);
  Ball pi;
  pi.set_pi(bits);
  return d.sum(amplitude_of_one_period(d.difference(u, d.product(n, period)), m, bits), d.product(n, pi));
}

Ball jacobi_below_one(Function f, const Ball& u, const Ball& m, long bits) {
  const BallDigits d{bits};
  const Ball phi = amplitude_below_one(u, m, bits);
  if (f == Function::amplitude) return phi;
  if (f == Function::epsilon) return integral_over(Function::elliptic_e, phi, m, bits);
  const Ball c2 = d.square(d.value(Function::cos, phi)), s2 = d.square(d.value(Function::sin, phi));
  return d.root(d.sum(c2, d.product(d.difference(Ball(Rational(1), bits), m), s2)));
}

Ball jacobi_at_one(Function f, const Ball& u, long bits) {
  const BallDigits d{bits};
  if (f == Function::delta) return d.quotient(Ball(Rational(1), bits), d.value(Function::cosh, u));
  if (f == Function::epsilon) return d.value(Function::tanh, u);
  const Ball half = d.value(Function::atan, d.value(Function::tanh, d.product(u, Ball(Rational(1, 2), bits))));
  return d.sum(half, half);
}

// sn(u, m) = sn(k u, 1/m)/k, cn(u, m) = dn(k u, 1/m), dn(u, m) = cn(k u, 1/m)
Ball jacobi_above_one(Function f, const Ball& u, const Ball& m, long bits) {
  const BallDigits d{bits};
  const Ball one(Rational(1), bits);
  const Ball k = d.root(m), other_u = d.product(k, u), other_m = d.quotient(one, m);
  if (f == Function::epsilon) {
    // m cn² = dn² − 1 + m
    const Ball other = jacobi_below_one(f, other_u, other_m, bits);
    return d.difference(d.product(k, other), d.product(d.difference(m, one), u));
  }
  const Ball phi = amplitude_below_one(other_u, other_m, bits);
  if (f == Function::delta) return d.value(Function::cos, phi);
  const Ball sine = d.quotient(d.value(Function::sin, phi), k);
  return d.value(Function::atan, d.quotient(sine, jacobi_below_one(Function::delta, other_u, other_m, bits)));
}

// u √(1 + |m|) is about so many bits long: those before the point say in which period it is.
long bits_of_periods(const Ball& x, const Ball& m) {
  const double size = x.magnitude_log10() + std::max(m.magnitude_log10(), 0.0) / 2;
  return size > 0 ? static_cast<long>(size / std::log10(2.0)) + 1 : 0;
}

}  // namespace

Ball integral(Function f, const Ball& phi, const Ball& m, long bits) { return integral_over(f, phi, m, bits); }

Ball jacobi(Function f, const Ball& u, const Ball& m, long bits) {
  const BallDigits d{bits};
  if (arb_is_one(inside(m))) return jacobi_at_one(f, u, bits);
  const Ball rest = d.difference(d.of(1), m);
  if (is_positive(rest)) return jacobi_below_one(f, u, m, bits);
  return rest.is_negative() ? jacobi_above_one(f, u, m, bits) : nothing();
}

void value(Function f, arb_ptr out, arb_srcptr x, arb_srcptr m, long bits) {
  Ball argument, parameter, result = nothing();
  arb_set(inside(argument), x);
  arb_set(inside(parameter), m);
  const Function plain = without_parameter_order(f);
  const bool finite = arb_is_finite(x) && arb_is_finite(m), exact = arb_is_exact(x) && arb_is_exact(m);
  const bool integral_wanted = plain == Function::elliptic_f || plain == Function::elliptic_e;
  // Differences cost digits, and numbers that are known exactly can have more of them; where a second try is not finite, none will be.
  long known = 0;
  for (long working = bits + guard + bits_of_periods(argument, parameter), tries = 1;
       finite && (tries == 1 || working <= most * bits); working *= 2, ++tries) {
    const Ball now = plain != f        ? parameter_derivative(f, argument, parameter, working)
                     : integral_wanted ? integral(f, argument, parameter, working)
                                       : jacobi(f, argument, parameter, working);
    const long sure = now.is_finite() ? arb_rel_accuracy_bits(inside(now)) : -ARF_PREC_EXACT;
    if (tries == 1 || sure > known) {
      result = now;
      known = sure;
    }
    if (!exact || sure >= bits || (tries > 1 && !now.is_finite())) break;
  }
  arb_set_round(out, inside(result), bits);
}

}  // namespace cetaev::elliptic
