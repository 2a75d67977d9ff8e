#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "cetaev/detail/numeric/balance.hpp"
#include "cetaev/detail/numeric/rounded_eigenvalues.hpp"
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

namespace {

// Of a balanced part; false where the iteration does not converge.
bool add_eigenvalues_of(const Eigen::MatrixXd& part, std::vector<RoundedEigenvalue>& to) {
  // entries are solutions of linear systems and known to some of their last digits, whose number is not
  constexpr double roundings = 64;
  const double size = part.cwiseAbs().maxCoeff();
  if (part.rows() == 1 || !(size > 0)) {
    for (Eigen::Index i = 0; i < part.rows(); ++i)
      to.push_back({part(i, i), roundings * std::numeric_limits<double>::epsilon() * size});
    return true;
  }
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(part / size);
  if (solver.info() != Eigen::Success) return false;
  const Eigen::MatrixXcd right = solver.eigenvectors(), left = right.inverse();
  const double rounding = roundings * static_cast<double>(part.rows()) * std::numeric_limits<double>::epsilon();
  for (Eigen::Index i = 0; i < part.rows(); ++i) {
    const double error = rounding * right.col(i).norm() * left.row(i).norm();
    to.push_back({size * solver.eigenvalues()(i),
                  std::isfinite(error) ? size * error : std::numeric_limits<double>::infinity()});
  }
  return true;
}

}  // namespace

std::optional<std::vector<RoundedEigenvalue>> rounded_eigenvalues(DenseView a) {
  const std::size_t n = a.rows;
  std::vector<double> sizes;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) sizes.push_back(std::log2(std::abs(a(i, j))));
  }
  std::vector<RoundedEigenvalue> result;
  for (const BalancedPart& part : balanced_parts(sizes, n)) {
    const std::size_t m = part.members.size();
    Eigen::MatrixXd scaled(m, m);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < m; ++j)
        scaled(to_index(i), to_index(j)) =
            std::scalbln(a(part.members[i], part.members[j]), part.exponents[j] - part.exponents[i]);
    }
    if (!scaled.allFinite() || !add_eigenvalues_of(scaled, result)) return std::nullopt;
  }
  return result;
}

}  // namespace cetaev
