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
// Where p is a series, too, a^p = exp(p log a). |a| is ±a, with the sign of a₀.
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>

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
      case Operation::arctangent2: return arctangent2(a, b());
      case Operation::function: return function(static_cast<Function>(i.b), a);
      case Operation::solve: break;
    }
    assert(false && "a solve has as many results as unknowns");
    return a;
  }

 private:
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
    SeriesInstruction y = begin_integral(Function::atan2, a);
    y.start = Operation::arctangent2;
    y.c = b;
    const std::uint32_t above = code_.emit_rate(SeriesOperation::subtract, first, second);
    return finish(y, code_.emit_rate(SeriesOperation::divide, above, squares));
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
    // y² is written after y and read by the rates before it
    SeriesInstruction square;
    square.operation = SeriesOperation::square;
    square.a = y.out;
    square.out = code_.reserve();
    const std::uint32_t rest = code_.emit_rate(SeriesOperation::multiply, slope, square.out);
    const auto sum = f == Function::tan ? SeriesOperation::add : SeriesOperation::subtract;
    finish(y, code_.emit_rate(sum, slope, rest));
    code_.append(square);
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
      case Function::atan2: break;
    }
    assert(false && "atan2 has two arguments");
    return a;
  }

  Code& code_;
  std::map<std::pair<Function, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>> pairs_;
};

}  // namespace cetaev
