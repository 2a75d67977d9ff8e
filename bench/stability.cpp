// How long it takes to answer "is it stable": a linearisation with its proof, many speeds, a chart; and what variations cost beside the motion alone.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

#include "cetaev/gallery.hpp"
#include "cetaev/integrate/compiled_motion.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/stability/chart.hpp"
#include "cetaev/stability/invariant_measure.hpp"

namespace cetaev {
namespace {

System model(const std::string& name, const std::vector<std::string>& settings = {}) {
  for (const GalleryModel& m : gallery()) {
    if (m.name == name) return read_model(m.text, name + ".toml", settings);
  }
  throw std::runtime_error("no gallery model " + name);
}

System upright_bicycle() { return model("bicycle", {}); }

// From the text of the model, with nothing kept from before.
void linearize_bicycle(benchmark::State& run) {
  for (auto _ : run) {
    const Linearization found = linearize(upright_bicycle());
    if (!found.steady.certified) throw std::runtime_error("it is not proved");
  }
}

void bicycle_at_1000_speeds(benchmark::State& run) {
  for (auto _ : run) benchmark::DoNotOptimize(linearize_along(upright_bicycle(), Along::parse("v=0:10:1000")));
}

void chart_of_bicycle(benchmark::State& run) {
  for (auto _ : run) {
    ChartOptions options;
    options.threads = 2;
    options.progress = [](std::size_t, std::size_t) { return true; };
    benchmark::DoNotOptimize(stability_chart(
        upright_bicycle(), {Along::parse("v=0.1:10:200"), Along::parse("c=-0.1:0.3:200")}, {}, options));
  }
}

void measure(benchmark::State& run, const std::string& name) {
  for (auto _ : run) benchmark::DoNotOptimize(invariant_measure(model(name)));
}

struct Nobody : Recorder {
  void sample(const MotionPoint&) override {}
  bool wants_samples() const override { return false; }
};

double least_seconds(const CompiledMotion& motion) {
  double least = 1e9;
  for (int i = 0; i < 9; ++i) {
    Nobody nobody;
    const auto begin = std::clock();
    motion.run(nobody);
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

// Whole motions with variations by initial values over motions without, as `cetaev run` makes them, divided by 1 + their number: the figure to
// watch is 1.5. Without compiling, which the cache keeps.
void variations(benchmark::State& run, const std::string& name, double t_end, std::vector<std::string> by) {
  const System system = model(name);
  MotionOptions options = default_options(system);
  options.t_end = t_end;
  options.method = Method::taylor;
  options.once = true;
  const CompiledMotion alone(system, options);
  options.variations = by;
  const CompiledMotion varied(system, options);
  double ratio = 0;
  for (auto _ : run) ratio = least_seconds(varied) / least_seconds(alone);
  run.counters["ratio"] = ratio;
  run.counters["over_one_plus_n"] = ratio / static_cast<double>(1 + by.size());
}

using Names = std::vector<std::string>;
BENCHMARK(linearize_bicycle)->Unit(benchmark::kMillisecond);
BENCHMARK(bicycle_at_1000_speeds)->Unit(benchmark::kMillisecond);
BENCHMARK(chart_of_bicycle)->Unit(benchmark::kMillisecond)->Iterations(1)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK_CAPTURE(measure, bicycle, std::string("bicycle"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(measure, rolling_disc, std::string("rolling-disc"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(variations, skate, std::string("skate"), 2000.0, Names{"x", "y", "phi", "x'", "phi'"})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(variations, skate_by_one, std::string("skate"), 2000.0, Names{"phi'"})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(variations, rolling_disc, std::string("rolling-disc"), 500.0,
                  Names{"psi", "theta", "psi'", "theta'", "phi'"})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(variations, double_pendulum, std::string("double-pendulum"), 200.0,
                  Names{"theta1", "theta2", "theta1'", "theta2'"})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
}  // namespace cetaev
