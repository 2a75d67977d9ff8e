// One evaluation of accelerations and multipliers: the interpreter and the solve.
#include <benchmark/benchmark.h>

#include <string>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/detail/formulation/multipliers.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/model/read.hpp"
#include "snake_model.hpp"

namespace cetaev {
namespace {

void evaluate(benchmark::State& run, const System& system, const State& state) {
  const Multipliers form(system, Terms(system));
  Multipliers::Workspace workspace(form);
  const std::vector<double> inputs = state_values(state, parameter_values(system));
  std::vector<double> a(system->size());
  std::vector<double> multipliers(system->constraints.size());
  for (auto _ : run) {
    form.evaluate(inputs, workspace, a, multipliers);
    benchmark::DoNotOptimize(a.data());
    benchmark::ClobberMemory();
  }
  run.counters["instructions"] = static_cast<double>(form.program().instructions().size());
}

void multipliers_of(benchmark::State& run, const std::string& name) {
  for (const GalleryModel& model : gallery()) {
    if (model.name != name) continue;
    const System system = read_model(model.text, name).scratch();
    evaluate(run, system, Admissible(system).initial().state);
  }
}
BENCHMARK_CAPTURE(multipliers_of, skate, std::string("skate"));
BENCHMARK_CAPTURE(multipliers_of, appell_hamel, std::string("appell-hamel"));
BENCHMARK_CAPTURE(multipliers_of, parallel_velocities_redundant, std::string("parallel-velocities"));

void multipliers_of_snake(benchmark::State& run) {
  const System system = read_model(bench::snake_model(static_cast<int>(run.range(0))), "snake.toml").scratch();
  State state;
  for (std::size_t i = 0; i < system->size(); ++i) {
    state.q.push_back(0.1 * static_cast<double>(i % 7));
    state.v.push_back(0.05 * static_cast<double>(i % 5));
  }
  evaluate(run, system, state);
}
BENCHMARK(multipliers_of_snake)->Arg(10)->Arg(30)->Arg(100);

}  // namespace
}  // namespace cetaev
