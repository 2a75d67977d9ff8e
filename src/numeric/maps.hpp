// Our matrices and vectors as Eigen sees them. For the files of this stage alone.
#pragma once

#include <Eigen/Core>
#include <span>

#include "cetaev/detail/numeric/dense.hpp"

namespace cetaev {

inline Eigen::Index to_index(std::size_t i) { return static_cast<Eigen::Index>(i); }
inline std::size_t to_size(Eigen::Index i) { return static_cast<std::size_t>(i); }

// std::vector aligns as far as Eigen's vector instructions want it here, but the data of a view may begin anywhere.
inline auto mapped(DenseView a) {
  return Eigen::Map<const Eigen::MatrixXd>(a.data, to_index(a.rows), to_index(a.columns));
}
inline auto mapped(DenseMatrix& a) {
  return Eigen::Map<Eigen::MatrixXd>(a.entries().data(), to_index(a.rows()), to_index(a.columns()));
}
inline auto mapped(std::span<const double> x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), to_index(x.size()));
}
inline auto mapped(std::span<double> x) { return Eigen::Map<Eigen::VectorXd>(x.data(), to_index(x.size())); }

}  // namespace cetaev
