// The recurrences of power series, for whatever computes: doubles, lanes, or a builder of machine code.
//
// A backend has a type Value and
//   Value get(r, k), void set(r, k, value)      coefficient k of register r
//   Value zero(), add(x, y), subtract(x, y), negate(x), multiply(x, y), divide(x, y), square_root(x)
//   Value scale(double, x)
//   Value quotient(x, k)                        x / k, as good as rounded once: an error of 1/k would be the same in every step
//   Value dot(a, b, k, lo, hi)                  Σ_{j=lo}^{hi} a_j b_{k−j}, lo ≤ hi
//   Value reciprocal(r)                         1 / r₀; asked for only after round 0 has set r₀
//   Value sign(r)                               ±1, the sign of r₀
//   Value start(instruction)                    the value of an integral at the start of the step
//   void factor(number, system)                 round 0 of a solve: sets coefficient 0 of the unknowns, too
//   void begin_rest(size), set_rest(i, r)       the right-hand side r of M₀ x = r; an absent value is zero
//   Value times_inverse(number, system, i)      x_i
// No coefficient beyond the degree of a register is asked for or set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "cetaev/program/series.hpp"

namespace cetaev {

template <class Backend>
class SeriesCoefficients {
 public:
  using Value = typename Backend::Value;

  SeriesCoefficients(const SeriesProgram& program, Backend& backend) : p_(program), b_(backend) {}

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
      b_.set(i.out, k, coefficient(i, k));
    }
  }

 private:
  bool has(std::uint32_t r, std::int32_t k) const { return k <= p_.degree(r); }

  // x + y where either may be absent
  std::optional<Value> plus(std::optional<Value> x, std::optional<Value> y) {
    if (!x) return y;
    if (!y) return x;
    return b_.add(*x, *y);
  }
  std::optional<Value> minus(std::optional<Value> x, std::optional<Value> y) {
    if (!y) return x;
    if (!x) return b_.negate(*y);
    return b_.subtract(*x, *y);
  }
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
    return plus(pairs, b_.multiply(middle, middle));
  }

  Value coefficient(const SeriesInstruction& i, std::int32_t k) {
    switch (i.operation) {
      case SeriesOperation::add: return or_zero(plus(term(i.a, k), term(i.b, k)));
      case SeriesOperation::subtract: return or_zero(minus(term(i.a, k), term(i.b, k)));
      case SeriesOperation::negate: return b_.negate(b_.get(i.a, k));
      case SeriesOperation::multiply: return or_zero(sum(i.a, i.b, k, 0, k));
      case SeriesOperation::multiply_add: return or_zero(plus(term(i.c, k), sum(i.a, i.b, k, 0, k)));
      case SeriesOperation::square: return or_zero(square_sum(i.a, k, 0));
      case SeriesOperation::divide: {
        if (k == 0) return b_.divide(b_.get(i.a, 0), b_.get(i.b, 0));
        // b c = a: c_k = (a_k − Σ_{j=1}^{k} b_j c_{k−j}) / b₀
        const std::optional<Value> rest = minus(term(i.a, k), sum(i.b, i.out, k, 1, k));
        return rest ? b_.multiply(*rest, b_.reciprocal(i.b)) : b_.zero();
      }
      case SeriesOperation::square_root: {
        if (k == 0) return b_.square_root(b_.get(i.a, 0));
        // y² = a: 2 y₀ y_k = a_k − Σ_{j=1}^{k−1} y_j y_{k−j}
        const std::optional<Value> rest = minus(term(i.a, k), square_sum(i.out, k, 1));
        return rest ? b_.scale(0.5, b_.multiply(*rest, b_.reciprocal(i.out))) : b_.zero();
      }
      case SeriesOperation::derivative: return b_.scale(k + 1.0, b_.get(i.a, k + 1));
      case SeriesOperation::integral:
        if (k == 0) return b_.start(i);
        return b_.quotient(i.negative ? b_.negate(b_.get(i.a, k - 1)) : b_.get(i.a, k - 1), k);
      case SeriesOperation::magnitude: return b_.multiply(b_.sign(i.a), b_.get(i.a, k));
      case SeriesOperation::solve: break;
    }
    return b_.zero();
  }

  Value or_zero(std::optional<Value> x) { return x ? *x : b_.zero(); }

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
          rest = minus(rest, sum(s.matrix[i * s.size + j], unknown(j), k, 1, k));
        }
        b_.set_rest(i, rest);
      }
      for (std::uint32_t i = 0; i < s.size; ++i) b_.set(unknown(i), k, b_.times_inverse(number, s, i));
    }
  }

  const SeriesProgram& p_;
  Backend& b_;
};

}  // namespace cetaev
