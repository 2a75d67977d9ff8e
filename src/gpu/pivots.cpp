#include "pivots.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace cetaev::gpu {

namespace {

// Of the largest in its column: less would lose digits, more would fill in.
constexpr double least_share = 0.1;

class Search {
 public:
  Search(std::size_t n, const std::vector<bool>& zero, std::span<const std::vector<double>> examples)
      : n_(n), zero_(zero), matrices_(examples.begin(), examples.end()), row_used_(n), column_used_(n) {
    for (std::vector<double>& a : matrices_) {
      for (std::size_t i = 0; i < n_; ++i) {
        double largest = 0;
        for (std::size_t j = 0; j < n_; ++j) largest = std::max(largest, std::abs(a[i * n_ + j]));
        for (std::size_t j = 0; j < n_ && largest > 0; ++j) a[i * n_ + j] /= largest;
      }
    }
  }

  PivotOrder anywhere() {
    PivotOrder order;
    for (std::size_t k = 0; k < n_; ++k) {
      const auto pivot = next([&](std::size_t i, std::size_t j) { return serves(i, j); });
      if (!pivot) return {};
      order.pivots.push_back(*pivot);
      eliminate(pivot->first, pivot->second);
    }
    return order;
  }

  // First where the diagonal has entries by itself, which is the mass matrix, then where elimination has put some.
  PivotOrder down_the_diagonal() {
    PivotOrder order;
    order.definite = true;
    const std::vector<bool> empty = zero_;
    for (const bool filled : {false, true}) {
      while (const auto pivot =
                 next([&](std::size_t i, std::size_t j) { return i == j && empty[i * n_ + i] == filled; })) {
        if (!has_one_sign(pivot->first)) return {};
        order.pivots.push_back(*pivot);
        eliminate(pivot->first, pivot->second);
      }
    }
    if (order.pivots.size() < n_) return {};
    return order;
  }

 private:
  // In all examples, and is more than what rounding has left.
  bool has_one_sign(std::size_t i) const {
    constexpr double rounding = 1e-10;
    const auto at = [&](const std::vector<double>& a) { return a[i * n_ + i]; };
    return std::all_of(matrices_.begin(), matrices_.end(), [&](const std::vector<double>& a) {
      return at(a) * at(matrices_.front()) > 0 && std::abs(at(a)) > rounding;
    });
  }

  bool serves(std::size_t row, std::size_t column) const {
    for (const std::vector<double>& a : matrices_) {
      double largest = 0;
      for (std::size_t i = 0; i < n_; ++i)
        if (!row_used_[i]) largest = std::max(largest, std::abs(a[i * n_ + column]));
      const double size = std::abs(a[row * n_ + column]);
      if (!(size > 0) || !(size >= least_share * largest)) return false;
    }
    return true;
  }

  // Those that are not zero beside it in its row or column, and not taken.
  std::size_t count(std::size_t row, std::size_t column, bool in_row) const {
    std::size_t result = 0;
    for (std::size_t k = 0; k < n_; ++k) {
      if (in_row ? column_used_[k] || k == column : row_used_[k] || k == row) continue;
      if (!zero_[in_row ? row * n_ + k : k * n_ + column]) ++result;
    }
    return result;
  }

  // Among those that are allowed.
  template <class Allowed>
  std::optional<std::pair<std::size_t, std::size_t>> next(const Allowed& allowed) const {
    std::optional<std::pair<std::size_t, std::size_t>> best;
    std::size_t least = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) {
        if (row_used_[i] || column_used_[j] || zero_[i * n_ + j] || !allowed(i, j)) continue;
        const std::size_t fill = count(i, j, true) * count(i, j, false);
        if (best && fill >= least) continue;
        best = {i, j};
        least = fill;
      }
    }
    return best;
  }

  void eliminate(std::size_t row, std::size_t column) {
    row_used_[row] = column_used_[column] = true;
    for (std::size_t i = 0; i < n_; ++i) {
      if (row_used_[i] || zero_[i * n_ + column]) continue;
      for (std::size_t j = 0; j < n_; ++j)
        if (!column_used_[j] && !zero_[row * n_ + j]) zero_[i * n_ + j] = false;
      for (std::vector<double>& a : matrices_) {
        const double factor = a[i * n_ + column] / a[row * n_ + column];
        for (std::size_t j = 0; j < n_; ++j)
          if (!column_used_[j]) a[i * n_ + j] -= factor * a[row * n_ + j];
      }
    }
  }

  std::size_t n_;
  std::vector<bool> zero_;
  std::vector<std::vector<double>> matrices_;
  std::vector<bool> row_used_, column_used_;
};

}  // namespace

PivotOrder pivot_order(std::size_t n, const std::vector<bool>& zero, std::span<const std::vector<double>> examples) {
  PivotOrder diagonal = Search(n, zero, examples).down_the_diagonal();
  return diagonal.empty() ? Search(n, zero, examples).anywhere() : diagonal;
}

}  // namespace cetaev::gpu
