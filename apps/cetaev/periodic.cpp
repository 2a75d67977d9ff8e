#include "cetaev/stability/periodic.hpp"

#include <memory>

#include "cetaev/report/beside.hpp"
#include "command.hpp"
#include "progress.hpp"

namespace cetaev::app {

namespace {

struct PeriodicArguments : ModelOptions {
  std::optional<std::string> method;
  std::optional<double> period, tolerance;
};

int run(const PeriodicArguments& options) {
  const System system = load(options);
  if (!options.period) throw Error(ErrorCode::bad_model, "periodic needs --period T, a time near the period");
  MotionOptions motion = default_options(system);
  if (options.method) motion.method = parse_method(*options.method);
  if (options.tolerance) motion.tolerance = *options.tolerance;
  const Interruption interruption;
  motion.keep_going = [](double) { return !Interruption::asked(); };
  const PeriodicMotion found = find_periodic(system, *options.period, motion);
  print(options.json ? to_json(system, found) : to_text(system, found));
  return 0;
}

}  // namespace

Command periodic_command() {
  auto options = std::make_shared<PeriodicArguments>();
  Command command = {.name = "periodic",
                     .summary = "a motion that comes back to where it began, and whether those near by stay near",
                     .examples = {"cetaev periodic pendulum --period 2"},
                     .action = [options] { return run(*options); }};
  add_model_options(command, *options);
  command.add({.names = "--period",
               .shown = "T",
               .help = "a time near the period; the period itself where time stands in the equations",
               .value = number(options->period)});
  add_accuracy_options(command, options->method, options->tolerance);
  return command;
}

}  // namespace cetaev::app
