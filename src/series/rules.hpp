// The rules by which the instructions of a program become instructions about series: one table for all kinds of series.
//
// D is a derivation: d/dt for series in the time, the Euler operator Σ sᵢ ∂/∂sᵢ for series in several parameters. A function
// y = f(a) has D y = f'(a) D a, and f'(a) is made of a and y by sums, products, quotients and roots: y is the integral, in the
// sense of D, of a series that is known as far as y is, and begins with f(a₀).
//
//   sin, cos      D s = c D a, D c = −s D a           log     D y = D a / a
//   sinh, cosh    D s = c D a, D c = s D a            atan    D y = D a / (1 + a²)
//   tan, tanh     D y = (1 ± y²) D a                  atanh   D y = D a / (1 − a²)
//   exp           D y = y D a                         asin    D y = D a / √(1 − a²), acos its negative
//   a^p           D y = p (y D a / a)                 asinh   D y = D a / √(1 + a²)
//   atan2(a, b)   D y = (b D a − a D b) / (a² + b²)   acosh   D y = D a / √(a² − 1)
//
// Elliptic functions are those of an argument and a parameter m that may both be series, with Δ = √(1 − m sin²φ):
//
//   F(φ, m)   D F = D φ / Δ + F_m D m                   F_m = (E/(1 − m) − F)/(2m) − sin φ cos φ/(2(1 − m)Δ)
//   E(φ, m)   D E = Δ D φ + E_m D m                     E_m = (E − F)/(2m)
//   am(u, m)  D φ = dn (D u − F_m D m)                  F_m with F = u, E = ε, Δ = dn
//   ε(u, m)   D ε = dn D φ + E_m D m                    ∫ dn² du
//   dn(u, m)  D dn = −m s c (D u − F_m D m) − s²/(2 dn) D m
//
// Where p is a series, too, a^p = exp(p log a). |a| is ±a, with the sign of a₀.
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "cetaev/detail/expr/elliptic_jets.hpp"
#include "cetaev/detail/expr/elliptic_orders.hpp"
#include "cetaev/detail/series/series.hpp"

namespace cetaev {

// `Code` takes the instructions:
//   emit(operation, a, b, c)     a new register and what it holds
//   emit_rate(operation, a, b)   the same for what is made of derivatives
//   derivative(a)                D a, a rate
//   reserve()                    a register that append() will write; rates may read it before
//   append(instruction)
//   magnitude(a)                 |a|
//   one()                        the number 1
//   is_number(a)                 a is no series
template <class Code>
class SeriesRules {
 public:
  explicit SeriesRules(Code& code) : code_(code) {}

  // An instruction of one result, the registers of its program being found at `place`.
  std::uint32_t operator()(const Instruction& i, std::span<const std::uint32_t> place) {
    const std::uint32_t a = place[i.a];
    const auto b = [&] { return place[i.b]; };
    switch (i.operation) {
      case Operation::add: return code_.emit(SeriesOperation::add, a, b());
      case Operation::subtract: return code_.emit(SeriesOperation::subtract, a, b());
      case Operation::multiply: return code_.emit(SeriesOperation::multiply, a, b());
      case Operation::divide: return code_.emit(SeriesOperation::divide, a, b());
      case Operation::negate: return code_.emit(SeriesOperation::negate, a);
      case Operation::multiply_add: return code_.emit(SeriesOperation::multiply_add, a, b(), place[i.c]);
      case Operation::square: return code_.emit(SeriesOperation::square, a);
      case Operation::square_root: return code_.emit(SeriesOperation::square_root, a);
      case Operation::integer_power: return integer_power(a, i.b);
      case Operation::power: return power(a, b());
      case Operation::function_of_two: return function(static_cast<Function>(i.c), a, b());
      case Operation::function: return function(static_cast<Function>(i.b), a);
      case Operation::solve: break;
    }
    assert(false && "a solve has as many results as unknowns");
    return a;
  }

 private:
  std::uint32_t function(Function f, std::uint32_t a, std::uint32_t b) {
    if (parameter_order(f) > 0) return by_parameter_of(f, a, b);
    switch (f) {
      case Function::elliptic_f:
      case Function::elliptic_e: return elliptic_integral(f, a, b);
      case Function::amplitude:
      case Function::delta:
      case Function::epsilon: return jacobi(f, a, b);
      default: return arctangent2(a, b);
    }
  }

  // ±∫ of something still to be written; `finish` says of what and puts the instruction where it stands now.
  SeriesInstruction begin_integral(Function function, std::uint32_t of, bool negative = false) {
    SeriesInstruction i;
    i.operation = SeriesOperation::integral;
    i.out = code_.reserve();
    i.function = function;
    i.b = of;
    i.negative = negative;
    return i;
  }
  SeriesInstruction begin_integral_of_two(Function function, std::uint32_t first, std::uint32_t second,
                                          bool negative = false) {
    SeriesInstruction i = begin_integral(function, first, negative);
    i.start = Operation::function_of_two;
    i.c = second;
    return i;
  }
  std::uint32_t finish(SeriesInstruction i, std::uint32_t integrand) {
    i.a = integrand;
    code_.append(i);
    return i.out;
  }

  std::uint32_t integer_power(std::uint32_t a, std::uint32_t n) {
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t result = none;
    for (;; a = code_.emit(SeriesOperation::square, a)) {
      if (n & 1) result = result == none ? a : code_.emit(SeriesOperation::multiply, result, a);
      n >>= 1;
      if (n == 0) return result;
    }
  }

  std::uint32_t power(std::uint32_t a, std::uint32_t p) {
    if (!code_.is_number(p)) {
      return function(Function::exp, code_.emit(SeriesOperation::multiply, p, function(Function::log, a)));
    }
    SeriesInstruction y = begin_integral(Function::exp, a);
    y.start = Operation::power;
    y.c = p;
    const std::uint32_t slope = code_.emit_rate(SeriesOperation::multiply, y.out, code_.derivative(a));
    const std::uint32_t quotient = code_.emit_rate(SeriesOperation::divide, slope, a);
    return finish(y, code_.emit_rate(SeriesOperation::multiply, p, quotient));
  }

  std::uint32_t arctangent2(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t b_squared = code_.emit(SeriesOperation::square, b);
    const std::uint32_t a_squared = code_.emit(SeriesOperation::square, a);
    const std::uint32_t squares = code_.emit(SeriesOperation::add, a_squared, b_squared);
    const std::uint32_t first = code_.emit_rate(SeriesOperation::multiply, code_.derivative(a), b);
    const std::uint32_t second = code_.emit_rate(SeriesOperation::multiply, code_.derivative(b), a);
    const SeriesInstruction y = begin_integral_of_two(Function::atan2, a, b);
    const std::uint32_t above = code_.emit_rate(SeriesOperation::subtract, first, second);
    return finish(y, code_.emit_rate(SeriesOperation::divide, above, squares));
  }

  // What rates read before it is written: operation(a, b) into a register that was reserved.
  void put(SeriesOperation operation, std::uint32_t out, std::uint32_t a, std::uint32_t b) {
    SeriesInstruction i;
    i.operation = operation;
    i.out = out;
    i.a = a;
    i.b = b;
    code_.append(i);
  }

  // The derivatives of F and E by m, from F, E, sin φ cos φ and Δ.
  struct ByParameter {
    std::uint32_t first, second;
  };
  void put(const ByParameter& out, std::uint32_t first, std::uint32_t second, std::uint32_t product,
           std::uint32_t delta, std::uint32_t m) {
    const auto divide = [&](std::uint32_t a, std::uint32_t b) { return code_.emit(SeriesOperation::divide, a, b); };
    const std::uint32_t rest = code_.emit(SeriesOperation::subtract, code_.one(), m);
    const std::uint32_t twice_rest = code_.emit(SeriesOperation::add, rest, rest);
    const std::uint32_t twice = code_.emit(SeriesOperation::add, m, m);
    const std::uint32_t difference = code_.emit(SeriesOperation::subtract, divide(second, rest), first);
    const std::uint32_t last = divide(divide(product, twice_rest), delta);
    put(SeriesOperation::subtract, out.first, divide(difference, twice), last);
    put(SeriesOperation::divide, out.second, code_.emit(SeriesOperation::subtract, second, first), twice);
  }

  // Δ = √(1 − m sin²φ)
  std::uint32_t root_of(std::uint32_t s, std::uint32_t m) {
    const std::uint32_t square = code_.emit(SeriesOperation::multiply, m, code_.emit(SeriesOperation::square, s));
    return code_.emit(SeriesOperation::square_root, code_.emit(SeriesOperation::subtract, code_.one(), square));
  }

  std::uint32_t elliptic_integral(Function f, std::uint32_t phi, std::uint32_t m) {
    const std::uint32_t s = function(Function::sin, phi);
    const std::uint32_t delta = root_of(s, m);
    const std::uint32_t slope = code_.derivative(phi);
    const auto along = [&](Function g) {
      return code_.emit_rate(g == Function::elliptic_f ? SeriesOperation::divide : SeriesOperation::multiply, slope,
                             delta);
    };
    if (code_.is_number(m)) return finish(begin_integral_of_two(f, phi, m), along(f));
    const SeriesInstruction first = begin_integral_of_two(Function::elliptic_f, phi, m);
    const SeriesInstruction second = begin_integral_of_two(Function::elliptic_e, phi, m);
    const ByParameter by_m{code_.reserve(), code_.reserve()};
    const auto whole = [&](Function g, std::uint32_t partial) {
      const std::uint32_t across = code_.emit_rate(SeriesOperation::multiply, code_.derivative(m), partial);
      return code_.emit_rate(SeriesOperation::add, along(g), across);
    };
    const std::uint32_t first_rate = whole(Function::elliptic_f, by_m.first);
    const std::uint32_t second_rate = whole(Function::elliptic_e, by_m.second);
    finish(first, first_rate);
    finish(second, second_rate);
    const std::uint32_t product = code_.emit(SeriesOperation::multiply, s, function(Function::cos, phi));
    put(by_m, first.out, second.out, product, delta, m);
    return f == Function::elliptic_f ? first.out : second.out;
  }

  // Those of the same arguments are made together.
  struct Jacobi {
    std::uint32_t am, dn, epsilon;
  };
  std::uint32_t jacobi(Function wanted, std::uint32_t u, std::uint32_t m) {
    const auto [known, fresh] = jacobi_.try_emplace({u, m});
    if (fresh) known->second = code_.is_number(m) ? jacobi_of_number(u, m) : jacobi_of_series(u, m);
    const Jacobi& made = known->second;
    return wanted == Function::amplitude ? made.am : wanted == Function::delta ? made.dn : made.epsilon;
  }

  Jacobi jacobi_of_number(std::uint32_t u, std::uint32_t m) {
    const SeriesInstruction phi = begin_integral_of_two(Function::amplitude, u, m);
    const SeriesInstruction dn = begin_integral_of_two(Function::delta, u, m, true);
    const std::uint32_t fall = code_.reserve();  // m sn cn
    const std::uint32_t slope = code_.derivative(u);
    const std::uint32_t phi_rate = code_.emit_rate(SeriesOperation::multiply, slope, dn.out);
    const std::uint32_t dn_rate = code_.emit_rate(SeriesOperation::multiply, slope, fall);
    finish(phi, phi_rate);
    finish(dn, dn_rate);
    put(SeriesOperation::multiply, fall, m, sine_times_cosine(phi.out));
    const SeriesInstruction second = begin_integral_of_two(Function::epsilon, u, m);
    finish(second, code_.emit_rate(SeriesOperation::multiply, phi_rate, dn.out));
    return {phi.out, dn.out, second.out};
  }

  Jacobi jacobi_of_series(std::uint32_t u, std::uint32_t m) {
    const SeriesInstruction phi = begin_integral_of_two(Function::amplitude, u, m);
    const SeriesInstruction dn = begin_integral_of_two(Function::delta, u, m, true);
    const SeriesInstruction second = begin_integral_of_two(Function::epsilon, u, m);
    const std::uint32_t fall = code_.reserve(), bend = code_.reserve();  // m sn cn, sn²/(2 dn)
    const ByParameter by_m{code_.reserve(), code_.reserve()};
    const auto times = [&](std::uint32_t a, std::uint32_t b) {
      return code_.emit_rate(SeriesOperation::multiply, a, b);
    };
    const std::uint32_t across = code_.derivative(m);
    // D u − F_m D m, dn times which is D φ
    const std::uint32_t slope =
        code_.emit_rate(SeriesOperation::subtract, code_.derivative(u), times(across, by_m.first));
    const std::uint32_t phi_rate = times(slope, dn.out);
    const std::uint32_t dn_rate = code_.emit_rate(SeriesOperation::add, times(slope, fall), times(across, bend));
    const std::uint32_t second_rate =
        code_.emit_rate(SeriesOperation::add, times(phi_rate, dn.out), times(across, by_m.second));
    finish(phi, phi_rate);
    finish(dn, dn_rate);
    finish(second, second_rate);
    const std::uint32_t product = sine_times_cosine(phi.out);
    put(SeriesOperation::multiply, fall, m, product);
    put(SeriesOperation::divide, bend, code_.emit(SeriesOperation::square, function(Function::sin, phi.out)),
        code_.emit(SeriesOperation::add, dn.out, dn.out));
    put(by_m, u, second.out, product, dn.out, m);
    return {phi.out, dn.out, second.out};
  }

  // The arithmetic of registers.
  struct Registers {
    using Number = std::uint32_t;
    Code* code;
    Number sum(Number a, Number b) const { return code->emit(SeriesOperation::add, a, b); }
    Number difference(Number a, Number b) const { return code->emit(SeriesOperation::subtract, a, b); }
    Number product(Number a, Number b) const { return code->emit(SeriesOperation::multiply, a, b); }
    Number quotient(Number a, Number b) const { return code->emit(SeriesOperation::divide, a, b); }
    Number of(long whole) const {
      const Number one = code->one();
      if (whole <= 0) return whole == 0 ? difference(one, one) : difference(of(0), of(-whole));
      if (whole == 1) return one;
      const Number half = of(whole / 2), even = sum(half, half);
      return whole % 2 == 0 ? even : sum(even, one);
    }
  };
  using Jets = elliptic::Jets<Registers>;
  using Jet = typename Jets::Jet;

  // Derivatives of elliptic functions by m. Of a number m they are integrals along the argument, as regular as the functions; where m is a series
  // they are made of the functions by the equations in m, which divide by m and 1 − m.
  std::uint32_t by_parameter_of(Function f, std::uint32_t x, std::uint32_t m) {
    const auto [known, fresh] = by_parameter_.try_emplace({f, x, m});
    if (fresh) {
      const Function plain = without_parameter_order(f);
      const unsigned order = parameter_order(f);
      const bool integral = plain == Function::elliptic_f || plain == Function::elliptic_e;
      const std::uint32_t made = code_.is_number(m) ? (integral ? integral_along(f, x, m) : jacobi_along(f, x, m))
                                                    : times_factorial(coefficient_across(plain, x, m, order), order);
      by_parameter_[{f, x, m}] = made;
      return made;
    }
    return known->second;
  }

  std::uint32_t times_factorial(std::uint32_t a, unsigned n) {
    long factorial = 1;
    for (unsigned j = 2; j <= n; ++j) factorial *= static_cast<long>(j);
    return factorial == 1 ? a : code_.emit(SeriesOperation::multiply, registers_.of(factorial), a);
  }

  std::uint32_t coefficient_across(Function plain, std::uint32_t x, std::uint32_t m, unsigned order) {
    const Jets jets(registers_);
    if (plain == Function::elliptic_f || plain == Function::elliptic_e) {
      const std::uint32_t s = function(Function::sin, x), c = function(Function::cos, x);
      const auto made = jets.integrals(elliptic_integral(Function::elliptic_f, x, m),
                                       elliptic_integral(Function::elliptic_e, x, m), s, c, root_of(s, m), m, order);
      return plain == Function::elliptic_f ? made.first[order] : made.second[order];
    }
    const std::uint32_t am = jacobi(Function::amplitude, x, m);
    const std::uint32_t s = function(Function::sin, am), c = function(Function::cos, am);
    const auto made =
        jets.functions(am, jacobi(Function::delta, x, m), jacobi(Function::epsilon, x, m), s, c, x, m, order);
    return plain == Function::amplitude ? made.am[order]
           : plain == Function::delta   ? made.dn[order]
                                        : made.epsilon[order];
  }

  // ∂ⁿ/∂mⁿ of (1 − m sin²φ)^(∓1/2)
  std::uint32_t integral_along(Function f, std::uint32_t phi, std::uint32_t m) {
    const long n = parameter_order(f);
    const bool is_first = without_parameter_order(f) == Function::elliptic_f;
    const std::uint32_t s = function(Function::sin, phi);
    long above = 1, below = 1;
    for (long j = 0; j < n; ++j) {
      above *= is_first ? 2 * j + 1 : 2 * j - 1;
      below *= 2;
    }
    const std::uint32_t power =
        integer_power(root_of(s, m), static_cast<std::uint32_t>(is_first ? 2 * n + 1 : 2 * n - 1));
    const std::uint32_t ratio = registers_.quotient(integer_power(s, static_cast<std::uint32_t>(2 * n)), power);
    const std::uint32_t whole =
        registers_.product(registers_.quotient(registers_.of(above), registers_.of(below)), ratio);
    return finish(begin_integral_of_two(f, phi, m),
                  code_.emit_rate(SeriesOperation::multiply, code_.derivative(phi), whole));
  }

  // am and dn with their derivatives up to the order: D am = dn D u, D dn = −m sn cn D u, D ε = dn² D u, differentiated by m.
  std::uint32_t jacobi_along(Function f, std::uint32_t u, std::uint32_t m) {
    const Function plain = without_parameter_order(f);
    const unsigned order = parameter_order(f);
    const Jets jets(registers_);
    const std::uint32_t slope = code_.derivative(u);
    const auto times_slope = [&](std::uint32_t a) { return code_.emit_rate(SeriesOperation::multiply, slope, a); };
    std::vector<std::uint32_t> am{jacobi(Function::amplitude, u, m)}, dn{jacobi(Function::delta, u, m)}, falls;
    std::vector<std::pair<SeriesInstruction, std::uint32_t>> begun;
    for (unsigned j = 1; j <= order; ++j) {
      const SeriesInstruction angle = begin_integral_of_two(by_parameter(Function::amplitude, j), u, m);
      const SeriesInstruction delta = begin_integral_of_two(by_parameter(Function::delta, j), u, m, true);
      falls.push_back(code_.reserve());
      begun.emplace_back(angle, times_slope(delta.out));
      begun.emplace_back(delta, times_slope(falls.back()));
      am.push_back(angle.out);
      dn.push_back(delta.out);
    }
    for (const auto& [instruction, rate] : begun) finish(instruction, rate);
    Jet angles = over_factorials(am), s{function(Function::sin, am[0])}, c{function(Function::cos, am[0])}, both;
    for (unsigned k = 0; k <= order; ++k) {
      if (k > 0) jets.extend(angles, s, c);
      both.push_back(jets.product(s, c, k));
      if (k > 0)
        put(SeriesOperation::multiply, falls[k - 1], code_.one(), times_factorial(jets.times_parameter(m, both, k), k));
    }
    if (plain != Function::epsilon) return (plain == Function::amplitude ? am : dn)[order];
    const Jet deltas = over_factorials(dn);
    const std::uint32_t square = times_factorial(jets.product(deltas, deltas, order), order);
    return finish(begin_integral_of_two(f, u, m), times_slope(square));
  }

  Jet over_factorials(const std::vector<std::uint32_t>& derivatives) {
    Jet jet;
    long factorial = 1;
    for (std::size_t j = 0; j < derivatives.size(); ++j) {
      if (j > 1) factorial *= static_cast<long>(j);
      jet.push_back(factorial == 1 ? derivatives[j] : registers_.quotient(derivatives[j], registers_.of(factorial)));
    }
    return jet;
  }

  std::uint32_t sine_times_cosine(std::uint32_t a) {
    const std::uint32_t s = function(Function::sin, a);
    return code_.emit(SeriesOperation::multiply, s, function(Function::cos, a));
  }

  // sin and cos, or sinh and cosh, of the same argument are made together.
  std::uint32_t pair(Function first, Function second, std::uint32_t a, Function wanted) {
    const auto known = pairs_.find({first, a});
    if (known == pairs_.end()) {
      const std::uint32_t slope = code_.derivative(a);
      const SeriesInstruction s = begin_integral(first, a);
      const SeriesInstruction c = begin_integral(second, a, first == Function::sin);
      const std::uint32_t s_slope = code_.emit_rate(SeriesOperation::multiply, slope, c.out);
      const std::uint32_t c_slope = code_.emit_rate(SeriesOperation::multiply, slope, s.out);
      pairs_[{first, a}] = {finish(s, s_slope), finish(c, c_slope)};
    }
    const auto& made = pairs_[{first, a}];
    return wanted == first ? made.first : made.second;
  }

  // D y = D a ± y² D a
  std::uint32_t tangent(Function f, std::uint32_t a) {
    const std::uint32_t slope = code_.derivative(a);
    const SeriesInstruction y = begin_integral(f, a);
    const std::uint32_t square = code_.reserve();
    const std::uint32_t rest = code_.emit_rate(SeriesOperation::multiply, slope, square);
    const auto sum = f == Function::tan ? SeriesOperation::add : SeriesOperation::subtract;
    finish(y, code_.emit_rate(sum, slope, rest));
    put(SeriesOperation::square, square, y.out, 0);
    return y.out;
  }

  std::uint32_t exponential(std::uint32_t a) {
    const std::uint32_t slope = code_.derivative(a);
    const SeriesInstruction y = begin_integral(Function::exp, a);
    return finish(y, code_.emit_rate(SeriesOperation::multiply, slope, y.out));
  }

  // D y = ± D a / d
  std::uint32_t quotient(Function f, std::uint32_t a, std::uint32_t d, bool negative = false) {
    const SeriesInstruction y = begin_integral(f, a, negative);
    return finish(y, code_.emit_rate(SeriesOperation::divide, code_.derivative(a), d));
  }

  std::uint32_t function(Function f, std::uint32_t a) {
    const auto square = [&] { return code_.emit(SeriesOperation::square, a); };
    const auto root = [&](std::uint32_t x) { return code_.emit(SeriesOperation::square_root, x); };
    const auto one_and = [&](SeriesOperation sum, std::uint32_t x) { return code_.emit(sum, code_.one(), x); };
    const auto one_plus_square = [&] { return one_and(SeriesOperation::add, square()); };
    const auto one_minus_square = [&] { return one_and(SeriesOperation::subtract, square()); };
    const auto less_one = [&](std::uint32_t x) { return code_.emit(SeriesOperation::subtract, x, code_.one()); };
    switch (f) {
      case Function::sin:
      case Function::cos: return pair(Function::sin, Function::cos, a, f);
      case Function::sinh:
      case Function::cosh: return pair(Function::sinh, Function::cosh, a, f);
      case Function::tan:
      case Function::tanh: return tangent(f, a);
      case Function::exp: return exponential(a);
      case Function::log: return quotient(f, a, a);
      case Function::atan: return quotient(f, a, one_plus_square());
      case Function::atanh: return quotient(f, a, one_minus_square());
      case Function::asin: return quotient(f, a, root(one_minus_square()));
      case Function::acos: return quotient(f, a, root(one_minus_square()), true);
      case Function::asinh: return quotient(f, a, root(one_plus_square()));
      case Function::acosh: return quotient(f, a, root(less_one(square())));
      case Function::abs: return code_.magnitude(a);
      default: break;
    }
    assert(false && "a function of two arguments");
    return a;
  }

  Code& code_;
  Registers registers_{&code_};
  std::map<std::pair<Function, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>> pairs_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Jacobi> jacobi_;
  std::map<std::tuple<Function, std::uint32_t, std::uint32_t>, std::uint32_t> by_parameter_;
};

}  // namespace cetaev
