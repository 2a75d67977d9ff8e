// Fractional powers and absolute values: r^(p/q) and |u| = (u²)^½.
//
// Where a fractional power is real its base is not negative, so positive numbers and factors that cannot be negative
// leave the root, and multiplicative relations between the remaining bases become relations between their roots:
// √(xy) = √x·√y where all three stand in one expression. Among the bases that occur a multiplicatively independent set
// {b} is chosen, each with one generator g, g^q = b, for all the fractional powers that are needed of it.
#pragma once

#include <span>
#include <vector>

#include "generators.hpp"
#include "span.hpp"

namespace cetaev::algebra {

class RootKernels {
 public:
  explicit RootKernels(Generators& generators) : generators_(generators) {}

  struct Request {
    Fraction base;
    Rational exponent;
  };
  // The powers, in the order of the requests. Requests made together share generators best.
  std::vector<Fraction> plan(std::span<const Request> requests);
  Fraction root(const Fraction& base, const Rational& exponent);
  Fraction root_of_integer(long n, const Rational& exponent);

 private:
  // ± Π irreducible^e, known to be ≥ 0 where the root is defined
  struct Monomial {
    int sign = 1;
    SparseVector exponents;
    friend bool operator==(const Monomial&, const Monomial&) = default;
  };
  struct Part {
    Monomial base;
    Rational exponent;
  };
  struct Base {
    Monomial value;
    std::vector<std::pair<unsigned long, std::size_t>> roots;  // degree, generator
  };
  struct Powers {
    SparseVector exponents;  // by number of the base
    bool vanishes = false;
  };

  std::size_t irreducible(const Poly& p);
  void factor_into(Monomial& m, const Poly& p, const Rational& exponent);
  void factor_into(Monomial& m, const Rational& positive);
  std::vector<Part> split(const Fraction& base, const Rational& exponent);
  SparseVector express(const Monomial& m);
  std::size_t add_base(const Monomial& m);
  std::size_t generator_for(std::size_t base, unsigned long degree);
  Fraction value(const Monomial& m);
  Fraction power_of_base(std::size_t base, const Rational& exponent);

  Generators& generators_;
  std::vector<Poly> irreducibles_;
  std::vector<bool> nonnegative_;  // of the irreducibles
  std::vector<Base> bases_;
  Span span_;
  std::vector<std::size_t> span_bases_;  // the base that each vector of the span is
};

}  // namespace cetaev::algebra
