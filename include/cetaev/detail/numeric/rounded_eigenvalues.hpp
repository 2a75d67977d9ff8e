// Eigenvalues in doubles, each with its own error.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "cetaev/detail/numeric/dense.hpp"

namespace cetaev {

// Of a matrix in its balanced parts, each with what the rounding of the entries of its part may change of it: to first order that is
// |δA| |v| |w| / |w·v|, with the eigenvectors v and w of both sides. Infinite where these cannot be told. Nothing where the iteration does not
// converge.
struct RoundedEigenvalue {
  std::complex<double> value;
  double error = 0;
};
std::optional<std::vector<RoundedEigenvalue>> rounded_eigenvalues(DenseView a);

}  // namespace cetaev
