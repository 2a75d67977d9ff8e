// Gaussian elimination by rows, for whoever has a criterion of his own for pivots.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>

namespace cetaev {

inline constexpr std::size_t rows_at_once = 4;

// Rows long enough for the vector unit.
void subtract_long_rows(std::size_t count, const double* factors, const double* x, std::size_t stride,
                        std::size_t length, double* y);

// y ← y − f₀ x₀ − f₁ x₁ − …, rounded in this order, with the rows x₀, x₁, … `stride` apart; rows_at_once of them at most.
template <class Number>
void subtract_rows(std::size_t count, const Number* factors, const Number* x, std::size_t stride, std::size_t length,
                   Number* y) {
  if constexpr (std::is_same_v<Number, double>) {
    constexpr std::size_t short_ones = 8;
    if (length >= short_ones) return subtract_long_rows(count, factors, x, stride, length, y);
  }
  for (std::size_t c = 0; c < count; ++c, x += stride)
    for (std::size_t j = 0; j < length; ++j) y[j] -= factors[c] * x[j];
}

// Brings A (n × n, row after row) to its upper triangle, the largest entry of a column for its pivot, with B (n × m) beside it. Below the diagonal stays
// l_ij u_jj. `accept(k, pivot, exchanged)` says of each pivot whether to go on; false where it did not.
//
// Rows that are reduced by a few at once are read and written once for them. What is rounded, and in which order, does not depend on that.
template <class Number, class Accept>
bool reduce_rows(std::size_t n, std::size_t m, Number* a, std::type_identity_t<Number>* b, const Accept& accept) {
  const std::size_t width = n < 3 * rows_at_once ? 1 : rows_at_once;
  std::array<Number, rows_at_once> factors;
  for (std::size_t first = 0; first < n; first += width) {
    const std::size_t end = std::min(first + width, n);
    for (std::size_t k = first; k < end; ++k) {
      std::size_t pivot = k;
      for (std::size_t i = k + 1; i < n; ++i)
        if (std::fabs(a[i * n + k]) > std::fabs(a[pivot * n + k])) pivot = i;
      if (!accept(k, a[pivot * n + k], pivot != k)) return false;
      if (pivot != k) {
        std::swap_ranges(a + k * n, a + k * n + n, a + pivot * n);
        std::swap_ranges(b + k * m, b + k * m + m, b + pivot * m);
      }
      for (std::size_t i = k + 1; k + 1 < end && i < n; ++i) {
        if (a[i * n + k] == 0) continue;
        const Number factor = a[i * n + k] / a[k * n + k];
        for (std::size_t j = k + 1; j < end; ++j) a[i * n + j] -= factor * a[k * n + j];
      }
    }
    for (std::size_t i = first + 1; i < n; ++i) {
      const std::size_t count = std::min(i, end) - first;
      bool any = false;
      for (std::size_t c = 0; c < count; ++c) {
        const std::size_t k = first + c;
        factors[c] = a[i * n + k] / a[k * n + k];
        any = any || factors[c] != 0;
      }
      if (!any) continue;
      subtract_rows(count, factors.data(), a + first * n + end, n, n - end, a + i * n + end);
      subtract_rows(count, factors.data(), b + first * m, m, m, b + i * m);
    }
  }
  return true;
}

}  // namespace cetaev
