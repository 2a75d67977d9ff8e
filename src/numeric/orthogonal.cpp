#include <Eigen/QR>
#include <algorithm>

#include "maps.hpp"

namespace cetaev {

struct PivotedQr::Factors {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;

  // c ← (1 − τ w wᵀ) c, the reflection by column k. Eigen's own products allocate.
  void reflect(Eigen::Index k, Eigen::Ref<Eigen::VectorXd> c) const {
    const Eigen::Index below = qr.rows() - k - 1;
    const auto essential = qr.matrixQR().col(k).tail(below);
    const double s = qr.hCoeffs()[k] * (c[k] + essential.dot(c.tail(below)));
    c[k] -= s;
    c.tail(below) -= s * essential;
  }
};

PivotedQr::PivotedQr(std::optional<double> tolerance) : factors_(std::make_unique<Factors>()) {
  if (tolerance) factors_->qr.setThreshold(*tolerance);
}
PivotedQr::PivotedQr(std::size_t rows, std::size_t columns) : PivotedQr() {
  factors_->qr = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(to_index(rows), to_index(columns));
}
PivotedQr::~PivotedQr() = default;
PivotedQr::PivotedQr(PivotedQr&&) noexcept = default;
PivotedQr& PivotedQr::operator=(PivotedQr&&) noexcept = default;

void PivotedQr::compute(DenseView a) { factors_->qr.compute(mapped(a)); }

std::size_t PivotedQr::rank() const { return to_size(factors_->qr.rank()); }

double PivotedQr::pivot(std::size_t k) const { return std::abs(factors_->qr.matrixQR()(to_index(k), to_index(k))); }

std::size_t PivotedQr::column(std::size_t k) const {
  return to_size(factors_->qr.colsPermutation().indices()[to_index(k)]);
}

void PivotedQr::solve(std::span<double> right, std::span<double> solution) const {
  const auto& qr = factors_->qr;
  auto c = mapped(right);
  auto x = mapped(solution);
  const Eigen::Index rank = qr.rank();
  for (Eigen::Index k = 0; k < rank; ++k) factors_->reflect(k, c);
  x.setZero();
  for (Eigen::Index k = rank; k-- > 0;) {
    c[k] /= qr.matrixQR()(k, k);
    c.head(k) -= c[k] * qr.matrixQR().col(k).head(k);
    x[qr.colsPermutation().indices()[k]] = c[k];
  }
}

DenseMatrix PivotedQr::orthogonal() const {
  DenseMatrix result;
  complement(0, result);
  return result;
}

void PivotedQr::complement(std::size_t count, DenseMatrix& z) const {
  const auto& qr = factors_->qr;
  const auto rows = to_size(qr.rows());
  z.reset(rows, rows - count);
  for (std::size_t j = 0; j < z.columns(); ++j) {
    z(count + j, j) = 1;
    for (Eigen::Index k = std::min(qr.rows(), qr.cols()); k-- > 0;) factors_->reflect(k, mapped(z.column(j)));
  }
}

DenseMatrix PivotedQr::kernel() const {
  const auto& r = factors_->qr.matrixQR();
  const auto rank = to_index(this->rank());
  const Eigen::Index unknowns = r.cols();
  DenseMatrix result(to_size(unknowns), to_size(unknowns - rank));
  // R₁₁ x₁ = −R₁₂ x₂, x₂ a unit vector
  Eigen::VectorXd x(rank);
  for (std::size_t j = 0; j < result.columns(); ++j) {
    const auto left_over = to_size(rank) + j;
    result(column(left_over), j) = 1;
    x = -r.col(to_index(left_over)).head(rank);
    for (Eigen::Index k = rank; k-- > 0;) {
      x[k] /= r(k, k);
      x.head(k) -= x[k] * r.col(k).head(k);
      result(column(to_size(k)), j) = x[k];
    }
  }
  return result;
}

}  // namespace cetaev
