#include "cetaev/detail/numeric/rank.hpp"

#include <algorithm>
#include <cmath>

namespace cetaev {

std::vector<double> state_errors(std::span<const double> x, const Kinds& kinds, double known) {
  double largest[2] = {0, 0};
  for (std::size_t i = 0; i < x.size(); ++i) largest[kinds(i)] = std::max(largest[kinds(i)], std::fabs(x[i]));
  std::vector<double> result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = known * (smallest_state + largest[kinds(i)]);
  return result;
}

Pivots pivots(DenseMatrix rows, std::span<const double> errors,
              const std::vector<std::vector<std::size_t>>& column_classes) {
  Pivots result;
  std::vector<std::size_t> left;
  std::vector<double> doubt(rows.rows());  // relative error
  std::vector<double> given(rows.rows());  // the same, of the rows as they came
  // What is left of a row is a combination of those that came. Bounds that add up from pivot to pivot double with every one, as in a chain of
  // links, while the combinations stay as they are: where the bounds would decide, these do.
  DenseMatrix combined = DenseMatrix::identity(rows.rows());
  // With pivots A₁₁ the rest is A₂₂ − A₂₁ A₁₁⁻¹ A₁₂: what is wrong with the pivot columns comes into column c by (A₁₁⁻¹ A₁₂)_c.
  DenseMatrix solved(rows.rows(), rows.columns());  // A₁₁⁻¹ A₁₂, a row for each pivot
  std::vector<double> spread(rows.columns(), 1.0);  // 1 + Σ |…|
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const double norm = row_length(rows, i);
    if (!(norm > errors[i])) {
      result.vanishing_rows.push_back(i);
      continue;
    }
    for (std::size_t j = 0; j < rows.columns(); ++j) rows(i, j) /= norm;
    given[i] = doubt[i] = errors[i] / norm;
    left.push_back(i);
  }
  for (const std::vector<std::size_t>& columns : column_classes) {
    std::vector<std::size_t> open = columns;
    while (!left.empty() && !open.empty()) {
      std::size_t best_row = 0;
      std::size_t best_column = 0;
      double best = 0;
      for (std::size_t r = 0; r < left.size(); ++r) {
        for (std::size_t c = 0; c < open.size(); ++c) {
          const double off = doubt[left[r]] * spread[open[c]];
          const double smallest = std::max(rank_tolerance, off);
          const double weight = off > rank_tolerance ? rank_tolerance / off : 1;
          const double entry = std::fabs(rows(left[r], open[c]));
          // the first of nearly equal ones, so that rounding does not decide
          if (entry > smallest && entry * weight > best * (1 + 1e-9)) {
            best = entry * weight;
            best_row = r;
            best_column = c;
          }
        }
      }
      if (best == 0) break;
      const std::size_t row = left[best_row];
      const std::size_t column = open[best_column];
      result.rows.push_back(row);
      result.columns.push_back(column);
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(best_row));
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(best_column));
      const std::size_t pivot = result.rows.size() - 1;
      for (std::size_t j = 0; j < rows.columns(); ++j) solved(pivot, j) = rows(row, j) / rows(row, column);
      solved(pivot, column) = 0;
      std::ranges::fill(spread, 1.0);
      for (std::size_t k = 0; k <= pivot; ++k) {
        const double factor = k < pivot ? solved(k, column) : 0;
        for (std::size_t j = 0; j < rows.columns(); ++j) {
          solved(k, j) -= factor * solved(pivot, j);
          spread[j] += std::fabs(solved(k, j));
        }
        if (k < pivot) {
          spread[column] -= std::fabs(solved(k, column));
          solved(k, column) = 0;
        }
      }
      for (const std::size_t i : left) {
        const double factor = rows(i, column) / rows(row, column);
        for (std::size_t j = 0; j < rows.columns(); ++j) rows(i, j) -= factor * rows(row, j);
        rows(i, column) = 0;
        for (std::size_t j = 0; j < rows.rows(); ++j) combined(i, j) -= factor * combined(row, j);
        doubt[i] += std::fabs(factor) * doubt[row];
        if (doubt[i] <= rank_tolerance) continue;
        doubt[i] = 0;
        for (std::size_t j = 0; j < rows.rows(); ++j) doubt[i] += std::fabs(combined(i, j)) * given[j];
      }
    }
  }
  return result;
}

}  // namespace cetaev
