#include <memory>

#include "cetaev/analysis/workbench.hpp"
#include "cetaev/report/check.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct CheckArguments : ModelOptions {
  std::vector<std::string> forms;
};

int run(const CheckArguments& options) {
  const Workbench bench(load(options));
  const System& system = bench.system();
  const Check& result = bench.check(options.forms.empty() ? Form::multipliers : Form(options.forms.back()));
  const InvariantMeasure measure = invariant_measure(bench.groundwork());
  print(options.json ? to_json(system, result, &measure) : to_text(system, result, &measure));
  return passes(result) ? 0 : 1;
}

}  // namespace

Command check_command() {
  auto options = std::make_shared<CheckArguments>();
  Command command = {
      .name = "check",
      .summary =
          "what kind of system a model describes: constraints, energy, integrals, with the grounds of each verdict",
      .examples = {"cetaev check parallel-velocities"},
      .action = [options] { return run(*options); }};
  add_model_options(command, *options);
  command.add({.names = "--form",
               .shown = "NAME",
               .help = "the principle on whose motions the model's [integrals] are tested",
               .value = choice(form_names(), options->forms)});
  return command;
}

}  // namespace cetaev::app
