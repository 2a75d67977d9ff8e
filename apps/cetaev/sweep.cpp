#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cetaev/ensemble/ensemble.hpp"
#include "cetaev/ensemble/sweep.hpp"
#include "cetaev/report/sweep.hpp"
#include "command.hpp"
#include "progress.hpp"

namespace cetaev::app {

namespace {

struct SweepArguments : ModelOptions {
  std::vector<std::string> vary, observe, merge;
  std::optional<std::string> form, method, device, precision, shard;
  std::optional<double> t_end, tolerance;
  std::optional<long> count, threads, lanes, steps;
  unsigned long seed = 0;
  std::string table, out;
  bool resume = false, no_cache = false, quiet = false;
};

EnsembleOptions ensemble_options(const System& system, const SweepArguments& options) {
  EnsembleOptions result;
  result.motion = default_options(system);
  if (options.form) result.motion.form = parse_form(*options.form);
  if (options.method) result.motion.method = parse_method(*options.method);
  if (options.t_end) result.motion.t_end = *options.t_end;
  if (options.tolerance) result.motion.tolerance = *options.tolerance;
  result.motion.cache = !options.no_cache;
  result.observe = options.observe;
  result.threads = static_cast<unsigned>(options.threads.value_or(0));
  result.lanes = static_cast<unsigned>(options.lanes.value_or(0));
  if (options.device) result.device = parse_device(*options.device);
  result.fixed_steps = static_cast<std::size_t>(options.steps.value_or(0));
  result.single_precision = options.precision == "single";
  return result;
}

int merge(const SweepArguments& options) {
  if (!options.model.empty() || !options.vary.empty() || !options.table.empty())
    throw Error(ErrorCode::bad_model, "--merge joins files: it goes with no model, no --vary and no --table");
  if (options.resume)
    throw Error(
        ErrorCode::bad_model,
        "--merge computes nothing: what is missing in the file that it makes is computed by a --resume of the sweep");
  if (options.out.empty()) throw Error(ErrorCode::bad_model, "--merge needs --out, the file of the whole sweep");
  const SweepOutcome outcome = merge_sweeps(options.merge, options.out);
  if (!outcome.speaks) return 0;  // another rank does
  if (options.json) {
    print(to_json(outcome));
  } else if (!options.quiet) {
    print(to_text(outcome));
  }
  return 0;
}

int run(const SweepArguments& options) {
  if (!options.merge.empty()) return merge(options);
  if (options.model.empty()) throw Error(ErrorCode::bad_model, "a model is missing; see `cetaev sweep --help`");
  const System system = load(options);
  SweepSpecification specification{options.vary, static_cast<std::size_t>(options.count.value_or(0)), options.seed,
                                   options.table};
  const Ensemble ensemble(system, SweepInputs(system, std::move(specification)), ensemble_options(system, options));
  SweepOptions sweep;
  sweep.out = options.out;
  sweep.resume = options.resume;
  if (options.shard) sweep.shard = Shard::parse(*options.shard);
  if (!options.out.empty()) spare_input(options.model, options.out);
  if (!options.out.empty() && !options.table.empty()) spare_input(options.table, options.out);

  Progress progress(!options.quiet);
  const Interruption interruption;
  sweep.progress = [&](std::size_t done, std::size_t of) {
    progress.show(static_cast<double>(done) / static_cast<double>(of), fmt::format("{} of {} motions", done, of));
    return !Interruption::asked();
  };
  const SweepOutcome outcome = run_sweep(ensemble, sweep);
  progress.clear();
  if (!outcome.speaks) return 0;  // another rank does
  if (options.json) {
    print(to_json(outcome));
  } else if (!options.quiet) {
    print(to_text(outcome));
  }
  return 0;
}

}  // namespace

Command sweep_command() {
  auto options = std::make_shared<SweepArguments>();
  Command command = {
      .name = "sweep",
      .summary = "many motions: over grids, lists, random values or a table of parameters and initial values",
      .examples = {"cetaev sweep skate --vary \"slope=0.1:1:100\" --observe \"max(x)\" --out skate.h5",
                   "cetaev sweep double-pendulum --vary \"theta1=uniform(-pi, pi)\" --count 10000 --out p.h5"},
      .action = [options] { return run(*options); }};
  command.add({.names = "MODEL",
               .help = "a model file, or the name of a gallery model",
               .value = text(options->model, Value::Kind::model)});
  command.add({.names = "--set",
               .shown = "NAME=VALUE",
               .help = "override a parameter, x or x' of the initial state, or t; without VALUE, unset it",
               .value = text(options->settings)});
  command.add(json_option(options->json));
  command.add({.names = "--vary",
               .shown = "SPEC",
               .help = "what differs: NAME=FROM:TO:COUNT, NAME=log(FROM:TO:COUNT), NAME=[1, 2, 5], NAME=uniform(A, B), "
                       "NAME=normal(M, S) or NAME=sobol(A, B); several grids multiply",
               .value = text(options->vary)});
  command.add({.names = "--table",
               .shown = "FILE.csv",
               .help = "a column for each name and a row for each motion, instead of --vary",
               .value = input_file({".csv"}, options->table)});
  command.add({.names = "--count",
               .shown = "N",
               .help = "draws of the random values, at every point of the grids",
               .value = number(options->count, 1)});
  command.add({.names = "--seed",
               .shown = "S",
               .help = "of the random values; with 0 the points of sobol are not shifted",
               .value = number(options->seed),
               .preset = "0"});
  command.add({.names = "--observe",
               .shown = "OBS",
               .help =
                   "an expression at the end; max(…), min(…) or mean(…) along the motion; time(EVENT); at(…, EVENT); "
                   "the last state when absent",
               .value = text(options->observe)});
  std::vector<std::string> forms = form_names();
  forms.insert(forms.begin(), "auto");
  command.add({.names = "--form",
               .shown = "NAME",
               .help = "the principle to integrate; auto is the cheapest regular one",
               .value = choice(forms, options->form),
               .preset = "auto"});
  command.add({.names = "--t-end",
               .shown = "T",
               .help = "the time at which the motions end",
               .value = number(options->t_end),
               .preset = "10"});
  add_accuracy_options(command, options->method, options->tolerance);
  command.add({.names = "--threads",
               .shown = "N",
               .help = "threads; as many as this process may use when absent",
               .value = number(options->threads, 1)});
  command.add(
      {.names = "--lanes",
       .shown = "N",
       .help = "motions that a thread has side by side, up to the lanes of the processor; the result is the same",
       .value = number(options->lanes, 1)});
  command.add({.names = "--device",
               .shown = "NAME",
               .help = "what computes the motions",
               .value = choice(device_names(), options->device),
               .preset = "cpu"});
  command.add(
      {.names = "--steps",
       .shown = "N",
       .help = "on a GPU: N equal steps of the classical Runge–Kutta method in place of steps that keep the tolerance",
       .value = number(options->steps, 1)});
  command.add({.names = "--precision",
               .shown = "NAME",
               .help = "of the numbers on a GPU; single, of seven digits, goes with --steps",
               .value = choice({"double", "single"}, options->precision),
               .preset = "double"});
  command.add({.names = "--out",
               .shown = "FILE",
               .help = "inputs, outputs and statuses, written while they are computed: FILE.h5 or FILE.csv",
               .value = output_file({".h5", ".csv"}, options->out)});
  command.add({.names = "--resume", .help = "go on with what is missing in the file", .value = flag(options->resume)});
  command.add({.names = "--shard",
               .shown = "K/N",
               .help = "only the K-th of N parts, into a file of its own beside FILE, for --merge",
               .value = text(options->shard)});
  Value parts = text(options->merge);
  parts.in_a_row = true;
  command.add({.names = "--merge",
               .shown = "FILE…",
               .help = "no motions: join these parts of one sweep into the file of --out",
               .value = parts});
  command.add({.names = "--no-cache",
               .help = "keep no machine code on disk and use none from there",
               .value = flag(options->no_cache)});
  command.add({.names = "--quiet", .help = "no progress and no summary", .value = flag(options->quiet)});
  return command;
}

}  // namespace cetaev::app
