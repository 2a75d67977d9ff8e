// Sums of series for every number of lanes and variables, beside the same sum term by term.
#include "../../../src/integrate/series_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace cetaev {
namespace {

TEST(SeriesSum, IsThatOfItsTerms) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const unsigned lanes : {1U, 2U, 4U, 8U}) {
    for (std::size_t size = 1; size <= 30; ++size) {
      const SeriesSum sum = series_sum(lanes, size);
      for (const unsigned order : {2U, 3U, 4U, 5U, 20U, 27U}) {
        std::vector<double> c((order + 1) * size * lanes), h(lanes), result(size * lanes + 1, -77.0);
        for (double& x : c) x = uniform(random);
        for (double& x : h) x = uniform(random);
        for (std::size_t i = 0; i < size * lanes; ++i) c[i] = NAN;  // the terms without h do not count
        sum(c.data(), size, order, h.data(), result.data());
        for (std::size_t i = 0; i < size * lanes; ++i) {
          long double expected = 0, power = 1;
          for (unsigned k = 1; k <= order; ++k, power *= h[i % lanes]) expected += power * c[k * size * lanes + i];
          ASSERT_NEAR(result[i], static_cast<double>(expected), 1e-14)
              << lanes << " lanes, " << size << " variables, order " << order << ", at " << i;
        }
        EXPECT_EQ(result.back(), -77.0);  // nothing behind
      }
    }
  }
}

}  // namespace
}  // namespace cetaev
