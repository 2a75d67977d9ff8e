// Numbers side by side, one for each lane, in the vector registers.
//
// Arrays hold them as [index][lane].
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace cetaev {

template <unsigned lanes>
struct PackOf {
  using Type __attribute__((vector_size(lanes * sizeof(double)))) = double;
  using Bits __attribute__((vector_size(lanes * sizeof(double)))) = std::int64_t;
};
template <>
struct PackOf<1> {
  using Type = double;
};

template <unsigned lanes>
using Pack = typename PackOf<lanes>::Type;

template <unsigned lanes>
inline Pack<lanes> load(const double* array, std::size_t index) {
  Pack<lanes> x;
  std::memcpy(&x, array + index * lanes, sizeof x);
  return x;
}

template <unsigned lanes>
inline void store(Pack<lanes> x, double* array, std::size_t index) {
  std::memcpy(array + index * lanes, &x, sizeof x);
}

template <unsigned lanes>
inline Pack<lanes> magnitude(Pack<lanes> x) {
  if constexpr (lanes == 1) {
    return std::abs(x);
  } else {
    using Bits = typename PackOf<lanes>::Bits;
    return reinterpret_cast<Pack<lanes>>(reinterpret_cast<Bits>(x) & (Bits{} + INT64_MAX));
  }
}

// The larger one; x where y is not a number.
template <unsigned lanes>
inline Pack<lanes> larger(Pack<lanes> x, Pack<lanes> y) {
  return y > x ? y : x;
}

}  // namespace cetaev
