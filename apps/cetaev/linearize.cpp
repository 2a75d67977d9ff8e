#include "cetaev/stability/linearize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cetaev/detail/output/existing.hpp"
#include "cetaev/report/linearize.hpp"
#include "cetaev/report/plot.hpp"
#include "cetaev/report/stability_chart.hpp"
#include "command.hpp"
#include "progress.hpp"

namespace cetaev::app {

namespace {

struct LinearizeArguments : ModelOptions {
  std::vector<std::string> solve, vary;
  std::string out;
  std::optional<long> threads;
  bool quiet = false;
};

void write(const System& system, const VariedSpectrum& varied, const std::string& out) {
  if (out.ends_with(".h5")) return write_spectrum(system, varied, out);
  if (!is_figure(out)) return write_text(out, to_csv(varied));
  const MotionTable table = to_table(varied);
  PlotOptions plot;
  plot.x = varied.name;
  plot.y.assign(table.names.begin() + 1, table.names.end());
  plot.y_label = "real and imaginary parts";
  const std::string_view unit = system->unit_of(varied.name);
  if (!unit.empty()) plot.x_label = fmt::format("{} ({})", varied.name, unit);
  for (const std::string& name : plot.y)
    if (name.starts_with("Im")) plot.dashed.push_back(name);
  for (const VariedSpectrum::Critical& critical : varied.critical)
    plot.marks.push_back({critical.value, fmt::format("{} {:.5g}", to_string(critical.kind), critical.value)});
  (void)draw_plot(table, plot, out);
}

StabilityChart chart_over(const System& system, const std::vector<Along>& along, const LinearizeArguments& options) {
  Progress progress(!options.quiet);
  const Interruption interruption;
  ChartOptions chart;
  chart.threads = static_cast<unsigned>(options.threads.value_or(0));
  chart.progress = [&](std::size_t done, std::size_t of) {
    progress.show(static_cast<double>(done) / static_cast<double>(of), fmt::format("{} of {} places", done, of));
    return !Interruption::asked();
  };
  StabilityChart found = stability_chart(system, {along[0], along[1]}, options.solve, chart);
  const auto has_values = [](const StabilityChart::Place& one) { return one.has_values(); };
  const auto failed = std::ranges::find_if(found.places, [](const auto& one) { return one.diagnosis.has_value(); });
  if (!found.interrupted && failed != found.places.end() && std::ranges::none_of(found.places, has_values)) {
    const auto at = found.at(static_cast<std::size_t>(failed - found.places.begin()));
    throw Error(
        *failed->diagnosis,
        fmt::format("the chart is empty: at none of its {} places there is a steady motion with a spectrum; the first, "
                    "{} = {:.9g} and {} = {:.9g}, is {}",
                    found.places.size(), along[0].name, at[0], along[1].name, at[1], to_string(*failed->diagnosis)));
  }
  return found;
}

int run(const LinearizeArguments& options) {
  const System system = load(options);
  std::vector<Along> along;
  for (const std::string& text : options.vary) along.push_back(Along::parse(text));
  if (along.size() > 2)
    throw Error(ErrorCode::bad_model, "--vary goes along one name, or over two of them; more are given");
  if (!options.out.empty()) {
    if (along.empty())
      throw Error(ErrorCode::bad_model, "--out writes eigenvalues along --vary NAME=FROM:TO:COUNT, which is not given");
    if (!is_figure(options.out) && !options.out.ends_with(".csv") && !options.out.ends_with(".h5"))
      throw Error(ErrorCode::bad_model,
                  fmt::format("--out is FILE.csv, FILE.h5, FILE.svg, FILE.pdf or FILE.png, not '{}'", options.out));
    spare_input(options.model, options.out);
    output::require_folder(options.out);
  }
  const Linearization found = linearize(system, options.solve);
  std::optional<VariedSpectrum> varied;
  std::optional<StabilityChart> chart;
  if (along.size() == 1) varied = linearize_along(system, along[0], options.solve);
  if (along.size() == 2) chart = chart_over(system, along, options);
  if (!options.out.empty()) {
    if (varied) {
      write(system, *varied, options.out);
    } else if (is_figure(options.out)) {
      draw_chart(system, *chart, options.out);
    } else {
      write_chart(system, *chart, options.out);
    }
  }
  print(options.json ? to_json(system, found, varied, chart) : to_text(system, found, varied, chart));
  return 0;
}

}  // namespace

Command linearize_command() {
  auto options = std::make_shared<LinearizeArguments>();
  Command command = {.name = "linearize",
                     .summary = "small motions about a steady one, their eigenvalues, and whether it is stable",
                     .examples = {"cetaev linearize rolling-disc-steady",
                                  "cetaev linearize bicycle --vary v=0:10:200 --vary c=0:0.2:200 --out "
                                  "bicycle.svg"},
                     .action = [options] { return run(*options); }};
  add_model_options(command, *options);
  command.add({.names = "--solve",
               .shown = "NAME,…",
               .help = "initial values or parameters that move so as to make the initial state a steady motion",
               .value = names(options->solve)});
  command.add({.names = "--vary",
               .shown = "NAME=FROM:TO:COUNT",
               .help =
                   "eigenvalues along a parameter or an initial value, and where they cross the imaginary axis; given "
                   "twice, a chart of stability over two of them",
               .value = text(options->vary)});
  command.add({.names = "--out",
               .shown = "FILE",
               .help =
                   "the eigenvalues along --vary, or the chart: numbers in FILE.csv or FILE.h5, a figure in FILE.svg, "
                   "FILE.pdf or FILE.png",
               .value = output_file({".csv", ".h5", ".svg", ".pdf", ".png"}, options->out)});
  command.add({.names = "--threads",
               .shown = "N",
               .help = "threads of a chart; as many as this process may use when absent",
               .value = number(options->threads, 1)});
  command.add({.names = "--quiet", .help = "no progress", .value = flag(options->quiet)});
  return command;
}

}  // namespace cetaev::app
