#include "cetaev/stability/linearize.hpp"

#include <memory>

#include "cetaev/report/linearize.hpp"
#include "cetaev/report/plot.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct LinearizeArguments : ModelOptions {
  std::vector<std::string> solve;
  std::string vary, out;
};

int run(const LinearizeArguments& options) {
  const System system = load(options);
  std::optional<Along> along;
  if (!options.vary.empty()) along = Along::parse(options.vary);
  if (!options.out.empty()) {
    if (!along)
      throw Error(ErrorCode::bad_model, "--out writes eigenvalues along --vary NAME=FROM:TO:COUNT, which is not given");
    spare_input(options.model, options.out);
  }
  const Linearization found = linearize(system, options.solve);
  std::optional<VariedSpectrum> varied;
  if (along) varied = linearize_along(system, *along, options.solve);
  if (options.out.ends_with(".csv")) {
    write_file(options.out, to_csv(*varied));
  } else if (!options.out.empty()) {
    const MotionTable table = to_table(*varied);
    PlotOptions plot;
    plot.x = varied->name;
    plot.y.assign(table.names.begin() + 1, table.names.end());
    (void)draw_plot(table, plot, options.out);
  }
  print(options.json ? to_json(system, found, varied) : to_text(system, found, varied));
  return 0;
}

}  // namespace

Command linearize_command() {
  auto options = std::make_shared<LinearizeArguments>();
  Command command = {.name = "linearize",
                     .summary = "small motions about a steady one, their eigenvalues, and whether it is stable",
                     .examples = {"cetaev linearize rolling-disc-steady"},
                     .action = [options] { return run(*options); }};
  add_model_options(command, *options);
  command.add({.names = "--solve",
               .shown = "NAME,…",
               .help = "initial values or parameters that move so as to make the initial state a steady motion",
               .value = names(options->solve)});
  command.add({.names = "--vary",
               .shown = "NAME=FROM:TO:COUNT",
               .help = "eigenvalues along a parameter or an initial value, and where they cross the imaginary axis",
               .value = text(options->vary)});
  command.add({.names = "--out",
               .shown = "FILE",
               .help = "the eigenvalues along --vary: numbers in FILE.csv, a figure in FILE.svg, FILE.pdf or FILE.png",
               .value = output_file({".csv", ".svg", ".pdf", ".png"}, options->out)});
  return command;
}

}  // namespace cetaev::app
