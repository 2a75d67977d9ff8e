#include <memory>

#include "cetaev/report/check.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct Options : ModelOptions {
  std::vector<std::string> forms;
};

int run(const Options& options) {
  const System system = load(options);
  const Check result = check(system, options.forms.empty() ? Form::multipliers : Form(options.forms.back()));
  print(options.json ? to_json(system, result) : to_text(system, result));
  return passes(result) ? 0 : 1;
}

}  // namespace

void add_check(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand(
      "check",
      "what kind of system a model describes: constraints, energy, integrals, with the grounds of each verdict");
  auto options = std::make_shared<Options>();
  add_model_options(*command, *options);
  add_form_option(*command, options->forms, "the principle on whose motions the model's [integrals] are tested");
  command->footer("Example: cetaev check parallel-velocities");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace cetaev::app
