// Derivatives of programs, instruction by instruction, against those of their expressions.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cetaev/expr/derivative.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {
namespace {

struct OfTwo {
  Context c;
  Expr x = c.symbol("x"), y = c.symbol("y"), p = c.symbol("p"), dx = c.symbol("dx"), dy = c.symbol("dy"),
       w = c.symbol("w");
  std::vector<Expr> inputs = {x, y, p, dx, dy, w};
};

std::vector<double> run(const Program& program) {
  const std::vector<double> inputs = {0.7, 1.3, 0.4, 0.9, -1.1, 0.6};
  std::vector<double> result(program.output_count());
  EXPECT_EQ(Interpreter(program)(inputs, result), -1);
  return result;
}

// In the first direction x, y and p change by dx, dy and p w, in the second x alone by w.
std::vector<Program::Direction> directions(std::size_t first) {
  return {{{0, first}, {1, first + 1}, {2, first + 2}}, {{0, first + 3}}};
}
void add_seeds(const OfTwo& of, std::vector<Expr>& outputs) {
  outputs.insert(outputs.end(), {of.dx, of.dy, of.p * of.w, of.w});
}
Expr along(const OfTwo& of, Expr e, bool second) {
  if (second) return derivative(e, of.x) * of.w;
  return derivative(e, of.x) * of.dx + derivative(e, of.y) * of.dy + derivative(e, of.p) * of.p * of.w;
}

TEST(Tangents, AreTheDerivativesOfExpressions) {
  OfTwo of;
  auto& [c, x, y, p, dx, dy, w, inputs] = of;
  const std::vector<Expr> given = {x * y * p,
                                   x + y - p,
                                   -x,
                                   x / y,
                                   p / (x * y + c.one()),
                                   pow(x, Rational(2)),
                                   pow(x + y, Rational(3)),
                                   pow(y, Rational(7)),
                                   sqrt(x * y),
                                   pow(x, Rational(-5, 2)),
                                   sin(x * y) * cos(p),
                                   tan(x),
                                   exp(x - y),
                                   log(x + p),
                                   apply(Function::sinh, x) * p,
                                   apply(Function::cosh, y),
                                   c.integer(5),
                                   p};
  std::vector<Expr> outputs = given, expected;
  add_seeds(of, outputs);
  std::vector<Program::Wanted> wanted;
  for (std::size_t i = 0; i < given.size(); ++i) {
    wanted.push_back({i, {}});
    expected.push_back(given[i]);
    for (const std::size_t k : {0, 1}) {
      wanted.push_back({i, k});
      expected.push_back(along(of, given[i], k == 1));
    }
  }
  const auto made = Program(outputs, inputs).with_tangents(directions(given.size()), wanted);
  ASSERT_TRUE(made);
  const std::vector<double> found = run(made->program), right = run(Program(expected, inputs));
  for (std::size_t i = 0; i < right.size(); ++i)
    EXPECT_NEAR(found[i], right[i], 1e-13 * (1 + std::abs(right[i]))) << to_string(expected[i]);
}

// ((2 + x) (y); (y) (3 p)) (u; v) = (x y; 1), whose solution is known; what follows from it changes with it.
TEST(Tangents, OfLinearSystemsAreThoseOfTheirSolutions) {
  OfTwo of;
  auto& [c, x, y, p, dx, dy, w, inputs] = of;
  const Expr u = of.c.symbol("u"), v = of.c.symbol("v");
  const LinearBlock block{{2, 2, {c.integer(2) + x, y, y, c.integer(3) * p}}, {2, 1, {x * y, c.one()}}, {u, v}};
  std::vector<Expr> outputs = {u, u * v + x};
  add_seeds(of, outputs);
  const std::vector<Program::Wanted> wanted = {{0, {}}, {1, {}}, {0, 0}, {1, 0}, {0, 1}, {1, 1}};
  const auto made = Program(outputs, inputs, std::span(&block, 1)).with_tangents(directions(2), wanted);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->systems, (std::vector<std::size_t>{0, 0}));
  const Expr whole = (c.integer(2) + x) * c.integer(3) * p - y * y;
  const Expr first = (x * y * c.integer(3) * p - y) / whole, second = (c.integer(2) + x - y * x * y) / whole;
  std::vector<Expr> expected = {first, first * second + x};
  for (const bool k : {false, true})
    for (const std::size_t i : {0, 1}) expected.push_back(along(of, expected[i], k));
  const std::vector<double> found = run(made->program), right = run(Program(expected, inputs));
  for (std::size_t i = 0; i < right.size(); ++i) EXPECT_NEAR(found[i], right[i], 1e-12) << i;
}

// Two products for one, of however many factors.
TEST(Tangents, OfAProductAreTwiceAsManyProducts) {
  Context c;
  std::vector<Expr> inputs, outputs = {c.one()};
  constexpr std::size_t n = 12;
  for (std::size_t i = 0; i < n; ++i) inputs.push_back(c.symbol("x" + std::to_string(i)));
  for (std::size_t i = 0; i < n; ++i) outputs[0] = outputs[0] * inputs[i];
  Program::Direction direction;
  for (std::size_t i = 0; i < n; ++i) {
    inputs.push_back(c.symbol("d" + std::to_string(i)));
    outputs.push_back(inputs.back());
    direction.emplace_back(i, i + 1);
  }
  const std::vector<Program::Wanted> wanted = {{0, {}}, {0, 0}};
  const auto made = Program(outputs, inputs).with_tangents(std::span(&direction, 1), wanted);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->program.instructions().size(), 3 * (n - 1));
}

TEST(Tangents, AreLeftToExpressionsWhereThereIsNoRule) {
  OfTwo of;
  std::vector<Expr> outputs = {atan2(of.y, of.x)};
  add_seeds(of, outputs);
  const std::vector<Program::Wanted> wanted = {{0, 0}};
  EXPECT_FALSE(Program(outputs, of.inputs).with_tangents(directions(1), wanted));
}

}  // namespace
}  // namespace cetaev
