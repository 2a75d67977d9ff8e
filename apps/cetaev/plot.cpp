#include "cetaev/report/plot.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>

#include "cetaev/detail/text/printable.hpp"
#include "cetaev/error.hpp"
#include "command.hpp"

namespace cetaev::app {

namespace {

struct PlotArguments {
  std::string run, out;
  std::vector<std::string> columns;  // as they are written: "x, y"
  PlotOptions plot;
  bool quiet = false;
};

// "x, y" is x and y
void add_names(std::vector<std::string>& names, const std::string& list) {
  if (list.empty()) names.emplace_back();  // which is no column
  std::istringstream parts(list);
  for (std::string name; std::getline(parts, name, ',');) {
    const std::size_t first = name.find_first_not_of(' '), last = name.find_last_not_of(' ');
    names.push_back(first == std::string::npos ? "" : name.substr(first, last - first + 1));
  }
}

int run(PlotArguments options) {
  for (const std::string& list : options.columns) add_names(options.plot.y, list);
  const std::string out =
      options.out.empty() ? std::filesystem::path(options.run).stem().string() + ".svg" : options.out;
  spare_input(options.run, out);
  for (const std::string& why : draw_plot(read_motion(options.run), options.plot, out))
    std::fputs(("Left out: " + text::printable(why) + ".\n").c_str(), stderr);
  if (!options.quiet) print(out + "\n");
  return 0;
}

}  // namespace

Command plot_command() {
  auto options = std::make_shared<PlotArguments>();
  Command command = {.name = "plot",
                     .summary = "a figure from what run --out or sweep --out wrote",
                     .examples = {"cetaev run skate --out skate.csv && cetaev plot skate.csv --y E,residual --log",
                                  "cetaev plot sweep.h5 --x m --y k --colour \"max(x)\""},
                     .action = [options] { return run(*options); }};
  command.add({.names = "RUN",
               .help = "the samples of a motion, or the motions of a sweep: FILE.csv or FILE.h5",
               .value = input_file({".csv", ".h5"}, options->run),
               .required = true});
  command.add({.names = "--x",
               .shown = "NAME",
               .help = "the column across; of a sweep what varies first, when absent",
               .value = text(options->plot.x),
               .preset = options->plot.x});
  command.add(
      {.names = "--y",
       .shown = "NAME,…",
       .help =
           "the columns upwards, separated by commas; the positions when absent, of a sweep what was observed first",
       .value = text(options->columns)});
  command.add({.names = "-o,--out,--output",
               .shown = "FILE",
               .help = "the figure: FILE.svg, FILE.pdf or FILE.png",
               .value = output_file({".svg", ".pdf", ".png"}, options->out),
               .preset = "RUN.svg"});
  command.add({.names = "--colour",
               .shown = "NAME",
               .help = "the colour of the points is the value of this column; a map where the columns across and "
                       "upwards are a grid",
               .value = text(options->plot.colour)});
  command.add({.names = "--level",
               .shown = "VALUE",
               .help = "of the colour: it changes sides there, and a line is drawn through a map where it is passed",
               .value = number(options->plot.level)});
  command.add({.names = "--histogram",
               .help = "how many rows have which values of the columns of --y",
               .value = flag(options->plot.histogram)});
  command.add({.names = "--log",
               .help = "the absolute values on a logarithmic scale",
               .value = flag(options->plot.logarithmic)});
  command.add(
      {.names = "--equal", .help = "the same scale in both directions", .value = flag(options->plot.same_scale)});
  command.add({.names = "--quiet", .help = "do not say where it is", .value = flag(options->quiet)});
  return command;
}

}  // namespace cetaev::app
