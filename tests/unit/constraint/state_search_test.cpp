#include "../../../src/constraint/state_search.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

class StateSearch : public testing::Test {
 protected:
  // Solves for x and y from a point nearby, all rows of size 1.
  bool refine(std::vector<Expr> equations, double x0, double y0) {
    const std::vector<Expr> unknowns = {x, y};
    const Program program(equations, unknowns);
    const std::vector<Value> here = {{x, x0}, {y, y0}};
    const std::vector<double> slopes = evaluate(jacobian(equations, unknowns).entries, here);
    found = {Ball::from_double(x0), Ball::from_double(y0)};
    std::vector<std::size_t> rows(equations.size());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
    const std::vector<double> sizes(equations.size(), 1.0);
    return refine_in_balls({program, rows, std::array<std::size_t, 2>{0, 1},
                            DenseMatrix::from_rows(slopes.data(), equations.size(), 2), sizes},
                           found);
  }
  static double digits(const Ball& difference) { return -difference.magnitude_log10(); }

  Context context;
  const Expr x = context.symbol("x"), y = context.symbol("y");
  std::vector<Ball> found;
};

TEST_F(StateSearch, DoublesBecomeNinetyDigits) {
  ASSERT_TRUE(refine({x * x - context.number(2), x * y - context.number(1)}, 1.414, 0.71));
  EXPECT_GT(digits(found[0] - sqrt(Ball(Rational(2)))), 90);
  EXPECT_GT(digits(found[1] - Ball(Rational(1)) / sqrt(Ball(Rational(2)))), 90);
  EXPECT_EQ(found[0].radius(), 0);
}

// x + y = 1, twice, from (0.25, 0.25): both move by 1/4.
TEST_F(StateSearch, MovesAsLittleAsPossible) {
  const Expr sum = x + y - context.number(1);
  ASSERT_TRUE(refine({sum, context.number(3) * sum}, 0.25, 0.25));
  EXPECT_GT(digits(found[0] + found[1] - Ball(Rational(1))), 90);
  // along the line nothing but the rounding of the shortest way moves them
  EXPECT_GT(digits(found[0] - Ball(Rational(1, 2))), 15);
  EXPECT_GT(digits(found[1] - Ball(Rational(1, 2))), 15);
}

TEST_F(StateSearch, WhatContradictsItselfIsNotMet) {
  EXPECT_FALSE(refine({x + y, x + y - context.number(1)}, 0.3, 0.1));
  EXPECT_FALSE(refine({log(x), y}, -1, 0));
}

TEST_F(StateSearch, StartsAroundTheInitialDataAndAroundTheOrigin) {
  const System system =
      read_model("name = \"far\"\ncoordinates = [\"x\"]\nlagrangian = \"x'^2/2\"\n[initial]\nx = 1000\n\"x'\" = -500\n",
                 "far.toml");
  const auto start = [&](std::uint64_t seed) {
    Random random(seed);
    Domain domain(system);
    return random_start(system, seed, random, domain, {3, 5});
  };
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    const State state = start(seed);
    if (seed % 2 == 0) {
      EXPECT_LE(std::fabs(state.q[0] - 1000), 0.5);
      EXPECT_LE(std::fabs(state.v[0] + 500), 1);
    } else {
      EXPECT_LE(std::fabs(state.q[0]), 3);
      EXPECT_LE(std::fabs(state.v[0]), 5);
    }
    EXPECT_EQ(start(seed).q, state.q);
    EXPECT_EQ(start(seed).v, state.v);
  }
}

}  // namespace
}  // namespace cetaev
