// Eigenvalues of matrices whose units and rates are far apart, with the error of each.
#include "cetaev/detail/numeric/balance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cetaev/detail/numeric/rounded_eigenvalues.hpp"

namespace cetaev {
namespace {

using Complex = std::complex<double>;

// x'' = −k x beside y'' = −y, with x in other units: each part has its own size.
TEST(Balance, PartsThatDoNotNeedEachOtherAreApart) {
  DenseMatrix a(4, 4);
  a(0, 1) = 1e-30;
  a(1, 0) = -1e38;  // ω = 10⁴
  a(2, 3) = 1;
  a(3, 2) = -1;
  a(0, 2) = 7e20;  // drives the first, and changes no eigenvalue
  std::vector<double> sizes;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) sizes.push_back(std::log2(std::abs(a(i, j))));
  const auto parts = balanced_parts(sizes, 4);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].members, (std::vector<std::size_t>{0, 1}));
  const auto found = rounded_eigenvalues(a);
  ASSERT_TRUE(found);
  for (const auto& [value, error] : *found) {
    const double expected = std::abs(value) > 100 ? 1e4 : 1;
    EXPECT_NEAR(std::abs(value.imag()), expected, error);
    EXPECT_LE(std::abs(value.real()), error);
    EXPECT_LT(error, 1e-10 * expected);
  }
}

// A similar matrix has the same eigenvalues within the errors; so has one in another unit of time.
TEST(Balance, UnitsDoNotMatter) {
  DenseMatrix a(3, 3);
  const double entries[3][3] = {{-1, 2, 0.5}, {0.3, -4, 1}, {2, 0.1, -3}};
  const double units[3] = {1e60, 1e-40, 1e3};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) a(i, j) = entries[i][j];
  for (const double time : {1.0, 1e-120, 1e90}) {
    DenseMatrix b(3, 3);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) b(i, j) = a(i, j) * (units[i] / units[j]) * time;
    const auto one = rounded_eigenvalues(a), other = rounded_eigenvalues(b);
    ASSERT_TRUE(one && other);
    for (const auto& [value, error] : *one) {
      double least = 1e300;
      for (const auto& [there, off] : *other) least = std::min(least, std::abs(there / time - value));
      EXPECT_LT(least, 2 * error + 1e-13);
      EXPECT_LT(error, 1e-11);
    }
  }
}

// Two that meet are known to the root of the rounding, and the error says so; one that is alone to all digits.
TEST(Balance, ErrorsKnowEigenvaluesThatMeet) {
  DenseMatrix a(3, 3);
  // similar to [2 1; 0 2] and 5, by a full change of the basis
  const double J[3][3] = {{2, 1, 0}, {0, 2, 0}, {0, 0, 5}}, S[3][3] = {{1, 2, 1}, {0, 1, 3}, {1, 1, 0}},
               inverse[3][3] = {{-1.5, 0.5, 2.5}, {1.5, -0.5, -1.5}, {-0.5, 0.5, 0.5}};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l) a(i, j) += S[i][k] * J[k][l] * inverse[l][j];
  const auto found = rounded_eigenvalues(a);
  ASSERT_TRUE(found);
  for (const auto& [value, error] : *found) {
    const double expected = std::abs(value - 5.0) < 1 ? 5 : 2;
    EXPECT_LE(std::abs(value - expected), error);
    EXPECT_LT(error, expected == 5 ? 1e-10 : 1e-3);
  }
}

}  // namespace
}  // namespace cetaev
