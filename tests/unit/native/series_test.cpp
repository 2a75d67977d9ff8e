// Series in machine code, written out and for several rounds, and as loops over tables, against the interpreter.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cetaev/detail/codegen/native.hpp"

namespace cetaev {
namespace {

NativeOptions uncached(unsigned lanes) { return {.lanes = lanes, .cache = false}; }

// y' and whatever else from y, t and p.
struct Given {
  Context c;
  std::vector<Expr> inputs, outputs;
  std::vector<LinearBlock> blocks;
  std::size_t states = 0;

  Program program() const { return Program(outputs, inputs, blocks); }
};

// An expression with everything the series know, so many times.
struct Case : Given {
  explicit Case(int copies) {
    const Expr t = c.symbol("t"), p = c.symbol("p");
    std::vector<Expr> y;
    for (int copy = 0; copy < copies; ++copy) {
      for (int i = 0; i < 3; ++i) y.push_back(c.symbol("y" + std::to_string(copy) + "_" + std::to_string(i)));
    }
    inputs = y;
    inputs.push_back(t);
    inputs.push_back(p);
    std::vector<Expr> further;
    for (int copy = 0; copy < copies; ++copy) {
      const Expr a = y[static_cast<std::size_t>(3 * copy)], b = y[static_cast<std::size_t>(3 * copy + 1)],
                 w = y[static_cast<std::size_t>(3 * copy + 2)];
      const std::string tag = std::to_string(copy);
      const Expr s = c.integer(1) / c.integer(5) + sin(a * t) / c.integer(2);
      const Expr g = c.integer(2) + a * a + cos(b);
      blocks.push_back({{2, 2, {g, a, b * t, c.integer(3) - exp(-t)}},
                        {2, 1, {s * cos(t), g / c.integer(7) - p}},
                        {c.symbol("r1_" + tag), c.symbol("r2_" + tag)}});
      outputs.push_back(blocks.back().unknowns[0] + atan2(a, g) / c.integer(3));
      outputs.push_back(blocks.back().unknowns[1] * p - tanh_of(s) + pow(g, Rational(-3, 2)) + abs(s - c.integer(3)));
      outputs.push_back(c.one() / c.integer(2));  // w is linear in time
      further.push_back(log(g) + sqrt(g) / (c.one() + s * s));
      further.push_back(sin(w) * b + apply(Function::asin, s) + apply(Function::acosh, g) +
                        apply(Function::atan, a * b) + apply(Function::delta, g, p) +
                        apply(Function::elliptic_e, g, -p) + apply(Function::amplitude, a, s));
      further.push_back(p * p);
      further.push_back(c.zero());
      further.push_back(w * t);
      further.push_back(pow(g, p) + exp(s) * apply(Function::sinh, a) / g);
    }
    states = outputs.size();
    outputs.insert(outputs.end(), further.begin(), further.end());
  }
  static Expr tanh_of(Expr x) { return apply(Function::tanh, x); }
};

// Sums, quotients and linear systems that have factors in common, `beside` each other, as variations have; some read what stands beside them.
struct InCommon : Given {
  InCommon(int copies, std::size_t beside) {
    const Expr t = c.symbol("t"), p = c.symbol("p");
    for (int copy = 0; copy < copies; ++copy) {
      const std::string tag = std::to_string(copy) + "_";
      const Expr a = c.symbol("a" + tag), b = c.symbol("b" + tag), g = c.integer(2) + a * a + cos(b);
      std::vector<Expr> u, right(2 * beside, c.zero()), unknowns(2 * beside, c.zero());
      for (std::size_t i = 0; i < beside; ++i) {
        u.push_back(c.symbol("u" + tag + std::to_string(i)));
        right[i] = u[i] * a - b * t;
        right[beside + i] = b * u[i] + p;
        unknowns[i] = c.symbol("r" + tag + std::to_string(i));
        unknowns[beside + i] = c.symbol("s" + tag + std::to_string(i));
      }
      blocks.push_back({{2, 2, {g, a, b * t, c.integer(3) - exp(-t)}}, {2, beside, right}, unknowns});
      inputs.insert(inputs.end(), {a, b});
      inputs.insert(inputs.end(), u.begin(), u.end());
      outputs.insert(outputs.end(), {sin(b) + u[0] / c.integer(9), a * cos(a)});
      Expr last = b;
      for (std::size_t i = 0; i < beside; ++i) {
        last = i % 3 == 0 ? a * last : a * u[i];  // of itself, or of the one beside it
        outputs.push_back(unknowns[i] * a - b * u[i] + last + (u[i] * a - unknowns[beside + i] * b + p) / g);
      }
    }
    inputs.insert(inputs.end(), {t, p});
    states = outputs.size();
  }
};

void expect_as_interpreted(const Given& of, unsigned order, SeriesCode code) {
  const bool written_out = code == SeriesCode::written_out;
  const Program program = of.program();
  const SeriesProgram series(program, of.states);
  const std::size_t count = (order + 1) * of.states + order * series.further().size();
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(0.2, 0.9);
  for (const unsigned lanes : {1U, 2U, 4U, 8U}) {
    if (lanes * order > 60 && written_out) continue;  // the same again, and long to compile
    NativeOptions options = uncached(lanes);
    options.series = code;
    const NativeSeries native(series, order, options);
    EXPECT_EQ(native.origin().compact, code == SeriesCode::tables || (code == SeriesCode::rolled && lanes > 1));
    std::vector<double> coefficients(count * lanes, -77), workspace(native.workspace_size());
    for (int trial = 0; trial < 3; ++trial) {
      std::vector<double> y(of.states * lanes), t(lanes), p(lanes), statics(series.static_count() * lanes);
      for (double& x : y) x = uniform(random);
      for (unsigned lane = 0; lane < lanes; ++lane) {
        t[lane] = uniform(random);
        p[lane] = uniform(random);
        const std::vector<double> values = series.static_values({&p[lane], 1});
        for (std::size_t i = 0; i < values.size(); ++i) statics[i * lanes + lane] = values[i];
      }
      ASSERT_EQ(native(statics.data(), t.data(), y.data(), coefficients.data(), workspace.data()), -1);
      for (unsigned lane = 0; lane < lanes; ++lane) {
        SeriesInterpreter interpreter(series, order, {&p[lane], 1});
        std::vector<double> y1(of.states), expected(count);
        for (std::size_t i = 0; i < y1.size(); ++i) y1[i] = y[i * lanes + lane];
        ASSERT_EQ(interpreter(t[lane], y1, expected), -1);
        // beside the largest coefficient of the order, for sums cancel
        const auto compare = [&](std::size_t from, std::size_t width) {
          double largest = 1;
          for (std::size_t i = 0; i < width; ++i) largest = std::max(largest, std::fabs(expected[from + i]));
          for (std::size_t i = 0; i < width; ++i) {
            ASSERT_NEAR(coefficients[(from + i) * lanes + lane], expected[from + i], 3e-13 * largest)
                << "coefficient at " << from << " + " << i << ", lane " << lane << " of " << lanes << ", order "
                << order;
          }
        };
        const std::size_t further = series.further().size();
        for (unsigned k = 0; k <= order; ++k) compare(k * of.states, of.states);
        for (unsigned k = 0; k < order; ++k) compare((order + 1) * of.states + k * further, further);
      }
    }
  }
}

TEST(NativeSeries, HasTheCoefficientsOfTheInterpreterAtEveryOrder) {
  const Case one(1);
  for (const unsigned order : {1U, 2U, 3U, 4U, 5U, 8U, 9U, 20U, 21U})
    expect_as_interpreted(one, order, SeriesCode::written_out);
}

TEST(NativeSeries, HasThemInLoopsOverTablesToo) { expect_as_interpreted(Case(5), 12, SeriesCode::tables); }

TEST(NativeSeries, HasThemWhereFactorsAreInCommon) {
  for (const std::size_t beside : {1U, 2U, 3U, 4U, 7U})
    expect_as_interpreted(InCommon(3, beside), 11, SeriesCode::tables);
}

// One code for several rounds: below, at and beyond the orders at which more vectors of eight are read.
TEST(NativeSeries, HasThemInCodeForSeveralRounds) {
  const Case one(1), few(5);
  for (const unsigned order : {3U, 4U, 9U, 10U, 11U, 12U, 17U, 18U, 19U, 26U, 40U})
    expect_as_interpreted(one, order, SeriesCode::rolled);
  expect_as_interpreted(few, 20, SeriesCode::rolled);
  for (const std::size_t beside : {1U, 2U, 3U, 4U, 7U})
    expect_as_interpreted(InCommon(3, beside), 19, SeriesCode::rolled);
}

// Systems of more unknowns than stay in registers, and roots, which have a rule of their own.
struct Larger : Given {
  explicit Larger(std::size_t n) {
    const Expr t = c.symbol("t"), p = c.symbol("p");
    std::vector<Expr> y, matrix, right, unknowns;
    for (std::size_t i = 0; i < n; ++i) {
      y.push_back(c.symbol("y" + std::to_string(i)));
      unknowns.push_back(c.symbol("r" + std::to_string(i)));
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        matrix.push_back(i == j ? c.integer(static_cast<long>(n)) + sqrt(c.one() + y[i] * y[i]) : sin(y[i] - y[j] * p));
      right.push_back(cos(t + y[i]) - y[(i + 1) % n]);
    }
    blocks.push_back({{n, n, matrix}, {n, 1, right}, unknowns});
    outputs = unknowns;
    inputs = y;
    inputs.insert(inputs.end(), {t, p});
    states = n;
  }
};

TEST(NativeSeries, SolvesLargerSystemsInCodeForSeveralRounds) {
  for (const std::size_t n : {9U, 10U, 11U, 16U, 19U}) expect_as_interpreted(Larger(n), 20, SeriesCode::rolled);
}

// What a step that failed has left behind is not in the next one.
TEST(NativeSeries, ForgetsWhatWasNotFinite) {
  Context c;
  const Expr y = c.symbol("y"), z = c.symbol("z"), t = c.symbol("t");
  const std::vector<Expr> inputs = {y, z, t}, outputs = {c.one() / y + z * z, y * z};
  const SeriesProgram series(Program(outputs, inputs), 2);
  constexpr unsigned order = 20;
  const NativeSeries native(series, order, {.lanes = 1, .cache = false, .series = SeriesCode::rolled});
  const std::vector<double> statics = series.static_values({}), start = {0.5, 0.25}, nowhere = {0, 0.25};
  const double at = 0;
  std::vector<double> first((order + 1) * 2), again(first.size()), workspace(native.workspace_size());
  native(statics.data(), &at, start.data(), first.data(), workspace.data());
  native(statics.data(), &at, nowhere.data(), again.data(), workspace.data());
  EXPECT_FALSE(std::isfinite(again.back()));
  native(statics.data(), &at, start.data(), again.data(), workspace.data());
  EXPECT_EQ(first, again);
}

// By count: machine code where it runs often enough, and one that grows no faster than the equations where they are long.
TEST(NativeSeries, TakesTheCodeThatPays) {
  constexpr double always = std::numeric_limits<double>::infinity();
  EXPECT_EQ(best_series_code(1e4, always), SeriesCode::written_out);
  EXPECT_EQ(best_series_code(1e5, always), SeriesCode::rolled);
  EXPECT_EQ(best_series_code(1e4, 100), SeriesCode::tables);
  EXPECT_EQ(best_series_code(1e5, 100), SeriesCode::tables);
  const Case many(30);
  const SeriesProgram series(many.program(), many.states);
  EXPECT_FALSE(NativeSeries(series, 12, uncached(1)).origin().compact);
}

// y' = y: every coefficient is the one before, divided by its number, with or without an instruction for x y + z.
TEST(NativeSeries, DividesByWholeNumbersAsDivisionDoes) {
  Context c;
  const Expr y = c.symbol("y"), t = c.symbol("t");
  const std::vector<Expr> inputs = {y, t}, outputs = {y};
  const SeriesProgram series(Program(outputs, inputs), 1);
  constexpr unsigned order = 12;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(1, 2);
  for (const unsigned lanes : {1U, 2U, 4U}) {
    const NativeSeries native(series, order, uncached(lanes));
    std::vector<double> statics, at(lanes, 0.0), start(lanes), coefficients((order + 1) * lanes),
        workspace(native.workspace_size());
    for (const double x : series.static_values({})) statics.insert(statics.end(), lanes, x);
    for (int trial = 0; trial < 1000; ++trial) {
      for (double& x : start) x = uniform(random);
      ASSERT_EQ(native(statics.data(), at.data(), start.data(), coefficients.data(), workspace.data()), -1);
      for (unsigned lane = 0; lane < lanes; ++lane) {
        double expected = start[lane];
        for (unsigned k = 1; k <= order; ++k) {
          expected /= k;
          ASSERT_EQ(coefficients[k * lanes + lane], expected) << "order " << k << ", lane " << lane << " of " << lanes;
        }
      }
    }
  }
}

TEST(NativeSeries, NamesTheSingularSystem) {
  Context c;
  const Expr z = c.symbol("z"), t = c.symbol("t");
  const std::vector<Expr> inputs = {z, t};
  const LinearBlock block{{1, 1, {t - c.one()}}, {1, 1, {c.one()}}, {c.symbol("r")}};
  const SeriesProgram series(Program(block.unknowns, inputs, std::span(&block, 1)), 1);
  const NativeSeries run(series, 4, uncached(2));
  std::vector<double> statics;
  for (const double x : series.static_values({})) statics.insert(statics.end(), 2, x);
  const std::vector<double> z0 = {0, 0};
  std::vector<double> coefficients(10), workspace(run.workspace_size());
  for (const auto& [first, second, expected] : {std::tuple{2.0, 3.0, -1}, {1.0, 3.0, 0}, {2.0, 1.0, 0}}) {
    const double at[] = {first, second};
    EXPECT_EQ(run(statics.data(), at, z0.data(), coefficients.data(), workspace.data()), expected);
  }
}

}  // namespace
}  // namespace cetaev
