#include "cetaev/detail/numeric/balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cetaev {

namespace {

// Osborne's iteration with the largest entries in the place of norms: in logarithms, rows and columns are moved by half of what they differ.
// Every part is irreducible, so that each has an entry beside the diagonal.
std::vector<long> balancing(std::span<const double> log2_magnitudes, std::size_t n,
                            std::span<const std::size_t> members) {
  constexpr int most_rounds = 1000;
  constexpr double settled = 1;  // a factor of two: what exponents are rounded to
  const std::size_t m = members.size();
  std::vector<double> e(m);
  for (int round = 0; m > 1 && round < most_rounds; ++round) {
    double moved = 0;
    for (std::size_t i = 0; i < m; ++i) {
      double row = -std::numeric_limits<double>::infinity(), column = row;
      for (std::size_t j = 0; j < m; ++j) {
        if (j == i) continue;
        row = std::max(row, log2_magnitudes[members[i] * n + members[j]] + e[j]);
        column = std::max(column, log2_magnitudes[members[j] * n + members[i]] - e[j]);
      }
      // |row| 2^−e = |column| 2^e
      const double next = (row - column) / 2;
      moved = std::max(moved, std::abs(next - e[i]));
      e[i] = next;
    }
    if (moved < settled) break;
  }
  std::vector<long> result;
  for (const double one : e) result.push_back(std::lround(one - (e.empty() ? 0 : e.front())));
  return result;
}

}  // namespace

std::vector<BalancedPart> balanced_parts(std::span<const double> log2_magnitudes, std::size_t n) {
  std::vector<std::vector<bool>> reaches(n, std::vector<bool>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      reaches[i][j] = log2_magnitudes[i * n + j] > -std::numeric_limits<double>::infinity();
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; reaches[i][k] && j < n; ++j) reaches[i][j] = reaches[i][j] || reaches[k][j];
    }
  }
  std::vector<BalancedPart> parts;
  std::vector<bool> taken(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (taken[i]) continue;
    BalancedPart part;
    for (std::size_t j = i; j < n; ++j) {
      if (j != i && !(reaches[i][j] && reaches[j][i])) continue;
      taken[j] = true;
      part.members.push_back(j);
    }
    part.exponents = balancing(log2_magnitudes, n, part.members);
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace cetaev
