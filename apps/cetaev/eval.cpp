#include <algorithm>
#include <memory>

#include "cetaev/analysis/workbench.hpp"
#include "cetaev/model/caret.hpp"
#include "cetaev/report/json.hpp"
#include "cetaev/report/text.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct EvalArguments : ModelOptions {
  std::vector<std::string> forms;
  bool propose_auxiliary = false, zero_relations = false;
};

int run(const EvalArguments& options) {
  if (options.zero_relations && !options.propose_auxiliary)
    throw Error(ErrorCode::bad_model, "--zero-relations needs --propose-auxiliary");
  if (options.propose_auxiliary && !options.forms.empty() &&
      std::ranges::find(options.forms, "mvm2") == options.forms.end())
    throw Error(ErrorCode::bad_model,
                "--propose-auxiliary belongs to mvm2: add --form mvm2, or leave --form out to see all forms");
  const Workbench bench(load(options));
  const System& system = bench.system();
  const std::vector<Form> forms(options.forms.begin(), options.forms.end());
  const Workbench::AtState& here = bench.at_initial({forms, options.propose_auxiliary, options.zero_relations});
  const Error* error = here.evaluation.failure(forms);
  const Evaluation evaluation = here.evaluation.asked_for(forms);
  print(options.json ? to_json(system, evaluation, here.energy, error) : to_text(system, evaluation, here.energy));
  if (error == nullptr) return 0;
  std::fputs(caret_text(*error).c_str(), stderr);
  return exit_code(error->code());
}

}  // namespace

Command eval_command() {
  auto options = std::make_shared<EvalArguments>();
  Command command = {.name = "eval",
                     .summary = "accelerations under every principle, multipliers and residuals at the initial state",
                     .examples = {"cetaev eval skate --set \"phi'=2\" --json"},
                     .action = [options] { return run(*options); }};
  add_model_options(command, *options);
  add_trial_options(command, *options);
  command.add({.names = "--form",
               .shown = "NAME",
               .help = "the principle to use; all when none is named",
               .value = choice(form_names(), options->forms)});
  command.add({.names = "--propose-auxiliary",
               .help = "look for auxiliary functions with which mvm2 gives the d'Alembert-Lagrange motion",
               .value = flag(options->propose_auxiliary)});
  command.add({.names = "--zero-relations",
               .help = "with --propose-auxiliary: only those whose transpositional relations are zero",
               .value = flag(options->zero_relations)});
  return command;
}

}  // namespace cetaev::app
