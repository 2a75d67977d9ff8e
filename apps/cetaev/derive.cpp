#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "cetaev/codegen/export.hpp"
#include "cetaev/formulation/formulation.hpp"
#include "cetaev/model/caret.hpp"
#include "cetaev/report/written.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct Options {
  ModelOptions model;
  EquationOptions equations;
  std::string format = "text";
  std::string out;
  bool document = false, ascii = false, unicode = false;
};

bool is_utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string text(value);
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text.find("utf-8") != std::string::npos || text.find("utf8") != std::string::npos;
  }
  return false;
}

// Unicode for people at a terminal that shows it; what goes into files and pipes is in the model language.
Notation notation(const Options& options) {
  if (options.ascii) return Notation::ascii;
  if (options.unicode) return Notation::unicode;
  return options.out.empty() && isatty(STDOUT_FILENO) == 1 && is_utf8_locale() ? Notation::unicode : Notation::ascii;
}

// Of the first named form that does not apply.
const Error* failure(const Options& options, const WrittenSystem& written) {
  for (const WrittenForm& form : written.forms) {
    const auto& named = options.equations.forms;
    if (form.refusal && std::find(named.begin(), named.end(), form.name) != named.end()) return &*form.refusal;
  }
  return nullptr;
}

void deliver(const Options& options, const std::string& text) {
  if (options.out.empty()) {
    print(text);
  } else {
    spare_input(options.model.model, options.out);
    write_file(options.out, text);
  }
}

// Source code: one form, all or nothing.
int write_code(const Options& options, const System& system, Language language) {
  const std::vector<std::string>& forms = options.equations.forms;
  if (forms.size() > 1) {
    throw Error(ErrorCode::bad_model,
                "code is written for one form; give --form at most once with --format " + options.format);
  }
  if (options.equations.energy) {
    throw Error(ErrorCode::bad_model,
                "--energy does not go with --format " + options.format + ", which has the energy anyway");
  }
  deliver(options, export_code(system, forms.empty() ? "" : forms.front(), language));
  return 0;
}

int run(const Options& options) {
  if (!std::isfinite(options.equations.budget)) throw Error(ErrorCode::bad_model, "--budget needs a finite number");
  const System system = load(options.model);
  if (const auto language = find_language(options.format)) return write_code(options, system, *language);
  EquationOptions equations = options.equations;
  if (options.document) {
    equations.energy = true;
    if (equations.forms.empty()) {
      for (const Principle& principle : principles()) equations.forms.emplace_back(principle.name);
    }
  }
  WrittenSystem written = write_equations(system, equations);
  if (options.document && options.equations.forms.empty()) {
    std::erase_if(written.forms, [](const WrittenForm& form) { return form.refusal.has_value(); });
  }
  std::string text;
  if (options.format == "json") {
    text = to_json(written);
  } else if (options.format == "latex") {
    text = options.document ? to_latex_document(written, check(system)) : to_latex(written);
  } else {
    text = to_text(written, notation(options));
  }
  deliver(options, text);
  const Error* error = failure(options, written);
  if (error == nullptr) return 0;
  std::fputs(caret_text(*error).c_str(), stderr);
  return exit_code(error->code());
}

}  // namespace

void add_derive(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("derive", "the equations of motion under one or all principles");
  auto options = std::make_shared<Options>();
  add_model_arguments(*command, options->model);
  add_form_option(*command, options->equations.forms, "the principle to derive (repeatable; default: all)");
  command->add_flag("--energy", options->equations.energy, "the energies E and E* and their balances, term by term");
  command
      ->add_option("--format", options->format,
                   "how to print them: text, latex, json; or as code: c, cpp, python, cuda, matlab")
      ->type_name("NAME")
      ->check(CLI::IsMember({"text", "latex", "json", "c", "cpp", "python", "cuda", "matlab"}));
  command->add_flag("--document", options->document, "with --format latex: a complete article");
  CLI::Option* ascii = command->add_flag("--ascii", options->ascii, "text in the model language: x', phi''");
  command->add_flag("--unicode", options->unicode, "text in Unicode: ẋ, φ̈ (the default on a terminal)")
      ->excludes(ascii);
  command->add_flag("--numeric", options->equations.numeric, "parameters by their values");
  command->add_flag("--expand", options->equations.expand, "names of points and definitions written out");
  command->add_flag("--eliminate", options->equations.eliminate, "multipliers eliminated");
  command->add_option("--budget", options->equations.budget, "effort of simplification, 10 unless told")
      ->type_name("EFFORT")
      ->check(is_number)
      ->check(CLI::NonNegativeNumber);
  command->add_option("-o,--out,--output", options->out, "write to this file")->type_name("FILE");
  command->footer("Example: cetaev derive skate --form voronec");
  command->callback([options, &action] {
    if (options->document && options->format != "latex") throw CLI::ValidationError("--document needs --format latex");
    action = [options] { return run(*options); };
  });
}

}  // namespace cetaev::app
