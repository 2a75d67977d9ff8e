#include <memory>

#include "cetaev/analysis/workbench.hpp"
#include "cetaev/report/points_of_view.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct TransposeArguments : ModelOptions {
  std::string format = "text";
  bool ascii = false, unicode = false;
};

int run(const TransposeArguments& options) {
  const Workbench bench(load(options));
  const PointsOfView& all = bench.transpositional_relations();
  if (options.json || options.format == "json") {
    print(to_json(all));
  } else if (options.format == "latex") {
    print(to_latex(all));
  } else {
    print(to_text(all, notation(options.ascii, options.unicode, true)));
  }
  return 0;
}

}  // namespace

Command transpose_command() {
  auto options = std::make_shared<TransposeArguments>();
  Command command = {.name = "transpose",
                     .summary = "points of view on the transpositional relations, and what motion follows from each",
                     .examples = {"cetaev transpose skate"},
                     .action = [options] { return run(*options); }};
  add_model_options(command, *options);
  add_trial_options(command, *options);
  command.add({.names = "--format",
               .shown = "NAME",
               .help = "how to print them",
               .value = choice({"text", "latex", "json"}, options->format),
               .preset = options->format});
  add_notation_options(command, options->ascii, options->unicode);
  return command;
}

}  // namespace cetaev::app
