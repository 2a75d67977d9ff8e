// Exact linear systems, held against substitution and against numbers.
#include "cetaev/detail/algebra/solve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <eigen3/Eigen/Dense>

#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "random_expression.hpp"

namespace cetaev {
namespace {

struct Solve : testing::Test {
  Context c;
  Expr x = c.symbol("x");
  Expr y = c.symbol("y");
  Expr a = c.symbol("a");
  Expr b = c.symbol("b");
  std::vector<Expr> symbols = {x, y, a, b};
  Expr n(long p, long q = 1) { return c.number(Rational(p, q)); }
  Expr square(Expr u) { return pow(u, Rational(2)); }

  static Matrix matrix(std::size_t rows, std::size_t columns, std::vector<Expr> entries) {
    return {rows, columns, std::move(entries)};
  }

  Matrix product(const Matrix& p, const Matrix& q) {
    Matrix result{p.rows, q.columns, std::vector<Expr>(p.rows * q.columns, c.zero())};
    for (std::size_t i = 0; i < p.rows; ++i) {
      for (std::size_t j = 0; j < q.columns; ++j) {
        for (std::size_t k = 0; k < p.columns; ++k) result(i, j) = result(i, j) + p(i, k) * q(k, j);
      }
    }
    return result;
  }

  // A·particular = b, A·kernel = 0, shapes and identities on the free unknowns.
  void expect_solution(const Matrix& m, const Matrix& right, const LinearSolution& s) {
    EXPECT_EQ(s.rank, s.pivot_columns.size());
    EXPECT_EQ(s.rank, s.pivot_rows.size());
    EXPECT_EQ(s.rank + s.free_columns.size(), m.columns);
    ASSERT_EQ(s.kernel.columns, s.free_columns.size());
    for (const Expr e : product(m, s.kernel).entries) EXPECT_TRUE(vanishes(e)) << to_string(e);
    for (std::size_t i = 0; i < s.free_columns.size(); ++i) {
      for (std::size_t j = 0; j < s.free_columns.size(); ++j) {
        EXPECT_EQ(s.kernel(s.free_columns[i], j), i == j ? c.one() : c.zero());
      }
    }
    if (!s.consistent()) return;
    const Matrix left = product(m, s.particular);
    for (std::size_t k = 0; k < right.entries.size(); ++k) {
      EXPECT_TRUE(vanishes(left.entries[k] - right.entries[k])) << to_string(left.entries[k]);
    }
  }

  Eigen::MatrixXd at(const Matrix& m, std::span<const Value> values) {
    const std::vector<double> numbers = evaluate(m.entries, values);
    Eigen::MatrixXd result(static_cast<long>(m.rows), static_cast<long>(m.columns));
    for (std::size_t i = 0; i < m.rows; ++i) {
      for (std::size_t j = 0; j < m.columns; ++j) {
        result(static_cast<long>(i), static_cast<long>(j)) = numbers[i * m.columns + j];
      }
    }
    return result;
  }

  std::vector<Value> random_values(Dice& dice) {
    std::vector<Value> values;
    for (const Expr s : symbols) values.emplace_back(s, static_cast<double>(dice.number(100, 900)) / 400);
    return values;
  }
};

TEST_F(Solve, RandomRegularSystemsAgreeWithNumbers) {
  Dice dice(7);
  for (std::size_t size = 1; size <= 4; ++size) {
    for (int round = 0; round < 6; ++round) {
      Matrix m{size, size, {}};
      Matrix right{size, 1, {}};
      const std::array<Expr, 3> functions = {x, sin(a), cos(a)};
      for (std::size_t i = 0; i < size * size; ++i) {
        m.entries.push_back(dice.polynomial(c, functions, 2, 1) + n(dice.number(-3, 3)) / y);
      }
      for (std::size_t i = 0; i < size; ++i) {
        right.entries.push_back(dice.polynomial(c, functions, 2, 1));
        m(i, i) = m(i, i) + n(5) + b;
      }
      const auto s = solve_linear(m, right);
      ASSERT_TRUE(s.has_value());
      ASSERT_EQ(s->rank, size);
      EXPECT_TRUE(s->consistent());
      if (size <= 3) expect_solution(m, right, *s);
      for (int point = 0; point < 3; ++point) {
        const std::vector<Value> values = random_values(dice);
        const Eigen::VectorXd expected = at(m, values).fullPivLu().solve(at(right, values));
        // in balls: long quotients lose digits of their own in doubles
        std::vector<BallValue> exactly;
        for (const auto& [symbol, value] : values) exactly.emplace_back(symbol, Ball::from_double(value));
        Eigen::VectorXd found(static_cast<long>(size));
        for (std::size_t i = 0; i < size; ++i)
          found(static_cast<long>(i)) = evaluate_ball(s->particular(i, 0), exactly, 300).midpoint();
        EXPECT_LT((found - expected).norm(), 1e-9 * (1 + expected.norm()));
      }
    }
  }
}

TEST_F(Solve, ConstantPivotsAreChosenBeforeOthers) {
  const auto s = solve_linear(matrix(1, 3, {sin(a), n(2), x}), std::array{b});
  ASSERT_TRUE(s.has_value());
  EXPECT_EQ(s->pivot_columns, std::vector<std::size_t>{1});
  EXPECT_TRUE(s->conditions.empty());
  EXPECT_EQ(s->particular(1, 0), b / n(2));
  EXPECT_EQ(s->kernel(1, 0), -sin(a) / n(2));
  EXPECT_EQ(s->kernel(1, 1), -x / n(2));
}

TEST_F(Solve, PivotsThatCannotVanishComeNext) {
  const auto s = solve_linear(matrix(1, 2, {x, x * x + y * y + n(1)}), std::array{b});
  ASSERT_TRUE(s.has_value());
  EXPECT_EQ(s->pivot_columns, std::vector<std::size_t>{1});
  EXPECT_TRUE(s->conditions.empty());
}

TEST_F(Solve, SymbolsThatDoNotVanishArePivotsWithoutConditions) {
  const Matrix m = matrix(1, 3, {sin(a), x * y, b});
  const auto s = solve_linear(m, std::array{c.zero()}, {{}, {x, y}});
  ASSERT_TRUE(s.has_value());
  EXPECT_EQ(s->pivot_columns, std::vector<std::size_t>{1});
  EXPECT_TRUE(s->conditions.empty());
  const auto half = solve_linear(m, std::array{c.zero()}, {{1, 0, 1}, {x}});
  ASSERT_TRUE(half.has_value());
  EXPECT_EQ(half->conditions, std::vector<Expr>{y});
  EXPECT_TRUE(solve_linear(matrix(1, 1, {exp(a)}), std::array{b})->conditions.empty());
}

TEST_F(Solve, TheOrderOfTheUnknownsIsHonoured) {
  // x'·sin φ − y'·cos φ = 0 solved for either velocity
  const Matrix blade = matrix(1, 3, {sin(a), -cos(a), c.zero()});
  const auto for_y = solve_linear(blade, std::array{c.zero()}, {{1, 0, 1}});
  ASSERT_TRUE(for_y.has_value());
  EXPECT_EQ(for_y->pivot_columns, std::vector<std::size_t>{1});
  EXPECT_EQ(for_y->free_columns, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(for_y->kernel(1, 0), sin(a) / cos(a));
  EXPECT_EQ(for_y->conditions, std::vector<Expr>{cos(a)});
  const auto for_x = solve_linear(blade, std::array{c.zero()}, {{0, 1, 1}});
  ASSERT_TRUE(for_x.has_value());
  EXPECT_EQ(for_x->kernel(0, 0), cos(a) / sin(a));
  EXPECT_EQ(for_x->conditions, std::vector<Expr>{sin(a)});
}

TEST_F(Solve, ConditionsAreWhereTheSolutionFails) {
  // det = x·y − 1: the solution must not exist there, and everywhere else it must.
  const Matrix m = matrix(2, 2, {x, n(1), n(1), y});
  const auto s = solve_linear(m, std::array{a, b});
  ASSERT_TRUE(s.has_value());
  EXPECT_EQ(s->conditions, std::vector<Expr>{x * y - n(1)});
  // a common factor of a row is a condition too
  const auto row = solve_linear(matrix(1, 1, {x * y}), std::array{x * a});
  ASSERT_TRUE(row.has_value());
  EXPECT_EQ(row->particular(0, 0), a / y);
  EXPECT_EQ(row->conditions, (std::vector<Expr>{x, y}));
}

TEST_F(Solve, RotationsAreInvertedByTheirTranspose) {
  const Matrix rotation = matrix(2, 2, {cos(a), -sin(a), sin(a), cos(a)});
  const auto s = solve_linear(rotation, std::array{x, y});
  ASSERT_TRUE(s.has_value());
  EXPECT_TRUE(vanishes(s->particular(0, 0) - x * cos(a) - y * sin(a)));
  EXPECT_EQ(s->particular(0, 0), x * cos(a) + y * sin(a));
  EXPECT_EQ(s->particular(1, 0), y * cos(a) - x * sin(a));
}

TEST_F(Solve, RedundantEquationsAreFound) {
  // the third equation is the sum of the others only because sin² + cos² = 1
  const Matrix m = matrix(3, 3, {x, y, n(1), y, x, n(2), (x + y) * (square(sin(a)) + square(cos(a))), x + y, n(3)});
  const auto s = solve_linear(m, matrix(3, 1, {a, b, a + b}));
  ASSERT_TRUE(s.has_value());
  EXPECT_EQ(s->rank, 2U);
  EXPECT_TRUE(s->consistent());
  expect_solution(m, matrix(3, 1, {a, b, a + b}), *s);
  const auto wrong = solve_linear(m, matrix(3, 1, {a, b, a - b}));
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->rank, 2U);
  EXPECT_EQ(wrong->contradictory_rows.size(), 1U);
  EXPECT_TRUE(wrong->particular.entries.empty());
}

TEST_F(Solve, RankIsSeenThroughRelationsThatAlgebraDoesNotKnow) {
  const Expr hidden = sqrt(n(3) + n(2) * sqrt(n(2)));  // 1 + √2
  const Matrix m = matrix(2, 2, {n(1), x, hidden, x * (n(1) + sqrt(n(2)))});
  const auto s = solve_linear(m, std::array{c.zero(), c.zero()});
  ASSERT_TRUE(s.has_value());
  EXPECT_EQ(s->rank, 1U);
  // and what vanishes is not divided by, however much it is preferred
  const auto row = solve_linear(matrix(1, 2, {hidden - n(1) - sqrt(n(2)), x}), std::array{y}, {{0, 1}});
  ASSERT_TRUE(row.has_value());
  EXPECT_EQ(row->pivot_columns, std::vector<std::size_t>{1});
  EXPECT_EQ(row->particular(1, 0), y / x);
}

TEST_F(Solve, RandomDeficientSystemsHaveTheRankOfTheirNumbers) {
  Dice dice(11);
  const std::array<Expr, 3> functions = {x, sin(a), cos(a)};
  for (int round = 0; round < 12; ++round) {
    const auto rows = static_cast<std::size_t>(dice.number(2, 4));
    const auto columns = static_cast<std::size_t>(dice.number(2, 5));
    const auto rank = static_cast<std::size_t>(dice.number(1, 2));
    Matrix left{rows, rank, {}};
    Matrix right{rank, columns, {}};
    for (std::size_t i = 0; i < rows * rank; ++i) left.entries.push_back(dice.polynomial(c, functions, 2, 1));
    for (std::size_t i = 0; i < rank * columns; ++i) right.entries.push_back(dice.polynomial(c, functions, 2, 1));
    const Matrix m = product(left, right);
    // a right side in the image
    Matrix known{columns, 1, {}};
    for (std::size_t i = 0; i < columns; ++i) known.entries.push_back(n(dice.number(-3, 3)) + y);
    const Matrix image = product(m, known);
    const auto s = solve_linear(m, image);
    ASSERT_TRUE(s.has_value());
    EXPECT_TRUE(s->consistent());
    Eigen::FullPivLU<Eigen::MatrixXd> numbers(at(m, random_values(dice)));
    numbers.setThreshold(1e-9);
    EXPECT_EQ(s->rank, static_cast<std::size_t>(numbers.rank()));
    expect_solution(m, image, *s);
  }
}

TEST_F(Solve, SeveralRightSidesAtOnce) {
  const Matrix m = matrix(2, 2, {x, n(1), n(1), y});
  const auto s = solve_linear(m, matrix(2, 2, {n(1), n(0), n(0), n(1)}));
  ASSERT_TRUE(s.has_value());
  expect_solution(m, matrix(2, 2, {n(1), n(0), n(0), n(1)}), *s);
}

TEST_F(Solve, WithoutEquationsEverythingIsFree) {
  const auto s = solve_linear(Matrix{0, 3, {}}, std::span<const Expr>());
  ASSERT_TRUE(s.has_value());
  EXPECT_EQ(s->rank, 0U);
  EXPECT_EQ(s->free_columns.size(), 3U);
}

}  // namespace
}  // namespace cetaev
