// The sum of a series at the end of a step.
#pragma once

#include <cstddef>

namespace cetaev {

// Σ_{k≥1} c_k h^{k−1} for `size` variables of every lane: c_k of variable i at c[(k * size + i) * lanes + lane], h by lane,
// the sum likewise. The order is 2 at least.
using SeriesSum = void (*)(const double* c, std::size_t size, unsigned order, const double* h, double* sum);

// The one for so many lanes (1, 2, 4 or 8) and variables.
SeriesSum series_sum(unsigned lanes, std::size_t size);

}  // namespace cetaev
