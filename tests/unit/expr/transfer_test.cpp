#include <gtest/gtest.h>

#include <array>

#include "cetaev/expr/derivative.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "cetaev/expr/expr.hpp"

namespace cetaev {
namespace {

TEST(Transfer, RebuildsTheSameExpressionByTheNamesOfItsSymbols) {
  Context from, to;
  to.symbol("z");  // other numbers of nodes there
  const Expr x = from.symbol("x"), y = from.symbol("y'");
  const Expr e = sin(x * y) / sqrt(x + Rational(3, 7)) + pow(x, y) - atan2(y, x) * from.pi();
  const Expr moved = transfer(e, to);
  EXPECT_EQ(&moved.context(), &to);
  EXPECT_EQ(evaluate(e, std::array{Value{x, 0.3}, Value{y, 1.7}}),
            evaluate(moved, std::array{Value{to.symbol("x"), 0.3}, Value{to.symbol("y'"), 1.7}}));
  EXPECT_EQ(transfer(moved, from), e);
}

TEST(Transfer, ReplacesSymbolsOnTheWay) {
  Context from, to;
  const Expr l = from.symbol("l"), x = from.symbol("x");
  const std::array replacements = {Replacement{l, sqrt(to.integer(2))}};
  EXPECT_EQ(transfer(l * l + x, to, replacements), to.integer(2) + to.symbol("x"));
  EXPECT_EQ(transfer(l, to, replacements), sqrt(to.integer(2)));
}

TEST(Transfer, DoesNotRecurse) {
  Context from, to;
  Expr e = from.symbol("x");
  for (int i = 0; i < 200000; ++i) e = sin(e);
  EXPECT_EQ(transfer(transfer(e, to), from), e);
}

}  // namespace
}  // namespace cetaev
