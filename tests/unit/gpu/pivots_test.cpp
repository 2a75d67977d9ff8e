// Orders of pivots that are fixed beforehand.
#include "../../../src/gpu/pivots.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cetaev/detail/numeric/random.hpp"

namespace cetaev::gpu {
namespace {

using Matrix = std::vector<double>;

// By the order alone, without looking at what is larger: the largest |A x − b|.
double error_by_order(std::size_t n, Matrix a, const PivotOrder& order) {
  const Matrix given = a;
  std::vector<double> b(n), x(n);
  for (std::size_t i = 0; i < n; ++i) b[i] = 1.0 + static_cast<double>(i);
  const std::vector<double> right = b;
  std::vector<bool> used(n);
  for (const auto& [row, column] : order.pivots) {
    used[row] = true;
    for (std::size_t i = 0; i < n; ++i) {
      if (used[i]) continue;
      const double factor = a[i * n + column] / a[row * n + column];
      for (std::size_t j = 0; j < n; ++j) a[i * n + j] -= factor * a[row * n + j];
      b[i] -= factor * b[row];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    const auto [row, column] = order.pivots[k];
    double sum = b[row];
    for (std::size_t later = k + 1; later < n; ++later)
      sum -= a[row * n + order.pivots[later].second] * x[order.pivots[later].second];
    x[column] = sum / a[row * n + column];
  }
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = -right[i];
    for (std::size_t j = 0; j < n; ++j) sum += given[i * n + j] * x[j];
    worst = std::max(worst, std::abs(sum));
  }
  return worst;
}

std::vector<bool> zeros_of(const Matrix& a) {
  std::vector<bool> zero;
  for (const double entry : a) zero.push_back(entry == 0);
  return zero;
}

// [M −Jᵀ; J 0] of n coordinates and k constraints.
Matrix with_constraints(std::size_t n, std::size_t k, Random& random) {
  const std::size_t m = n + k;
  Matrix root(n * n), a(m * m, 0.0);
  for (double& entry : root) entry = random.uniform(-1, 1);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t l = 0; l < n; ++l) a[i * m + j] += root[i * n + l] * root[j * n + l];
      if (i == j) a[i * m + j] += 0.5;
    }
    for (std::size_t j = 0; j < k; ++j) {
      const double entry = random.uniform(-1, 1);
      a[i * m + n + j] = -entry;
      a[(n + j) * m + i] = entry;
    }
  }
  return a;
}

TEST(PivotOrder, GoesDownTheDiagonalOfMassesWithConstraintsAndServesWhateverTheConstraintsAre) {
  Random random(7);
  for (std::size_t k = 0; k <= 3; ++k) {
    std::vector<Matrix> examples;
    for (int i = 0; i < 4; ++i) examples.push_back(with_constraints(4, k, random));
    const PivotOrder order = pivot_order(4 + k, zeros_of(examples[0]), examples);
    ASSERT_EQ(order.pivots.size(), 4 + k);
    EXPECT_TRUE(order.definite);
    for (int i = 0; i < 200; ++i) EXPECT_LT(error_by_order(4 + k, with_constraints(4, k, random), order), 1e-9);
  }
}

TEST(PivotOrder, OfAnyMatrixSolvesItsExamples) {
  Random random(11);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t n = 2 + static_cast<std::size_t>(trial) % 5;
    Matrix a(n * n);
    for (double& entry : a) entry = random.uniform(0, 1) < 0.3 ? 0.0 : random.uniform(-1, 1);
    const PivotOrder order = pivot_order(n, zeros_of(a), std::vector<Matrix>{a});
    if (order.empty()) continue;
    EXPECT_LT(error_by_order(n, a, order), 1e-8);
  }
}

TEST(PivotOrder, IsEmptyWhereAnExampleIsSingular) {
  const Matrix regular = {1, 2, 3, 4}, singular = {0, 0, 3, 4};
  EXPECT_TRUE(pivot_order(2, std::vector<bool>(4), std::vector<Matrix>{regular, singular}).empty());
}

}  // namespace
}  // namespace cetaev::gpu
