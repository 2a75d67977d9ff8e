// Dense linear systems of programs: one criterion of singularity for every way to run them.
#pragma once

#include <cstddef>

#include "cetaev/detail/numeric/rank.hpp"

namespace cetaev {

// Solves A X = B by Gaussian elimination with scaled partial pivoting; A (n × n) is destroyed, B (n × m) becomes X. Returns the
// determinant, zero where a pivot is not larger than singular_pivot beside the largest entries of its row and, rows divided by theirs, of
// its column (B is then not a solution).
double eliminate(std::size_t n, std::size_t m, double* a, double* x);
long double eliminate(std::size_t n, std::size_t m, long double* a, long double* x);

}  // namespace cetaev
