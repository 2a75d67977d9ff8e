// Elliptic functions at m + δ as polynomials in δ, in any arithmetic.
//
// `Arithmetic` has a type Number, and for such numbers sum, difference, product, quotient, of(whole number).
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace cetaev::elliptic {

template <class Arithmetic>
class Jets {
 public:
  using Number = typename Arithmetic::Number;
  using Jet = std::vector<Number>;  // the coefficients of 1, δ, δ², …, so many as are known

  explicit Jets(Arithmetic arithmetic) : a_(std::move(arithmetic)) {}

  Number product(const Jet& x, const Jet& y, std::size_t k) const {
    Number sum = a_.product(x[0], y[k]);
    for (std::size_t j = 1; j <= k; ++j) sum = a_.sum(sum, a_.product(x[j], y[k - j]));
    return sum;
  }
  // of √w: 2 r₀ rₖ = wₖ − Σ rⱼ rₖ₋ⱼ; r₀ is known
  Number root(const Jet& w, const Jet& r, std::size_t k) const {
    Number rest = w[k];
    for (std::size_t j = 1; j < k; ++j) rest = a_.difference(rest, a_.product(r[j], r[k - j]));
    return a_.quotient(rest, a_.sum(r[0], r[0]));
  }
  // of x/y, whose coefficients below k are known
  Number quotient(const Jet& x, const Jet& y, const Jet& known, std::size_t k) const {
    Number rest = x[k];
    for (std::size_t j = 1; j <= k; ++j) rest = a_.difference(rest, a_.product(y[j], known[k - j]));
    return a_.quotient(rest, y[0]);
  }
  // (m + δ) x
  Number times_parameter(const Number& m, const Jet& x, std::size_t k) const {
    const Number first = a_.product(m, x[k]);
    return k == 0 ? first : a_.sum(first, x[k - 1]);
  }
  // (1 − m − δ) x
  Number times_rest(const Number& m, const Jet& x, std::size_t k) const {
    return a_.difference(x[k], times_parameter(m, x, k));
  }
  // The next coefficient of what has this derivative.
  Number integral(const Jet& derivative) const {
    return a_.quotient(derivative.back(), a_.of(static_cast<long>(derivative.size())));
  }
  // The next coefficients of sin φ and cos φ, the first being known: k sₖ = Σ j φⱼ cₖ₋ⱼ, k cₖ = −Σ j φⱼ sₖ₋ⱼ
  void extend(const Jet& phi, Jet& s, Jet& c) const {
    const std::size_t k = s.size();
    Number up = a_.of(0), down = a_.of(0);
    for (std::size_t j = 1; j <= k; ++j) {
      const Number slope = a_.product(a_.of(static_cast<long>(j)), phi[j]);
      up = a_.sum(up, a_.product(slope, c[k - j]));
      down = a_.difference(down, a_.product(slope, s[k - j]));
    }
    const Number whole = a_.of(static_cast<long>(k));
    s.push_back(a_.quotient(up, whole));
    c.push_back(a_.quotient(down, whole));
  }

  struct Integrals {
    Jet first, second;
  };
  // F and E, where m is neither 0 nor 1, from their values, sin φ, cos φ and Δ = √(1 − m sin²φ):
  //   2m E' = E − F,  2(1 − m) F' = (E − (1 − m) F)/m − sin φ cos φ/Δ
  Integrals integrals(const Number& first, const Number& second, const Number& s, const Number& c, const Number& delta,
                      const Number& m, unsigned order) const {
    Integrals x{{first}, {second}};
    const Number s2 = a_.product(s, s), sc = a_.product(s, c), rest = a_.difference(a_.of(1), m);
    Jet square, root_of_square{delta}, elementary, over_root, parameter, twice_m, twice_rest;
    Jet difference, moved, by_m, right, first_slope, second_slope;
    for (std::size_t k = 0; k < order; ++k) {
      square.push_back(pick(k, a_.product(delta, delta), a_.difference(a_.of(0), s2)));
      elementary.push_back(pick(k, sc, a_.of(0)));
      parameter.push_back(pick(k, m, a_.of(1)));
      twice_m.push_back(pick(k, a_.sum(m, m), a_.of(2)));
      twice_rest.push_back(pick(k, a_.sum(rest, rest), a_.of(-2)));
      if (k > 0) root_of_square.push_back(root(square, root_of_square, k));
      over_root.push_back(quotient(elementary, root_of_square, over_root, k));
      difference.push_back(a_.difference(x.second[k], x.first[k]));
      moved.push_back(a_.difference(x.second[k], times_rest(m, x.first, k)));
      by_m.push_back(quotient(moved, parameter, by_m, k));
      right.push_back(a_.difference(by_m[k], over_root[k]));
      first_slope.push_back(quotient(right, twice_rest, first_slope, k));
      second_slope.push_back(quotient(difference, twice_m, second_slope, k));
      x.first.push_back(integral(first_slope));
      x.second.push_back(integral(second_slope));
    }
    return x;
  }

  struct Functions {
    Jet am, dn, epsilon;
  };
  // am, dn and ε = ∫ dn² du, where m is neither 0 nor 1, from their values and sin am, cos am. With X = ε − (1 − m) u,
  //   2m(1 − m) am' = m sn cn − dn X,  2(1 − m) dn' = sn cn X − sn² dn,  ε' = dn am' + (ε − u)/(2m):
  // regular where dn = 0, too.
  Functions functions(const Number& am, const Number& dn, const Number& epsilon, const Number& s0, const Number& c0,
                      const Number& u, const Number& m, unsigned order) const {
    Functions x{{am}, {dn}, {epsilon}};
    Jet s{s0}, c{c0}, sc, ss, ux, moved, am_right, dn_right, am_slope, dn_slope, second, epsilon_slope, less;
    Jet twice_m, twice_rest, both;
    const Number rest = a_.difference(a_.of(1), m);
    for (std::size_t k = 0; k < order; ++k) {
      if (k > 0) extend(x.am, s, c);
      sc.push_back(product(s, c, k));
      ss.push_back(product(s, s, k));
      // 2m, 2(1 − m) and 2m(1 − m)
      twice_m.push_back(pick(k, a_.sum(m, m), a_.of(2)));
      twice_rest.push_back(pick(k, a_.sum(rest, rest), a_.of(-2)));
      both.push_back(
          pick(k, a_.product(a_.sum(m, m), rest), a_.difference(a_.of(2), a_.product(a_.of(4), m)), a_.of(-2)));
      ux.push_back(pick(k, a_.product(rest, u), a_.difference(a_.of(0), u)));
      moved.push_back(a_.difference(x.epsilon[k], ux[k]));
      am_right.push_back(a_.difference(times_parameter(m, sc, k), product(x.dn, moved, k)));
      dn_right.push_back(a_.difference(product(sc, moved, k), product(ss, x.dn, k)));
      am_slope.push_back(quotient(am_right, both, am_slope, k));
      dn_slope.push_back(quotient(dn_right, twice_rest, dn_slope, k));
      less.push_back(k == 0 ? a_.difference(x.epsilon[0], u) : x.epsilon[k]);
      second.push_back(quotient(less, twice_m, second, k));
      epsilon_slope.push_back(a_.sum(product(x.dn, am_slope, k), second[k]));
      x.am.push_back(integral(am_slope));
      x.dn.push_back(integral(dn_slope));
      x.epsilon.push_back(integral(epsilon_slope));
    }
    return x;
  }

 private:
  // of a polynomial of so few terms
  Number pick(std::size_t k, const Number& first, const Number& next) const { return pick(k, first, next, a_.of(0)); }
  Number pick(std::size_t k, const Number& first, const Number& next, const Number& last) const {
    return k == 0 ? first : k == 1 ? next : k == 2 ? last : a_.of(0);
  }

  Arithmetic a_;
};

}  // namespace cetaev::elliptic
