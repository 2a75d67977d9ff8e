#include "cetaev/detail/program/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cetaev {

namespace {

// The largest entry that column k had before the first k columns were eliminated, put together again from the factors; below the diagonal
// stands l_ij u_jj. Asked for where a pivot is small, which is rare.
double size_of_column(std::size_t n, const double* a, std::size_t k) {
  double size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double entry = a[i * n + k];
    for (std::size_t j = 0; j < std::min(i, k); ++j) entry += a[i * n + j] / a[j * n + j] * a[j * n + k];
    size = std::max(size, std::fabs(entry));
  }
  return size;
}

}  // namespace

double eliminate(std::size_t n, std::size_t m, double* a, double* x) {
  double determinant = 1;
  // rows to largest entry 1: pivots are then comparable
  for (std::size_t i = 0; i < n; ++i) {
    double largest = 0;
    for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, std::fabs(a[i * n + j]));
    if (!(largest > 0) || !std::isfinite(largest)) return 0;
    determinant *= largest;
    for (std::size_t j = 0; j < n; ++j) a[i * n + j] /= largest;
    for (std::size_t j = 0; j < m; ++j) x[i * m + j] /= largest;
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::fabs(a[i * n + k]) > std::fabs(a[pivot * n + k])) pivot = i;
    }
    const double size = std::fabs(a[pivot * n + k]);
    if (!(size > singular_pivot) && !(size > singular_pivot * size_of_column(n, a, k))) return 0;
    determinant *= a[pivot * n + k];
    if (pivot != k) {
      determinant = -determinant;
      std::swap_ranges(a + k * n, a + k * n + n, a + pivot * n);
      std::swap_ranges(x + k * m, x + k * m + m, x + pivot * m);
    }
    for (std::size_t i = k + 1; i < n; ++i) {
      if (a[i * n + k] == 0) continue;
      const double factor = a[i * n + k] / a[k * n + k];
      for (std::size_t j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      for (std::size_t j = 0; j < m; ++j) x[i * m + j] -= factor * x[k * m + j];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = 0; j < m; ++j) {
      double value = x[k * m + j];
      for (std::size_t i = k + 1; i < n; ++i) value -= a[k * n + i] * x[i * m + j];
      x[k * m + j] = value / a[k * n + k];
    }
  }
  // of a regular matrix, even where there is no double as small
  return determinant == 0 ? std::copysign(std::numeric_limits<double>::denorm_min(), determinant) : determinant;
}

}  // namespace cetaev
