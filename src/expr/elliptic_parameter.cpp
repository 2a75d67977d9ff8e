// Derivatives of elliptic functions by their parameter, in balls.
//
// Away from m = 0 and m = 1 by the differential equations in m. There, where these are singular, the integrands of F and E have power series
// whose integrals are elementary, and F(am(u, m), m) = u gives those of am.
#include <vector>

#include "ball_digits.hpp"
#include "ball_inside.hpp"
#include "cetaev/detail/expr/elliptic_jets.hpp"
#include "cetaev/detail/expr/elliptic_orders.hpp"
#include "elliptic_balls.hpp"

namespace cetaev::elliptic {

namespace {

using BallJets = Jets<BallDigits>;
using Jet = BallJets::Jet;

struct SineCosine {
  Ball s, c;
};
SineCosine sine_cosine(const Ball& phi, const BallDigits& d) {
  return {d.value(Function::sin, phi), d.value(Function::cos, phi)};
}

// ∫ sin²ʲθ dθ for m = 0, ∫ tan²ʲθ/cos θ dθ for m = 1, from 0 to φ: the coefficients of F are (1·3·5…(2j − 1))/(2·4·6…(2j)) of these.
// Those of E are −1/(2j − 1) times these at m = 0, and of ∫ tan²ʲθ cos θ dθ at m = 1.
BallJets::Integrals integrals_at_limit(const Ball& phi, bool at_one, const BallDigits& d, unsigned order) {
  const auto [s, c] = sine_cosine(phi, d);
  const Ball base = at_one ? d.quotient(s, c) : s, square = d.square(base);
  Ball first = at_one ? d.value(Function::atanh, s) : phi, second = at_one ? s : phi;
  Ball odd = at_one ? d.quotient(base, c)
                    : d.difference(d.of(0), d.product(base, c));  // ± base²ʲ⁻¹ and what it is multiplied by
  Ball factor = d.of(1);
  BallJets::Integrals x{{first}, {second}};
  for (long j = 1; j <= static_cast<long>(order); ++j) {
    const Ball twice = d.of(2 * j), before = d.quotient(d.product(d.of(2 * j - 1), first), twice);
    const Ball boundary = d.quotient(odd, twice);
    if (at_one) second = d.difference(first, second);
    first = at_one ? d.difference(boundary, before) : d.sum(boundary, before);
    if (!at_one) second = first;
    odd = d.product(odd, square);
    factor = d.quotient(d.product(factor, d.of(2 * j - 1)), twice);
    x.first.push_back(d.product(factor, first));
    x.second.push_back(d.quotient(d.product(factor, second), d.of(1 - 2 * j)));
  }
  return x;
}

// From F(φ, m) = u: with Gⱼ = ∂ʲF/∂mʲ along the solution, φ' = −Δ G₁ and Gⱼ' = Gⱼ₊₁ + Hⱼ φ', where Hⱼ = ∂Gⱼ/∂φ is (1·3…(2j − 1))/2ʲ sin²ʲφ/Δ²ʲ⁺¹.
BallJets::Functions functions_at_limit(const Ball& u, bool at_one, const BallDigits& d, unsigned order) {
  const BallJets jets(d);
  const Ball m = d.of(at_one ? 1 : 0), phi = jacobi(Function::amplitude, u, m, d.bits);
  const BallJets::Integrals start = integrals_at_limit(phi, at_one, d, order);
  std::vector<Jet> g(order + 1), h(order + 1);
  Ball factorial = d.of(1);
  for (unsigned j = 1; j <= order; ++j) {
    factorial = d.product(factorial, d.of(static_cast<long>(j)));
    g[j].push_back(d.product(factorial, start.first[j]));
  }
  const auto [s0, c0] = sine_cosine(phi, d);
  BallJets::Functions x{{phi}, {at_one ? c0 : d.of(1)}, {}};
  Jet s{s0}, c{c0}, ss, sc, square, tangent, ratio, one, right, slope;
  for (std::size_t k = 0; k <= order; ++k) {
    if (k > 0) jets.extend(x.am, s, c);
    ss.push_back(jets.product(s, s, k));
    sc.push_back(jets.product(s, c, k));
    square.push_back(d.difference(d.of(k == 0 ? 1 : 0), jets.times_parameter(m, ss, k)));
    if (k > 0) x.dn.push_back(jets.root(square, x.dn, k));
    // ε = (1 − m) u + (m sn cn − 2m(1 − m) am')/dn, whose last term is ∓2δ(1 ± δ) am'
    Ball above = jets.times_parameter(m, sc, k);
    const auto less = [&](std::size_t back, long times) {
      if (k >= back) above = d.difference(above, d.product(d.of(times), slope[k - back]));
    };
    less(1, at_one ? -2 : 2);
    less(2, -2);
    right.push_back(above);
    Ball second = jets.quotient(right, x.dn, ratio, k);
    ratio.push_back(second);
    if (k == 0 && !at_one) second = d.sum(second, u);
    if (k == 1) second = d.difference(second, u);
    x.epsilon.push_back(second);
    if (k == order) break;
    one.push_back(d.of(k == 0 ? 1 : 0));
    h[0].push_back(jets.quotient(one, x.dn, h[0], k));
    tangent.push_back(jets.quotient(ss, square, tangent, k));
    for (unsigned j = 1; j < order; ++j) {
      const Ball half = d.quotient(d.of(2 * static_cast<long>(j) - 1), d.of(2));
      h[j].push_back(d.product(half, jets.product(h[j - 1], tangent, k)));
    }
    slope.push_back(d.difference(d.of(0), jets.product(x.dn, g[1], k)));
    x.am.push_back(jets.integral(slope));
    for (std::size_t j = 1; j + k < order; ++j) {
      const Ball change = d.sum(g[j + 1][k], jets.product(h[j], slope, k));
      g[j].push_back(d.quotient(change, d.of(static_cast<long>(k) + 1)));
    }
  }
  return x;
}

Ball integral_derivative(Function plain, const Ball& phi, const Ball& m, const BallDigits& d, unsigned order) {
  const bool at_one = arb_is_one(inside(m)) != 0;
  BallJets::Integrals x;
  if (at_one || m.is_exact_zero()) {
    // at m = 1 up to a quarter of a turn, where F is infinite and E has a corner
    const Ball c = d.value(Function::cos, phi);
    if (at_one && !(arb_is_positive(inside(c)) && phi.magnitude() < 2)) return Ball::anything();
    x = integrals_at_limit(phi, at_one, d, order);
  } else {
    const auto [s, c] = sine_cosine(phi, d);
    const Ball delta = d.root(d.difference(d.of(1), d.product(m, d.square(s))));
    const Ball first = integral(Function::elliptic_f, phi, m, d.bits);
    const Ball second = integral(Function::elliptic_e, phi, m, d.bits);
    x = BallJets(d).integrals(first, second, s, c, delta, m, order);
  }
  return plain == Function::elliptic_f ? x.first[order] : x.second[order];
}

Ball function_derivative(Function plain, const Ball& u, const Ball& m, const BallDigits& d, unsigned order) {
  const bool at_one = arb_is_one(inside(m)) != 0;
  BallJets::Functions x;
  if (at_one || m.is_exact_zero()) {
    x = functions_at_limit(u, at_one, d, order);
  } else {
    const Ball am = jacobi(Function::amplitude, u, m, d.bits), dn = jacobi(Function::delta, u, m, d.bits);
    const auto [s, c] = sine_cosine(am, d);
    x = BallJets(d).functions(am, dn, jacobi(Function::epsilon, u, m, d.bits), s, c, u, m, order);
  }
  return plain == Function::amplitude ? x.am[order] : plain == Function::delta ? x.dn[order] : x.epsilon[order];
}

}  // namespace

Ball parameter_derivative(Function f, const Ball& x, const Ball& m, long bits) {
  const BallDigits d{bits};
  if (x.is_exact_zero()) return d.of(0);
  const Function plain = without_parameter_order(f);
  const unsigned order = parameter_order(f);
  const bool integrals = plain == Function::elliptic_f || plain == Function::elliptic_e;
  Ball result = (integrals ? integral_derivative : function_derivative)(plain, x, m, d, order);
  for (unsigned j = 2; j <= order; ++j) result.set_product(result, static_cast<long>(j), bits);
  return result;
}

}  // namespace cetaev::elliptic
