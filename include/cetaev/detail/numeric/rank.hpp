// When a number of a matrix counts as zero, and how well a state is known. Every bound is relative: a matrix is compared with its own
// size, a state with its own. docs/decisions/0021 says why these.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cetaev/detail/numeric/dense.hpp"

namespace cetaev {

// Of pivots in an orthogonal or complete elimination, beside the largest: below this a row depends on the others. For rows
// that have been brought to comparable length and states computed to rounding: a true dependency shows at 1e-15 times a
// moderate condition number, and what a model means to be independent is rarely as near as this.
inline constexpr double rank_tolerance = 1e-10;

// The same for matrices sampled from functions that may themselves have lost a digit.
inline constexpr double sampled_rank_tolerance = 1e-9;

// Of a pivot in Gaussian elimination with rows whose largest entry is 1: the matrix is singular but for rounding. A motion may
// come near a singular state and leave it again, so that only what rounding alone would leave counts.
inline constexpr double singular_pivot = 1e-12;

// A state is known to this, beside the largest of its positions (velocities) of one kind: some thousand roundings, which Newton's method
// and a reader who writes twelve digits both stay within. Where all of them are small they are compared with the second.
inline constexpr double known_state = 1e-12, smallest_state = 1e-3;

// Which coordinates are compared with each other: lengths with lengths, pure numbers as angles are with pure numbers. Without any, all.
struct Kinds {
  std::vector<bool> pure;  // by coordinate

  // Of an entry of positions, of velocities, or of one behind the other.
  bool operator()(std::size_t i) const { return !pure.empty() && pure[i % pure.size()]; }
};

// How far each of these positions (velocities) may be off.
std::vector<double> state_errors(std::span<const double> x, const Kinds& kinds, double known = known_state);

// An independent choice of the rows of a matrix, with as many columns.
struct Pivots {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> columns;
  std::vector<std::size_t> vanishing_rows;  // shorter than they may be off
};

// Gaussian elimination with complete pivoting on rows of equal length; pivots are taken from the columns of the first class while
// there are any, then from the next class. `errors` says by how much each row may be off, in its own units: a row depends on others
// where what remains of it is not more than that, and of rows that serve as well the one that is known better is taken.
Pivots pivots(DenseMatrix rows, std::span<const double> errors,
              const std::vector<std::vector<std::size_t>>& column_classes);

}  // namespace cetaev
