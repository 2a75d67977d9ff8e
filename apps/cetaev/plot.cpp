#include "cetaev/report/plot.hpp"

#include <cstdio>
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

int run(Options options) {
  // "x, y" is x and y
  for (std::string& name : options.plot.y) {
    const std::size_t first = name.find_first_not_of(' '), last = name.find_last_not_of(' ');
    name = first == std::string::npos ? "" : name.substr(first, last - first + 1);
  }
  const std::string out =
      options.out.empty() ? std::filesystem::path(options.run).stem().string() + ".svg" : options.out;
  spare_input(options.run, out);
  for (const std::string& why : draw_plot(read_motion(options.run), options.plot, out))
    std::fputs(("Left out: " + why + ".\n").c_str(), stderr);
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
  const CLI::Option* out =
      command->add_option("-o,--out,--output", options->out, "the figure: FILE.svg, FILE.pdf or FILE.png (RUN.svg)")
          ->type_name("FILE");
  command->add_flag("--log", options->plot.logarithmic, "the absolute values on a logarithmic scale");
  command->add_flag("--equal", options->plot.same_scale, "the same scale in both directions");
  command->add_flag("--quiet", options->quiet, "do not say where it is");
  command->footer("Example: cetaev run skate --out skate.csv && cetaev plot skate.csv --y E,residual --log");
  command->callback([options, out, &action] {
    require_name(*out, options->out);
    action = [options] { return run(*options); };
  });
}

}  // namespace cetaev::app
