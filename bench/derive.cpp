// From the text of a model to a program for H, b, J, c.
#include <benchmark/benchmark.h>

#include "cetaev/detail/formulation/multipliers.hpp"
#include "cetaev/model/read.hpp"
#include "snake_model.hpp"

namespace cetaev {
namespace {

void read_snake(benchmark::State& run) {
  const std::string text = bench::snake_model(static_cast<int>(run.range(0)));
  for (auto _ : run) benchmark::DoNotOptimize(read_model(text, "snake.toml"));
}
BENCHMARK(read_snake)->Arg(30)->Arg(100)->Unit(benchmark::kMillisecond);

void read_derive_and_lower_snake(benchmark::State& run) {
  const std::string text = bench::snake_model(static_cast<int>(run.range(0)));
  std::size_t nodes = 0;
  std::size_t instructions = 0;
  for (auto _ : run) {
    const System system = read_model(text, "snake.toml").scratch();
    const Terms terms(system);
    const Multipliers form(system, terms);
    nodes = system->context->node_count();
    instructions = form.program().instructions().size();
  }
  run.counters["nodes"] = static_cast<double>(nodes);
  run.counters["instructions"] = static_cast<double>(instructions);
}
BENCHMARK(read_derive_and_lower_snake)->Arg(5)->Arg(10)->Arg(30)->Arg(100)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cetaev
