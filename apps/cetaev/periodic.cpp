#include "cetaev/stability/periodic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cetaev/detail/output/existing.hpp"
#include "cetaev/report/beside.hpp"
#include "cetaev/report/plot.hpp"
#include "command.hpp"
#include "progress.hpp"

namespace cetaev::app {

namespace {

struct PeriodicArguments : ModelOptions {
  std::optional<std::string> method;
  std::optional<double> tolerance;
  std::string period, out;
  std::vector<std::string> vary, hold;
  bool quiet = false;
};

void write(const System& system, const PeriodicBranch& branch, const std::string& out) {
  if (out.ends_with(".h5")) return write_branch(system, branch, out);
  if (!is_figure(out)) return write_text(out, to_csv(system, branch));
  const MotionTable table = to_table(system, branch);
  PlotOptions plot;
  plot.x = branch.name;
  plot.y.assign(table.names.begin() + 1, table.names.end());
  (void)draw_plot(table, plot, out);
}

int follow(const PeriodicArguments& options, const System& system, const MotionOptions& motion) {
  if (options.vary.size() > 1)
    throw Error(ErrorCode::bad_model, "periodic motions are followed along one name; --vary is given more than once");
  if (!options.out.empty()) {
    if (!is_figure(options.out) && !options.out.ends_with(".csv") && !options.out.ends_with(".h5"))
      throw Error(ErrorCode::bad_model,
                  "--out is FILE.csv, FILE.h5, FILE.svg, FILE.pdf or FILE.png, not '" + options.out + "'");
    spare_input(options.model, options.out);
    output::require_folder(options.out);
  }
  const Along along = Along::parse(options.vary.front());
  Progress progress(!options.quiet);
  BranchOptions branch{.motion = motion, .period = options.period, .hold = options.hold, .progress = {}};
  branch.progress = [&](std::size_t points, double value) {
    const double part = (value - along.from) / (along.to - along.from);
    progress.show(std::clamp(part, 0.0, 1.0), fmt::format("{} motions, {} = {:.6g}", points, along.name, value));
    return !Interruption::asked();
  };
  const PeriodicBranch found = follow_periodic(system, along, branch);
  if (!options.out.empty()) write(system, found, options.out);
  print(options.json ? to_json(system, found) : to_text(system, found));
  return 0;
}

int run(const PeriodicArguments& options) {
  const System system = load(options);
  if (options.period.empty()) throw Error(ErrorCode::bad_model, "periodic needs --period T, a time near the period");
  MotionOptions motion = default_options(system);
  if (options.method) motion.method = parse_method(*options.method);
  if (options.tolerance) motion.tolerance = *options.tolerance;
  const Interruption interruption;
  motion.keep_going = [](double) { return !Interruption::asked(); };
  if (!options.vary.empty()) return follow(options, system, motion);
  if (!options.out.empty() || !options.hold.empty())
    throw Error(ErrorCode::bad_model,
                "--out and --hold are for motions along --vary NAME=FROM:TO:COUNT, which is not given");
  const PeriodicMotion found = find_periodic(system, period_of(system, options.period), motion);
  print(options.json ? to_json(system, found) : to_text(system, found));
  return 0;
}

}  // namespace

Command periodic_command() {
  auto options = std::make_shared<PeriodicArguments>();
  Command command = {.name = "periodic",
                     .summary = "a motion that comes back to where it began, and whether those near by stay near",
                     .examples = {"cetaev periodic pendulum --period 2",
                                  "cetaev periodic pendulum --period 2 --vary E=-9:9:37 --out pendulum.svg"},
                     .action = [options] { return run(*options); }};
  add_model_options(command, *options);
  command.add({.names = "--period",
               .shown = "T",
               .help = "a time near the period; the period itself where time stands in the equations. A number, or an "
                       "expression of parameters, as 2*pi/W",
               .value = text(options->period)});
  command.add({.names = "--vary",
               .shown = "NAME=FROM:TO:COUNT",
               .help = "periodic motions along a parameter, an initial value, E or period, round folds, with what "
                       "happens on the way",
               .value = text(options->vary)});
  command.add({.names = "--hold",
               .shown = "NAME,…",
               .help = "of E, period and initial values, those that stay the same along --vary, where periodic motions "
                       "come in families",
               .value = names(options->hold)});
  command.add(
      {.names = "--out",
       .shown = "FILE",
       .help = "the motions along --vary: numbers in FILE.csv or FILE.h5, a figure in FILE.svg, FILE.pdf or FILE.png",
       .value = output_file({".csv", ".h5", ".svg", ".pdf", ".png"}, options->out)});
  add_accuracy_options(command, options->method, options->tolerance);
  command.add({.names = "--quiet", .help = "no progress", .value = flag(options->quiet)});
  return command;
}

}  // namespace cetaev::app
