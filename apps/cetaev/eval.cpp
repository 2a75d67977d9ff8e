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
  bool propose_auxiliary = false;
};

// `multipliers` and the forms that were named must have values.
const Error* failure(const Evaluation& evaluation, const std::vector<Form>& forms) {
  for (const FormResult& result : evaluation.forms) {
    const bool named = std::find(forms.begin(), forms.end(), result.form) != forms.end();
    if (result.error && (named || (forms.empty() && result.form == Form::multipliers))) return &*result.error;
  }
  return nullptr;
}

int run(const EvalArguments& options) {
  const Workbench bench(load(options));
  const System& system = bench.system();
  const std::vector<Form> forms(options.forms.begin(), options.forms.end());
  const Workbench::AtState& here = bench.at_initial({forms, options.propose_auxiliary});
  Evaluation evaluation = here.evaluation;
  const Error* error = failure(evaluation, forms);
  if (!forms.empty() && std::find(forms.begin(), forms.end(), Form::multipliers) == forms.end()) {
    // computed as the reference of the others, not asked for
    if (error == nullptr)
      std::erase_if(evaluation.forms, [](const FormResult& form) { return form.form == Form::multipliers; });
  }
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
  return command;
}

}  // namespace cetaev::app
