#include "cetaev/detail/expr/walk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace cetaev {
namespace {

// Few nodes far apart, and all of them: once each, operands before users, and a walk knows nothing of those before it.
TEST(Walk, MeetsEveryNodeOnceInTheOrderOfTheirNumbers) {
  Context context;
  const Expr x = context.symbol("x");
  std::vector<Expr> powers;
  for (long k = 2; k < 20000; ++k) powers.push_back(pow(x, Rational(k)));
  const Expr far = sin(powers.front()) + sin(powers.back());
  for (int round = 0; round < 2; ++round) {
    for (const std::vector<Expr>& roots : {std::vector<Expr>{far, x, far}, powers}) {
      const std::vector<Expr> order = topological(roots);
      EXPECT_TRUE(std::ranges::is_sorted(order, std::less_equal()));
      for (const Expr root : roots) EXPECT_TRUE(std::ranges::binary_search(order, root));
      for (const Expr e : order) {
        for (const Expr operand : e.operands()) ASSERT_TRUE(std::ranges::binary_search(order, operand));
      }
    }
    EXPECT_LT(topological(std::array{far}).size(), 12U);
  }
}

TEST(Walk, WithinAnotherMeetsItsOwnNodes) {
  Context context;
  const Expr x = context.symbol("x"), y = context.symbol("y");
  Walk one;
  one.visit(x);
  {
    Walk other;
    EXPECT_FALSE(other.met(x));
    other.visit(y);
    other.visit(y);
    EXPECT_EQ(other.size(), 1U);
  }
  EXPECT_TRUE(one.met(x));
  EXPECT_FALSE(one.met(y));
}

TEST(Places, AreThoseOfTheList) {
  Context context;
  const std::array list = {context.symbol("a"), context.symbol("b"), context.symbol("c")};
  const Expr stranger = context.symbol("d");
  {
    const std::array others = {stranger, list[0]};
    const Places all(others);
    EXPECT_EQ(all[list[0]], 1U);
  }
  const Places place(list);
  for (std::uint32_t i = 0; i < list.size(); ++i) EXPECT_EQ(place.find(list[i]), i);
  EXPECT_EQ(place.find(stranger), Places::nowhere);
  EXPECT_EQ(place.find(sin(stranger)), Places::nowhere);
}

}  // namespace
}  // namespace cetaev
