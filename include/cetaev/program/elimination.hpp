// Dense linear systems of programs: one criterion of singularity for every way to run them.
#pragma once

#include <cstddef>

namespace cetaev {

// A pivot this small beside rows whose largest entry is 1: the matrix is singular but for rounding.
inline constexpr double singular_pivot = 1e-12;

// Solves A X = B by Gaussian elimination with scaled partial pivoting; A (n × n) is destroyed, B (n × m) becomes X. Returns the
// determinant, zero where A is singular (B is then not a solution).
double eliminate(std::size_t n, std::size_t m, double* a, double* x);

}  // namespace cetaev
