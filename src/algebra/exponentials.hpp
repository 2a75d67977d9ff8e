// exp(u) and b^s = exp(s·log b).
//
// As with angles, a basis over the rationals is chosen among the arguments; the logarithms that occur are in it from
// the start, because exp(log b) is b itself. So 2^x·2^y = 2^(x+y), b^(n+1) = b·b^n and exp(2u) = exp(u)².
#pragma once

#include <map>
#include <span>
#include <vector>

#include "generators.hpp"
#include "roots.hpp"
#include "span.hpp"

namespace cetaev::algebra {

class ExponentialKernels {
 public:
  struct Argument {
    Expr node;  // exp(u), b^s, or the argument u of a hyperbolic function
    bool is_hyperbolic;
    Fraction value;  // u or s·log b
  };
  struct Logarithm {
    Fraction value, base;
  };

  ExponentialKernels(Generators& generators, RootKernels& roots) : generators_(generators), roots_(roots) {}

  void plan(std::vector<Argument> arguments, std::span<const Logarithm> logarithms);
  const Fraction& of(Expr node) const { return values_.at({node.id(), false}); }
  // exp(u) for the argument u of a hyperbolic function
  const Fraction& of_hyperbolic(Expr argument) const { return values_.at({argument.id(), true}); }

 private:
  struct Base {
    Fraction exponent;
    Fraction value;
  };
  std::size_t add_base(const Argument& argument, const Rational& divisor);

  Generators& generators_;
  RootKernels& roots_;
  std::vector<Base> bases_;
  std::map<std::pair<std::uint32_t, bool>, Fraction> values_;
};

}  // namespace cetaev::algebra
