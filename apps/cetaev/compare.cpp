#include "cetaev/formulation/compare.hpp"

#include <cmath>
#include <memory>
#include <optional>

#include "cetaev/integrate/compare_motions.hpp"
#include "cetaev/report/json.hpp"
#include "cetaev/report/motion.hpp"
#include "cetaev/report/text.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct Options : ModelOptions {
  std::vector<std::string> forms;
  ComparisonOptions comparison;
  std::optional<double> t_end;
  std::optional<std::string> method;
  double threshold = 1e-8;
};

std::optional<MotionComparison> along_the_motion(const System& system, const Options& options) {
  if (!options.t_end) return std::nullopt;
  MotionOptions motion = default_options(system);
  motion.t_end = *options.t_end;
  if (options.method) motion.method = parse_method(*options.method);
  if (!std::isfinite(motion.t_end)) throw Error(ErrorCode::bad_model, "--t-end needs a finite time");
  if (!(options.threshold > 0)) throw Error(ErrorCode::bad_model, "--threshold needs a positive number");
  return compare_motions(system, options.forms[0], options.forms[1], motion, options.threshold);
}

int run(const Options& options) {
  if (options.forms.size() != 2)
    throw Error(ErrorCode::bad_model, "compare needs exactly two forms: --form A --form B");
  const System system = load(options);
  const Comparison comparison = compare(system, options.forms[0], options.forms[1], options.comparison);
  const std::optional<MotionComparison> motion = along_the_motion(system, options);
  const MotionComparison* along = motion ? &*motion : nullptr;
  print(options.json ? to_json(system, comparison, along)
                     : to_text(system, comparison) + (along != nullptr ? to_text(system, *along) : ""));
  return comparison.agree() && (along == nullptr || along->agree()) ? 0 : 1;
}

}  // namespace

void add_compare(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("compare", "where two principles agree and by how much they differ");
  auto options = std::make_shared<Options>();
  add_model_options(*command, *options);
  add_form_option(*command, options->forms, "one of the two principles (give it twice)");
  command->add_option("--states", options->comparison.states, "how many random admissible states to compare at")
      ->check(is_whole_number)
      ->capture_default_str();
  command
      ->add_option("--seed", options->comparison.seed,
                   "where the random states begin; the same seed gives the same states")
      ->check(is_whole_number)
      ->capture_default_str();
  command
      ->add_option("--tolerance", options->comparison.tolerance,
                   "largest difference, relative to the accelerations (or to 1), that counts as agreement")
      ->check(is_number)
      ->capture_default_str();
  command
      ->add_option("--t-end", options->t_end,
                   "compare the motions too, from the initial state to this time, and find when they part")
      ->type_name("T")
      ->check(is_number);
  command
      ->add_option("--threshold", options->threshold,
                   "difference of positions or velocities, relative to the state (or to 1), at which motions part")
      ->check(is_number)
      ->capture_default_str();
  command->add_option("--method", options->method, "of integration, with --t-end: taylor, dop853, adams or bdf")
      ->type_name("NAME")
      ->check(CLI::IsMember(method_names()));
  command->footer("Example: cetaev compare rolling-disc --form voronec --form reduced");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace cetaev::app
