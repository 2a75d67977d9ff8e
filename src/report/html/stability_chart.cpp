// A stability chart as a map: blue where small motions decay, orange where they grow, a line between.
#include "cetaev/report/stability_chart.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cetaev/report/plot.hpp"

namespace cetaev {

void draw_chart(const System& system, const StabilityChart& chart, const std::string& path) {
  MotionTable table;
  table.names = {chart.axes[0].name, chart.axes[1].name, "growth"};
  table.columns.resize(3);
  table.inputs = 2;
  for (std::size_t i = 0; i < chart.places.size(); ++i) {
    const std::array<double, 2> at = chart.at(i);
    table.columns[0].push_back(at[0]);
    table.columns[1].push_back(at[1]);
    table.columns[2].push_back(chart.places[i].has_values() ? chart.places[i].growth : std::nan(""));
  }
  const auto with_unit = [&](const std::string& name) {
    const std::string_view unit = system->unit_of(name);
    return unit.empty() ? name : fmt::format("{} ({})", name, unit);
  };
  PlotOptions plot;
  plot.x = table.names[0];
  plot.y = {table.names[1]};
  plot.colour = table.names[2];
  plot.level = 0;
  plot.x_label = with_unit(plot.x);
  plot.y_label = with_unit(plot.y.front());
  plot.colour_label = "largest real part";
  (void)draw_plot(table, plot, path);
}

}  // namespace cetaev
