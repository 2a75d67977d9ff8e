// Sums and products whose parts stay as they are.
#include "cetaev/detail/expr/nested.hpp"

#include <gtest/gtest.h>

#include <array>

#include "cetaev/expr/evaluate.hpp"

namespace cetaev {
namespace {

using Term = Context::Term;

TEST(Nested, SumsKeepTheSumsInThem) {
  Context context;
  const Expr x = context.symbol("x"), y = context.symbol("y"), S = x + Rational(3) * y;
  const Expr kept = nested_sum(context, std::array{Term{S, Rational(2)}, Term{x, Rational(1)}});
  ASSERT_EQ(kept.kind(), Kind::sum);
  EXPECT_EQ(kept.size(), 2U);
  EXPECT_TRUE(kept.term(0) == S || kept.term(1) == S);
  // what is made of it by the usual operations is flat again
  EXPECT_EQ(kept + y, Rational(3) * x + Rational(7) * y);
}

TEST(Nested, EqualPartsAreAdded) {
  Context context;
  const Expr x = context.symbol("x"), y = context.symbol("y"), S = x + y;
  EXPECT_EQ(nested_sum(context, std::array{Term{S, Rational(2)}, Term{S, Rational(-1)}}), S);
  EXPECT_TRUE(nested_sum(context, std::array{Term{S, Rational(2)}, Term{S, Rational(-2)}}).is_zero());
  EXPECT_EQ(nested_sum(context, std::array{Term{context.integer(2), Rational(3)}}), context.integer(6));
  EXPECT_EQ(nested_sum(context, std::array{Term{Rational(2) * x, Rational(3)}, Term{x, Rational(-5)}}), x);
}

TEST(Nested, ProductsAreThoseOfTheirValues) {
  Context context;
  const Expr x = context.symbol("x"), y = context.symbol("y"), c = cos(x), S = -(x + y);
  EXPECT_EQ(nested_product(c, c), pow(c, Rational(2)));
  EXPECT_EQ(nested_product(Rational(2) * c, Rational(3) * x), Rational(6) * (c * x));
  EXPECT_TRUE(nested_product(context.zero(), S).is_zero());
  EXPECT_EQ(nested_product(context.one(), S), S);
  // what has rules of its own keeps them
  const Expr root = sqrt(x);
  EXPECT_EQ(nested_product(root, root), root * root);
  EXPECT_EQ(nested_product(pow(x, Rational(-1)), x), context.one());
  const std::array values = {Value{x, 0.3}, Value{y, -1.7}};
  const Expr product = nested_product(nested_product(c, S), nested_product(S, y));
  EXPECT_DOUBLE_EQ(evaluate(product, values), evaluate(c * S * S * y, values));
}

TEST(Nested, SubstitutionKeepsWhatIsNested) {
  Context context;
  const Expr x = context.symbol("x"), y = context.symbol("y"), u = context.symbol("u"), S = x + Rational(3) * y;
  const auto nested = [&](Expr z) {
    const Expr inner = z + Rational(3) * y;
    return nested_sum(context, std::array{Term{inner, Rational(2)}, Term{nested_product(sin(z), inner), Rational(1)},
                                          Term{pow(z, Rational(-1)), Rational(-1)}, Term{context.one(), Rational(5)}});
  };
  const std::array roots = {nested(x), S, y};
  const std::vector<Expr> found = nested_substitute(roots, std::array{Replacement{x, u}});
  EXPECT_EQ(found[0], nested(u));
  EXPECT_EQ(found[1], u + Rational(3) * y);
  EXPECT_EQ(found[2], y);
}

}  // namespace
}  // namespace cetaev
