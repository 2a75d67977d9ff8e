#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "cetaev/detail/expr/sign.hpp"
#include "cetaev/expr/expr.hpp"

namespace cetaev {
namespace {

TEST(Print, UsesAsFewParenthesesAsItNeeds) {
  Context c;
  const Expr x = c.symbol("x");
  const Expr y = c.symbol("y");
  const Expr v = c.symbol("x'");
  const auto n = [&](long p, long q = 1) { return c.number(Rational(p, q)); };
  const std::vector<std::pair<Expr, std::string>> cases = {
      {x + y, "x + y"},
      {x - y, "x - y"},
      {-x, "-x"},
      {-x - y, "-x - y"},
      {y - x, "y - x"},
      {c.one() - x, "1 - x"},
      {x - c.one(), "x - 1"},
      {n(2) * x, "2*x"},
      {x / n(2), "x/2"},
      {n(3, 2) * x, "3*x/2"},
      {x * y, "x*y"},
      {x * (y + c.one()), "x*(y + 1)"},
      {x / y, "x/y"},
      {c.one() / (x * y), "1/(x*y)"},
      {x / (n(2) * y), "x/(2*y)"},
      {pow(v, Rational(2)), "x'^2"},
      {pow(x + y, Rational(2)), "(x + y)^2"},
      {pow(x, Rational(-2)), "1/x^2"},
      {sqrt(x), "sqrt(x)"},
      {c.one() / sqrt(x), "1/sqrt(x)"},
      {pow(x, Rational(3, 2)), "x^(3/2)"},
      {pow(sqrt(x), Rational(2)), "sqrt(x)^2"},
      {pow(x, y), "x^y"},
      {pow(x, y + c.one()), "x^(y + 1)"},
      {pow(x + y, y), "(x + y)^y"},
      {pow(x, pow(y, x)), "x^y^x"},
      {pow(pow(x, y), x), "(x^y)^x"},
      {sin(x + y), "sin(x + y)"},
      {atan2(y, x), "atan2(y, x)"},
      {n(-1, 2) * c.pi(), "-pi/2"},
      {sqrt(n(2)) * x, "x*sqrt(2)"},
      {-(x + y) * sin(x), "-(x + y)*sin(x)"},
  };
  for (const auto& [e, text] : cases) EXPECT_EQ(to_string(e), text);
  // the sign is known without the text
  for (const auto& [e, text] : cases) {
    for (const Expr other : {e, -e, e - n(3), n(-2) * e - n(1, 2), e * n(-1) + n(5)})
      EXPECT_EQ(has_leading_minus(other), to_string(other).starts_with('-')) << to_string(other);
  }
  for (const Expr e : {n(-3), n(-1, 2), n(0), n(7), n(-2) * x, sqrt(n(2)) * n(-1), -x - y - n(1), n(1) - x - y})
    EXPECT_EQ(has_leading_minus(e), to_string(e).starts_with('-')) << to_string(e);
}

}  // namespace
}  // namespace cetaev
