// Motions from model files beside equations written by hand; README.md says what the figures show.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "../src/integrate/equations.hpp"
#include "../src/integrate/field.hpp"
#include "cetaev/constraint/admissible.hpp"
#include "cetaev/detail/codegen/native.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/integrate/batch.hpp"
#include "cetaev/integrate/compiled_motion.hpp"
#include "cetaev/integrate/motion.hpp"
#include "cetaev/model/read.hpp"
#include "motion/handwritten.hpp"

namespace {

using cetaev::Method;
using cetaev::MotionOptions;
using cetaev::MotionPoint;
using cetaev::MotionSummary;
using motion::Clock;

constexpr double budget = 0.3;  // seconds for each figure

// The largest error of a coordinate, of large ones the relative one.
double error(const std::vector<double>& state, const std::vector<double>& reference, std::size_t count) {
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i)
    worst = std::max(worst, std::abs(state[i] - reference[i]) / std::max(1.0, std::abs(reference[i])));
  return worst;
}

// Two samples: the time between them is that of the motion alone, without what makes it ready.
class Ends final : public cetaev::Recorder {
 public:
  void sample(const MotionPoint& point) override {
    const auto now = Clock::now();
    seconds = std::chrono::duration<double>(now - last_).count();
    q.assign(point.q.begin(), point.q.end());
    last_ = Clock::now();
  }
  double seconds = 0;
  std::vector<double> q;

 private:
  Clock::time_point last_;
};

struct Motion {
  motion::Timed timed;
  MotionSummary summary;
};

Motion best_motion(const cetaev::System& system, const MotionOptions& options) {
  Motion best;
  best.timed.seconds = 1e300;
  const cetaev::CompiledMotion compiled(system, options);
  const auto start = Clock::now();
  for (int i = 0; i < 3 || std::chrono::duration<double>(Clock::now() - start).count() < 3 * budget; ++i) {
    Ends ends;
    MotionSummary summary = compiled.run(ends);
    if (!(ends.seconds < best.timed.seconds)) continue;
    best.timed = {ends.seconds, ends.q, summary.steps};
    best.summary = std::move(summary);
  }
  return best;
}

// A model made ready, as CompiledMotion does it.
struct Ready {
  explicit Ready(const cetaev::System& model)
      : system(model.workable()),
        terms(system),
        admissible(system),
        at(admissible.initial()),
        equations(system, terms, admissible, at, std::nullopt),
        y(equations.state(at.state, {})) {}

  cetaev::System system;
  cetaev::Terms terms;
  cetaev::Admissible admissible;
  cetaev::AdmissibleState at;
  cetaev::MotionEquations equations;
  std::vector<double> y;
};

// The steps alone, without anything that is watched or recorded along the motion.
motion::Timed steps_alone(const Ready& ready, const MotionOptions& options) {
  const auto code = make_code(ready.equations, {options.backend, options.cache, true, options.tolerance});
  motion::Timed best;
  best.seconds = 1e300;
  double spent = 0;
  for (int i = 0; i < 3 || spent < budget; ++i) {
    const auto stepper = code->taylor(ready.equations.parameters());
    const auto start = Clock::now();
    stepper->start(ready.at.state.t, ready.y, options.t_end);
    while (stepper->time() < options.t_end && stepper->step(options.t_end) == cetaev::StepStatus::done) {
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    spent += seconds;
    if (seconds < best.seconds)
      best = {seconds, {stepper->state().begin(), stepper->state().end()}, stepper->counts().steps};
  }
  return best;
}

// Seconds of one right-hand side in machine code as a motion runs it, what the parameters determine computed before; at a state
// like that of the hand-written one.
double native_rates(const Ready& ready) {
  const std::size_t moving = ready.equations.size() + 1;
  const cetaev::Program::Hoisted hoisted = ready.equations.rates().hoisted(moving);
  std::vector<double> all = ready.y, statics(hoisted.statics.output_count());
  for (double& value : all) value += 0.7;
  all.push_back(0);
  std::vector<double> inputs = all;
  all.insert(all.end(), ready.equations.parameters().begin(), ready.equations.parameters().end());
  cetaev::Interpreter(hoisted.statics)(all, statics);
  inputs.insert(inputs.end(), statics.begin(), statics.end());
  const cetaev::NativeProgram run(hoisted.rest);
  std::vector<double> outputs(ready.equations.size()), workspace(run.workspace_size());
  constexpr int calls = 1000;
  double least = 1e300, spent = 0;
  while (spent < budget) {
    const auto start = Clock::now();
    for (int i = 0; i < calls; ++i) run(inputs.data(), outputs.data(), workspace.data());
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    least = std::min(least, seconds);
    spent += seconds;
  }
  return least / calls;
}

void heading() {
  std::printf("%-16s %6s   %-40s %13s %8s %10s %8s\n", "problem", "t", "method", "time", "steps", "error", "speed");
}
void row(const motion::Problem& problem, const std::string& method, const motion::Timed& timed,
         const std::vector<double>& reference, double baseline) {
  std::printf("%-16s %6g   %-40s %10.4f ms %8zu %10.1e %8.2f\n", problem.name, problem.t_end, method.c_str(),
              1e3 * timed.seconds, timed.steps, error(timed.state, reference, problem.coordinates),
              baseline / timed.seconds);
  std::fflush(stdout);
}

cetaev::System read(const motion::Problem& problem) {
  if (const auto text = cetaev::generated_model(problem.model)) return cetaev::read_model(*text, problem.model);
  return cetaev::read_model_file(std::string(CETAEV_SOURCE_DIR "/") + problem.model);
}

MotionOptions options_of(const motion::Problem& problem, std::optional<Method> method, double tolerance) {
  MotionOptions options;
  options.method = method;
  options.tolerance = tolerance;
  options.t_end = problem.t_end;
  options.samples = 2;
  return options;
}

void compare(const motion::Problem& problem) {
  const std::vector<double> reference = problem.reference(problem.t_end);
  const motion::Timed dop853 = problem.dop853(problem.t_end, 1e-14, budget);
  row(problem, "by hand, DOP853 at 1e-14", dop853, reference, dop853.seconds);
  if (problem.rkf78)
    row(problem, "by hand, Boost RKF78 at 1e-14", problem.rkf78(problem.t_end, 1e-14, budget), reference,
        dop853.seconds);

  const cetaev::System system = read(problem);
  using Chosen = std::optional<Method>;
  for (const auto& [method, tolerance] :
       {std::pair{Chosen(Method::taylor), 1e-16}, {Chosen(Method::dop853), 1e-14}, {Chosen(), 1e-14}}) {
    const MotionOptions options = options_of(problem, method, tolerance);
    const Motion motion = best_motion(system, options);
    char label[80];
    std::snprintf(label, sizeof label, "%s%s at %g (%s, %s)",
                  method ? "" : "auto: ", to_string(motion.summary.method).c_str(), tolerance,
                  motion.summary.form.name().c_str(), to_string(motion.summary.backend).c_str());
    row(problem, label, motion.timed, reference, dop853.seconds);
    if (options.method == Method::taylor)
      row(problem, "  its steps alone", steps_alone(Ready(system), options), reference, dop853.seconds);
    if (motion.summary.status != cetaev::MotionStatus::finished)
      std::printf("  ended: %s\n", to_string(motion.summary.status).c_str());
  }
}

void compare_rates(const std::string& only) {
  std::printf("\n%-16s %12s %12s %14s %10s %10s\n", "right-hand side", "inlined", "called", "machine code", "/inlined",
              "/called");
  for (const auto* problems : {&motion::problems(), &motion::larger_problems()})
    for (const motion::Problem& problem : *problems) {
      if (problem.t_end == 10 || !(only.empty() || only == problem.name)) continue;  // the double pendulum once
      const cetaev::System system = read(problem);
      const double inlined = problem.rates(budget), called = problem.called_rates(budget),
                   native = native_rates(Ready(system));
      std::printf("%-16s %9.1f ns %9.1f ns %11.1f ns %10.2f %10.2f\n", problem.name, 1e9 * inlined, 1e9 * called,
                  1e9 * native, native / inlined, native / called);
    }
}

// Motions a second: one after the other, and side by side in lanes; the latter also with parameters of their own. From the initial
// state with the velocities, or with one of the parameters, a little different each time.
void compare_batches() {
  std::printf("\n%-16s %6s %14s %14s %8s %14s\n", "batch", "lanes", "one by one", "side by side", "ratio",
              "own parameters");
  for (const motion::Problem& problem : motion::problems()) {
    if (problem.t_end == 100 && problem.coordinates == 2) continue;
    const cetaev::System system = read(problem);
    const cetaev::CompiledMotion motion(system, options_of(problem, Method::taylor, 1e-16));
    const cetaev::BatchMotion batch(motion);
    std::vector<cetaev::State> starts(16, motion.initial());
    for (std::size_t i = 0; i < starts.size(); ++i) {
      for (double& v : starts[i].v) v *= 1 + 0.01 * static_cast<double>(i);
    }
    const std::vector<double> model = cetaev::parameter_values(system);
    std::vector<double> states, parameters;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      states.insert(states.end(), motion.initial().q.begin(), motion.initial().q.end());
      states.insert(states.end(), motion.initial().v.begin(), motion.initial().v.end());
      parameters.insert(parameters.end(), model.begin(), model.end());
      if (!model.empty()) parameters[i * model.size()] *= 1 + 0.01 * static_cast<double>(i);
    }
    double alone = 1e300, together = 1e300, with_parameters = 1e300, spent = 0;
    while (spent < 4 * budget) {
      const auto start = Clock::now();
      for (const cetaev::State& state : starts) {
        Ends ends;
        motion.run(state, ends);
      }
      const auto middle = Clock::now();
      batch.run(starts);
      const auto end = Clock::now();
      batch.run({states, {}, parameters});
      with_parameters = std::min(with_parameters, std::chrono::duration<double>(Clock::now() - end).count());
      alone = std::min(alone, std::chrono::duration<double>(middle - start).count());
      together = std::min(together, std::chrono::duration<double>(end - middle).count());
      spent += std::chrono::duration<double>(end - start).count();
    }
    const auto each = static_cast<double>(starts.size());
    std::printf("%-16s %6u %11.4f ms %11.4f ms %8.2f %11.4f ms\n", problem.name, batch.lanes(), 1e3 * alone / each,
                1e3 * together / each, alone / together, 1e3 * with_parameters / each);
  }
}

// For scipy_motion.py: the times of this run, and what is true.
void print_json() {
  std::printf("[");
  for (const motion::Problem& problem : motion::problems()) {
    const double dop853 = problem.dop853(problem.t_end, 1e-14, budget).seconds;
    const double taylor = best_motion(read(problem), options_of(problem, Method::taylor, 1e-16)).timed.seconds;
    const std::vector<double> reference = problem.reference(problem.t_end);
    std::printf("%s{\"problem\": \"%s\", \"t_end\": %g, \"dop853\": %.9g, \"taylor\": %.9g, \"coordinates\": [",
                &problem == &motion::problems().front() ? "" : ",\n", problem.name, problem.t_end, dop853, taylor);
    for (std::size_t i = 0; i < problem.coordinates; ++i) std::printf("%s%.17g", i ? ", " : "", reference[i]);
    std::printf("]}");
  }
  std::printf("]\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--json") {
    print_json();
    return 0;
  }
  heading();
  const std::string only = argc > 1 ? argv[1] : "";  // the problem of this name
  for (const auto* problems : {&motion::problems(), &motion::larger_problems()})
    for (const motion::Problem& problem : *problems)
      if (only.empty() || only == problem.name) compare(problem);
  compare_rates(only);
  if (!only.empty()) return 0;
  compare_batches();
}
