// Machine code on the equations of the gallery, against the interpreters.
#include <gtest/gtest.h>

#include <cmath>

#include "cetaev/detail/codegen/native.hpp"
#include "cetaev/detail/formulation/multipliers.hpp"
#include "cetaev/formulation/first_order.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/model/read.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

const NativeOptions uncached = {.lanes = 1, .cache = false};

void expect_near(std::span<const double> found, std::span<const double> expected, double tolerance,
                 const std::string& where) {
  double largest = 1;
  for (const double x : expected) largest = std::max(largest, std::fabs(x));
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance * largest) << where << ", " << i;
}

void expect_as_interpreted(const FirstOrderProgram& of, const System& system, const State& at,
                           const std::string& where) {
  const FirstOrderSystem& equations = of.equations();
  const NumberedBlocks systems = equations.needed_for(equations.rates);
  const Program program(equations.rates, equations.inputs(), systems.blocks);
  const std::vector<double> parameters = parameter_values(system);
  const std::size_t n = equations.state.size();
  std::vector<double> inputs = of.state(at);
  const std::vector<double> y = inputs;
  inputs.push_back(0.25);
  inputs.insert(inputs.end(), parameters.begin(), parameters.end());

  Interpreter interpreter(program);
  const NativeProgram native(program, uncached);
  std::vector<double> expected(n), found(n), workspace(native.workspace_size());
  const int singular = interpreter(inputs, expected);
  ASSERT_EQ(native(inputs.data(), found.data(), workspace.data()), singular) << where;
  if (singular >= 0) return;
  expect_near(found, expected, 1e-12, where);

  constexpr unsigned order = 7;
  const SeriesProgram series(program, n);
  SeriesInterpreter interpreted(series, order, parameters);
  const NativeSeries run(series, order, uncached);
  std::vector<double> coefficients((order + 1) * n + order * series.further().size()), others(coefficients.size());
  workspace.assign(run.workspace_size(), 0);
  const std::vector<double> statics = series.static_values(parameters);
  const double t = 0.25;
  ASSERT_EQ(interpreted(t, y, coefficients), -1) << where;
  ASSERT_EQ(run(statics.data(), &t, y.data(), others.data(), workspace.data()), -1) << where;
  for (unsigned k = 0; k <= order; ++k) {
    // each order repeats the solve of the linear system, and with it the rounding that its condition amplifies
    expect_near(std::span(others).subspan(k * n, n), std::span(coefficients).subspan(k * n, n), 1e-11 * (1 << k),
                where + ", order " + std::to_string(k));
  }
}

TEST(Native, RunsEveryModelOfTheGalleryAsTheInterpreterDoes) {
  for (const GalleryModel& model : gallery()) {
    Groundwork work(read_model(std::string(model.text), std::string(model.name)));
    const System& system = work.system();
    const StartingState& start = work.start();
    const Setting& setting = work.setting();
    for (const std::string form : {"hamel", "multipliers"}) {
      try {
        const FirstOrderProgram program(system, first_order(setting, start.at.state, form));
        expect_as_interpreted(program, system, start.at.state, std::string(model.name) + ", " + form);
      } catch (const Error&) {
        // the form does not apply, or is singular at the start
      }
    }
  }
}

}  // namespace
}  // namespace cetaev
