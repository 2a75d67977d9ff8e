// A program computes what its expressions say, without allocating.
#include "cetaev/program/program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cetaev/detail/program/longer.hpp"
#include "cetaev/error.hpp"
#include "cetaev/expr/evaluate.hpp"

namespace cetaev {
namespace {

TEST(Program, AgreesWithTheEvaluationOfEveryKindOfNode) {
  Context c;
  const Expr x = c.symbol("x");
  const Expr y = c.symbol("y");
  std::vector<Expr> outputs = {c.integer(3),
                               c.pi(),
                               x,
                               x + y,
                               x - y,
                               -x,
                               -x - y,
                               c.integer(2) * x - y / c.integer(3) + c.one(),
                               x * y,
                               x / y,
                               c.one() / (x * y),
                               pow(x, Rational(2)),
                               pow(x, Rational(7)),
                               pow(x, Rational(-3)),
                               sqrt(x),
                               pow(x, Rational(3, 2)),
                               pow(x, Rational(-5, 2)),
                               pow(x, Rational(4, 3)),
                               pow(x, y),
                               atan2(y, x),
                               pow(sqrt(x), Rational(4)),
                               pow(x, Rational(100)),
                               c.one() - x};
  for (std::size_t i = 0; i < function_count; ++i) {
    const auto f = static_cast<Function>(i);
    if (arity(f) == 2) {
      outputs.push_back(apply(f, y, x));
      continue;
    }
    outputs.push_back(apply(f, f == Function::acosh ? x + c.one() : x));
  }
  const std::vector<Expr> inputs = {y, x};
  const Program program(outputs, inputs);
  Interpreter run(program);
  std::vector<double> results(outputs.size());
  const std::vector<double> at = {0.8, 0.4};
  run(at, results);
  const std::vector<double> expected = evaluate(outputs, std::vector<Value>{{x, 0.4}, {y, 0.8}});
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_NEAR(results[i], expected[i], 4e-16 * std::fabs(expected[i])) << to_string(outputs[i]);
  }
}

// In longer numbers, beside balls: every kind of node and a linear system, at arguments that are no doubles.
TEST(Program, InLongerNumbersHasElevenMoreDigits) {
  Context c;
  const Expr x = c.symbol("x"), y = c.symbol("y"), u = c.symbol("u"), v = c.symbol("v");
  const Expr third = x / c.integer(3), seventh = y / c.integer(7);
  const LinearBlock block{{2, 2, {third, seventh, -seventh, c.pi()}}, {2, 1, {c.one(), sin(third)}}, {u, v}};
  std::vector<Expr> outputs = {
      c.number(Rational(1, 3)), c.pi(), third - seventh, third * seventh, third / seventh, pow(third, Rational(7)),
      sqrt(third), pow(third, seventh), atan2(seventh, third), u, v,
      // equal to rounding in doubles
      (pow(x + c.integer(1000000), Rational(2)) - pow(x - c.integer(1000000), Rational(2))) / x};
  for (std::size_t i = 0; i < function_count; ++i) {
    const auto f = static_cast<Function>(i);
    if (arity(f) == 1) outputs.push_back(apply(f, f == Function::acosh ? third + c.one() : third));
  }
  const std::vector<Expr> inputs = {x, y};
  const Program program(outputs, inputs, std::vector<LinearBlock>{block});
  if (!LongerInterpreter::serves(program)) GTEST_SKIP() << "this processor has no longer numbers";
  const std::vector<double> at = {0.8, 0.4};
  std::vector<long double> found(outputs.size());
  ASSERT_EQ(LongerInterpreter(program)(at, found), -1);
  std::vector<Ball> exact;
  ASSERT_EQ(run_in_balls(program, std::vector{Ball::from_double(0.8), Ball::from_double(0.4)}, exact, 256), -1);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const double high = static_cast<double>(found[i]);
    Ball low;
    low.set_difference(exact[i], Ball::from_double(high), 256);
    const double rest = static_cast<double>(found[i] - static_cast<long double>(high));
    const double terms = i == 11 ? 1e6 : 1;  // which cancel in the last of the first ones
    EXPECT_NEAR(low.midpoint(), rest, terms * 4e-19 * std::abs(high)) << to_string(outputs[i]);
  }
  EXPECT_FALSE(LongerInterpreter::serves(Program(std::vector{apply(Function::elliptic_f, x, y)}, inputs)));
}

// Quotients and logarithms that are numbers where their parts are too large for one, and the same as written elsewhere.
TEST(Program, IsFiniteWhereOnlyPartsAreTooLarge) {
  Context c;
  const Expr u = c.symbol("u"), y = c.symbol("y");
  const Expr e = exp(u), one = c.one();
  const Expr sum = c.integer(2) * e + c.integer(3) * y + one;
  const std::vector<Expr> outputs = {e / (one + e),
                                     e / pow(one + e, Rational(2)),
                                     pow(e, Rational(2)) / pow(sum, Rational(3)),
                                     log(sum),
                                     apply(Function::sinh, u) / apply(Function::cosh, u),
                                     e / sum};
  const std::vector<Expr> inputs = {u, y};
  const Program program(outputs, inputs);
  Interpreter run(program);
  std::vector<double> found(outputs.size());
  for (const double at : {-30.0, -3.0, -0.5, 0.0, 0.7, 5.0, 40.0, 300.0}) {
    run(std::vector{at, 0.8}, found);
    const std::vector<double> expected = evaluate(outputs, std::vector<Value>{{u, at}, {y, 0.8}});
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!std::isfinite(expected[i])) continue;
      EXPECT_NEAR(found[i], expected[i], 1e-15 + 4e-15 * std::fabs(expected[i])) << at << " " << to_string(outputs[i]);
    }
  }
  run(std::vector{2000.0, 0.8}, found);
  const double above[] = {1, 0, 0, 2000 + std::log(2.0), 1, 0.5};
  for (std::size_t i = 0; i < outputs.size(); ++i) EXPECT_NEAR(found[i], above[i], 1e-12) << to_string(outputs[i]);
  run(std::vector{-2000.0, 0.8}, found);
  const double below[] = {0, 0, 0, std::log(3.4), -1, 0};
  for (std::size_t i = 0; i < outputs.size(); ++i) EXPECT_NEAR(found[i], below[i], 1e-12) << to_string(outputs[i]);
}

TEST(Program, ComputesSharedPartsOnce) {
  Context c;
  const Expr x = c.symbol("x");
  const Expr shared = sin(x);
  const std::vector<Expr> outputs = {shared + c.one(), shared * x, exp(shared)};
  EXPECT_EQ(Program(outputs, std::vector{x}).instructions().size(), 4u);
}

TEST(Program, NamesASymbolThatHasNoInput) {
  Context c;
  const std::vector<Expr> outputs = {c.symbol("x") + c.symbol("mass")};
  try {
    Program(outputs, std::vector{c.symbol("x")});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown_name);
    EXPECT_STREQ(error.what(), "no input for the symbol mass");
  }
}

// Two systems, the second with the solution of the first in it: checked by substitution.
TEST(Program, SolvesLinearSystemsOnTheWay) {
  Context c;
  const Expr x = c.symbol("x");
  const auto n = [&](long value) { return c.integer(value); };
  LinearBlock first{
      {2, 2, {c.zero(), x, n(1), n(1)}}, {2, 2, {n(1), x, n(2), n(0)}}, {}};  // a zero pivot to begin with
  for (int i = 0; i < 4; ++i) first.unknowns.push_back(c.symbol("u" + std::to_string(i)));
  LinearBlock second;
  second.matrix = Matrix{1, 1, {first.unknown(0, 1) + n(2)}};
  second.right = Matrix{1, 1, {sin(x) * first.unknown(1, 0)}};
  second.unknowns = {c.symbol("w")};
  const std::vector<LinearBlock> blocks = {first, second};
  std::vector<Expr> outputs = first.unknowns;
  outputs.push_back(second.unknowns[0]);
  outputs.push_back(second.unknowns[0] * x);
  const Program program(outputs, std::vector{x}, blocks);
  Interpreter run(program);
  std::vector<double> r(outputs.size());
  ASSERT_EQ(run(std::vector{0.7}, r), -1);
  // x u1j = …, u0j + u1j = …
  EXPECT_NEAR(0.7 * r[2], 1, 1e-15);
  EXPECT_NEAR(r[0] + r[2], 2, 1e-15);
  EXPECT_NEAR(0.7 * r[3], 0.7, 1e-15);
  EXPECT_NEAR(r[1] + r[3], 0, 1e-15);
  EXPECT_NEAR((r[1] + 2) * r[4], std::sin(0.7) * r[2], 1e-15);
  EXPECT_NEAR(r[5], 0.7 * r[4], 1e-15);

  std::vector<Ball> balls;
  ASSERT_EQ(run_in_balls(program, std::vector{Ball(Rational(7, 10), 300)}, balls, 300), -1);
  for (std::size_t i = 0; i < r.size(); ++i) EXPECT_NEAR(balls[i].midpoint(), r[i], 1e-15);
  EXPECT_LT(balls[4].radius(), 1e-80);

  EXPECT_NEAR(run.determinant(0), -0.7, 1e-16);
  EXPECT_EQ(run(std::vector{0.0}, r), 0);  // the first system is singular at x = 0
  EXPECT_EQ(run(std::vector{-1e300}, r), -1);
}

TEST(Program, BallsUseExactConstants) {
  Context c;
  const Expr x = c.symbol("x");
  const std::vector<Expr> outputs = {c.number(Rational(1, 10)) * x + sin(c.pi() * x)};
  std::vector<Ball> balls;
  run_in_balls(Program(outputs, std::vector{x}), std::vector{Ball(Rational(1))}, balls, 300);
  EXPECT_EQ(balls[0].to_string(60), "0.100000000000000000000000000000000000000000000000000000000000");
}

TEST(Program, OfNothingIsNothing) {
  const Program program({}, {});
  Interpreter run(program);
  run({}, {});
  EXPECT_EQ(program.register_count(), 0u);
}

// Parameters behind x, y: what is left for x and y are the operations about them.
TEST(Program, GathersFactorsThatStay) {
  Context c;
  const Expr x = c.symbol("x"), y = c.symbol("y"), m = c.symbol("m"), k = c.symbol("k");
  const std::vector<Expr> inputs = {x, y, m, k};
  const std::vector<Expr> outputs = {-(c.integer(2) * m * x * y) / (k + m * m),
                                     m * x - k * y,
                                     k * x - y,
                                     -k * x - m * y - m,
                                     m * pow(k * x, Rational(3)) / (y * m),
                                     sin(m * x) * k + m,
                                     m / (k * x),
                                     m * k,
                                     (m * x + m * y) * k,
                                     c.one() - k * x,
                                     -x * m + -y,
                                     pow(-k * x, Rational(2)) - sqrt(m)};
  const Program program(outputs, inputs), gathered = program.with_static_factors(2);
  const std::vector<double> at = {0.7, -1.3, 2.1, 0.6};
  std::vector<double> expected(outputs.size()), results(outputs.size());
  Interpreter{program}(at, expected);
  Interpreter{gathered}(at, results);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    EXPECT_NEAR(results[i], expected[i], 8e-16 * std::fabs(expected[i])) << to_string(outputs[i]);
  // x y times one number
  EXPECT_EQ(Program({outputs.data(), 1}, inputs).with_static_factors(2).hoisted(2).rest.instructions().size(), 2U);
}

// A linear system with static factors in its entries keeps its number, and its diagnosis.
TEST(Program, GathersFactorsAroundLinearSystems) {
  Context c;
  const Expr x = c.symbol("x"), m = c.symbol("m"), u = c.symbol("u"), w = c.symbol("w");
  LinearBlock block;
  block.matrix = {2, 2, {m * x, c.one(), c.one(), m}};
  block.right = {2, 1, {m * m * x, -x}};
  block.unknowns = {u, w};
  const std::vector<Expr> inputs = {x, m}, outputs = {m * u * x, w};
  const Program program(outputs, inputs, std::vector<LinearBlock>{block}), gathered = program.with_static_factors(1);
  std::vector<double> expected(2), results(2);
  ASSERT_EQ(Interpreter(program)(std::vector<double>{0.3, 2.0}, expected), -1);
  ASSERT_EQ(Interpreter(gathered)(std::vector<double>{0.3, 2.0}, results), -1);
  EXPECT_NEAR(results[0], expected[0], 1e-15 * std::fabs(expected[0]));
  EXPECT_NEAR(results[1], expected[1], 1e-15 * std::fabs(expected[1]));
  EXPECT_EQ(Interpreter(gathered)(std::vector<double>{0.25, 2.0}, results), 0);
}

}  // namespace
}  // namespace cetaev
