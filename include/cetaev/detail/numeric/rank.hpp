// When a number of a matrix counts as zero. Every bound is relative: a matrix is compared with its own size.
#pragma once

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

}  // namespace cetaev
