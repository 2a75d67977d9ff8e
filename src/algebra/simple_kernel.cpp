#include "cetaev/detail/algebra/simple_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "cetaev/detail/numeric/rank.hpp"

namespace cetaev {

namespace {

// The nearest fraction with a small denominator.
std::optional<Rational> simple_fraction(double x) {
  constexpr long largest_denominator = 10000;
  long p0 = 0, q0 = 1, p1 = 1, q1 = 0;
  double rest = x;
  for (int i = 0; i < 20; ++i) {
    const double whole = std::floor(rest);
    if (std::fabs(whole) > 1e9) return std::nullopt;
    const long w = static_cast<long>(whole);
    const long p2 = w * p1 + p0, q2 = w * q1 + q0;
    if (q2 > largest_denominator) return std::nullopt;
    p0 = p1, q0 = q1, p1 = p2, q1 = q2;
    if (std::fabs(x - static_cast<double>(p1) / static_cast<double>(q1)) <= 1e-9 * (1 + std::fabs(x))) {
      return Rational(p1, q1);
    }
    rest = 1 / (rest - whole);
  }
  return std::nullopt;
}

// So that entries are as simple as they can be.
DenseMatrix echelon(DenseMatrix kernel) {
  std::size_t column = 0;
  for (std::size_t row = 0; row < kernel.rows() && column < kernel.columns(); ++row) {
    std::size_t best = column;
    for (std::size_t c = column; c < kernel.columns(); ++c) {
      if (std::fabs(kernel(row, c)) > std::fabs(kernel(row, best))) best = c;
    }
    if (std::fabs(kernel(row, best)) < 1e-8) continue;
    std::ranges::swap_ranges(kernel.column(best), kernel.column(column));
    const double pivot = kernel(row, column);
    for (double& entry : kernel.column(column)) entry /= pivot;
    for (std::size_t c = 0; c < kernel.columns(); ++c) {
      if (c == column) continue;
      const double factor = kernel(row, c);
      for (std::size_t i = 0; i < kernel.rows(); ++i) kernel(i, c) -= factor * kernel(i, column);
    }
    ++column;
  }
  return kernel;
}

DenseMatrix kernel_of(DenseMatrix conditions) {
  // Weak forces make small columns; each is judged by its own size.
  std::vector<double> scales;
  for (std::size_t c = 0; c < conditions.columns(); ++c) {
    const double scale = largest_magnitude(conditions.column(c));
    scales.push_back(scale > 0 ? scale : 1);
    conditions.scale_column(c, 1 / scales.back());
  }
  PivotedQr qr(sampled_rank_tolerance);
  qr.compute(conditions);
  DenseMatrix kernel = echelon(qr.kernel());
  // What rounding left of zeros must go before small columns make it large; then the first entry is 1 again.
  for (std::size_t c = 0; c < kernel.columns(); ++c) {
    const double largest = largest_magnitude(kernel.column(c));
    double first = 0;
    for (std::size_t row = 0; row < kernel.rows(); ++row) {
      if (std::fabs(kernel(row, c)) < 1e-10 * largest) {
        kernel(row, c) = 0;
      } else {
        kernel(row, c) /= scales[row];
        if (first == 0) first = kernel(row, c);
      }
    }
    for (double& entry : kernel.column(c)) entry /= first;
  }
  return kernel;
}

}  // namespace

std::vector<std::vector<Rational>> simple_kernel(DenseMatrix conditions) {
  const DenseMatrix kernel = kernel_of(std::move(conditions));
  std::vector<std::vector<Rational>> result;
  for (std::size_t c = 0; c < kernel.columns(); ++c) {
    std::vector<Rational> entries;
    for (const double value : kernel.column(c)) {
      const auto entry = std::fabs(value) < 1e-9 ? Rational(0) : simple_fraction(value);
      if (!entry) break;
      entries.push_back(*entry);
    }
    if (entries.size() == kernel.rows()) result.push_back(std::move(entries));
  }
  return result;
}

}  // namespace cetaev
