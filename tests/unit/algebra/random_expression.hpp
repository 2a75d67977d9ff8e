// Random polynomials and numbers for the tests, the same in every run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  // from … to, both included
  long number(long from, long to) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return from + static_cast<long>((state_ >> 33) % static_cast<std::uint64_t>(to - from + 1));
  }

  // Σ of a few monomials with small coefficients
  Expr polynomial(Context& context, std::span<const Expr> symbols, int terms, long degree) {
    Expr sum = context.zero();
    for (int i = 0; i < terms; ++i) {
      Expr monomial = context.number(Rational(number(-9, 9), number(1, 4)));
      for (const Expr symbol : symbols) monomial = monomial * pow(symbol, Rational(number(0, degree)));
      sum = sum + monomial;
    }
    return sum;
  }

 private:
  std::uint64_t state_;
};

}  // namespace cetaev
