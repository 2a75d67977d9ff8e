// Q of a QR factorization, applied in place: Eigen's own products allocate.
#pragma once

#include <Eigen/Dense>
#include <algorithm>

namespace cetaev {

using PivotedQr = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;

// (1 − τ w wᵀ) c, the reflection by column k
template <class Vector>
void reflect(const PivotedQr& qr, Eigen::Index k, Vector&& c) {
  const Eigen::Index below = qr.rows() - k - 1;
  const auto essential = qr.matrixQR().col(k).tail(below);
  const double s = qr.hCoeffs()[k] * (c[k] + essential.dot(c.tail(below)));
  c[k] -= s;
  c.tail(below) -= s * essential;
}

// x with |M x − c| least, of the columns that are independent; c is overwritten.
inline void solve_least_squares(const PivotedQr& qr, Eigen::VectorXd& c, Eigen::VectorXd& x) {
  const Eigen::Index rank = qr.rank();
  for (Eigen::Index k = 0; k < rank; ++k) reflect(qr, k, c);
  x.setZero();
  for (Eigen::Index k = rank; k-- > 0;) {
    c[k] /= qr.matrixQR()(k, k);
    c.head(k) -= c[k] * qr.matrixQR().col(k).head(k);
    x[qr.colsPermutation().indices()[k]] = c[k];
  }
}

// An orthonormal basis of what is orthogonal to the first `rank` columns, into the columns of Z.
inline void complement(const PivotedQr& qr, Eigen::Index rank, Eigen::MatrixXd& Z) {
  Z.setZero();
  for (Eigen::Index j = 0; j < Z.cols(); ++j) {
    Z(rank + j, j) = 1;
    for (Eigen::Index k = std::min(qr.rows(), qr.cols()); k-- > 0;) reflect(qr, k, Z.col(j));
  }
}

}  // namespace cetaev
