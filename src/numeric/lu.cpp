#include <Eigen/LU>

#include "maps.hpp"

namespace cetaev {

struct CompleteLu::Factors {
  Eigen::FullPivLU<Eigen::MatrixXd> lu;
};

CompleteLu::CompleteLu(std::optional<double> tolerance) : factors_(std::make_unique<Factors>()) {
  if (tolerance) factors_->lu.setThreshold(*tolerance);
}
CompleteLu::~CompleteLu() = default;
CompleteLu::CompleteLu(CompleteLu&&) noexcept = default;
CompleteLu& CompleteLu::operator=(CompleteLu&&) noexcept = default;

void CompleteLu::compute(DenseView a) { factors_->lu.compute(mapped(a)); }

bool CompleteLu::invertible() const { return factors_->lu.isInvertible(); }

double CompleteLu::last_pivot() const {
  const auto& lu = factors_->lu.matrixLU();
  return std::abs(lu(lu.rows() - 1, lu.cols() - 1));
}

std::vector<double> CompleteLu::kernel_vector() const {
  const Eigen::MatrixXd kernel = factors_->lu.kernel();
  return {kernel.data(), kernel.data() + kernel.rows()};
}

DenseMatrix CompleteLu::solve(DenseView b) const {
  DenseMatrix result(to_size(factors_->lu.cols()), b.columns);
  if (b.columns > 0) mapped(result) = factors_->lu.solve(mapped(b));
  return result;
}

std::vector<double> CompleteLu::solve(std::span<const double> b) const {
  const DenseMatrix result = solve(DenseView(b.data(), b.size(), 1));
  return {result.entries().begin(), result.entries().end()};
}

}  // namespace cetaev
