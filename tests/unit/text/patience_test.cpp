#include "cetaev/detail/text/patience.hpp"

#include <gtest/gtest.h>

#include "cetaev/interruption.hpp"

namespace cetaev {
namespace {

void work(int units) {
  for (int i = 0; i < units; ++i) may_end_here();
}

TEST(Patience, LastsAsLongAsItIsWorth) {
  Patience patience(100);
  int done = 0;
  EXPECT_TRUE(patience.with([&] { work(60), ++done; }));
  EXPECT_FALSE(patience.with([&] { work(60), ++done; }));  // what is left is less
  EXPECT_FALSE(patience.with([&] { work(60), ++done; }));
  EXPECT_EQ(done, 1);
  EXPECT_NO_THROW(work(1000));  // nobody's
}

TEST(Patience, OfOneWithinAnotherIsNoMoreThanThat) {
  Patience long_one(100);
  int within = 0, after = 0;
  EXPECT_TRUE(long_one.with([&] {
    Patience short_one(10);
    EXPECT_FALSE(short_one.with([&] { work(50), ++within; }));
    work(50), ++after;
  }));
  EXPECT_FALSE(long_one.with([&] {
    Patience longer(1e9);
    (void)longer.with([&] { work(50), ++within; });
    ++after;  // not reached
  }));
  EXPECT_EQ(within, 0);
  EXPECT_EQ(after, 1);
}

}  // namespace
}  // namespace cetaev
