// Machine code of right-hand sides and of Taylor series: how long it takes to make, how fast it runs. What is measured is
// one call; the time to integrate a motion is in another benchmark.
#include <benchmark/benchmark.h>

#include <cmath>

#include "at_start.hpp"
#include "cetaev/detail/codegen/native.hpp"
#include "snake_model.hpp"

namespace cetaev {
namespace {

using bench::AtStart;

constexpr unsigned order = 20;

const AtStart& problem(int number) {
  static const AtStart skate(bench::gallery_text("skate")), sleigh(bench::gallery_text("chaplygin-sleigh")),
      disc(bench::gallery_text("rolling-disc")), pendulum(bench::double_pendulum);
  const AtStart* const all[] = {&skate, &sleigh, &disc, &pendulum};
  return *all[number];
}
constexpr const char* names[] = {"skate", "Chaplygin sleigh", "rolling disc", "double pendulum"};

const NativeOptions fresh = {.lanes = 1, .cache = false};

void series_interpreted(benchmark::State& state) {
  const AtStart& at = problem(static_cast<int>(state.range(0)));
  const SeriesProgram series(at.rates(), at.y().size());
  SeriesInterpreter run(series, order, at.parameters());
  std::vector<double> coefficients((order + 1) * at.y().size());
  for (auto _ : state) {
    run(0, at.y(), coefficients);
    benchmark::DoNotOptimize(coefficients.data());
  }
  state.SetLabel(names[state.range(0)]);
}
BENCHMARK(series_interpreted)->DenseRange(0, 3);

void series_native(benchmark::State& state) {
  const AtStart& at = problem(static_cast<int>(state.range(0)));
  const auto lanes = static_cast<unsigned>(state.range(1));
  const SeriesProgram series(at.rates(), at.y().size());
  const NativeSeries run(series, order, {.lanes = lanes, .cache = false});
  const auto spread = [&](std::span<const double> x) {
    std::vector<double> all;
    for (const double v : x) all.insert(all.end(), lanes, v);
    return all;
  };
  const std::vector<double> statics = spread(series.static_values(at.parameters())), y = spread(at.y()), t(lanes);
  std::vector<double> coefficients((order + 1) * at.y().size() * lanes), workspace(run.workspace_size());
  for (auto _ : state) {
    run(statics.data(), t.data(), y.data(), coefficients.data(), workspace.data());
    benchmark::DoNotOptimize(coefficients.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * lanes));
  state.counters["compile_ms"] = run.origin().seconds * 1e3;
  state.counters["instructions"] = static_cast<double>(series.instructions().size());
  state.SetLabel(std::string(names[state.range(0)]) + (run.origin().compact ? ", compact" : ""));
}
BENCHMARK(series_native)->ArgsProduct({{0, 1, 2, 3}, {1, 2, 4}});

void rates_interpreted(benchmark::State& state) {
  const AtStart& at = problem(static_cast<int>(state.range(0)));
  const Program program = at.rates();
  Interpreter run(program);
  const std::vector<double> inputs = at.inputs();
  std::vector<double> outputs(at.y().size());
  for (auto _ : state) {
    run(inputs, outputs);
    benchmark::DoNotOptimize(outputs.data());
  }
  state.SetLabel(names[state.range(0)]);
}
BENCHMARK(rates_interpreted)->DenseRange(0, 3);

void rates_native(benchmark::State& state) {
  const AtStart& at = problem(static_cast<int>(state.range(0)));
  const NativeProgram run(at.rates(), fresh);
  const std::vector<double> inputs = at.inputs();
  std::vector<double> outputs(at.y().size()), workspace(run.workspace_size());
  for (auto _ : state) {
    run(inputs.data(), outputs.data(), workspace.data());
    benchmark::DoNotOptimize(outputs.data());
  }
  state.counters["compile_ms"] = run.origin().seconds * 1e3;
  state.SetLabel(names[state.range(0)]);
}
BENCHMARK(rates_native)->DenseRange(0, 3);

// What a run of a snake needs: f and its series.
void compile_snake(benchmark::State& state) {
  const AtStart at(bench::snake_model(static_cast<int>(state.range(0)) - 2));
  const Program program = at.rates();
  const SeriesProgram series(program, at.y().size());
  bool compact = false;
  for (auto _ : state) {
    const NativeProgram rates(program, fresh);
    const NativeSeries coefficients(series, order, fresh);
    compact = coefficients.origin().compact;
    state.counters["rates_ms"] = rates.origin().seconds * 1e3;
    state.counters["series_ms"] = coefficients.origin().seconds * 1e3;
  }
  state.counters["instructions"] = static_cast<double>(program.instructions().size());
  state.counters["of_series"] = static_cast<double>(series.instructions().size());
  state.SetLabel(compact ? "compact" : "");
}
BENCHMARK(compile_snake)->Arg(12)->Arg(30)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace cetaev
