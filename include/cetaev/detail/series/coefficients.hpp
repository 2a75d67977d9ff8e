// The recurrences of power series, for whatever computes: doubles, lanes, balls, or a builder of machine code.
//
// SeriesRecurrence has them for series in any number of variables; SeriesCoefficients adds what series in one variable have of
// their own: polynomials, whose coefficients end somewhere, linear systems, and the round by round advance of a solution.
//
// A backend has a type Value and
//   Value get(r, k), void set(r, k, value)      coefficient k of register r
//   Value zero(), add(x, y), subtract(x, y), negate(x), multiply(x, y), divide(x, y), square_root(x)
//   Value sign(r)                               ±1, the sign of r₀
//   Value start(instruction)                    the value of an integral at the start of the step
// and, for series in one variable,
//   Value scale(double, x)
//   Value quotient(x, k)                        x / k, as good as rounded once: an error of 1/k would be the same in every step
//   Value dot(a, b, k, lo, hi)                  Σ_{j=lo}^{hi} a_j b_{k−j}, lo ≤ hi
//   Value reciprocal(r)                         1 / r₀; asked for only after round 0 has set r₀
//   void factor(number, system)                 round 0 of a solve: sets coefficient 0 of the unknowns, too
//   void begin_rest(size), set_rest(i, r)       the right-hand side r of M₀ x = r; an absent value is zero
//   Value times_inverse(number, system, i)      x_i
// No coefficient beyond the degree of a register is asked for or set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "cetaev/detail/series/series.hpp"

namespace cetaev {

// Coefficient k of what an instruction makes, those before it being known. In several variables k is the number of a monomial,
// and j, k − j stand for the monomials whose product it is; 0 is the constant. `Series` derives from this and has, absent
// being what is beyond the degree of a register,
//   term(r, k)                                  r_k
//   product(a, b, k)                            Σ_{j} a_j b_{k−j}
//   product_rest(b, y, k)                       the same without b₀ y_k
//   square(a, k), square_rest(y, k)             Σ_{j} a_j a_{k−j}; without the two terms that contain y_k
//   over(x, r), half_over(x, r)                 x / r₀, x / (2 r₀)
//   derivative(a, k), integral(instruction, k)  of D a, and of the y with D y = ±a
template <class Series, class Backend>
class SeriesRecurrence {
 public:
  using Value = typename Backend::Value;

 protected:
  explicit SeriesRecurrence(Backend& backend) : b_(backend) {}

  Value coefficient(const SeriesInstruction& i, std::int32_t k) {
    Series& s = static_cast<Series&>(*this);
    switch (i.operation) {
      case SeriesOperation::add: return or_zero(plus(s.term(i.a, k), s.term(i.b, k)));
      case SeriesOperation::subtract: return or_zero(minus(s.term(i.a, k), s.term(i.b, k)));
      case SeriesOperation::negate: return b_.negate(b_.get(i.a, k));
      case SeriesOperation::multiply: return or_zero(s.product(i.a, i.b, k));
      case SeriesOperation::multiply_add: return or_zero(plus(s.term(i.c, k), s.product(i.a, i.b, k)));
      case SeriesOperation::square: return or_zero(s.square(i.a, k));
      case SeriesOperation::divide: {
        if (k == 0) return b_.divide(b_.get(i.a, 0), b_.get(i.b, 0));
        // b c = a: c_k = (a_k − Σ_{j≠0} b_j c_{k−j}) / b₀
        std::optional<Value> rest = minus(s.term(i.a, k), s.product_rest(i.b, i.out, k));
        return rest ? s.over(*std::move(rest), i.b) : b_.zero();
      }
      case SeriesOperation::square_root: {
        if (k == 0) return b_.square_root(b_.get(i.a, 0));
        // y² = a: 2 y₀ y_k = a_k − Σ_{j≠0,k} y_j y_{k−j}
        std::optional<Value> rest = minus(s.term(i.a, k), s.square_rest(i.out, k));
        return rest ? s.half_over(*std::move(rest), i.out) : b_.zero();
      }
      case SeriesOperation::derivative: return s.derivative(i.a, k);
      case SeriesOperation::integral:
        if (k == 0) return b_.start(i);
        return s.integral(i, k);
      case SeriesOperation::magnitude: return b_.multiply(b_.sign(i.a), b_.get(i.a, k));
      case SeriesOperation::solve: break;
    }
    return b_.zero();
  }

  // x + y where either may be absent
  std::optional<Value> plus(std::optional<Value> x, std::optional<Value> y) {
    if (!x) return y;
    if (!y) return x;
    return b_.add(*std::move(x), *std::move(y));
  }
  std::optional<Value> minus(std::optional<Value> x, std::optional<Value> y) {
    if (!y) return x;
    if (!x) return b_.negate(*std::move(y));
    return b_.subtract(*std::move(x), *std::move(y));
  }
  Value or_zero(std::optional<Value> x) { return x ? *std::move(x) : b_.zero(); }

  Backend& b_;
};

// The same for series in the time, in the degrees that a program shows.
template <class Backend>
class SeriesCoefficients : private SeriesRecurrence<SeriesCoefficients<Backend>, Backend> {
  using Recurrence = SeriesRecurrence<SeriesCoefficients<Backend>, Backend>;
  friend Recurrence;

 public:
  using Value = typename Backend::Value;

  SeriesCoefficients(const SeriesProgram& program, Backend& backend) : Recurrence(backend), p_(program) {}

  // Round 0 expects the statics, y₀ and t₀, t₁ = 1 set.
  void round(std::int32_t k) {
    if (k > 0) advance_state(k);
    for (const SeriesInstruction& i : p_.instructions()) instruction(i, k);
  }

  // y_k = f_{k−1} / k
  void advance_state(std::int32_t k) {
    for (std::size_t i = 0; i < p_.state_count(); ++i) {
      if (has(p_.state(i), k)) b_.set(p_.state(i), k, b_.quotient(b_.get(p_.rates()[i], k - 1), k));
    }
  }

  void instruction(const SeriesInstruction& i, std::int32_t round) {
    const std::int32_t k = p_.late(i.out) ? round - 1 : round;
    if (k < 0) return;
    if (i.operation == SeriesOperation::solve) {
      solve(i.a, k);
    } else if (has(i.out, k)) {
      b_.set(i.out, k, this->coefficient(i, k));
    }
  }

 private:
  using Recurrence::b_;

  bool has(std::uint32_t r, std::int32_t k) const { return k <= p_.degree(r); }

  std::optional<Value> term(std::uint32_t r, std::int32_t k) {
    return has(r, k) ? std::optional<Value>(b_.get(r, k)) : std::nullopt;
  }

  // Σ_{j=lo}^{hi} a_j b_{k−j}, what is beyond the degrees left out
  std::optional<Value> sum(std::uint32_t a, std::uint32_t b, std::int32_t k, std::int32_t lo, std::int32_t hi) {
    if (p_.degree(b) != SeriesProgram::unbounded) lo = std::max(lo, k - p_.degree(b));
    hi = std::min(hi, p_.degree(a));
    if (lo > hi) return std::nullopt;
    return b_.dot(a, b, k, lo, hi);
  }

  // Σ_{j=lo}^{k−lo} a_j a_{k−j}, each pair once
  std::optional<Value> square_sum(std::uint32_t a, std::int32_t k, std::int32_t lo) {
    std::optional<Value> pairs = sum(a, a, k, lo, (k - 1) / 2 - (k == 0 ? 1 : 0));
    if (pairs) pairs = b_.add(*pairs, *pairs);
    if (k % 2 != 0 || k / 2 < lo || !has(a, k / 2)) return pairs;
    const Value middle = b_.get(a, k / 2);
    return this->plus(pairs, b_.multiply(middle, middle));
  }

  std::optional<Value> product(std::uint32_t a, std::uint32_t b, std::int32_t k) { return sum(a, b, k, 0, k); }
  std::optional<Value> product_rest(std::uint32_t b, std::uint32_t y, std::int32_t k) { return sum(b, y, k, 1, k); }
  std::optional<Value> square(std::uint32_t a, std::int32_t k) { return square_sum(a, k, 0); }
  std::optional<Value> square_rest(std::uint32_t y, std::int32_t k) { return square_sum(y, k, 1); }
  Value over(const Value& x, std::uint32_t r) { return b_.multiply(x, b_.reciprocal(r)); }
  Value half_over(const Value& x, std::uint32_t r) { return b_.scale(0.5, over(x, r)); }
  // What is made of derivatives is one order behind: its coefficient k belongs to k + 1 of the others.
  Value derivative(std::uint32_t a, std::int32_t k) { return b_.scale(k + 1.0, b_.get(a, k + 1)); }
  Value integral(const SeriesInstruction& i, std::int32_t k) {
    const Value rate = b_.get(i.a, k - 1);
    return b_.quotient(i.negative ? b_.negate(rate) : rate, k);
  }

  // M₀ x_k = F_k − Σ_{j=1}^{k} M_j x_{k−j}
  void solve(std::uint32_t number, std::int32_t k) {
    const Program::System& s = p_.systems()[number];
    if (k == 0) {
      b_.factor(number, s);
      return;
    }
    for (std::uint32_t side = 0; side < s.right_hand_sides; ++side) {
      const auto unknown = [&](std::uint32_t i) { return s.solution + i * s.right_hand_sides + side; };
      if (!has(unknown(0), k)) continue;
      b_.begin_rest(s.size);
      for (std::uint32_t i = 0; i < s.size; ++i) {
        std::optional<Value> rest = term(s.right[i * s.right_hand_sides + side], k);
        for (std::uint32_t j = 0; j < s.size; ++j) {
          rest = this->minus(rest, sum(s.matrix[i * s.size + j], unknown(j), k, 1, k));
        }
        b_.set_rest(i, rest);
      }
      for (std::uint32_t i = 0; i < s.size; ++i) b_.set(unknown(i), k, b_.times_inverse(number, s, i));
    }
  }

  const SeriesProgram& p_;
};

}  // namespace cetaev
