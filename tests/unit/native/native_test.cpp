// Machine code against the interpreters it stands for.
#include "cetaev/detail/codegen/native.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <thread>

#include "cetaev/error.hpp"
#include "cetaev/expr/evaluate.hpp"

namespace cetaev {
namespace {

constexpr double eps = 2.220446049250313e-16;

NativeOptions uncached(unsigned lanes) { return {.lanes = lanes, .cache = false}; }

// The same program by the interpreter, lane by lane, at random inputs.
void expect_as_interpreted(const Program& program, double ulps, double low = 0.2, double high = 0.9) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(low, high);
  for (const unsigned lanes : {1U, 2U, 4U, 8U}) {
    const NativeProgram native(program, uncached(lanes));
    EXPECT_FALSE(native.origin().from_cache);
    std::vector<double> inputs(program.input_count() * lanes), outputs(program.output_count() * lanes, -77),
        workspace(native.workspace_size());
    Interpreter interpreter(program);
    for (int trial = 0; trial < 20; ++trial) {
      for (double& x : inputs) x = uniform(random);
      ASSERT_EQ(native(inputs.data(), outputs.data(), workspace.data()), -1);
      for (unsigned lane = 0; lane < lanes; ++lane) {
        std::vector<double> in(program.input_count()), out(program.output_count());
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = inputs[i * lanes + lane];
        ASSERT_EQ(interpreter(in, out), -1);
        for (std::size_t i = 0; i < out.size(); ++i) {
          EXPECT_NEAR(outputs[i * lanes + lane], out[i], ulps * eps * std::max(1.0, std::fabs(out[i])))
              << "output " << i << ", lane " << lane << " of " << lanes;
        }
      }
    }
  }
}

TEST(NativeProgram, ComputesEveryOperationAndFunctionAsTheInterpreterDoes) {
  Context c;
  const Expr x = c.symbol("x"), y = c.symbol("y"), z = c.symbol("z");
  const std::vector<Expr> inputs = {x, y, z};
  std::vector<Expr> outputs = {x + y,
                               x - y,
                               x * y,
                               x / y,
                               -x,
                               x * y + z,
                               x * x,
                               sqrt(x),
                               pow(x, Rational(7)),
                               pow(x, Rational(-3)),
                               pow(x, Rational(2, 3)),
                               pow(x, y),
                               atan2(x, -y),
                               atan2(-x, -y),
                               sin(x) * cos(x),
                               sin(y),
                               cos(z),
                               c.integer(5),
                               x,
                               c.zero()};
  for (unsigned f = 0; f < function_count; ++f) {
    const auto function = static_cast<Function>(f);
    if (arity(function) == 2) {
      outputs.push_back(apply(function, x, y));
      outputs.push_back(apply(function, c.integer(4) * x, -z));
      continue;
    }
    outputs.push_back(apply(function, function == Function::acosh ? x + c.integer(2) : x));
    if (function != Function::acosh && function != Function::log) outputs.push_back(apply(function, -y));
  }
  expect_as_interpreted(Program(outputs, inputs), 4);
}

TEST(NativeProgram, OfNothingButConstantsAndInputsIsAProgramToo) {
  Context c;
  const Expr x = c.symbol("x");
  const std::vector<Expr> inputs = {x}, outputs = {x, c.integer(3)};
  expect_as_interpreted(Program(outputs, inputs), 0);
  expect_as_interpreted(Program({}, inputs), 0);
}

LinearBlock block_of(Context& c, std::size_t n, std::size_t m, const std::vector<Expr>& inputs, int zeros) {
  LinearBlock block{{n, n, {}}, {n, m, {}}, {}};
  for (std::size_t i = 0; i < n * n; ++i) {
    // large off the diagonal, so that rows are exchanged; some entries never there
    const bool near = i / n == (i % n + 1) % n;
    const Expr entry = near ? inputs[i % inputs.size()] + c.integer(3) : inputs[(i * 7) % inputs.size()];
    block.matrix.entries.push_back(zeros != 0 && !near && static_cast<int>(i) % zeros == 0 ? c.zero() : entry);
  }
  for (std::size_t i = 0; i < n * m; ++i) {
    block.right.entries.push_back(inputs[i % inputs.size()] - inputs[(3 * i + 1) % inputs.size()]);
    block.unknowns.push_back(c.symbol("u" + std::to_string(n) + "_" + std::to_string(i)));
  }
  return block;
}

TEST(NativeProgram, SolvesLinearSystemsOfAnySize) {
  for (const std::size_t n : {1, 2, 3, 4, 7}) {
    for (const std::size_t m : {1, 3}) {
      for (const int zeros : {0, 2, 3}) {
        Context c;
        std::vector<Expr> inputs;
        for (int i = 0; i < 9; ++i) inputs.push_back(c.symbol("x" + std::to_string(i)));
        const LinearBlock block = block_of(c, n, m, inputs, zeros);
        std::vector<Expr> outputs = block.unknowns;
        outputs.push_back(block.unknowns[0] * inputs[0]);
        expect_as_interpreted(Program(outputs, inputs, std::span(&block, 1)), 64);
      }
    }
  }
}

// Positive definite, as masses are, and indefinite, where a pivot on the diagonal may be zero or less: x₀ from 9 to −9.
TEST(NativeProgram, SolvesSymmetricSystems) {
  for (const std::size_t n : {3, 4, 6, 7}) {
    for (const std::size_t m : {1, 2}) {
      Context c;
      std::vector<Expr> inputs;
      for (int i = 0; i < 9; ++i) inputs.push_back(c.symbol("x" + std::to_string(i)));
      LinearBlock block = block_of(c, n, m, inputs, 0);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j)
          block.matrix(i, j) = block.matrix(j, i) =
              i == j ? (i == 1 ? inputs[0] : inputs[i] + c.integer(9)) : inputs[(3 * i + j) % 8 + 1];
      const Program program(block.unknowns, inputs, std::span(&block, 1));
      expect_as_interpreted(program, 400, 5, 9);
      Interpreter interpreter(program);
      const NativeProgram native(program, uncached(1));
      std::vector<double> in = {0, 0.3, -0.2, 0.5, 0.7, -0.1, 0.4, 0.2, 0.6}, expected(n * m), out(n * m),
                          workspace(native.workspace_size());
      for (const double x : {9.0, 1.0, 1e-3, 0.0, -1e-3, -2.0, -9.0}) {
        in[0] = x;
        ASSERT_EQ(native(in.data(), out.data(), workspace.data()), interpreter(in, expected)) << n << ": " << x;
        for (std::size_t i = 0; i < out.size(); ++i) EXPECT_NEAR(out[i], expected[i], 1e-12 * (1 + std::fabs(out[i])));
      }
    }
  }
}

TEST(NativeProgram, NamesTheFirstSingularSystem) {
  Context c;
  const Expr x = c.symbol("x"), y = c.symbol("y");
  const std::vector<Expr> inputs = {x, y};
  for (const std::size_t n : {1, 2, 3, 4}) {
    std::vector<LinearBlock> blocks;
    for (int b = 0; b < 2; ++b) {
      const Expr d = b == 0 ? x : y;
      LinearBlock block{{n, n, {}}, {n, 1, {}}, {}};
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j)
          block.matrix.entries.push_back(i == j ? (i == 0 ? d : c.one()) : (i + 1 == j ? c.integer(2) : c.zero()));
        block.right.entries.push_back(c.one());
        block.unknowns.push_back(c.symbol("u" + std::to_string(b) + std::to_string(i)));
      }
      blocks.push_back(block);
    }
    std::vector<Expr> outputs = blocks[0].unknowns;
    outputs.push_back(blocks[1].unknowns[0]);
    const Program program(outputs, inputs, blocks);
    Interpreter interpreter(program);
    const NativeProgram native(program, uncached(1)), two(program, uncached(2));
    std::vector<double> out(program.output_count() * 2), workspace(two.workspace_size() + native.workspace_size());
    const double nan = std::nan(""), infinity = INFINITY;
    for (const auto& [a, b] : {std::pair{1.0, 1.0},
                               {0.0, 1.0},
                               {1.0, 0.0},
                               {0.0, 0.0},
                               {1e-13, 1.0},
                               {1.0, 1e-11},
                               {nan, 1.0},
                               {1.0, infinity},
                               {1e200, 1e-200},
                               {1e-300, 1e300}}) {
      const std::vector<double> in = {a, b};
      const int expected = interpreter(in, std::span(out).first(program.output_count()));
      EXPECT_EQ(native(in.data(), out.data(), workspace.data()), expected) << n << ": " << a << ", " << b;
      const std::vector<double> side_by_side = {1.0, a, 1.0, b};
      EXPECT_EQ(two(side_by_side.data(), out.data(), workspace.data()), expected) << n << ": " << a << ", " << b;
    }
  }
}

// [1 1+d; 1 1] with rows and columns scaled: d from regular to singular, sizes whose products overflow or vanish. Exactly:
// det = −d, and with the right-hand side (2 + d, 2) both unknowns are 1, over the scales of the columns.
TEST(NativeProgram, SolvesTwoEquationsNearSingularOnesAndOfAnySize) {
  Context c;
  std::vector<Expr> inputs;
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) inputs.push_back(c.symbol(name));
  const LinearBlock block{{2, 2, {inputs[0], inputs[1], inputs[2], inputs[3]}},
                          {2, 1, {inputs[4], inputs[5]}},
                          {c.symbol("u"), c.symbol("v")}};
  const Program program(block.unknowns, inputs, std::span(&block, 1));
  Interpreter interpreter(program);
  const NativeProgram native(program, uncached(1)), four(program, uncached(4));
  std::vector<double> workspace(four.workspace_size());
  int regular = 0, singular = 0;
  for (const int bits : {0, -1, -10, -30, -36, -44, -50, -52}) {
    const double d = std::ldexp(1.0, bits);
    for (const int row : {-900, -300, 0, 200, 900}) {
      for (const int column : {-20, 0, 20}) {
        for (const bool exchanged : {false, true}) {
          const double r = std::ldexp(1.0, row), s = std::ldexp(1.0, column);
          std::vector<double> in = {r, r * (1 + d) * s, 1, s, r * (2 + d), 2};
          if (exchanged) {
            std::swap(in[0], in[2]);
            std::swap(in[1], in[3]);
            std::swap(in[4], in[5]);
          }
          double expected[2], out[8];
          const int verdict = interpreter(in, expected);
          ASSERT_EQ(native(in.data(), out, workspace.data()), verdict) << bits << ", " << row << ", " << column;
          (verdict < 0 ? regular : singular) += 1;
          if (verdict >= 0) continue;
          const double error = 16 * eps / d;
          EXPECT_NEAR(out[0], 1, error) << bits << ", " << row << ", " << column;
          EXPECT_NEAR(out[1] * s, 1, error) << bits << ", " << row << ", " << column;
          // beside lanes that need no second look
          std::vector<double> side_by_side;
          for (std::size_t i = 0; i < in.size(); ++i) {
            const double plain[] = {1, 2, 3, 4, 5, 6};
            side_by_side.insert(side_by_side.end(), {plain[i], in[i], plain[i], plain[i]});
          }
          ASSERT_EQ(four(side_by_side.data(), out, workspace.data()), -1);
          EXPECT_NEAR(out[1], 1, error) << bits << ", " << row << ", " << column;
          EXPECT_NEAR(out[5] * s, 1, error) << bits << ", " << row << ", " << column;
          EXPECT_NEAR(out[0], -4, 1e-14);
          EXPECT_NEAR(out[7], 4.5, 1e-14);
        }
      }
    }
  }
  EXPECT_GT(regular, 50);
  EXPECT_GT(singular, 50);
}

// [H Jᵀ; J 0] of coordinates measured in units from 10⁻⁸ to 10⁸ of what would suit them, which no system becomes
// singular by: S A S instead of A. Solved in balls the unknowns, in the units that suit them, are the truth.
TEST(NativeProgram, UnitsMakeNoMatrixSingular) {
  std::mt19937 random(17);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  for (const auto& [n, rows] :
       {std::pair<std::size_t, std::size_t>{2, 1}, {2, 0}, {3, 1}, {3, 0}, {4, 1}, {6, 2}, {9, 3}}) {
    Context c;
    std::vector<Expr> inputs;
    for (std::size_t i = 0; i < n * n + n; ++i) inputs.push_back(c.symbol("a" + std::to_string(i)));
    LinearBlock block{{n, n, {inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(n * n)}},
                      {n, 1, {inputs.begin() + static_cast<std::ptrdiff_t>(n * n), inputs.end()}},
                      {}};
    for (std::size_t i = 0; i < n; ++i) block.unknowns.push_back(c.symbol("u" + std::to_string(i)));
    const Program program(block.unknowns, inputs, std::span(&block, 1));
    Interpreter interpreter(program);
    const NativeProgram native(program, uncached(1)), two(program, uncached(2));
    std::vector<double> workspace(two.workspace_size());
    for (int trial = 0; trial < 300; ++trial) {
      std::vector<double> in(n * n + n), unit(n);
      const std::size_t free = n - rows;
      for (std::size_t i = 0; i < n; ++i) unit[i] = i < free ? std::pow(10, between(-8, 8)) : 1;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
          // a dominant H, rows of J each with a velocity of its own: conditions of some tens
          const double entry = i < free        ? (i == j ? between(1, 2) : between(-0.4, 0.4) / static_cast<double>(n))
                               : j == i - free ? between(1, 2)
                               : j < free      ? between(-0.4, 0.4) / static_cast<double>(n)
                                               : 0;
          in[i * n + j] = in[j * n + i] = entry * unit[i] * unit[j];
        }
        in[n * n + i] = between(-1, 1) * unit[i];
      }
      std::vector<Ball> exact, at;
      for (const double x : in) at.push_back(Ball::from_double(x));
      ASSERT_EQ(run_in_balls(program, at, exact, 300), -1);
      std::vector<double> by_interpreter(n), by_code(n), side_by_side, of_two(2 * n);
      ASSERT_EQ(interpreter(in, by_interpreter), -1) << n << ", " << trial;
      ASSERT_EQ(native(in.data(), by_code.data(), workspace.data()), -1) << n << ", " << trial;
      for (const double x : in) side_by_side.insert(side_by_side.end(), {x, x});
      ASSERT_EQ(two(side_by_side.data(), of_two.data(), workspace.data()), -1) << n << ", " << trial;
      for (std::size_t i = 0; i < n; ++i) {
        const double truth = exact[i].midpoint() * unit[i];
        EXPECT_NEAR(by_interpreter[i] * unit[i], truth, 1e-11) << n << ", " << trial;
        EXPECT_NEAR(by_code[i] * unit[i], truth, 1e-11) << n << ", " << trial;
        EXPECT_NEAR(of_two[2 * i + 1] * unit[i], truth, 1e-11) << n << ", " << trial;
      }
      // what depends on other rows does so in any units
      if (n < 3) continue;
      for (std::size_t j = 0; j < n; ++j) in[(n - 1) * n + j] = (in[j] / unit[0] + in[n + j] / unit[1]) * unit[n - 1];
      EXPECT_EQ(interpreter(in, by_interpreter), 0) << n << ", " << trial;
      EXPECT_EQ(native(in.data(), by_code.data(), workspace.data()), 0) << n << ", " << trial;
    }
  }
}

// Long enough to be written as many functions.
Program long_program(Context& c, int length) {
  std::vector<Expr> inputs, outputs;
  for (int i = 0; i < 6; ++i) inputs.push_back(c.symbol("x" + std::to_string(i)));
  std::vector<Expr> values = inputs;
  std::mt19937 random(3);
  for (int i = 0; i < length; ++i) {
    const auto any = [&] { return values[values.size() - 1 - random() % std::min<std::size_t>(values.size(), 300)]; };
    const Expr a = any(), b = any(), d = any();
    switch (random() % 5) {
      case 0: values.push_back((a + b) / c.integer(3)); break;
      case 1: values.push_back(sin(a * b + d)); break;
      case 2: values.push_back(cos(a * b + d)); break;
      case 3: values.push_back(a / (b * b + c.one())); break;
      default: values.push_back(a - b * d / c.integer(2));
    }
    if (i % 50 == 0) outputs.push_back(values.back());
  }
  const LinearBlock block = block_of(c, 5, 1, inputs, 3);
  outputs.push_back(values.back() * block.unknowns[3]);
  return Program(outputs, inputs, std::span(&block, 1));
}

TEST(NativeProgram, IsRightInManyPieces) {
  Context c;
  const Program program = long_program(c, 1500);
  ASSERT_GT(program.instructions().size(), 1500U);
  expect_as_interpreted(program, 1e4);  // errors grow along the way
}

TEST(NativeProgram, IsSharedByThreads) {
  Context c;
  const Program program = long_program(c, 300);
  const NativeProgram native(program, uncached(1));
  Interpreter interpreter(program);
  const auto input = [](int trial) { return std::vector<double>(6, 0.1 + 0.001 * trial); };
  std::vector<std::vector<double>> expected(200, std::vector<double>(program.output_count()));
  for (int trial = 0; trial < 200; ++trial) interpreter(input(trial), expected[static_cast<std::size_t>(trial)]);
  const auto work = [&](int& wrong) {
    std::vector<double> out(program.output_count()), workspace(native.workspace_size());
    for (int repeat = 0; repeat < 20; ++repeat) {
      for (int trial = 0; trial < 200; ++trial) {
        const std::vector<double> in = input(trial);
        if (native(in.data(), out.data(), workspace.data()) != -1) ++wrong;
        for (std::size_t i = 0; i < out.size(); ++i) {
          if (!(std::fabs(out[i] - expected[static_cast<std::size_t>(trial)][i]) < 1e-10)) ++wrong;
        }
      }
    }
  };
  int first = 0, second = 0;
  std::thread other(work, std::ref(first));
  work(second);
  other.join();
  EXPECT_EQ(first + second, 0);
}

TEST(NativeProgram, RefusesOtherNumbersOfLanes) {
  EXPECT_THROW(NativeProgram(Program(), uncached(3)), Error);
  EXPECT_THROW(NativeProgram(Program(), uncached(0)), Error);
}

}  // namespace
}  // namespace cetaev
