#include "stiffness.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <vector>

namespace cetaev {

bool looks_stiff(Field& field, double t, std::span<const double> y, double h) {
  constexpr double slower = 100;
  const auto n = static_cast<Eigen::Index>(field.size());
  std::vector<double> rates(field.size());
  Eigen::MatrixXd jacobian(n, n);
  if (field.rates(t, y.data(), rates.data()) >= 0 || field.jacobian(t, y.data(), jacobian.data()) >= 0) return false;
  if (!jacobian.allFinite()) return false;
  double largest = 0;
  for (const double value : y) largest = std::max(largest, std::abs(value));
  double rate = 0;  // of the state, relative to its size
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double size = std::max(std::abs(y[i]), 1e-3 * largest);
    if (size > 0) rate = std::max(rate, std::abs(rates[i]) / size);
  }
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(jacobian, false);
  if (solver.info() != Eigen::Success) return false;
  for (Eigen::Index i = 0; i < n; ++i) {
    const std::complex<double> lambda = solver.eigenvalues()[i];
    const double size = std::abs(lambda);
    if (lambda.real() < -size / 2 && size * std::abs(h) > 1 && size > slower * rate) return true;
  }
  return false;
}

}  // namespace cetaev
