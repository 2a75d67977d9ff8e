#include "elliptic_balls.hpp"

#include <acb_elliptic.h>

#include <algorithm>

#include "ball_inside.hpp"
#include "elliptic.hpp"

namespace cetaev::elliptic {

namespace {

// Digits that differences may cost.
constexpr long guard = 64;

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

// Arithmetic to so many bits.
struct Digits {
  long bits;
  Ball sum(const Ball& a, const Ball& b) const {
    return made([&](Ball& r) { r.set_sum(a, b, bits); });
  }
  Ball difference(const Ball& a, const Ball& b) const {
    return made([&](Ball& r) { r.set_difference(a, b, bits); });
  }
  Ball product(const Ball& a, const Ball& b) const {
    return made([&](Ball& r) { r.set_product(a, b, bits); });
  }
  Ball quotient(const Ball& a, const Ball& b) const {
    return made([&](Ball& r) { r.set_quotient(a, b, bits); });
  }
  Ball root(const Ball& a) const {
    return made([&](Ball& r) { r.set_power(a, Rational(1, 2), bits); });
  }
  Ball square(const Ball& a) const {
    return made([&](Ball& r) { r.set_power(a, Rational(2), bits); });
  }
  Ball of(Function f, const Ball& a) const {
    return made([&](Ball& r) { r.set_function(f, a, bits); });
  }

 private:
  template <class Make>
  static Ball made(Make make) {
    Ball result;
    make(result);
    return result;
  }
};

Ball nothing() {
  Ball result;
  arb_indeterminate(inside(result));
  return result;
}

bool is_positive(const Ball& a) { return arb_is_positive(inside(a)) != 0; }

// At one number φ = n π + r.
Ball integral_at(Function f, const Ball& phi, const Ball& m, long bits) {
  const Digits d{bits};
  const Ball one(Rational(1), bits);
  Ball pi;
  pi.set_pi(bits);
  Ball n;
  arb_floor(inside(n), inside(d.sum(d.quotient(phi, pi), Ball(Rational(1, 2), bits))), bits);
  if (!arb_is_exact(inside(n))) return nothing();
  const bool reduced = arb_is_zero(inside(n)) != 0;
  const Ball r = d.difference(phi, d.product(n, pi));
  const Ball s = d.of(Function::sin, r), c2 = d.square(d.of(Function::cos, r)), s2 = d.square(s);
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

// am(u, m) for m < 1. From any φ₀, |am(u, m) − φ₀| ≤ |u − F(φ₀, m)| max dn, and dn ≤ max(1, √(1 − m)).
Ball amplitude_below_one(const Ball& u, const Ball& m, long bits) {
  Ball phi = Ball::from_double(jacobi(u.midpoint(), m.midpoint()).am);
  Ball middle_u, middle_m;
  arb_get_mid_arb(inside(middle_u), inside(u));
  arb_get_mid_arb(inside(middle_m), inside(m));
  for (long known = 40; known < bits; known *= 2) {
    // Newton's method: dφ = (u − F) dn
    const long now = std::min(2 * known + guard, bits);
    const Digits d{now};
    const Ball square = d.product(middle_m, d.square(d.of(Function::sin, phi)));
    const Ball dn = d.root(d.difference(Ball(Rational(1), now), square));
    const Ball missing = d.difference(middle_u, integral_at(Function::elliptic_f, phi, middle_m, now));
    phi = d.sum(phi, d.product(missing, dn));
    if (!phi.is_finite()) return nothing();
    arb_get_mid_arb(inside(phi), inside(phi));
  }
  const Digits d{bits};
  const Ball off = d.difference(u, integral_at(Function::elliptic_f, phi, m, bits));
  const Ball root = d.root(d.difference(Ball(Rational(1), bits), m));
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

Ball jacobi_below_one(Function f, const Ball& u, const Ball& m, long bits) {
  const Digits d{bits};
  const Ball phi = amplitude_below_one(u, m, bits);
  if (f == Function::amplitude) return phi;
  if (f == Function::epsilon) return integral_over(Function::elliptic_e, phi, m, bits);
  const Ball c2 = d.square(d.of(Function::cos, phi)), s2 = d.square(d.of(Function::sin, phi));
  return d.root(d.sum(c2, d.product(d.difference(Ball(Rational(1), bits), m), s2)));
}

Ball jacobi_at_one(Function f, const Ball& u, long bits) {
  const Digits d{bits};
  if (f == Function::delta) return d.quotient(Ball(Rational(1), bits), d.of(Function::cosh, u));
  if (f == Function::epsilon) return d.of(Function::tanh, u);
  const Ball half = d.of(Function::atan, d.of(Function::tanh, d.product(u, Ball(Rational(1, 2), bits))));
  return d.sum(half, half);
}

// sn(u, m) = sn(k u, 1/m)/k, cn(u, m) = dn(k u, 1/m), dn(u, m) = cn(k u, 1/m)
Ball jacobi_above_one(Function f, const Ball& u, const Ball& m, long bits) {
  const Digits d{bits};
  const Ball one(Rational(1), bits);
  const Ball k = d.root(m), other_u = d.product(k, u), other_m = d.quotient(one, m);
  if (f == Function::epsilon) {
    // m cn² = dn² − 1 + m
    const Ball other = jacobi_below_one(f, other_u, other_m, bits);
    return d.difference(d.product(k, other), d.product(d.difference(m, one), u));
  }
  const Ball phi = amplitude_below_one(other_u, other_m, bits);
  if (f == Function::delta) return d.of(Function::cos, phi);
  const Ball sine = d.quotient(d.of(Function::sin, phi), k);
  return d.of(Function::atan, d.quotient(sine, jacobi_below_one(Function::delta, other_u, other_m, bits)));
}

}  // namespace

void integral(Function f, arb_ptr out, arb_srcptr phi, arb_srcptr m, long bits) {
  Ball argument, parameter;
  arb_set(inside(argument), phi);
  arb_set(inside(parameter), m);
  if (!arb_is_finite(phi) || !arb_is_finite(m)) {
    arb_indeterminate(out);
    return;
  }
  arb_set_round(out, inside(integral_over(f, argument, parameter, bits + guard)), bits);
}

void jacobi(Function f, arb_ptr out, arb_srcptr u, arb_srcptr m, long bits) {
  Ball argument, parameter, one;
  arb_set(inside(argument), u);
  arb_set(inside(parameter), m);
  one.set(1L);
  const long more = bits + guard;
  Ball result = nothing();
  if (arb_is_finite(u) && arb_is_finite(m)) {
    if (arb_is_one(m)) {
      result = jacobi_at_one(f, argument, more);
    } else if (arb_lt(m, inside(one))) {
      result = jacobi_below_one(f, argument, parameter, more);
    } else if (arb_gt(m, inside(one))) {
      result = jacobi_above_one(f, argument, parameter, more);
    }
  }
  arb_set_round(out, inside(result), bits);
}

}  // namespace cetaev::elliptic
