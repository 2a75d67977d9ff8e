#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "cetaev/detail/numeric/row_reduction.hpp"
#include "maps.hpp"

namespace cetaev {

double determinant(DenseView a) { return mapped(a).determinant(); }

// By columns, which are the rows of a matrix with the same determinant.
ScaledDeterminant determinant_in_place(DenseMatrix& a) {
  ScaledDeterminant result;
  reduce_rows(a.rows(), 0, a.entries().data(), nullptr, [&](std::size_t, double pivot, bool exchanged) {
    int exponent = 0;
    result.mantissa = std::frexp(result.mantissa * (exchanged ? -pivot : pivot), &exponent);
    result.exponent += exponent;
    return std::abs(result.mantissa) > 0;  // neither zero nor not a number
  });
  return result;
}

// A few unknowns are solved for in loops; Eigen spends more on finding out how few they are.
struct Cholesky::Factors {
  static constexpr Eigen::Index few = 8;

  // Made with its size: a decomposition that has computed nothing must not be copied, since parts of it have no value yet.
  explicit Factors(std::size_t n) : llt(to_index(n)), small(to_index(n), to_index(n)) {}
  Eigen::LLT<Eigen::MatrixXd> llt;
  Eigen::MatrixXd small;  // L, where there are few
  bool is_small = false;

  const Eigen::MatrixXd& lower() const { return is_small ? small : llt.matrixLLT(); }

  bool compute_small(DenseView a) {
    const Eigen::Index n = to_index(a.rows);
    small.resize(n, n);
    const auto given = mapped(a);
    for (Eigen::Index j = 0; j < n; ++j) {
      for (Eigen::Index i = j; i < n; ++i) {
        double rest = given(i, j);
        for (Eigen::Index m = 0; m < j; ++m) rest -= small(i, m) * small(j, m);
        if (i == j && !(rest > 0)) return false;
        small(i, j) = i == j ? std::sqrt(rest) : rest / small(j, j);
      }
    }
    return true;
  }
  void solve_small(double* x) const {
    for (Eigen::Index i = 0; i < small.rows(); ++i) {
      for (Eigen::Index m = 0; m < i; ++m) x[i] -= small(i, m) * x[m];
      x[i] /= small(i, i);
    }
  }
};

Cholesky::Cholesky(std::size_t n) : factors_(std::make_unique<Factors>(n)) {}
Cholesky::~Cholesky() = default;
Cholesky::Cholesky(Cholesky&&) noexcept = default;
Cholesky& Cholesky::operator=(Cholesky&&) noexcept = default;

bool Cholesky::compute(DenseView a) {
  factors_->is_small = to_index(a.rows) <= Factors::few;
  if (factors_->is_small) return factors_->compute_small(a);
  factors_->llt.compute(mapped(a));
  return factors_->llt.info() == Eigen::Success;
}

double Cholesky::pivot_ratio() const {
  double smallest = 1, before = 1;
  const Eigen::MatrixXd& factors = factors_->lower();
  for (Eigen::Index i = 0; i < factors.rows(); ++i) {
    double squares = 0;
    for (Eigen::Index j = 0; j <= i; ++j) squares += factors(i, j) * factors(i, j);
    const double ratio = factors(i, i) / std::sqrt(squares);
    smallest = std::min(smallest, ratio * before);
    before = std::min(before, ratio);
  }
  return smallest;
}

void Cholesky::solve_lower(std::span<double> x) const {
  if (factors_->is_small) return factors_->solve_small(x.data());
  auto target = mapped(x);
  factors_->llt.matrixL().solveInPlace(target);
}

void Cholesky::solve_lower(DenseMatrix& x) const {
  if (factors_->is_small) {
    for (std::size_t j = 0; j < x.columns(); ++j) factors_->solve_small(x.column(j).data());
    return;
  }
  auto target = mapped(x);
  factors_->llt.matrixL().solveInPlace(target);
}

void Cholesky::solve_upper(std::span<double> x) const {
  if (factors_->is_small) {
    const Eigen::MatrixXd& lower = factors_->small;
    for (Eigen::Index i = lower.rows(); i-- > 0;) {
      for (Eigen::Index m = i + 1; m < lower.rows(); ++m)
        x[static_cast<std::size_t>(i)] -= lower(m, i) * x[static_cast<std::size_t>(m)];
      x[static_cast<std::size_t>(i)] /= lower(i, i);
    }
    return;
  }
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
