// The eleven principles: what deriving them costs, and what evaluating them costs beside multipliers.
#include <benchmark/benchmark.h>

#include <string>

#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/model/read.hpp"
#include "snake_model.hpp"

namespace cetaev {
namespace {

struct Snake {
  explicit Snake(int links)
      : system(read_model(bench::snake_model(links), "snake.toml").scratch().with(bent)),
        admissible(system),
        at(admissible.initial()) {}

  // forward along the first link, turning: the rest follows from the constraints
  static void bent(SystemData& data) {
    data.initial.v[0] = data.context->one();
    for (std::size_t i = 0; i < data.size(); ++i)
      data.initial.q[i] = data.context->number(Rational(static_cast<long>(i % 7), 10));
  }

  System system;
  Admissible admissible;
  AdmissibleState at;
};

void derive_all_forms(benchmark::State& run) {
  Snake snake(static_cast<int>(run.range(0)));
  std::size_t derived = 0;
  for (auto _ : run) {
    derived = 0;
    const Terms terms(snake.system);
    const Setting setting = setting_at(snake.system, terms, snake.admissible, snake.at);
    for (const Principle& principle : principles()) {
      try {
        benchmark::DoNotOptimize(CompiledForm(setting, principle.derive(setting)));
        ++derived;
      } catch (const Error&) {
        continue;  // the snake is not of Čaplygin's type
      }
    }
  }
  run.counters["forms"] = static_cast<double>(derived);
}
BENCHMARK(derive_all_forms)->Arg(4)->Arg(10)->Arg(18)->Unit(benchmark::kMillisecond);

void evaluate_form(benchmark::State& run, const std::string& name) {
  Snake snake(static_cast<int>(run.range(0)));
  const Terms terms(snake.system);
  const Setting setting = setting_at(snake.system, terms, snake.admissible, snake.at);
  try {
    const CompiledForm form(setting, find_principle(name)->derive(setting));
    std::vector<double> inputs = state_values(snake.at.state, parameter_values(snake.system));
    inputs.resize(form.program().input_count(), 0.25);
    std::vector<double> outputs(form.program().output_count());
    Interpreter interpreter(form.program());
    for (auto _ : run) benchmark::DoNotOptimize(interpreter(inputs, outputs));
    run.counters["instructions"] = static_cast<double>(form.program().instructions().size());
  } catch (const Error& error) {
    run.SkipWithError(error.what());
  }
}

const bool registered = [] {
  for (const Principle& principle : principles()) {
    benchmark::RegisterBenchmark(("evaluate/" + std::string(principle.name)).c_str(), evaluate_form,
                                 std::string(principle.name))
        ->Arg(4)
        ->Arg(10)
        ->Arg(18)
        ->Unit(benchmark::kMicrosecond);
  }
  return true;
}();

}  // namespace
}  // namespace cetaev
