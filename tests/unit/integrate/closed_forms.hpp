// What tests of random motions against closed forms and quadratures share.
#pragma once

#include <array>
#include <cmath>
#include <functional>

#include "cetaev/detail/numeric/random.hpp"

namespace cetaev {

inline double rounded(Random& random, double low, double high) {
  return std::round(1000 * random.uniform(low, high)) / 1000;
}

// ∫ of both components by Simpson's rule, fine enough for what is smooth.
inline std::array<double, 2> integral(const std::function<std::array<double, 2>(double)>& f, double end) {
  constexpr int pieces = 20000;
  std::array<double, 2> sum = {};
  for (int i = 0; i <= pieces; ++i) {
    const std::array<double, 2> here = f(end * i / pieces);
    const double weight = i == 0 || i == pieces ? 1 : i % 2 == 1 ? 4 : 2;
    for (std::size_t k = 0; k < 2; ++k) sum[k] += weight * here[k] * end / (3 * pieces);
  }
  return sum;
}

}  // namespace cetaev
