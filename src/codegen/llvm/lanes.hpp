// A few doubles side by side, for the loops over tables.
#pragma once

#include <cmath>

#include "runtime.hpp"

namespace cetaev::native {

template <unsigned lanes>
struct Lanes {
  double v[lanes];

  static Lanes load(const double* p) {
    Lanes r;
    for (unsigned i = 0; i < lanes; ++i) r.v[i] = p[i];
    return r;
  }
  static Lanes of(double x) {
    Lanes r;
    for (unsigned i = 0; i < lanes; ++i) r.v[i] = x;
    return r;
  }
  void store(double* p) const {
    for (unsigned i = 0; i < lanes; ++i) p[i] = v[i];
  }
  template <class F>
  static Lanes zip(const Lanes& x, const Lanes& y, F f) {
    Lanes r;
    for (unsigned i = 0; i < lanes; ++i) r.v[i] = f(x.v[i], y.v[i]);
    return r;
  }
  template <class F>
  Lanes map(F f) const {
    Lanes r;
    for (unsigned i = 0; i < lanes; ++i) r.v[i] = f(v[i]);
    return r;
  }
  friend Lanes operator+(const Lanes& x, const Lanes& y) {
    return zip(x, y, [](double a, double b) { return a + b; });
  }
  friend Lanes operator-(const Lanes& x, const Lanes& y) {
    return zip(x, y, [](double a, double b) { return a - b; });
  }
  friend Lanes operator*(const Lanes& x, const Lanes& y) {
    return zip(x, y, [](double a, double b) { return a * b; });
  }
  friend Lanes operator/(const Lanes& x, const Lanes& y) {
    return zip(x, y, [](double a, double b) { return a / b; });
  }
  // x y + z, rounded once where the processor does so by itself
  static Lanes fused(const Lanes& x, const Lanes& y, const Lanes& z) {
#if defined(__FMA__) || defined(__aarch64__)
    Lanes r;
    for (unsigned i = 0; i < lanes; ++i) r.v[i] = std::fma(x.v[i], y.v[i], z.v[i]);
    return r;
#else
    return x * y + z;
#endif
  }
  Lanes operator-() const {
    return map([](double a) { return -a; });
  }
};

// Functions from the table.
template <unsigned lanes>
struct LaneFunctions {
  using L = Lanes<lanes>;

  static L one(unsigned slot, const L& x) {
    const void* const f = function_table(lanes)[slot];
    if constexpr (lanes == 1) {
      return {{reinterpret_cast<double (*)(double)>(const_cast<void*>(f))(x.v[0])}};
    } else {
      L y;
      reinterpret_cast<void (*)(const double*, double*)>(const_cast<void*>(f))(x.v, y.v);
      return y;
    }
  }
  static L two(unsigned slot, const L& x, const L& y) {
    const void* const f = function_table(lanes)[slot];
    if constexpr (lanes == 1) {
      return {{reinterpret_cast<double (*)(double, double)>(const_cast<void*>(f))(x.v[0], y.v[0])}};
    } else {
      double arguments[2 * lanes];
      x.store(arguments);
      y.store(arguments + lanes);
      L r;
      reinterpret_cast<void (*)(const double*, double*)>(const_cast<void*>(f))(arguments, r.v);
      return r;
    }
  }
  // n × n and n × m values; `scratch` as the table says.
  static bool solve(std::size_t n, std::size_t m, double* matrix, double* right, double* scratch) {
    const void* const f = function_table(lanes)[slot_eliminate];
    return reinterpret_cast<int (*)(int, int, double*, double*, double*)>(const_cast<void*>(f))(
               static_cast<int>(n), static_cast<int>(m), matrix, right, scratch) != 0;
  }
};

}  // namespace cetaev::native
