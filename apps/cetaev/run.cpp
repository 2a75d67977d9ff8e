#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

#include "cetaev/formulation/formulation.hpp"
#include "cetaev/integrate/motion.hpp"
#include "cetaev/model/caret.hpp"
#include "cetaev/output/motion_file.hpp"
#include "cetaev/output/samples.hpp"
#include "cetaev/report/motion.hpp"
#include "command.hpp"
#include "progress.hpp"

namespace cetaev::app {

namespace {

struct RunArguments : ModelOptions {
  std::optional<std::string> form, method, backend;
  std::optional<double> t_end, tolerance;
  std::optional<long> samples;
  std::string out, section;
  std::vector<std::string> variations;
  bool trajectory = false, through_singular = false, no_cache = false, quiet = false;
};

// What the command line says, else what the model says, else the defaults.
MotionOptions motion_options(const System& system, const RunArguments& options) {
  MotionOptions motion = default_options(system);
  if (options.form) motion.form = parse_form(*options.form);
  if (options.method) motion.method = parse_method(*options.method);
  if (options.backend) motion.backend = parse_backend(*options.backend);
  if (options.t_end) motion.t_end = *options.t_end;
  if (options.tolerance) motion.tolerance = *options.tolerance;
  if (options.samples) motion.samples = static_cast<std::size_t>(*options.samples);
  motion.variations = options.variations;
  motion.through_singular = options.through_singular;
  motion.cache = !options.no_cache;
  if (!std::isfinite(motion.t_end)) throw Error(ErrorCode::bad_model, "--t-end needs a finite time");
  if (motion.samples < 2 || motion.samples > 1'000'000'000)
    throw Error(ErrorCode::bad_model, "--samples needs a whole number from 2 to 1000000000");
  return motion;
}

std::size_t event_number(const System& system, const std::string& name) {
  std::string list;
  for (std::size_t i = 0; i < system->events.size(); ++i) {
    if (system->events[i].name == name) return i;
    list += (list.empty() ? "" : ", ") + system->events[i].name;
  }
  throw Error(ErrorCode::bad_model, fmt::format("the model has no event '{}'; {}", name,
                                                list.empty() ? "it has no [events] at all" : "there are " + list));
}

// Where the states of the motion go. Those of a section take the place of the samples.
class Outlets {
 public:
  Outlets(const System& system, const RunArguments& options, const MotionOptions& motion)
      : events_(system), kept_(system), options_(options) {
    all_.add(events_);
    if (!options.section.empty()) section_.emplace(event_number(system, options.section), passed_on_);
    if (!options.out.empty()) spare_input(options.model, options.out);
    if (!options.out.empty()) file_ = open_motion_file(system, motion, options.out);
    to_stdout_ = !options.json && options.out.empty() && (options.trajectory || section_);
    if (to_stdout_) file_ = open_csv(system, "-", motion.variations);
    if (file_) passed_on_.add(*file_);
    keep_ = options.json && (options.trajectory || (section_ && options.out.empty()));
    if (keep_ && section_) passed_on_.add(kept_);
    if (section_) all_.add(*section_);
    if (!section_ && file_) all_.add(*file_);
    if (!section_ && keep_) all_.add(kept_);
  }

  Recorder& recorder() { return all_; }
  void finish(const MotionSummary& summary) {
    if (file_) file_->finish(summary);
  }
  bool to_stdout() const { return to_stdout_; }

  MotionRecord record() const {
    MotionRecord record;
    record.events = &events_;
    record.out = options_.out;
    record.section_event = options_.section;
    if (keep_) (section_ ? record.section : record.trajectory) = &kept_.samples();
    return record;
  }

 private:
  EventLog events_;
  SampleRecorder kept_;
  const RunArguments& options_;
  std::unique_ptr<MotionFile> file_;
  Recorders all_, passed_on_;
  std::optional<Section> section_;
  bool to_stdout_ = false, keep_ = false;
};

int run(const RunArguments& options) {
  const System system = load(options);
  MotionOptions motion = motion_options(system, options);
  motion.once = true;
  Outlets outlets(system, options, motion);
  Progress progress(!options.quiet);
  const Interruption interruption;
  motion.keep_going = until_interrupted(progress, motion.t_end);
  const MotionSummary summary = run_motion(system, motion, outlets.recorder());
  progress.clear();
  outlets.finish(summary);

  const MotionRecord record = outlets.record();
  if (options.json) {
    print(to_json(system, summary, record));
  } else if (!options.quiet) {
    const std::string text = to_text(system, summary, record);
    if (outlets.to_stdout()) {
      std::fputs(text.c_str(), stderr);
    } else {
      print(text);
    }
  }
  if (summary.status == MotionStatus::failed && summary.diagnosis)
    std::fputs(caret_text(*summary.diagnosis).c_str(), stderr);
  return exit_code(summary);
}

}  // namespace

Command run_command() {
  auto options = std::make_shared<RunArguments>();
  Command command = {.name = "run",
                     .summary = "the motion from the initial state",
                     .examples = {"cetaev run skate --t-end 20 --out skate.csv"},
                     .action = [options] { return run(*options); }};
  add_model_options(command, *options);
  add_trial_options(command, *options);
  add_motion_options(command, options->form, options->t_end, options->samples);
  add_accuracy_options(command, options->method, options->tolerance);
  command.add({.names = "--backend",
               .shown = "NAME",
               .help = "what computes the equations",
               .value = choice(backend_names(), options->backend),
               .preset = "jit"});
  command.add({.names = "--out",
               .shown = "FILE",
               .help = "write the samples here while they are computed: FILE.csv or FILE.h5",
               .value = output_file({".csv", ".h5"}, options->out)});
  command.add({.names = "--trajectory",
               .help = "the samples on stdout too: in the JSON, or else as CSV",
               .value = flag(options->trajectory)});
  command.add({.names = "--section",
               .shown = "EVENT",
               .help = "the states at this event of the model instead of the samples",
               .value = text(options->section)});
  command.add({.names = "--variations",
               .shown = "NAME,…",
               .help = "differentiate the motion by these initial values and parameters on its way",
               .value = names(options->variations)});
  command.add({.names = "--through-singular",
               .help = "go on beyond a singular set where a projected step exists",
               .value = flag(options->through_singular)});
  command.add({.names = "--no-cache",
               .help = "keep no machine code on disk and use none from there",
               .value = flag(options->no_cache)});
  command.add({.names = "--quiet", .help = "no progress and no summary", .value = flag(options->quiet)});
  return command;
}

}  // namespace cetaev::app
