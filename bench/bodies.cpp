// Chains of bodies: what one evaluation of their accelerations costs, beside articulated bodies written by hand; and from a file to the first evaluation.
#include <benchmark/benchmark.h>

#include <cmath>
#include <string>

#include "../tests/unit/chain_model.hpp"
#include "arm.hpp"
#include "at_start.hpp"
#include "cetaev/detail/codegen/native.hpp"
#include "cetaev/formulation/formulation.hpp"
#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/model/read.hpp"
#include "chain.hpp"

namespace cetaev {
namespace {

// Additions, multiplications and divisions; those of linear systems by elimination.
double operations(const Program& program) {
  double count = 0;
  for (const Instruction& i : program.instructions()) {
    if (i.operation == Operation::solve || i.operation == Operation::function || i.operation == Operation::negate)
      continue;
    count += i.operation == Operation::multiply_add ? 2 : 1;
  }
  for (const Program::System& system : program.systems()) {
    const double n = system.size, m = system.right_hand_sides;
    count += n == 1 ? m : 2 * n * n * n / 3 + 2 * n * n * m;
  }
  return count;
}

struct Chain {
  explicit Chain(int N)
      : work(read_model(chain_model(N), "chain.toml").scratch()),
        setting(work.setting_at(work.initial())),
        form(setting, Form::multipliers->derive(setting)),
        state(work.initial().state) {}
  Groundwork work;
  Setting setting;
  CompiledForm form;
  State state;
};

void chain(benchmark::State& run) {
  const Chain chain(static_cast<int>(run.range(0)));
  const std::vector<double> inputs = state_values(chain.state, parameter_values(chain.work.system()));
  Interpreter interpreter(chain.form.program());
  std::vector<double> outputs(chain.form.program().output_count());
  for (auto _ : run) {
    interpreter(inputs, outputs);
    benchmark::DoNotOptimize(outputs.data());
  }
  bench::Articulated<bench::Counted> by_hand(chain.state.q.size());
  std::vector<double> a(chain.state.q.size());
  bench::Counted::operations = 0;
  by_hand(chain.state.q.data(), chain.state.v.data(), a.data());
  double apart = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    apart = std::max(apart, std::abs(a[i] - outputs[i]));
    size = std::max(size, std::abs(a[i]));
  }
  if (!(apart < 1e-8 * size)) run.SkipWithError("the accelerations are not those written by hand");
  const double ours = operations(chain.form.program()), theirs = static_cast<double>(bench::Counted::operations);
  run.counters["operations"] = ours;
  run.counters["by_hand"] = theirs;
  run.counters["ratio"] = ours / theirs;
}
BENCHMARK(chain)->Arg(5)->Arg(10)->Arg(20)->Arg(50)->Arg(100);

void chain_by_hand(benchmark::State& run) {
  const Chain chain(static_cast<int>(run.range(0)));
  bench::Articulated<double> by_hand(chain.state.q.size());
  std::vector<double> a(chain.state.q.size());
  for (auto _ : run) {
    by_hand(chain.state.q.data(), chain.state.v.data(), a.data());
    benchmark::DoNotOptimize(a.data());
  }
}
BENCHMARK(chain_by_hand)->Arg(5)->Arg(10)->Arg(20)->Arg(50)->Arg(100);

// The gallery's arm beside what is written by hand for it alone.
void arm_over_hand(benchmark::State& run) {
  for (const GalleryModel& model : gallery()) {
    if (model.name != "arm") continue;
    Groundwork work(read_model(model.text, "arm").scratch());
    const Setting setting = work.setting_at(work.initial());
    const CompiledForm form(setting, Form::multipliers->derive(setting));
    const State& state = work.initial().state;
    const std::vector<double> inputs = state_values(state, parameter_values(work.system()));
    Interpreter interpreter(form.program());
    std::vector<double> outputs(form.program().output_count());
    for (auto _ : run) {
      interpreter(inputs, outputs);
      benchmark::DoNotOptimize(outputs.data());
    }
    bench::Arm arm;
    const auto by_matrix = arm.by_matrix(state.q.data(), state.v.data());
    const double matrix = static_cast<double>(bench::Folded::operations);
    const auto by_articulated = arm.by_articulated(state.q.data(), state.v.data());
    const double articulated = static_cast<double>(bench::Folded::operations);
    for (std::size_t i = 0; i < by_matrix.size(); ++i)
      if (!(std::abs(by_matrix[i] - outputs[i]) < 1e-10 * std::abs(outputs[i])) ||
          !(std::abs(by_articulated[i] - outputs[i]) < 1e-10 * std::abs(outputs[i])))
        run.SkipWithError("the accelerations are not those written by hand");
    run.counters["operations"] = operations(form.program());
    run.counters["by_matrix"] = matrix;
    run.counters["by_articulated"] = articulated;
    run.counters["ratio"] = operations(form.program()) / std::min(matrix, articulated);
  }
}
BENCHMARK(arm_over_hand);

// The right-hand side that is integrated, in machine code; of the chain of 100 beside chain_by_hand/100.
void rates_in_machine_code(benchmark::State& run, const std::string& name) {
  const bench::AtStart at(name == "chain" ? chain_model(100) : std::string(bench::gallery_text(name)));
  const NativeProgram code(at.rates(), {.lanes = 1, .cache = false});
  const std::vector<double> inputs = at.inputs();
  std::vector<double> outputs(at.y().size()), workspace(code.workspace_size());
  for (auto _ : run) {
    code(inputs.data(), outputs.data(), workspace.data());
    benchmark::DoNotOptimize(outputs.data());
  }
  run.counters["operations"] = operations(at.rates());
  run.counters["compile_ms"] = code.origin().seconds * 1e3;
}
BENCHMARK_CAPTURE(rates_in_machine_code, bicycle, std::string("bicycle"));
BENCHMARK_CAPTURE(rates_in_machine_code, arm, std::string("arm"));
BENCHMARK_CAPTURE(rates_in_machine_code, chain, std::string("chain"));

void file_to_first_evaluation(benchmark::State& run, const std::string& name) {
  for (const GalleryModel& model : gallery()) {
    if (model.name != name) continue;
    for (auto _ : run) {
      Groundwork work(read_model(model.text, name).scratch());
      const Setting setting = work.setting_at(work.initial());
      const CompiledForm form(setting, Form::multipliers->derive(setting));
      benchmark::DoNotOptimize(form.evaluate(work.initial().state));
      run.counters["operations"] = operations(form.program());
    }
  }
}
BENCHMARK_CAPTURE(file_to_first_evaluation, bicycle, std::string("bicycle"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(file_to_first_evaluation, arm, std::string("arm"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(file_to_first_evaluation, stewart, std::string("stewart"))->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cetaev
