// A program computes what its expressions say, without allocating.
#include "cetaev/program/program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "cetaev/expr/evaluate.hpp"

namespace cetaev {
namespace {

TEST(Program, AgreesWithTheEvaluationOfEveryKindOfNode) {
  Context c;
  const Expr x = c.symbol("x");
  const Expr y = c.symbol("y");
  std::vector<Expr> outputs = {
      c.integer(3), c.pi(), x, x + y, x - y, -x, -x - y, c.integer(2) * x - y / c.integer(3) + c.one(), x * y, x / y,
      c.one() / (x * y), pow(x, Rational(2)), pow(x, Rational(7)), pow(x, Rational(-3)), sqrt(x), pow(x, Rational(3, 2)),
      pow(x, Rational(-5, 2)), pow(x, Rational(4, 3)), pow(x, y), atan2(y, x), pow(sqrt(x), Rational(4)),
      pow(x, Rational(100)), c.one() - x};
  for (std::size_t i = 0; i < function_count; ++i) {
    const auto f = static_cast<Function>(i);
    if (f == Function::atan2) continue;
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
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "no input for the symbol mass");
  }
}

TEST(Program, OfNothingIsNothing) {
  const Program program({}, {});
  Interpreter run(program);
  run({}, {});
  EXPECT_EQ(program.register_count(), 0u);
}

}  // namespace
}  // namespace cetaev
