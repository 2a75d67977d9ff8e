#include "cetaev/detail/numeric/dense.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/detail/numeric/rank.hpp"
#include "cetaev/detail/numeric/row_reduction.hpp"

namespace cetaev {
namespace {

constexpr double rounding = 1e-12;

double largest_difference(DenseView a, DenseView b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.columns, b.columns);
  double result = 0;
  for (std::size_t i = 0; i < a.entries().size(); ++i)
    result = std::max(result, std::fabs(a.entries()[i] - b.entries()[i]));
  return result;
}

// Products by the definition, for comparison with those of the library.
DenseMatrix product(DenseView a, DenseView b) {
  DenseMatrix result(a.rows, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < b.columns; ++j) {
      for (std::size_t k = 0; k < a.columns; ++k) result(i, j) += a(i, k) * b(k, j);
    }
  }
  return result;
}

std::vector<double> residual(DenseView a, std::span<const double> x, std::span<const double> b) {
  const DenseMatrix image = product(a, DenseView(x.data(), x.size(), 1));
  std::vector<double> result(b.begin(), b.end());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] -= image(i, 0);
  return result;
}

class Dense : public testing::Test {
 protected:
  // Whole numbers between −4 and 4.
  DenseMatrix integers(std::size_t rows, std::size_t columns) {
    DenseMatrix result(rows, columns);
    for (double& entry : result.entries()) entry = std::floor(random_.uniform(-4, 5));
    return result;
  }
  std::vector<double> vector(std::size_t n) {
    std::vector<double> result(n);
    for (double& entry : result) entry = random_.uniform(-1, 1);
    return result;
  }
  // A product of factors of full rank has the rank of what is between them: unit matrices over and beside whole numbers.
  DenseMatrix of_rank(std::size_t rank, std::size_t rows, std::size_t columns) {
    DenseMatrix left = integers(rows, rank), right = integers(rank, columns);
    for (std::size_t i = 0; i < rank; ++i) {
      for (std::size_t j = 0; j < rank; ++j) left(i, j) = right(i, j) = i == j ? 1 : 0;
    }
    return product(left, right);
  }

  Random random_{7};
};

TEST_F(Dense, ProductsAreSumsOfProducts) {
  for (const std::size_t n : {1, 3, 8, 30}) {
    const DenseMatrix a = integers(n, n + 2), b = integers(n + 2, 3);
    EXPECT_EQ(largest_difference(a * b, product(a, b)), 0);
    EXPECT_EQ(largest_difference(transposed_times(transposed(a), b), product(a, b)), 0);
    const std::vector<double> x(b.column(1).begin(), b.column(1).end());
    EXPECT_THAT(a * x, testing::ElementsAreArray(product(a, b).column(1)));
    EXPECT_THAT(transposed_times(transposed(a), x), testing::ElementsAreArray(product(a, b).column(1)));
    std::vector<double> y(n, 0.0);
    add_product(a, x, y);
    EXPECT_THAT(y, testing::ElementsAreArray(product(a, b).column(1)));
    subtract_transposed_product(transposed(a), x, y);
    EXPECT_THAT(y, testing::Each(0.0));
  }
}

TEST_F(Dense, RowsAreReadAsTheyAreWritten) {
  const std::vector<double> written = {1, 2, 3, 4, 5, 6};
  const DenseMatrix a = DenseMatrix::from_rows(written.data(), 2, 3);
  EXPECT_EQ(a(0, 1), 2);
  EXPECT_EQ(a(1, 0), 4);
  EXPECT_EQ(largest_difference(transposed_view(written.data(), 2, 3), transposed(a)), 0);
}

TEST_F(Dense, LengthsAreThoseOfPythagoras) {
  EXPECT_EQ(length(std::vector<double>{2, 3, 6}), 7);
  EXPECT_EQ(length(std::vector<double>{}), 0);
  EXPECT_EQ(distance(std::vector<double>{3, 4, 8}, std::vector<double>{1, 1, 2}), 7);
  EXPECT_EQ(largest_magnitude(std::vector<double>{2, -3, 1}), 3);
  EXPECT_FALSE(all_finite(std::vector<double>{0, NAN}));
  EXPECT_FALSE(all_finite(std::vector<double>{INFINITY, 0}));
}

TEST_F(Dense, DeterminantsMultiply) {
  const std::vector<double> written = {2, 1, 0, 1, 3, 1, 0, 1, 4};
  EXPECT_NEAR(determinant(DenseMatrix::from_rows(written.data(), 3, 3)), 18, rounding);
  const DenseMatrix a = integers(5, 5), b = integers(5, 5);
  DenseMatrix product = a * b;
  const ScaledDeterminant scaled = determinant_in_place(product);
  EXPECT_NEAR(std::ldexp(scaled.mantissa, scaled.exponent), determinant(a * b),
              rounding * (1 + std::fabs(determinant(a * b))));
  // ten thousand to the power of a thousand, with the sign of a permutation
  DenseMatrix large(1000, 1000);
  for (std::size_t i = 0; i < 1000; ++i) large(i, i ^ 1U) = 1e4;
  const ScaledDeterminant huge = determinant_in_place(large);
  EXPECT_NEAR(std::log2(huge.mantissa) + huge.exponent, 1000 * std::log2(1e4), 1e-8);
  const double both = determinant(a) * determinant(b);
  EXPECT_NEAR(determinant(a * b), both, rounding * (1 + std::fabs(both)));
}

TEST_F(Dense, EigenvaluesAreThoseOfTheBlocks) {
  // S diag(−3, [2 5; −5 2], 1/2) S⁻¹ with a triangular S of ones
  const std::size_t n = 4;
  DenseMatrix blocks(n, n), s(n, n);
  blocks(0, 0) = -3;
  blocks(1, 1) = blocks(2, 2) = 2;
  blocks(1, 2) = 5;
  blocks(2, 1) = -5;
  blocks(3, 3) = 0.5;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) s(i, j) = 1;
  }
  CompleteLu lu;
  lu.compute(transposed(s));
  const DenseMatrix similar = transposed(lu.solve(transposed(product(s, blocks))));
  const auto found = eigenvalues(similar);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), n);
  for (const std::complex<double> expected : {std::complex<double>(-3, 0), {2, 5}, {2, -5}, {0.5, 0}}) {
    double nearest = HUGE_VAL;
    for (const std::complex<double> lambda : *found) nearest = std::min(nearest, std::abs(lambda - expected));
    EXPECT_LT(nearest, rounding);
  }
  const auto none = eigenvalues(DenseMatrix(3, 3));
  ASSERT_TRUE(none);
  EXPECT_THAT(*none, testing::ElementsAre(0.0, 0.0, 0.0));
}

TEST_F(Dense, CholeskySolvesWithPositiveMatrices) {
  Cholesky cholesky;
  for (const std::size_t n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 20}) {
    SCOPED_TRACE(n);
    const DenseMatrix root = integers(n, n);
    DenseMatrix a = transposed_times(root, root);
    for (std::size_t i = 0; i < n; ++i) a(i, i) += 1;
    ASSERT_TRUE(cholesky.compute(a));
    EXPECT_GT(cholesky.pivot_ratio(), 0);
    EXPECT_LE(cholesky.pivot_ratio(), 1);
    const std::vector<double> b = vector(n);
    std::vector<double> x = b;
    cholesky.solve(x);
    EXPECT_LT(length(residual(a, x, b)), rounding);
    // L⁻¹ A L⁻ᵀ = 1
    DenseMatrix whitened = cholesky.divide_by_upper(a);
    cholesky.solve_lower(whitened);
    EXPECT_LT(largest_difference(whitened, DenseMatrix::identity(n)), rounding);

    a(n - 1, n - 1) = -1;
    EXPECT_FALSE(cholesky.compute(a));
  }
}

// By Schur's complements: what is left of a diagonal entry when the directions before it are taken away.
TEST_F(Dense, PivotRatioIsWhatIsLeftOfADirection) {
  Cholesky cholesky;
  for (std::size_t n = 1; n <= 10; ++n) {
    SCOPED_TRACE(n);
    const DenseMatrix root = integers(n, n);
    DenseMatrix a = transposed_times(root, root);
    for (std::size_t i = 0; i < n; ++i) a(i, i) += 1;
    DenseMatrix left = a;
    double least = 1, before = 1;
    for (std::size_t k = 0; k < n; ++k) {
      const double ratio = std::sqrt(left(k, k) / a(k, k));
      least = std::min(least, ratio * before);
      before = std::min(before, ratio);
      for (std::size_t i = k + 1; i < n; ++i)
        for (std::size_t j = k + 1; j < n; ++j) left(i, j) -= left(i, k) * left(k, j) / left(k, k);
    }
    ASSERT_TRUE(cholesky.compute(a));
    EXPECT_NEAR(cholesky.pivot_ratio(), least, 1e-10 * least);
  }
}

TEST_F(Dense, CompleteEliminationKnowsSingularMatrices) {
  const DenseMatrix regular = integers(5, 5);
  CompleteLu lu(rank_tolerance);
  lu.compute(regular);
  ASSERT_TRUE(lu.invertible());
  const std::vector<double> b = vector(5);
  EXPECT_LT(length(residual(regular, lu.solve(b), b)), rounding);
  const DenseMatrix right = integers(5, 2);
  EXPECT_LT(largest_difference(product(regular, lu.solve(DenseView(right))), right), rounding);

  const DenseMatrix singular = of_rank(4, 5, 5);
  lu.compute(singular);
  EXPECT_FALSE(lu.invertible());
  EXPECT_LT(lu.last_pivot(), rounding);
  const std::vector<double> kernel = lu.kernel_vector();
  EXPECT_GT(length(kernel), 0);
  EXPECT_LT(length(singular * kernel), rounding * length(kernel));
}

TEST_F(Dense, RankIsThatOfTheFactors) {
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{6, 6}, {9, 5}, {5, 9}}) {
    for (std::size_t rank = 1; rank <= std::min(rows, columns); ++rank) {
      const DenseMatrix a = of_rank(rank, rows, columns);
      PivotedQr qr(rank_tolerance);
      qr.compute(a);
      EXPECT_EQ(qr.rank(), rank);
      EXPECT_EQ(LeastNorm(a, rank_tolerance).rank(), rank);
      // A x = 0 in as many directions as the rank leaves
      const DenseMatrix kernel = qr.kernel();
      EXPECT_EQ(kernel.columns(), columns - rank);
      EXPECT_LT(largest_magnitude(product(a, kernel).entries()), 1e-10);
      if (kernel.columns() == 0) continue;
      PivotedQr independent(rank_tolerance);
      independent.compute(kernel);
      EXPECT_EQ(independent.rank(), kernel.columns());
    }
  }
}

TEST_F(Dense, PivotedQrIsAFactorization) {
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{6, 4}, {4, 6}, {5, 5}}) {
    const DenseMatrix a = integers(rows, columns);
    PivotedQr qr;
    qr.compute(a);
    const DenseMatrix q = qr.orthogonal();
    EXPECT_LT(largest_difference(product(transposed(q), q), DenseMatrix::identity(rows)), rounding);
    // QᵀA has zeros below the diagonal when its columns stand in the order of the pivots, which fall
    const DenseMatrix r = product(transposed(q), a);
    for (std::size_t k = 0; k < std::min(rows, columns); ++k) {
      EXPECT_NEAR(std::fabs(r(k, qr.column(k))), qr.pivot(k), rounding);
      for (std::size_t i = k + 1; i < rows; ++i) EXPECT_NEAR(r(i, qr.column(k)), 0, rounding);
      if (k > 0) {
        EXPECT_LE(qr.pivot(k), qr.pivot(k - 1));
      }
    }
    DenseMatrix rest;
    qr.complement(2, rest);
    EXPECT_LT(largest_difference(rest, q.middle_columns(2, rows - 2)), rounding);
  }
}

TEST_F(Dense, LeastSquaresLeaveWhatIsOrthogonalToTheColumns) {
  const DenseMatrix a = of_rank(3, 8, 5);
  const std::vector<double> b = vector(8);
  PivotedQr qr(rank_tolerance);
  qr.compute(a);
  std::vector<double> right = b, x(5);
  qr.solve(right, x);
  EXPECT_LT(length(transposed_times(a, residual(a, x, b))), 1e-10);
  EXPECT_EQ(std::ranges::count(x, 0.0), 2);
  // LeastNorm leaves as much, and has no part in the kernel
  const std::vector<double> least = LeastNorm(a, rank_tolerance).solve(b);
  EXPECT_LT(length(transposed_times(a, residual(a, least, b))), 1e-10);
  EXPECT_LT(length(transposed_times(qr.kernel(), least)), 1e-10);
  EXPECT_LT(length(least), length(x));
}

// Four rows at once, in the order of roundings that one at a time has; a matrix whose determinant is known: L U with rows exchanged.
TEST(RowReduction, RoundsAsOneRowAtATimeDoes) {
  Random random(41);
  for (const std::size_t n : {1U, 2U, 5U, 11U, 12U, 13U, 16U, 31U, 64U}) {
    for (const std::size_t m : {0U, 1U, 3U, 9U}) {
      std::vector<double> a(n * n), b(n * m);
      for (double& entry : a) entry = random.uniform(-1, 1);
      for (double& entry : b) entry = random.uniform(-1, 1);
      for (std::size_t i = 0; i < n * n; i += 7) a[i] = 0;
      std::vector<double> one_a = a, one_b = b, pivots, one_pivots;
      EXPECT_TRUE(reduce_rows(n, m, a.data(), b.data(), [&](std::size_t, double pivot, bool) {
        pivots.push_back(pivot);
        return true;
      }));
      for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
          if (std::fabs(one_a[i * n + k]) > std::fabs(one_a[pivot * n + k])) pivot = i;
        one_pivots.push_back(one_a[pivot * n + k]);
        for (std::size_t j = 0; j < n; ++j) std::swap(one_a[k * n + j], one_a[pivot * n + j]);
        for (std::size_t j = 0; j < m; ++j) std::swap(one_b[k * m + j], one_b[pivot * m + j]);
        for (std::size_t i = k + 1; i < n; ++i) {
          const double factor = one_a[i * n + k] / one_a[k * n + k];
          for (std::size_t j = k + 1; j < n; ++j) one_a[i * n + j] -= factor * one_a[k * n + j];
          for (std::size_t j = 0; j < m; ++j) one_b[i * m + j] -= factor * one_b[k * m + j];
        }
      }
      EXPECT_EQ(pivots, one_pivots) << n;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i; j < n; ++j) EXPECT_EQ(a[i * n + j], one_a[i * n + j]) << n;
      EXPECT_EQ(b, one_b) << n;
    }
  }
}

TEST(RowReduction, FindsDeterminantsOfAnySize) {
  Random random(43);
  for (const std::size_t n : {1U, 2U, 7U, 12U, 25U, 40U}) {
    // unit lower times upper triangle, the diagonal of which has the determinant
    DenseMatrix L(n, n), U(n, n);
    double logarithm = 0;
    for (std::size_t i = 0; i < n; ++i) {
      L(i, i) = 1;
      U(i, i) = 1e8 * random.uniform(1, 2);
      logarithm += std::log2(U(i, i));
      for (std::size_t j = 0; j < i; ++j) {
        L(i, j) = random.uniform(-1, 1) / static_cast<double>(n);
        U(j, i) = random.uniform(-1e8, 1e8) / static_cast<double>(n);
      }
    }
    DenseMatrix A = product(L, U);
    const ScaledDeterminant found = determinant_in_place(A);
    EXPECT_GT(found.mantissa, 0);
    EXPECT_NEAR(std::log2(found.mantissa) + found.exponent, logarithm, 1e-10) << n;
  }
}

// A triangle without a zero on its diagonal is regular, however long: sideways velocities of the middles of a straight chain by the rates of its
// links, each known to a state's errors. With one row twice it is not.
TEST(Pivots, ChainsOfAnyLengthHaveTheirRank) {
  for (const std::size_t n : {10U, 100U, 200U}) {
    DenseMatrix rows(n + 1, n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) rows(i, j) = 0.2;
      rows(i, i) = 0.1;
    }
    for (std::size_t j = 0; j < n; ++j) rows(n, j) = rows(n / 2, j);
    const std::vector<double> errors(n + 1, known_state * 0.2);
    std::vector<std::size_t> columns(n);
    for (std::size_t j = 0; j < n; ++j) columns[j] = j;
    EXPECT_EQ(pivots(rows, errors, {columns}).rows.size(), n);
  }
}

}  // namespace
}  // namespace cetaev
