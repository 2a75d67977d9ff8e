// Functions of one argument in the numbers of the processor, of whatever length.
#pragma once

#include <cmath>
#include <limits>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// Not a number for functions of two.
template <class Number>
Number elementary(Function f, Number x) {
  switch (f) {
    case Function::sin: return std::sin(x);
    case Function::cos: return std::cos(x);
    case Function::tan: return std::tan(x);
    case Function::asin: return std::asin(x);
    case Function::acos: return std::acos(x);
    case Function::atan: return std::atan(x);
    case Function::sinh: return std::sinh(x);
    case Function::cosh: return std::cosh(x);
    case Function::tanh: return std::tanh(x);
    case Function::asinh: return std::asinh(x);
    case Function::acosh: return std::acosh(x);
    case Function::atanh: return std::atanh(x);
    case Function::exp: return std::exp(x);
    case Function::log: return std::log(x);
    case Function::abs: return std::abs(x);
    default: return std::numeric_limits<Number>::quiet_NaN();
  }
}

}  // namespace cetaev
