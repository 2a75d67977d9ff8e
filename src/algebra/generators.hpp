// What the generators of a ring stand for.
#pragma once

#include <deque>
#include <variant>

#include "cetaev/expr/expr.hpp"
#include "fraction.hpp"

namespace cetaev::algebra {

struct Itself {
  Expr expr;  // a symbol, pi, or a function without relations
};
// function(factor·argument); sin, cos, sinh or cosh
struct ScaledFunction {
  Function function;
  Expr argument;
  Rational factor;
};
// exp(u) or b^s, with u or s multiplied by the factor
struct Exponential {
  Expr node;              // exp(u), b^s, or u itself
  bool node_is_argument;  // u itself
  Rational factor;
};
// d·(n/d)^(1/degree), whose power is the polynomial n·d^(degree−1)
struct Root {
  Poly radicand;     // n, or v when `absolute`: then n is v²
  Poly denominator;  // d
  unsigned long degree;
  bool absolute;
};

struct Generator {
  std::variant<Itself, ScaledFunction, Exponential, Root> meaning;
  bool nonnegative = false;
};

class Generators {
 public:
  Generators(std::size_t capacity, Budget& budget) : ring_(capacity, budget) {}
  Ring& ring() { return ring_; }
  std::size_t add(Generator generator) {
    const std::size_t index = ring_.add_generator();
    list_.push_back(std::move(generator));
    return index;
  }
  const Generator& operator[](std::size_t index) const { return list_[index]; }

  // No value of the generators makes this negative: positive coefficients, even powers.
  bool is_manifestly_nonnegative(const Poly& p) const {
    for (std::size_t k = 0; k < p.length(); ++k) {
      if (p.coefficient(k).sign() < 0) return false;
      const std::vector<unsigned long> exponents = p.exponents(k);
      for (std::size_t g = 0; g < list_.size(); ++g) {
        if (exponents[g] % 2 != 0 && !list_[g].nonnegative) return false;
      }
    }
    return true;
  }

 private:
  Ring ring_;
  std::deque<Generator> list_;
};

}  // namespace cetaev::algebra
