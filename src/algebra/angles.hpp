// sin, cos and sinh, cosh: sums and multiples of arguments.
//
// Among the arguments that occur together a basis over the rationals is chosen, simple ones first; every other argument
// is an integer combination of base angles (basis arguments divided by the denominators that occur), and its sine and
// cosine are expanded by the addition theorems. So sin(a+b) costs nothing when a and b do not occur on their own. Each
// base angle has generators c and s with s² = σ(c² − 1), σ = −1 for the circular and +1 for the hyperbolic functions.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "generators.hpp"
#include "roots.hpp"
#include "span.hpp"

namespace cetaev::algebra {

class AngleKernels {
 public:
  struct Argument {
    Expr expr;
    Fraction value;
  };
  struct Pair {
    Fraction cosine, sine;
  };

  AngleKernels(Generators& generators, RootKernels& roots, int sigma)
      : generators_(generators), roots_(roots), sigma_(sigma) {}

  // `pi`, once it has a generator, is for the circular functions.
  void plan(std::vector<Argument> arguments, const std::optional<Argument>& pi);
  const Pair& of(Expr argument) const { return pairs_.at(argument.id()); }
  bool knows(Expr argument) const { return pairs_.contains(argument.id()); }

 private:
  struct BaseAngle {
    Fraction angle;
    Pair pair;
  };
  Pair zero_angle() const;
  Pair add(const Pair& a, const Pair& b) const;
  Pair multiple(const Pair& a, long n) const;
  std::size_t add_base(const Argument& argument, const Rational& divisor);
  Pair multiple_of_pi(const Rational& r);

  Generators& generators_;
  RootKernels& roots_;
  int sigma_;
  std::vector<BaseAngle> bases_;
  std::map<std::uint32_t, Pair> pairs_;
};

}  // namespace cetaev::algebra
