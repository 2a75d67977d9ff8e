// Numbers and names in front of people.
#include "../../../src/report/layout.hpp"

#include <gtest/gtest.h>

namespace cetaev {
namespace {

TEST(Layout, NumbersHaveTheDigitsThatAreThere) {
  EXPECT_EQ(value(0.1), "0.1");
  EXPECT_EQ(value(1.0 / 3), "0.3333333333");
  EXPECT_EQ(value(-0.0), "0");
  EXPECT_EQ(value(5e-324), "0");
  EXPECT_EQ(value(-1e-310), "0");
  EXPECT_EQ(value(2.5e-308), "2.5e-308");
}

TEST(Layout, NamesStayOnTheirLine) {
  EXPECT_EQ(one_line("a\nb\tc"), "a b c");
  EXPECT_EQ(one_line("\x1b[2J"), "\\u001b[2J");
}

}  // namespace
}  // namespace cetaev
