// Complex numbers in words and in JSON.
#pragma once

#include <fmt/format.h>

#include <complex>
#include <string>

#include "json_values.hpp"

namespace cetaev {

inline std::string complex_text(std::complex<double> value, int digits) {
  if (value.imag() == 0) return fmt::format("{:.{}g}", value.real() + 0.0, digits);
  const std::string imaginary = fmt::format("{:.{}g} i", std::abs(value.imag()), digits);
  const char* sign = value.imag() < 0 ? "-" : "+";
  if (value.real() == 0) return (value.imag() < 0 ? "-" : "") + imaginary;
  return fmt::format("{:.{}g} {} {}", value.real(), digits, sign, imaginary);
}

// Of a real matrix, whose eigenvalues come in conjugate pairs: both in one line.
inline std::string pair_text(std::complex<double> value, int digits) {
  if (value.imag() == 0) return complex_text(value, digits);
  return fmt::format("{:.{}g} \u00b1 {:.{}g} i", value.real() + 0.0, digits, value.imag(), digits);
}

inline Json complex_json(std::complex<double> value) {
  return {{"re", number(value.real())}, {"im", number(value.imag())}};
}

}  // namespace cetaev
