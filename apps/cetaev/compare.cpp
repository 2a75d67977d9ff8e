#include "cetaev/formulation/compare.hpp"

#include <memory>

#include "cetaev/report/json.hpp"
#include "cetaev/report/text.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct Options : ModelOptions {
  std::vector<std::string> forms;
  ComparisonOptions comparison;
};

int run(const Options& options) {
  if (options.forms.size() != 2)
    throw Error(ErrorCode::bad_model, "compare needs exactly two forms: --form A --form B");
  const System system = load(options);
  const Comparison comparison = compare(system, options.forms[0], options.forms[1], options.comparison);
  print(options.json ? to_json(system, comparison) : to_text(system, comparison));
  return comparison.agree() ? 0 : 1;
}

}  // namespace

void add_compare(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("compare", "where two principles agree and by how much they differ");
  auto options = std::make_shared<Options>();
  add_model_options(*command, *options);
  add_form_option(*command, options->forms, "one of the two principles (give it twice)");
  command->add_option("--states", options->comparison.states, "how many random admissible states to compare at")
      ->capture_default_str();
  command
      ->add_option("--seed", options->comparison.seed,
                   "where the random states begin; the same seed gives the same states")
      ->capture_default_str();
  command
      ->add_option("--tolerance", options->comparison.tolerance,
                   "largest difference, relative to the accelerations (or to 1), that counts as agreement")
      ->capture_default_str();
  command->footer("Example: cetaev compare rolling-disc --form voronec --form reduced");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace cetaev::app
