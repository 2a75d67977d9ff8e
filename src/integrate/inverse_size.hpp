// How large the inverse of a small matrix is, without room of its own: asked in the steps of a motion.
#pragma once

#include <cmath>
#include <limits>
#include <utility>

#include "cetaev/detail/numeric/dense.hpp"

namespace cetaev {

// Σ of the squares of the entries of A⁻¹, infinite where there is none; `room` is kept.
inline double squares_of_inverse(const DenseMatrix& A, DenseMatrix& room) {
  const std::size_t size = A.rows();
  room.reset(size, 2 * size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) room(i, j) = A(i, j), room(i, size + j) = i == j ? 1 : 0;
  }
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < size; ++i)
      if (std::abs(room(i, k)) > std::abs(room(pivot, k))) pivot = i;
    if (!(std::abs(room(pivot, k)) > 0)) return std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < 2 * size; ++j) std::swap(room(k, j), room(pivot, j));
    for (std::size_t i = 0; i < size; ++i) {
      if (i == k) continue;
      const double factor = room(i, k) / room(k, k);
      for (std::size_t j = k; j < 2 * size; ++j) room(i, j) -= factor * room(k, j);
    }
  }
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) sum += std::pow(room(i, size + j) / room(i, i), 2);
  return sum;
}

}  // namespace cetaev
