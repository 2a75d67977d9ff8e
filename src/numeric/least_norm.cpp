#include <Eigen/QR>

#include "maps.hpp"

namespace cetaev {

struct LeastNorm::Factors {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
};

LeastNorm::LeastNorm(std::optional<double> tolerance) : factors_(std::make_unique<Factors>()) {
  if (tolerance) factors_->decomposition.setThreshold(*tolerance);
}
LeastNorm::~LeastNorm() = default;
LeastNorm::LeastNorm(LeastNorm&&) noexcept = default;
LeastNorm& LeastNorm::operator=(LeastNorm&&) noexcept = default;

void LeastNorm::compute(DenseView a) { factors_->decomposition.compute(mapped(a)); }

std::size_t LeastNorm::rank() const { return to_size(factors_->decomposition.rank()); }

std::vector<double> LeastNorm::solve(std::span<const double> b) const {
  std::vector<double> result(to_size(factors_->decomposition.cols()));
  mapped(std::span(result)) = factors_->decomposition.solve(mapped(b));
  return result;
}

}  // namespace cetaev
