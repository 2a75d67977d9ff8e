#include "cetaev/detail/numeric/dense.hpp"

#include <algorithm>
#include <cmath>

namespace cetaev {

DenseMatrix DenseMatrix::identity(std::size_t n) {
  DenseMatrix result(n, n);
  for (std::size_t i = 0; i < n; ++i) result(i, i) = 1;
  return result;
}

DenseMatrix DenseMatrix::from_rows(const double* entries, std::size_t rows, std::size_t columns) {
  return transposed(transposed_view(entries, rows, columns));
}

void DenseMatrix::reset(std::size_t rows, std::size_t columns) {
  rows_ = rows;
  columns_ = columns;
  entries_.assign(rows * columns, 0.0);
}

DenseMatrix DenseMatrix::top_rows(std::size_t count) const {
  DenseMatrix result(count, columns_);
  for (std::size_t j = 0; j < columns_; ++j) std::ranges::copy(column(j).first(count), result.column(j).begin());
  return result;
}

DenseMatrix DenseMatrix::select_columns(std::span<const std::size_t> columns) const {
  DenseMatrix result(rows_, columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) std::ranges::copy(column(columns[k]), result.column(k).begin());
  return result;
}

void DenseMatrix::set_row(std::size_t i, std::span<const double> entries) {
  for (std::size_t j = 0; j < columns_; ++j) (*this)(i, j) = entries[j];
}

void DenseMatrix::scale_row(std::size_t i, double factor) {
  for (std::size_t j = 0; j < columns_; ++j) (*this)(i, j) *= factor;
}

void DenseMatrix::scale_column(std::size_t j, double factor) {
  for (double& entry : column(j)) entry *= factor;
}

bool all_finite(std::span<const double> x) {
  return std::ranges::all_of(x, [](double value) { return std::isfinite(value); });
}

double largest_magnitude(std::span<const double> x) {
  double result = 0;
  for (const double value : x) result = std::max(result, std::fabs(value));
  return result;
}

DenseMatrix transposed(DenseView a) {
  DenseMatrix result(a.columns, a.rows);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < a.columns; ++j) result(j, i) = a(i, j);
  }
  return result;
}

}  // namespace cetaev
