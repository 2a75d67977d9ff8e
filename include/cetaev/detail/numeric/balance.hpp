// A square matrix in parts that have their eigenvalues to themselves, each scaled so that no unit matters.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cetaev {

// Rows and columns that need each other: renumbered part after part, the matrix is triangular by blocks, and its eigenvalues are those of the parts.
// Within a part A becomes D⁻¹ A D with D = diag(2^e), which is exact: what stands in the row and in the column of one number is then of
// about one size. Changes of the units of the state, and of time, are taken out by it but for a common factor.
struct BalancedPart {
  std::vector<std::size_t> members;
  std::vector<long> exponents;
};

// From log2 |a_ij|, row after row; −infinity where an entry is zero for certain. Members in ascending order, parts by their first.
std::vector<BalancedPart> balanced_parts(std::span<const double> log2_magnitudes, std::size_t n);

}  // namespace cetaev
