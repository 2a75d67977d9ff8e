#include <memory>

#include "cetaev/codegen/export.hpp"
#include "cetaev/model/caret.hpp"
#include "cetaev/report/derive.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct Options {
  ModelOptions model;
  DeriveOptions derive;
  std::string format = "text";
  std::string output;
};

// Source code: one form, all or nothing.
int write_code(const Options& options, const System& system, Language language) {
  const std::vector<std::string>& forms = options.derive.forms;
  if (forms.size() > 1)
    throw Error(ErrorCode::bad_model,
                "code is written for one form; give --form at most once with --format " + options.format);
  if (options.derive.energy)
    throw Error(ErrorCode::bad_model,
                "--energy does not go with --format " + options.format + ", which has the energy anyway");
  const std::string code = export_code(system, forms.empty() ? "" : forms.front(), language);
  write_output(options.output, code);
  return 0;
}

int run(const Options& options) {
  const System system = load(options.model);
  if (const auto language = find_language(options.format)) return write_code(options, system, *language);
  const DerivedText derived = derive_text(system, options.derive);
  write_output(options.output, derived.text);
  if (!derived.failure) return 0;
  std::fputs(caret_text(*derived.failure).c_str(), stderr);
  return exit_code(derived.failure->code());
}

}  // namespace

void add_derive(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("derive", "the equations of motion under one or all principles");
  auto options = std::make_shared<Options>();
  add_model_arguments(*command, options->model);
  add_form_option(*command, options->derive.forms, "the principle to derive (repeatable; default: all)");
  command->add_flag("--energy", options->derive.energy, "the energies E and E* and their balances, term by term");
  command->add_option("--format", options->format, "how to print them")
      ->type_name("NAME")
      ->check(CLI::IsMember({"text", "c", "cpp", "python", "cuda", "matlab"}));
  command->add_option("-o,--output", options->output, "a file to write to, instead of standard output")
      ->type_name("FILE");
  command->footer("Example: cetaev derive skate --form voronec");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace cetaev::app
