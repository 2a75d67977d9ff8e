#include "cetaev/report/plot.hpp"

#include <filesystem>
#include <memory>

#include "cetaev/error.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct Options {
  std::string run, out;
  PlotOptions plot;
  bool quiet = false;
};

int run(const Options& options) {
  const std::string out =
      options.out.empty() ? std::filesystem::path(options.run).stem().string() + ".svg" : options.out;
  draw_plot(read_motion(options.run), options.plot, out);
  if (!options.quiet) print(out + "\n");
  return 0;
}

}  // namespace

void add_plot(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("plot", "a figure from the samples that run --out wrote");
  auto options = std::make_shared<Options>();
  command->add_option("RUN", options->run, "the samples: FILE.csv or FILE.h5")->required();
  command->add_option("--x", options->plot.x, "the column across")->type_name("NAME")->capture_default_str();
  command->add_option("--y", options->plot.y, "the columns upwards, separated by commas (the positions)")
      ->type_name("NAME,…")
      ->delimiter(',');
  command->add_option("-o,--out,--output", options->out, "the figure: FILE.svg, FILE.pdf or FILE.png (RUN.svg)")
      ->type_name("FILE");
  command->add_flag("--log", options->plot.logarithmic, "the absolute values on a logarithmic scale");
  command->add_flag("--equal", options->plot.same_scale, "the same scale in both directions");
  command->add_flag("--quiet", options->quiet, "do not say where it is");
  command->footer("Example: cetaev run skate --out skate.csv && cetaev plot skate.csv --y E,residual --log");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace cetaev::app
