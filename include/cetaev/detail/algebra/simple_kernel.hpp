// Exact vectors from sampled equations: what is looked for has simple entries, and what is found is proved elsewhere.
#pragma once

#include <vector>

#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/expr/rational.hpp"

namespace cetaev {

// A basis of the x with A x = 0 in echelon form, the first entry of each 1: of those vectors the ones all of whose entries are
// fractions with small denominators. The rows of A are known to rounding; each column is judged by its own size.
std::vector<std::vector<Rational>> simple_kernel(DenseMatrix conditions);

}  // namespace cetaev
