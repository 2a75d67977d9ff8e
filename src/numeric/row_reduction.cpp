#include "cetaev/detail/numeric/row_reduction.hpp"

namespace cetaev {

namespace {

[[gnu::always_inline]] inline void subtract(std::size_t count, const double* factors, const double* x,
                                            std::size_t stride, std::size_t length, double* __restrict y) {
  if (count == rows_at_once) {
    static_assert(rows_at_once == 4);
    const double *const x1 = x + stride, *const x2 = x1 + stride, *const x3 = x2 + stride;
    const double f0 = factors[0], f1 = factors[1], f2 = factors[2], f3 = factors[3];
    for (std::size_t j = 0; j < length; ++j) y[j] = y[j] - f0 * x[j] - f1 * x1[j] - f2 * x2[j] - f3 * x3[j];
    return;
  }
  for (std::size_t c = 0; c < count; ++c, x += stride)
    for (std::size_t j = 0; j < length; ++j) y[j] -= factors[c] * x[j];
}

#if defined(__x86_64__)
// Twice as many at once; no product is fused with its difference, so that all processors round alike.
[[gnu::target("avx2")]] void subtract_with_avx2(std::size_t count, const double* factors, const double* x,
                                                std::size_t stride, std::size_t length, double* y) {
  subtract(count, factors, x, stride, length, y);
}
#endif

}  // namespace

void subtract_long_rows(std::size_t count, const double* factors, const double* x, std::size_t stride,
                        std::size_t length, double* y) {
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  if (has_avx2) return subtract_with_avx2(count, factors, x, stride, length, y);
#endif
  subtract(count, factors, x, stride, length, y);
}

}  // namespace cetaev
