#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "maps.hpp"

namespace cetaev {

double determinant(DenseView a) { return mapped(a).determinant(); }

// Gaussian elimination with the largest entry of each column for its pivot.
ScaledDeterminant determinant_in_place(DenseMatrix& a) {
  const std::size_t n = a.rows();
  ScaledDeterminant result;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    }
    int exponent = 0;
    result.mantissa = std::frexp(result.mantissa * (pivot == k ? a(k, k) : -a(pivot, k)), &exponent);
    result.exponent += exponent;
    if (!(std::abs(result.mantissa) > 0)) return result;  // zero, or not a number
    for (std::size_t j = k; j < n; ++j) {
      if (pivot != k) std::swap(a(k, j), a(pivot, j));
      for (std::size_t i = k + 1; i < n; ++i) {
        if (j == k) {
          a(i, k) /= a(k, k);
        } else {
          a(i, j) -= a(i, k) * a(k, j);
        }
      }
    }
  }
  return result;
}

// Made with its size: a decomposition that has computed nothing must not be copied, since parts of it have no value yet.
struct Cholesky::Factors {
  explicit Factors(std::size_t n) : llt(to_index(n)) {}
  Eigen::LLT<Eigen::MatrixXd> llt;
};

Cholesky::Cholesky(std::size_t n) : factors_(std::make_unique<Factors>(n)) {}
Cholesky::~Cholesky() = default;
Cholesky::Cholesky(Cholesky&&) noexcept = default;
Cholesky& Cholesky::operator=(Cholesky&&) noexcept = default;

bool Cholesky::compute(DenseView a) {
  factors_->llt.compute(mapped(a));
  return factors_->llt.info() == Eigen::Success;
}

double Cholesky::pivot_ratio() const {
  double smallest = 1;
  const auto& factors = factors_->llt.matrixLLT();
  for (Eigen::Index i = 0; i < factors.rows(); ++i)
    smallest = std::min(smallest, factors(i, i) / factors.row(i).head(i + 1).norm());
  return smallest;
}

void Cholesky::solve_lower(std::span<double> x) const {
  auto target = mapped(x);
  factors_->llt.matrixL().solveInPlace(target);
}

void Cholesky::solve_lower(DenseMatrix& x) const {
  auto target = mapped(x);
  factors_->llt.matrixL().solveInPlace(target);
}

void Cholesky::solve_upper(std::span<double> x) const {
  auto target = mapped(x);
  factors_->llt.matrixU().solveInPlace(target);
}

void Cholesky::solve(std::span<double> x) const {
  solve_lower(x);
  solve_upper(x);
}

DenseMatrix Cholesky::divide_by_upper(DenseView a) const {
  // X Lᵀ = A is L Xᵀ = Aᵀ
  DenseMatrix result = transposed(a);
  solve_lower(result);
  return transposed(result);
}

}  // namespace cetaev
