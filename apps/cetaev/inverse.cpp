#include "cetaev/analysis/inverse.hpp"

#include <cmath>
#include <memory>

#include "cetaev/model/caret.hpp"
#include "cetaev/report/inverse.hpp"
#include "cetaev/report/motion.hpp"
#include "command.hpp"
#include "progress.hpp"

namespace cetaev::app {

namespace {

struct InverseArguments : ModelOptions {
  std::string motion, out;
  std::optional<double> t_end, tolerance;
  std::optional<long> samples;
};

InverseDynamics answer(const System& system, const InverseArguments& options) {
  if (!options.motion.empty()) {
    std::vector<std::string> wanted = {"t"};
    for (const std::string& x : system->coordinates) wanted.insert(wanted.end(), {x, x + "'"});
    return inverse_dynamics(system, read_motion(options.motion, wanted), options.motion,
                            options.tolerance.value_or(MotionOptions().tolerance));
  }
  MotionOptions motion = default_options(system);
  motion.once = true;
  motion.samples = 101;
  if (options.t_end) motion.t_end = *options.t_end;
  if (options.tolerance) motion.tolerance = *options.tolerance;
  if (options.samples) motion.samples = static_cast<std::size_t>(*options.samples);
  if (!std::isfinite(motion.t_end)) throw Error(ErrorCode::bad_model, "--t-end needs a finite time");
  if (motion.samples < 2 || motion.samples > 10'000'000)
    throw Error(ErrorCode::bad_model, "--samples needs a whole number from 2 to 10000000");
  const Interruption interruption;
  motion.keep_going = [](double) { return !Interruption::asked(); };
  return inverse_dynamics(system, motion);
}

int run(const InverseArguments& options) {
  if (options.along.empty() == options.motion.empty())
    throw Error(ErrorCode::bad_model, options.along.empty()
                                          ? "inverse needs a motion to follow: --along \"x = sin(t)\", or --motion FILE"
                                          : "a motion is given by --along or by --motion, not by both");
  for (const auto& [name, given] :
       {std::pair("--t-end", options.t_end.has_value()), {"--samples", options.samples.has_value()}})
    if (given && !options.motion.empty())
      throw Error(
          ErrorCode::bad_model,
          std::string(name) +
              " says how far a motion of --along is followed; a file is followed at its own samples: leave it out");
  if (!options.out.empty() && !options.out.ends_with(".csv"))
    throw Error(ErrorCode::bad_model, "--out writes a table of the name FILE.csv; '" + options.out + "' is none");
  const System system = load(options);
  if (!options.out.empty()) spare_input(options.model, options.out);
  if (!options.out.empty() && !options.motion.empty()) spare_input(options.motion, options.out);
  const InverseDynamics found = answer(system, options);
  if (!options.out.empty()) write_text(options.out, to_csv(system, found));
  print(options.json ? to_json(system, found) : to_text(system, found));
  if (found.summary.status == MotionStatus::failed && found.summary.diagnosis)
    std::fputs(caret_text(*found.summary.diagnosis).c_str(), stderr);
  return exit_code(found.summary);
}

}  // namespace

Command inverse_command() {
  auto options = std::make_shared<InverseArguments>();
  Command command = {
      .name = "inverse",
      .summary = "the forces or torques that make a system follow a given motion",
      .examples = {"cetaev inverse double-pendulum --along \"theta1 = sin(t)\" --along \"theta2 = t^2\""},
      .action = [options] { return run(*options); }};
  add_model_options(command, *options);
  command.add({.names = "--along",
               .shown = "EQUATION",
               .help = "an equation of positions and time to be followed: \"x = sin(t)\", \"P = [cos(t), 0, 1]\"",
               .value = text(options->along)});
  command.add({.names = "--motion",
               .shown = "FILE",
               .help = "follow the motion in this file, as run --out writes it: FILE.csv or FILE.h5",
               .value = input_file({".csv", ".h5"}, options->motion)});
  command.add({.names = "--t-end",
               .shown = "T",
               .help = "the time up to which it is followed",
               .value = number(options->t_end),
               .preset = "10"});
  command.add({.names = "--samples",
               .shown = "N",
               .help = "instants at which the forces are given",
               .value = number(options->samples),
               .preset = "101"});
  command.add({.names = "--tolerance",
               .shown = "TOL",
               .help = "accuracy of what moves by itself, or of the motion in the file",
               .value = number(options->tolerance),
               .preset = "1e-14"});
  command.add({.names = "--out",
               .shown = "FILE",
               .help = "write the motion and the forces here: FILE.csv",
               .value = output_file({".csv"}, options->out)});
  return command;
}

}  // namespace cetaev::app
