// Power series in two parameters have the derivatives of the functions they belong to.
#include "../../../src/series/several.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../../../src/constraint/enclosed.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {
namespace {

// Digits that a handful of derivatives in balls of 320 bits leave certain.
constexpr double certain = 1e-70;

// e(x, y, p) where x = x₀ + s₁, y = y₀ + s₂ and p is a number.
class SeveralSeries : public testing::Test {
 protected:
  Context c;
  const Expr x = c.symbol("x"), y = c.symbol("y"), p = c.symbol("p");
  const std::vector<Expr> inputs = {x, y, p};
  const Monomials monomials = Monomials({4, 2});

  Ball value(const Rational& r) const { return Ball(r, 320); }

  // ∂ⁱ⁺ʲe/∂xⁱ∂yʲ / (i! j!), by the expression graph
  Precise truth(Expr e, std::size_t i, std::size_t j, const std::vector<Rational>& at) {
    for (std::size_t n = 1; n <= i; ++n) e = derivative(e, x) / c.integer(static_cast<long>(n));
    for (std::size_t n = 1; n <= j; ++n) e = derivative(e, y) / c.integer(static_cast<long>(n));
    std::vector<BallValue> values;
    for (std::size_t n = 0; n < inputs.size(); ++n) values.emplace_back(inputs[n], value(at[n]));
    return Precise(evaluate_ball(e, values, 320));
  }

  void set(TaylorRun<Precise>& run, const std::vector<Rational>& at) const {
    for (std::size_t n = 0; n < inputs.size(); ++n) *run.input(n) = Precise(value(at[n]));
    for (std::size_t n = 0; n < 2; ++n) run.input(n)[monomials.stride(n)].set(1L);
  }

  void expect_derivatives(Expr e, const std::vector<Rational>& at) {
    const TaylorCode code(Program(std::span(&e, 1), inputs), {true, true, false}, {false, false, false});
    TaylorRun<Precise> run(code, monomials);
    set(run, at);
    for (std::size_t degree = 0; degree <= monomials.total_degree(); ++degree) run.advance(degree);
    for (std::size_t k = 0; k < monomials.size(); ++k) {
      const std::size_t i = monomials.exponent(k, 0), j = monomials.exponent(k, 1);
      const Precise expected = truth(e, i, j, at);
      Precise difference = run.output_varies(0) || k == 0 ? run.output(0)[k] : Precise();
      difference -= expected;
      const std::string what = to_string(e) + ", s1^" + std::to_string(i) + " s2^" + std::to_string(j);
      ASSERT_TRUE(expected.is_finite()) << what;
      EXPECT_TRUE(difference.contains_zero()) << what;
      EXPECT_LE(difference.radius(), certain * (1 + expected.magnitude())) << what;
    }
  }
};

TEST_F(SeveralSeries, HaveTheDerivativesOfEveryFunction) {
  const Expr g = x + x * y / c.integer(3) + c.integer(1) / c.integer(9);  // 0 < g < 1 at the points below
  const Expr h = y - c.integer(2) * x * x;
  std::vector<Expr> expressions = {c.integer(3),
                                   p,
                                   p * c.pi(),
                                   x,
                                   g * h,
                                   g - h,
                                   -g,
                                   h / g,
                                   p / g,
                                   g / p,
                                   g * p + h,
                                   pow(g, Rational(2)),
                                   pow(g, Rational(7)),
                                   pow(g, Rational(-3)),
                                   sqrt(g),
                                   sqrt(p) * g,
                                   pow(g, Rational(3, 2)),
                                   pow(g, Rational(-5, 2)),
                                   pow(g, Rational(4, 3)),
                                   pow(g, p),
                                   pow(g, h),
                                   pow(p, g),
                                   atan2(g, h),
                                   atan2(h, g),
                                   atan2(g, -g),
                                   atan2(-g, -h - c.integer(2)),
                                   atan2(p, g),
                                   apply(Function::elliptic_f, g, p),
                                   apply(Function::elliptic_e, g, p),
                                   apply(Function::amplitude, g, p),
                                   apply(Function::delta, g, p),
                                   apply(Function::epsilon, g, p),
                                   apply(Function::epsilon, g, h),
                                   apply(Function::amplitude, g, c.integer(3)),
                                   apply(Function::delta, g, c.integer(-3)),
                                   apply(Function::amplitude, g, c.one()),
                                   apply(Function::elliptic_f, g, h),
                                   apply(Function::elliptic_e, g, h),
                                   apply(Function::amplitude, g, h),
                                   apply(Function::delta, g, h),
                                   apply(Function::elliptic_f, p, h),
                                   apply(Function::amplitude, p, h),
                                   abs(g),
                                   abs(-g),
                                   sin(g) * cos(g) + sin(h) / cos(g),
                                   apply(Function::acosh, g + c.integer(2))};
  for (const Function f :
       {Function::sin, Function::cos, Function::tan, Function::asin, Function::acos, Function::atan, Function::sinh,
        Function::cosh, Function::tanh, Function::asinh, Function::atanh, Function::exp, Function::log}) {
    expressions.push_back(apply(f, g));
    expressions.push_back(apply(f, p) * h);
  }
  for (const Expr e : expressions) {
    expect_derivatives(e, {Rational(2, 5), Rational(7, 10), Rational(3, 10)});
    expect_derivatives(e, {Rational(0), Rational(1, 2), Rational(3, 5)});
  }
}

// Where a function or what is around it vanishes, or the argument is negative.
TEST_F(SeveralSeries, HaveThemAtSpecialPointsToo) {
  const std::vector<Rational> origin = {Rational(0), Rational(0), Rational(1, 2)};
  const Expr g = x - y + x * y;
  for (const Function f :
       {Function::sin, Function::cos, Function::tan, Function::asin, Function::acos, Function::atan, Function::sinh,
        Function::cosh, Function::tanh, Function::asinh, Function::atanh, Function::exp})
    expect_derivatives(apply(f, g), origin);
  expect_derivatives(log(c.one() + g), origin);
  expect_derivatives(atan2(g, g - c.one()) + atan2(c.one(), g), origin);
  const std::vector<Rational> negative = {Rational(-1, 2), Rational(1, 3), Rational(1, 2)};
  expect_derivatives(abs(x) * abs(y), negative);
  expect_derivatives(pow(x, Rational(5)), negative);
  expect_derivatives(pow(x, Rational(101)), negative);  // by its exponent and not by squares
  expect_derivatives(apply(Function::asinh, x) + apply(Function::tanh, x), negative);
}

TEST_F(SeveralSeries, AreNotFiniteWhereThereIsNoDerivative) {
  const std::vector<Rational> origin = {Rational(0), Rational(0), Rational(1, 2)};
  for (const Expr e : {abs(x), sqrt(x), log(x), pow(x, Rational(1, 3)), apply(Function::acosh, x + c.one()),
                       apply(Function::asin, x + c.one())}) {
    const TaylorCode code(Program(std::span(&e, 1), inputs), {true, true, false}, {false, false, false});
    TaylorRun<Precise> run(code, monomials);
    set(run, origin);
    for (std::size_t degree = 0; degree <= 1; ++degree) run.advance(degree);
    EXPECT_FALSE(run.output(0)[monomials.stride(0)].is_finite()) << to_string(e);
  }
}

// An input of which each degree is known only after the others: what depends on it is computed again.
TEST_F(SeveralSeries, TakeInputsThatComeLate) {
  const Expr e = tan(x * y) / sqrt(x + y) + atan2(y, x) * exp(x) + pow(y, Rational(4, 3)) + sin(x);
  const std::vector<Rational> at = {Rational(2, 5), Rational(7, 10), Rational(3, 10)};
  const TaylorCode code(Program(std::span(&e, 1), inputs), {true, true, false}, {false, true, false});
  TaylorRun<Precise> run(code, monomials);
  set(run, at);
  Precise& slope = run.input(1)[monomials.stride(1)];
  slope.clear();
  for (std::size_t degree = 0; degree <= monomials.total_degree(); ++degree) {
    run.advance(degree);
    if (degree == 1) slope.set(1L);
    if (degree > 0) run.advance_late(degree);
  }
  for (std::size_t k = 0; k < monomials.size(); ++k) {
    Precise difference = run.output(0)[k];
    difference -= truth(e, monomials.exponent(k, 0), monomials.exponent(k, 1), at);
    EXPECT_TRUE(difference.contains_zero()) << k;
    EXPECT_LE(difference.radius(), certain) << k;
  }
}

}  // namespace
}  // namespace cetaev
