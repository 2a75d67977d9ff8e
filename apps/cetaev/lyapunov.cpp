#include <memory>

#include "cetaev/report/beside.hpp"
#include "cetaev/stability/chaos.hpp"
#include "command.hpp"
#include "progress.hpp"

namespace cetaev::app {

namespace {

struct LyapunovArguments : ModelOptions {
  std::optional<std::string> method;
  std::optional<double> t_end, tolerance;
  bool quiet = false;
};

int run(const LyapunovArguments& options) {
  const System system = load(options);
  MotionOptions motion = default_options(system);
  if (options.method) motion.method = parse_method(*options.method);
  motion.t_end = options.t_end.value_or(motion.t_end);
  if (options.tolerance) motion.tolerance = *options.tolerance;
  Progress progress(!options.quiet);
  const Interruption interruption;
  motion.keep_going = until_interrupted(progress, motion.t_end);
  const LyapunovSpectrum found = lyapunov(system, motion);
  progress.clear();
  print(options.json ? to_json(system, found) : to_text(system, found));
  return 0;
}

}  // namespace

Command lyapunov_command() {
  auto options = std::make_shared<LyapunovArguments>();
  Command command = {.name = "lyapunov",
                     .summary = "Lyapunov exponents: how fast motions that begin beside each other part",
                     .examples = {"cetaev lyapunov double-pendulum --t-end 200"},
                     .action = [options] { return run(*options); }};
  add_model_options(command, *options);
  command.add({.names = "--t-end",
               .shown = "T",
               .help = "how long to follow the motion: the longer, the less uncertain they are",
               .value = number(options->t_end),
               .preset = "10"});
  add_accuracy_options(command, options->method, options->tolerance);
  command.add({.names = "--quiet", .help = "no progress", .value = flag(options->quiet)});
  return command;
}

}  // namespace cetaev::app
