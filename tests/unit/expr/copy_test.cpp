// A copy of a context is the same graph once more; a frozen context takes nothing new.
#include <gtest/gtest.h>

#include "cetaev/error.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/expr/expr.hpp"

namespace cetaev {
namespace {

TEST(ContextCopy, HasTheSameNumbersAndTextsForEveryNode) {
  Context context;
  const Expr x = context.symbol("x"), y = context.symbol("y");
  Expr e = sin(x * y) + sqrt(abs(x) + context.number(Rational(3, 7))) / (x + y);
  for (int i = 0; i < 5; ++i) e = derivative(e, x) * y + log(exp(y) + pow(x, Rational(i, 3)));
  const Context::Copy copy = context.copy();
  ASSERT_EQ(copy.context->node_count(), context.node_count());
  ASSERT_EQ(copy.images.size(), context.node_count());
  const std::vector<Expr> nodes = topological(std::span(&e, 1));
  for (const Expr node : nodes) {
    const Expr image = copy.images[node.id()];
    EXPECT_EQ(&image.context(), copy.context.get());
    EXPECT_EQ(image.id(), node.id());
    EXPECT_EQ(image.is_nonnegative(), node.is_nonnegative());
  }
  EXPECT_EQ(to_string(copy.images[e.id()]), to_string(e));
}

TEST(ContextCopy, IsANewBeginningForBoth) {
  Context context;
  const Expr x = context.symbol("x");
  const Context::Copy copy = context.copy();
  // the same symbol there is the copy of the one here, and what is added to one is not in the other
  EXPECT_EQ(copy.context->symbol("x"), copy.images[x.id()]);
  const std::size_t before = context.node_count();
  (void)sin(copy.images[x.id()] + copy.context->symbol("new"));
  EXPECT_EQ(context.node_count(), before);
}

TEST(FrozenContext, GivesWhatIsThereAndTakesNothingNew) {
  Context context;
  const Expr x = context.symbol("x"), e = sin(x) + x;
  context.freeze();
  EXPECT_EQ(context.symbol("x"), x);
  EXPECT_EQ(sin(x) + x, e);
  EXPECT_THROW((void)cos(x), Error);
  EXPECT_THROW((void)context.symbol("y"), Error);
  EXPECT_THROW((void)context.integer(12345), Error);
  EXPECT_FALSE(context.copy().context->frozen());
}

}  // namespace
}  // namespace cetaev
