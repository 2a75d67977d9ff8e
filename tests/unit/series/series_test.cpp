// Power series are those of the functions and of the solutions they belong to.
#include "cetaev/detail/series/series.hpp"
#include "cetaev/detail/expr/elliptic_orders.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cetaev/error.hpp"

namespace cetaev {
namespace {

constexpr unsigned order = 30;

double polynomial(std::span<const double> coefficients, std::size_t count, std::size_t i, std::size_t orders,
                  double h) {
  double value = 0;
  for (std::size_t k = orders; k-- > 0;) value = value * h + coefficients[k * count + i];
  return value;
}

// e(t) with a parameter p, as a series at t₀ and evaluated at t₀ + h: y' = 1 is the whole system.
void expect_series_of(Expr e, Expr y, Expr t, Expr p, double t0) {
  const std::vector<Expr> inputs = {y, t, p};
  const std::vector<Expr> outputs = {e.context().one(), e};
  const Program program(outputs, inputs);
  const SeriesProgram series(program, 1);
  const double parameter = 0.7;
  SeriesInterpreter run(series, order, {&parameter, 1});
  const std::size_t further = series.further().size();
  std::vector<double> coefficients((order + 1) + order * further);
  const double y0 = 0.4;
  ASSERT_EQ(run(t0, {&y0, 1}, coefficients), -1);
  Interpreter direct(program);
  for (const double h : {-0.08, 0.05, 0.11}) {
    std::vector<double> at = {y0 + h, t0 + h, parameter}, values(2);
    ASSERT_EQ(direct(at, values), -1);
    const double value = polynomial(std::span(coefficients).subspan(order + 1), further, 0, order, h);
    EXPECT_NEAR(value, values[1], 1e-14 * (1 + std::fabs(values[1]))) << to_string(e) << " at " << t0 << " + " << h;
  }
}

// The state alone: no equation is evaluated, so none can be singular.
TEST(Series, OfOrderZeroAreTheStartItself) {
  Context c;
  const Expr y = c.symbol("y"), z = c.symbol("z"), t = c.symbol("t");
  const std::vector<Expr> outputs = {c.one() / y, t * z, y + z};
  const std::vector<Expr> inputs = {y, z, t};
  const Program program(outputs, inputs);
  const SeriesProgram series(program, 2);
  SeriesInterpreter run(series, 0, {});
  const std::vector<double> start = {0, 0.25};
  std::vector<double> coefficients = {7, 7, 7};
  EXPECT_EQ(run(0.5, start, coefficients), -1);
  EXPECT_EQ(coefficients, (std::vector<double>{0, 0.25, 7}));  // nothing is known of the further output
}

TEST(Series, OfEveryFunctionAreThatFunction) {
  Context c;
  const Expr y = c.symbol("y"), t = c.symbol("t"), p = c.symbol("p");
  const Expr g = t / c.integer(2) + t * t / c.integer(3);  // not linear in time
  const Expr s = c.integer(1) / c.integer(5) + sin(t) / c.integer(2);
  const std::vector<Expr> expressions = {c.integer(3),
                                         p,
                                         sin(p),
                                         t,
                                         y,
                                         t * t,
                                         g * s,
                                         g - s,
                                         -s,
                                         s / g,
                                         p / s,
                                         s / p,
                                         c.one() / s,
                                         g * g * g,
                                         pow(g, Rational(7)),
                                         pow(s, Rational(-3)),
                                         sqrt(g),
                                         sqrt(p),
                                         pow(g, Rational(3, 2)),
                                         pow(g, Rational(-5, 2)),
                                         pow(g, Rational(4, 3)),
                                         pow(g, p),
                                         pow(g, s),
                                         pow(p, s),
                                         atan2(g, s),
                                         atan2(s, -g),
                                         atan2(p, s),
                                         apply(Function::elliptic_f, g, p),
                                         apply(Function::elliptic_e, g, p),
                                         apply(Function::amplitude, g, p),
                                         apply(Function::delta, g, p),
                                         apply(Function::epsilon, g, p),
                                         apply(Function::epsilon, g, s),
                                         apply(Function::amplitude, g, c.integer(3)),
                                         apply(Function::delta, g, c.integer(-3)),
                                         apply(Function::amplitude, g, c.one()),
                                         apply(Function::elliptic_f, g, s),
                                         apply(Function::elliptic_e, g, s),
                                         apply(Function::amplitude, g, s),
                                         apply(Function::delta, g, s),
                                         apply(Function::elliptic_f, p, s),
                                         apply(Function::amplitude, p, s),
                                         apply(by_parameter(Function::amplitude, 1), g, p),
                                         apply(by_parameter(Function::delta, 2), g, c.zero()),
                                         apply(by_parameter(Function::epsilon, 2), g, c.one()),
                                         apply(by_parameter(Function::elliptic_f, 1), g, c.zero()),
                                         apply(by_parameter(Function::elliptic_e, 2), g, p),
                                         apply(by_parameter(Function::amplitude, 2), g, s),
                                         apply(by_parameter(Function::elliptic_f, 1), g, s),
                                         sin(g),
                                         cos(g),
                                         tan(s),
                                         apply(Function::asin, s),
                                         apply(Function::acos, s),
                                         apply(Function::atan, g),
                                         apply(Function::sinh, g),
                                         apply(Function::cosh, g),
                                         apply(Function::tanh, g),
                                         apply(Function::asinh, g),
                                         apply(Function::acosh, g + c.integer(2)),
                                         apply(Function::atanh, s),
                                         exp(g),
                                         log(g),
                                         abs(g),
                                         abs(-g),
                                         sin(t),
                                         cos(p * t),
                                         exp(sin(y * t)),
                                         sin(g) * cos(g) + sin(g) / cos(g),
                                         c.integer(2) * g - s / c.integer(3) + c.one()};
  for (const Expr e : expressions) {
    expect_series_of(e, y, t, p, 0.6);
    expect_series_of(e, y, t, p, 0.9);
  }
}

// Degrees let a uniform rotation cost no convolution.
TEST(Series, ShowWhatIsConstantAndWhatGrowsUniformly) {
  Context c;
  const Expr x = c.symbol("x"), phi = c.symbol("phi"), u = c.symbol("u"), w = c.symbol("w"), t = c.symbol("t"),
             g = c.symbol("g");
  const std::vector<Expr> inputs = {x, phi, u, w, t, g};
  const std::vector<Expr> rates = {u * cos(phi), w, g * cos(phi), c.zero()};
  const SeriesProgram series(Program(rates, inputs), 4);
  EXPECT_EQ(series.degree(series.state(3)), 0);
  EXPECT_EQ(series.degree(series.state(1)), 1);
  EXPECT_EQ(series.degree(series.state(0)), SeriesProgram::unbounded);
  EXPECT_EQ(series.degree(series.time()), 1);
  EXPECT_TRUE(series.entire());
  const std::vector<Expr> tangled = {u * cos(phi), w, g * cos(phi) * u, c.zero()};
  EXPECT_FALSE(SeriesProgram(Program(tangled, inputs), 4).entire());
  const std::vector<Expr> with_pole = {u / cos(phi), w, c.zero(), c.zero()};
  EXPECT_FALSE(SeriesProgram(Program(with_pole, inputs), 4).entire());
}

TEST(Series, KnowAngles) {
  Context c;
  const Expr a = c.symbol("a"), b = c.symbol("b"), x = c.symbol("x"), t = c.symbol("t");
  const std::vector<Expr> inputs = {a, b, x, t};
  const auto angles = [&](const std::vector<Expr>& rates) { return SeriesProgram(Program(rates, inputs), 3).angles(); };
  using Places = std::vector<std::size_t>;
  EXPECT_EQ(angles({sin(a - b), cos(b), x}), (Places{0, 1}));
  EXPECT_EQ(angles({sin(a - b), b, x}), (Places{0}));
  EXPECT_EQ(angles({sin(a - b), a - b, cos(x)}), (Places{2}));
  EXPECT_EQ(angles({tan(a), sin(a) * a, sin(c.integer(2) * b)}), Places{});
}

// x' = v, v' = −x; and z' by a linear system with moving matrix whose solution is known: M(t) z' = M(t) (cos t, −sin t).
TEST(Series, OfSolutionsOfLinearSystemsAreTheSolution) {
  Context c;
  const Expr z1 = c.symbol("z1"), z2 = c.symbol("z2"), t = c.symbol("t");
  const std::vector<Expr> inputs = {z1, z2, t};
  const LinearBlock block{
      {2, 2, {c.integer(2) + sin(t), z1, z2 * t, c.integer(3) - exp(-t)}},
      {2, 1, {(c.integer(2) + sin(t)) * cos(t) - z1 * sin(t), z2 * t * cos(t) - (c.integer(3) - exp(-t)) * sin(t)}},
      {c.symbol("r1"), c.symbol("r2")}};
  const Program program(block.unknowns, inputs, std::span(&block, 1));
  const SeriesProgram series(program, 2);
  SeriesInterpreter run(series, order, {});
  std::vector<double> coefficients(2 * (order + 1));
  const double t0 = 0.3;
  const std::vector<double> y = {std::sin(t0), std::cos(t0)};
  ASSERT_EQ(run(t0, y, coefficients), -1);
  const double h = 0.25;
  EXPECT_NEAR(polynomial(coefficients, 2, 0, order + 1, h), std::sin(t0 + h), 4e-15);
  EXPECT_NEAR(polynomial(coefficients, 2, 1, order + 1, h), std::cos(t0 + h), 4e-15);
}

TEST(Series, NameTheSingularSystem) {
  Context c;
  const Expr z = c.symbol("z"), t = c.symbol("t");
  const std::vector<Expr> inputs = {z, t};
  const LinearBlock block{{1, 1, {t - c.one()}}, {1, 1, {c.one()}}, {c.symbol("r")}};
  const SeriesProgram series(Program(block.unknowns, inputs, std::span(&block, 1)), 1);
  SeriesInterpreter run(series, 4, {});
  std::vector<double> coefficients(5);
  const double z0 = 0;
  EXPECT_EQ(run(1.0, {&z0, 1}, coefficients), 0);
  EXPECT_EQ(run(2.0, {&z0, 1}, coefficients), -1);
}

TEST(SeriesProgram, NeedsTheTimeAmongItsInputs) {
  Context c;
  const std::vector<Expr> y = {c.symbol("y")};
  EXPECT_THROW(SeriesProgram(Program(y, y), 1), Error);
}

}  // namespace
}  // namespace cetaev
