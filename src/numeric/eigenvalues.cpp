#include <Eigen/Eigenvalues>
#include <cmath>

#include "maps.hpp"

namespace cetaev {

// From the real Schur form, whose blocks on the diagonal are the real eigenvalues and, of order two, the pairs of complex ones.
std::optional<std::vector<std::complex<double>>> eigenvalues(DenseView a) {
  const double size = largest_magnitude(a.entries());
  if (!(size > 0)) return std::vector<std::complex<double>>(a.rows);
  // The orthogonal factors are not wanted; asking Eigen for its solver of eigenvalues would compile them, too.
  Eigen::MatrixXd h = Eigen::HessenbergDecomposition<Eigen::MatrixXd>(mapped(a) / size).packedMatrix();
  for (Eigen::Index j = 0; j + 2 < h.cols(); ++j) h.col(j).tail(h.rows() - j - 2).setZero();
  Eigen::RealSchur<Eigen::MatrixXd> schur(h.rows());
  schur.computeFromHessenberg(h, h, false);
  if (schur.info() != Eigen::Success) return std::nullopt;
  const Eigen::MatrixXd t = size * schur.matrixT();
  std::vector<std::complex<double>> result;
  for (Eigen::Index i = 0; i < t.rows(); ++i) {
    if (i + 1 == t.rows() || t(i + 1, i) == 0) {
      result.emplace_back(t(i, i));
      continue;
    }
    // λ = m ± i √(−(p² + bc)) of [m + p, b; c, m − p]
    const double p = (t(i, i) - t(i + 1, i + 1)) / 2;
    const double imaginary = std::sqrt(std::fabs(p * p + t(i + 1, i) * t(i, i + 1)));
    const double mean = t(i + 1, i + 1) + p;
    result.emplace_back(mean, imaginary);
    result.emplace_back(mean, -imaginary);
    ++i;
  }
  return result;
}

}  // namespace cetaev
