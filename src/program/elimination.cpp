#include "cetaev/detail/program/elimination.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "cetaev/detail/numeric/row_reduction.hpp"

namespace cetaev {

namespace {

// The largest entry that column k had before the first k columns were eliminated, put together again from the factors; below the diagonal
// stands l_ij u_jj. Asked for where a pivot is small, which is rare.
template <class Number>
Number size_of_column(std::size_t n, const Number* a, std::size_t k) {
  Number size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Number entry = a[i * n + k];
    for (std::size_t j = 0; j < std::min(i, k); ++j) entry += a[i * n + j] / a[j * n + j] * a[j * n + k];
    size = std::max(size, std::abs(entry));
  }
  return size;
}

template <class Number>
Number solve(std::size_t n, std::size_t m, Number* a, Number* x) {
  Number determinant = 1;
  // rows to largest entry 1: pivots are then comparable
  for (std::size_t i = 0; i < n; ++i) {
    Number largest = 0;
    for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, std::abs(a[i * n + j]));
    if (!(largest > 0) || !std::isfinite(largest)) return 0;
    determinant *= largest;
    for (std::size_t j = 0; j < n; ++j) a[i * n + j] /= largest;
    for (std::size_t j = 0; j < m; ++j) x[i * m + j] /= largest;
  }
  const auto accept = [&](std::size_t k, Number pivot, bool exchanged) {
    const Number size = std::abs(pivot);
    determinant *= exchanged ? -pivot : pivot;
    return size > singular_pivot || size > singular_pivot * size_of_column(n, a, k);
  };
  if (!reduce_rows(n, m, a, x, accept)) return 0;
  std::array<Number, rows_at_once> row;
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t i = k + 1; i < n; i += rows_at_once) {
      const std::size_t count = std::min(n - i, rows_at_once);
      std::copy_n(a + k * n + i, count, row.data());
      subtract_rows(count, row.data(), x + i * m, m, m, x + k * m);
    }
    for (std::size_t j = 0; j < m; ++j) x[k * m + j] /= a[k * n + k];
  }
  // of a regular matrix, even where there is no double as small
  return determinant == 0 ? std::copysign(std::numeric_limits<Number>::denorm_min(), determinant) : determinant;
}

}  // namespace

double eliminate(std::size_t n, std::size_t m, double* a, double* x) { return solve(n, m, a, x); }
long double eliminate(std::size_t n, std::size_t m, long double* a, long double* x) { return solve(n, m, a, x); }

}  // namespace cetaev
