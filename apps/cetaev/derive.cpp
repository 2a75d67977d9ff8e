#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "cetaev/analysis/workbench.hpp"
#include "cetaev/codegen/export.hpp"
#include "cetaev/detail/analysis/objects_named.hpp"
#include "cetaev/model/caret.hpp"
#include "cetaev/report/linear_equations.hpp"
#include "cetaev/report/written.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct DeriveArguments {
  ModelOptions model;
  EquationOptions equations;
  std::vector<std::string> forms, show;
  std::string format = "text";
  std::string out;
  bool document = false, ascii = false, unicode = false, linear = false;
};

// Of the first named form that does not apply.
const Error* failure(const DeriveArguments& options, const WrittenSystem& written) {
  for (const WrittenForm& form : written.forms) {
    const auto& named = options.forms;
    if (form.refusal && std::find(named.begin(), named.end(), form.name) != named.end()) return &*form.refusal;
  }
  return nullptr;
}

void deliver(const DeriveArguments& options, const std::string& text) {
  if (options.out.empty()) {
    print(text);
  } else {
    spare_input(options.model.model, options.out);
    write_text(options.out, text);
  }
}

// Source code: one form, all or nothing.
int write_code(const DeriveArguments& options, const Workbench& bench, Language language) {
  const std::vector<std::string>& forms = options.forms;
  if (forms.size() > 1) {
    throw Error(ErrorCode::bad_model,
                "code is written for one form; give --form at most once with --format " + options.format);
  }
  if (options.equations.energy) {
    throw Error(ErrorCode::bad_model,
                "--energy does not go with --format " + options.format + ", which has the energy anyway");
  }
  if (!options.show.empty())
    throw Error(ErrorCode::bad_model, "--show is written as text, latex or json, not as " + options.format);
  deliver(options,
          export_code(bench.first_order(forms.empty() ? std::nullopt : std::optional<Form>(forms.front())), language));
  return 0;
}

// Of small motions about the initial state.
int write_linear(const DeriveArguments& options) {
  if (!options.forms.empty() || options.equations.energy || options.document || !options.show.empty())
    throw Error(ErrorCode::bad_model, "--linear goes with none of --form, --energy, --show and --document");
  const auto language = find_language(options.format);
  if (language && options.equations.numeric)
    throw Error(ErrorCode::bad_model,
                "--numeric does not go with --format " + options.format + ", in which parameters are arguments");
  const LinearEquations found = linear_equations(load(options.model));
  const bool with = !language && !options.equations.expand && !options.equations.numeric;
  const LinearEquations named = with ? with_names(found) : found;
  if (language) {
    deliver(options, to_code(with_shared_sums(found), *language));
  } else if (options.format == "json") {
    deliver(options, to_json(found, options.equations.numeric, &named));
  } else if (options.format == "latex") {
    deliver(options, to_latex(named, options.equations.numeric));
  } else {
    deliver(options,
            to_text(named, notation(options.ascii, options.unicode, options.out.empty()), options.equations.numeric));
  }
  return 0;
}

int run(const DeriveArguments& options) {
  if (options.linear) return write_linear(options);
  if (options.document && options.format != "latex")
    throw Error(ErrorCode::bad_model, "--document needs --format latex");
  if (!std::isfinite(options.equations.budget)) throw Error(ErrorCode::bad_model, "--budget needs a finite number");
  EquationOptions equations = options.equations;
  equations.objects = objects_named(options.show);
  const Workbench bench(load(options.model));
  if (const auto language = find_language(options.format)) return write_code(options, bench, *language);
  equations.forms.assign(options.forms.begin(), options.forms.end());
  if (options.document) {
    equations.energy = true;
    if (equations.forms.empty()) equations.forms = principles_of(bench.system());
  }
  WrittenSystem written = bench.equations(equations);
  if (options.document && options.forms.empty()) {
    std::erase_if(written.forms, [](const WrittenForm& form) { return form.refusal.has_value(); });
  }
  std::string text;
  if (options.format == "json") {
    text = to_json(written);
  } else if (options.format == "latex") {
    text = options.document ? to_latex_document(written, bench.check()) : to_latex(written);
  } else {
    text = to_text(written, notation(options.ascii, options.unicode, options.out.empty()));
  }
  deliver(options, text);
  const Error* error = failure(options, written);
  for (const WrittenObject& object : written.objects) {
    if (error == nullptr && object.refusal) error = &*object.refusal;
  }
  if (error == nullptr) return 0;
  std::fputs(caret_text(*error).c_str(), stderr);
  return exit_code(error->code());
}

}  // namespace

Command derive_command() {
  auto options = std::make_shared<DeriveArguments>();
  EquationOptions& equations = options->equations;
  Command command = {.name = "derive",
                     .summary = "the equations of motion under one or all principles",
                     .examples = {"cetaev derive skate --form voronec"},
                     .action = [options] { return run(*options); }};
  add_model_arguments(command, options->model);
  add_trial_options(command, options->model);
  command.add({.names = "--form",
               .shown = "NAME",
               .help = "the principle to derive; all when none is named",
               .value = choice(form_names(), options->forms)});
  command.add({.names = "--energy",
               .help = "the energies E and E* and their balances, term by term",
               .value = flag(equations.energy)});
  command.add({.names = "--show",
               .shown = "NAME,…",
               .help = "objects of the papers: W, Omega, A, C, D, E, G, S, Lstar, alpha, B, F1, action",
               .value = names(options->show)});
  command.add({.names = "--linear",
               .help = "the linear equations of small motions about the initial state, which has to be steady: M, C, K",
               .value = flag(options->linear)});
  command.add({.names = "--format",
               .shown = "NAME",
               .help = "how to print them, or the language of source code",
               .value = choice({"text", "latex", "json", "c", "cpp", "python", "cuda", "matlab"}, options->format),
               .preset = options->format});
  command.add(
      {.names = "--document", .help = "with --format latex: a complete article", .value = flag(options->document)});
  add_notation_options(command, options->ascii, options->unicode);
  command.add({.names = "--numeric", .help = "parameters by their values", .value = flag(equations.numeric)});
  command.add({.names = "--expand",
               .help = "names of points, definitions and what recurs written out, equations of chains one by one",
               .value = flag(equations.expand)});
  command.add({.names = "--eliminate", .help = "multipliers eliminated", .value = flag(equations.eliminate)});
  command.add({.names = "--budget",
               .shown = "EFFORT",
               .help = "effort of simplification, counted",
               .value = number(equations.budget, 0),
               .preset = fmt::format("{}", equations.budget)});
  command.add({.names = "-o,--out,--output",
               .shown = "FILE",
               .help = "write to this file",
               .value = output_file({}, options->out)});
  return command;
}

}  // namespace cetaev::app
