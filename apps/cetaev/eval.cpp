#include <memory>

#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/model/caret.hpp"
#include "cetaev/report/json.hpp"
#include "cetaev/report/text.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct Options : ModelOptions {
  std::vector<std::string> forms;
};

int run(const Options& options) {
  const System system = load(options);
  const Evaluation evaluation = evaluate(system);
  print(options.json ? to_json(system, evaluation) : to_text(system, evaluation));
  if (!evaluation.multipliers_error) return 0;
  std::fputs(caret_text(*evaluation.multipliers_error).c_str(), stderr);
  return exit_code(evaluation.multipliers_error->code());
}

}  // namespace

void add_eval(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("eval", "accelerations, multipliers and residuals at the initial state");
  auto options = std::make_shared<Options>();
  add_model_options(*command, *options);
  command->add_option("--form", options->forms, "the principle to use (repeatable; default: all)")
      ->type_name("NAME")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all()
      ->check(CLI::IsMember({"multipliers"}));
  command->footer("Example: cetaev eval skate --set \"phi'=2\" --json");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace cetaev::app
