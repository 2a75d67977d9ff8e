#include <memory>

#include "cetaev/model/caret.hpp"
#include "cetaev/report/derive.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct Options {
  ModelOptions model;
  DeriveOptions derive;
  std::string format = "text";
};

int run(const Options& options) {
  const System system = load(options.model);
  const DerivedText derived = derive_text(system, options.derive);
  print(derived.text);
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
      ->check(CLI::IsMember({"text"}));
  command->footer("Example: cetaev derive skate --form voronec");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace cetaev::app
