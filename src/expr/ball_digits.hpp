// Arithmetic of balls to so many bits.
#pragma once

#include "cetaev/expr/ball.hpp"

namespace cetaev {

struct BallDigits {
  using Number = Ball;
  long bits;

  Ball of(long whole) const {
    return made([&](Ball& r) { r.set(whole); });
  }
  Ball sum(const Ball& a, const Ball& b) const {
    return made([&](Ball& r) { r.set_sum(a, b, bits); });
  }
  Ball difference(const Ball& a, const Ball& b) const {
    return made([&](Ball& r) { r.set_difference(a, b, bits); });
  }
  Ball product(const Ball& a, const Ball& b) const {
    return made([&](Ball& r) { r.set_product(a, b, bits); });
  }
  Ball quotient(const Ball& a, const Ball& b) const {
    return made([&](Ball& r) { r.set_quotient(a, b, bits); });
  }
  Ball root(const Ball& a) const {
    return made([&](Ball& r) { r.set_power(a, Rational(1, 2), bits); });
  }
  Ball square(const Ball& a) const {
    return made([&](Ball& r) { r.set_power(a, Rational(2), bits); });
  }
  Ball value(Function f, const Ball& a) const {
    return made([&](Ball& r) { r.set_function(f, a, bits); });
  }

 private:
  template <class Make>
  static Ball made(Make make) {
    Ball result;
    make(result);
    return result;
  }
};

}  // namespace cetaev
