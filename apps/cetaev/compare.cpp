#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "cetaev/analysis/two_models.hpp"
#include "cetaev/analysis/workbench.hpp"
#include "cetaev/integrate/compare_motions.hpp"
#include "cetaev/report/json.hpp"
#include "cetaev/report/motion.hpp"
#include "cetaev/report/text.hpp"
#include "cetaev/report/two_models.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct CompareArguments : ModelOptions {
  std::string other;  // model
  std::vector<std::string> map;
  std::vector<std::string> forms;
  ComparisonOptions comparison;
  std::optional<double> t_end;
  std::optional<std::string> method;
  double threshold = 1e-8;
};

std::optional<MotionComparison> along_the_motion(const System& system, const CompareArguments& options) {
  if (!options.t_end) return std::nullopt;
  MotionOptions motion = default_options(system);
  motion.t_end = *options.t_end;
  if (options.method) motion.method = parse_method(*options.method);
  if (!std::isfinite(motion.t_end)) throw Error(ErrorCode::bad_model, "--t-end needs a finite time");
  if (!(options.threshold > 0)) throw Error(ErrorCode::bad_model, "--threshold needs a positive number");
  return compare_motions(system, options.forms[0], options.forms[1], motion, options.threshold);
}

// Of two models.
int run_models(const CompareArguments& options) {
  if (options.forms.size() > 2) throw Error(ErrorCode::bad_model, "--form is given twice at most: of MODEL, of OTHER");
  const System first = load(options);
  ModelOptions other;
  other.model = options.other;
  const System second = load(other);
  TwoModelsOptions two;
  two.at_states = options.comparison;
  two.t_end = options.t_end;
  two.threshold = options.threshold;
  if (!options.forms.empty()) two.first = two.second = options.forms.front();
  if (options.forms.size() == 2) two.second = options.forms.back();
  if (options.method) two.method = parse_method(*options.method);
  if (!(options.threshold > 0)) throw Error(ErrorCode::bad_model, "--threshold needs a positive number");
  const TwoModels found = compare_models(first, second, options.map, two);
  const System& to = CoordinateMap(first, second, options.map).from_first() ? second : first;
  print(options.json ? to_json(to, found) : to_text(to, found));
  return found.agree() && (!found.motions || found.motions->agree()) ? 0 : 1;
}

int run(const CompareArguments& options) {
  if (!options.other.empty()) return run_models(options);
  if (!options.map.empty())
    throw Error(ErrorCode::bad_model, "--map is one of two models: cetaev compare A B --map \"NAME = EXPR\"");
  if (options.forms.size() != 2)
    throw Error(ErrorCode::bad_model, "compare needs exactly two forms: --form A --form B");
  const Workbench bench(load(options));
  const System& system = bench.system();
  const Comparison& comparison = bench.compare(options.forms[0], options.forms[1], options.comparison);
  const std::optional<MotionComparison> motion = along_the_motion(system, options);
  const MotionComparison* along = motion ? &*motion : nullptr;
  print(options.json ? to_json(system, comparison, along)
                     : to_text(system, comparison) + (along != nullptr ? to_text(system, *along) : ""));
  return comparison.agree() && (along == nullptr || along->agree()) ? 0 : 1;
}

}  // namespace

Command compare_command() {
  auto options = std::make_shared<CompareArguments>();
  ComparisonOptions& comparison = options->comparison;
  Command command = {.name = "compare",
                     .summary = "where two principles, or two models, agree and by how much they differ",
                     .examples = {"cetaev compare rolling-disc --form voronec --form reduced"},
                     .action = [options] { return run(*options); }};
  add_model_options(command, *options);
  command.add(
      {.names = "OTHER",
       .help = "another model: do the motions of one, seen in the coordinates of the other, agree with those of that",
       .value = text(options->other, Value::Kind::model)});
  add_map_option(command, options->map);
  add_trial_options(command, *options);
  command.add({.names = "--form",
               .shown = "NAME",
               .help = "one of the two principles: give it twice",
               .value = choice(form_names(), options->forms)});
  command.add({.names = "--states",
               .shown = "N",
               .help = "how many random admissible states to compare at",
               .value = number(comparison.states),
               .preset = fmt::format("{}", comparison.states)});
  command.add({.names = "--seed",
               .shown = "N",
               .help = "where the random states begin; the same seed gives the same states",
               .value = number(comparison.seed),
               .preset = fmt::format("{}", comparison.seed)});
  command.add({.names = "--tolerance",
               .shown = "TOL",
               .help = "largest difference, relative to the accelerations (or to 1), that counts as agreement",
               .value = number(comparison.tolerance),
               .preset = fmt::format("{}", comparison.tolerance)});
  command.add({.names = "--t-end",
               .shown = "T",
               .help = "compare the motions too, from the initial state to this time, and find when they part",
               .value = number(options->t_end)});
  command.add({.names = "--threshold",
               .shown = "X",
               .help = "difference of positions or velocities, relative to the state (or to 1), at which motions part",
               .value = number(options->threshold),
               .preset = fmt::format("{}", options->threshold)});
  command.add({.names = "--method",
               .shown = "NAME",
               .help = "the method of integration, with --t-end",
               .value = choice(method_names(), options->method),
               .preset = "auto"});
  return command;
}

}  // namespace cetaev::app
