// The order in which the pivots of a linear system are taken when its elimination is written out beforehand.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace cetaev::gpu {

struct PivotOrder {
  std::vector<std::pair<std::size_t, std::size_t>> pivots;  // row and column of one after the other
  // They are those of definite matrices: stable as they are, whatever stands beside them.
  bool definite = false;

  bool empty() const { return pivots.empty(); }
};

// For matrices of n rows that are zero where `zero` says so, by examples of them (n × n, row by row). Down the diagonal where that is
// definite in all examples: mass matrices, and those with constraints beside them. Else, among pivots that are not small beside their column in
// any example, rows measured by their largest entries, the one that fills in least. Empty where some example has no such pivot.
PivotOrder pivot_order(std::size_t n, const std::vector<bool>& zero, std::span<const std::vector<double>> examples);

}  // namespace cetaev::gpu
