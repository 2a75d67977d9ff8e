#include "cetaev/detail/numeric/random.hpp"

#include <gtest/gtest.h>

namespace cetaev {
namespace {

// The first values of splitmix64 from 1234567, as the reference implementation of its authors gives them.
TEST(Random, IsSplitmix64) {
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317U);
  EXPECT_EQ(random.next(), 3203168211198807973U);
  EXPECT_EQ(random.next(), 9817491932198370423U);
  EXPECT_EQ(random.next(), 4593380528125082431U);
  EXPECT_EQ(random.next(), 16408922859458223821U);
}

TEST(Random, IsUniform) {
  Random random(3);
  constexpr int count = 100000;
  double sum = 0, squares = 0;
  for (int i = 0; i < count; ++i) {
    const double x = random.uniform(-1, 3);
    ASSERT_GE(x, -1);
    ASSERT_LT(x, 3);
    sum += x - 1;
    squares += (x - 1) * (x - 1);
  }
  // mean 1 and variance 16/12, to five times their standard deviations
  EXPECT_NEAR(sum / count, 0, 5 * 1.155 / 316);
  EXPECT_NEAR(squares / count, 4.0 / 3, 5 * 1.193 / 316);
}

}  // namespace
}  // namespace cetaev
