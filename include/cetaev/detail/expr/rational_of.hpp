#pragma once

#include <cmath>

#include "cetaev/expr/rational.hpp"

namespace cetaev {

// The same number; the double is finite.
inline Rational rational_of(double value) {
  constexpr int digits = 53;
  int exponent = 0;
  const double part = std::frexp(value, &exponent);
  return Rational(static_cast<long>(std::ldexp(part, digits))) * Rational(2).power(exponent - digits);
}

}  // namespace cetaev
