// What rounding takes from rates, beside closed forms.
#include "cetaev/detail/formulation/rounding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace cetaev {
namespace {

// cos(n a) as a polynomial of cos a, multiplied out: exact, and of less use in doubles the larger n is.
Expr multiplied_out(Context& c, Expr x, int n) {
  std::vector<Rational> before = {Rational(1)}, now = {Rational(0), Rational(1)};
  for (int k = 2; k <= n; ++k) {
    std::vector<Rational> next(now.size() + 1, Rational(0));
    for (std::size_t i = 0; i < now.size(); ++i) next[i + 1] = next[i + 1] + Rational(2) * now[i];
    for (std::size_t i = 0; i < before.size(); ++i) next[i] = next[i] - before[i];
    before = std::move(now);
    now = std::move(next);
  }
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < now.size(); ++i)
    terms.push_back(c.number(now[i]) * pow(x, Rational(static_cast<long>(i))));
  return c.sum(terms);
}

// The largest error at the states that are looked at, as it is told, and whether it is told to be small.
TEST(Rounding, IsToldAsLargeAsItIs) {
  bool some_small = false, some_large = false;
  for (const int n : {4, 8, 12, 16, 20, 24, 28, 32, 40, 50}) {
    for (const double a : {0.05, 0.4, 1.3}) {
      SCOPED_TRACE(n);
      Context c;
      const Expr y = c.symbol("y"), t = c.symbol("t");
      const Program rates(std::vector{multiplied_out(c, cos(y), n)}, std::vector{y, t});
      RoundingErrors errors(rates);
      const std::vector<double> state = {a};
      const double told = errors(state, 0, {});
      double worst = 0;
      for (int k = 0; k < 3; ++k) {
        const double at = a + 0.1 * k * std::cos(k);
        std::vector<double> value(1);
        Interpreter run(rates);
        run(std::vector{at, 0.3 * k}, value);
        const long double exact = std::cos(static_cast<long double>(n) * static_cast<long double>(at));
        worst = std::max(worst, static_cast<double>(std::abs((value[0] - exact) / exact)));
      }
      EXPECT_NEAR(told, worst, 1e-3 * worst + 2.3e-16);
      const bool small = errors.surely_small(state, 0, {});
      EXPECT_EQ(small, worst < 0.5 * much_rounding) << worst;
      some_small = some_small || small;
      some_large = some_large || told > much_rounding;
    }
  }
  EXPECT_TRUE(some_small);
  EXPECT_TRUE(some_large);
}

// What longer numbers cannot tell is not small: a value that is none, and a linear system that is singular.
TEST(Rounding, IsNotSmallWhereItCannotBeTold) {
  Context c;
  const Expr y = c.symbol("y"), t = c.symbol("t");
  const auto small = [&](Expr e, double at) {
    const Program rates(std::vector{e}, std::vector{y, t});
    return RoundingErrors(rates).surely_small(std::vector{at}, 0, {});
  };
  EXPECT_TRUE(small(sqrt(y), 0.5));
  EXPECT_FALSE(small(sqrt(y), -0.5));
  EXPECT_FALSE(small(exp(exp(y)), 7));
  EXPECT_FALSE(small(apply(Function::elliptic_f, y, c.number(Rational(1, 2))), 0.5));
}

}  // namespace
}  // namespace cetaev
