#include "sweep_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "colours.hpp"

namespace cetaev {

namespace {

// Drawn one by one in each figure, and cells of a map in each direction: more are smaller than the eye.
constexpr std::size_t most_points = 2000, most_cells = 60;
// Of a histogram: as many as the root of the count, within these.
constexpr std::size_t fewest_parts = 5, most_parts = 60;

template <class Look>
void for_blocks(const SweepFile& sweep, const Look& look) {
  for (std::size_t block = 0; block < sweep.blocks(); ++block)
    if (sweep.has(block)) look(sweep.read(block));
}

std::string fill(double share) {
  const Colour colour = shade(dark_to_light, share);
  const auto part = [&](std::size_t i) { return static_cast<int>(std::lround(255 * colour[i])); };
  return fmt::format("fill=\"#{:02x}{:02x}{:02x}\"", part(0), part(1), part(2));
}

PlotArea small_area(Range x, Range y) { return {300, 210, 56, 14, 28, 38, x, y}; }

std::string finished_figure(const std::string& svg, const char* size) {
  return fmt::format("<div class=\"plot{}\">{}</svg></div>\n", size, svg);
}

std::string rectangle(double x, double y, double width, double height, const std::string& how) {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.2f}\" {}/>", x, y, width, height,
                     how);
}

}  // namespace

std::size_t SweepView::Axis::cell(double value) const {
  const auto above = std::upper_bound(edges.begin(), edges.end(), value);
  const std::ptrdiff_t i = above - edges.begin() - 1;
  return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(i, 0, static_cast<std::ptrdiff_t>(cells()) - 1));
}

SweepView::SweepView(const SweepFile& sweep) : count(sweep.count()) {
  for (const std::string& name : sweep.inputs()) inputs.push_back({name, 0, {}, 0, 0, {}});
  // an output that has the name of an input has another one here, as in tables
  const std::vector<std::string> names = table_names(sweep.inputs(), sweep.outputs());
  for (std::size_t i = 0; i < sweep.outputs().size(); ++i)
    outputs.push_back({names[inputs.size() + i], 0, {}, 0, 0, {}});
  count_all(sweep);
  place_axes();
  sort_all(sweep);
}

void SweepView::count_all(const SweepFile& sweep) {
  const auto take = [](ColumnSummary& column, double value) {
    if (!std::isfinite(value)) return;
    column.range.take(value);
    // B. P. Welford (1962): nothing cancels
    const double before = value - column.mean;
    column.mean += before / static_cast<double>(++column.count);
    column.spread += before * (value - column.mean);
  };
  for_blocks(sweep, [&](const SweepRows& rows) {
    there += rows.rows();
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      ++statuses[to_string(rows.status[i])];
      if (rows.diagnosis[i]) ++diagnoses[std::string(to_string(*rows.diagnosis[i]))];
      for (std::size_t j = 0; j < inputs.size(); ++j) take(inputs[j], rows.inputs[i * inputs.size() + j]);
      for (std::size_t j = 0; j < outputs.size(); ++j) take(outputs[j], rows.outputs[i * outputs.size() + j]);
      for (std::size_t j = 0; j < std::min<std::size_t>(2, inputs.size()); ++j)
        if (values_[j].size() <= most_cells) ++values_[j][rows.inputs[i * inputs.size() + j]];
    }
  });
  for (auto* columns : {&inputs, &outputs}) {
    for (ColumnSummary& column : *columns) {
      column.spread = column.count > 0 ? std::sqrt(column.spread / static_cast<double>(column.count)) : 0;
      const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(column.count)));
      column.parts.resize(std::clamp(root, fewest_parts, most_parts));
    }
  }
}

// Half way between the values of a grid, or equal parts of the range.
void SweepView::place_axes() {
  if (inputs.size() < 2 || there == 0) return;
  for (std::size_t k = 0; k < 2; ++k) {
    std::vector<double>& edges = axes[k].edges;
    const Range range = padded(inputs[k].range);
    if (values_[k].size() > 1 && values_[k].size() <= most_cells) {
      std::vector<double> values;
      for (const auto& [value, times] : values_[k]) values.push_back(value);
      edges.push_back(values[0] - (values[1] - values[0]) / 2);
      for (std::size_t i = 1; i < values.size(); ++i) edges.push_back((values[i - 1] + values[i]) / 2);
      edges.push_back(values.back() + (values.back() - values[values.size() - 2]) / 2);
    } else {
      const Range whole = inputs[k].range.span() > 0 ? inputs[k].range : range;
      // so that a cell has some motions on the average
      const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(there) / 4));
      const std::size_t cells = std::clamp<std::size_t>(root, 1, most_cells);
      for (std::size_t i = 0; i <= cells; ++i)
        edges.push_back(whole.from + whole.span() * static_cast<double>(i) / static_cast<double>(cells));
    }
  }
  maps.resize(outputs.size());
  for (OutputMap& map : maps) map.cells.resize(axes[0].cells() * axes[1].cells());
}

void SweepView::sort_all(const SweepFile& sweep) {
  const auto take = [](ColumnSummary& column, double value) {
    if (!std::isfinite(value)) return;
    const double share = column.range.span() > 0 ? (value - column.range.from) / column.range.span() : 0.5;
    const auto part = static_cast<std::size_t>(share * static_cast<double>(column.parts.size()));
    ++column.parts[std::min(part, column.parts.size() - 1)];
  };
  const std::size_t apart = std::max<std::size_t>(1, (there + most_points - 1) / most_points);
  std::size_t number = 0;
  for_blocks(sweep, [&](const SweepRows& rows) {
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const double* const in = rows.inputs.data() + i * inputs.size();
      const double* const out = rows.outputs.data() + i * outputs.size();
      for (std::size_t j = 0; j < inputs.size(); ++j) take(inputs[j], in[j]);
      for (std::size_t j = 0; j < outputs.size(); ++j) take(outputs[j], out[j]);
      if (has_maps()) {
        const std::size_t cell = axes[1].cell(in[1]) * axes[0].cells() + axes[0].cell(in[0]);
        for (std::size_t j = 0; j < outputs.size(); ++j) {
          if (!std::isfinite(out[j])) continue;
          maps[j].cells[cell].sum += out[j];
          ++maps[j].cells[cell].count;
        }
      }
      if (number++ % apart != 0) continue;
      std::vector<double>& point = points.emplace_back(in, in + inputs.size());
      point.insert(point.end(), out, out + outputs.size());
    }
  });
}

std::string histogram(const ColumnSummary& column, const std::string& label) {
  const std::size_t most = *std::max_element(column.parts.begin(), column.parts.end());
  const Range x = column.range.span() > 0 ? column.range : padded(column.range);
  const PlotArea area = small_area(x, {0, 1.05 * static_cast<double>(std::max<std::size_t>(most, 1))});
  std::string svg = begin_chart(area, "How many motions have which " + label) +
                    axes(area, ticks(x.from, x.to, 4), ticks(area.y.from, area.y.to, 4), label, "motions");
  const double width = x.span() / static_cast<double>(column.parts.size());
  for (std::size_t i = 0; i < column.parts.size(); ++i) {
    if (column.parts[i] == 0) continue;
    const double left = area.at_x(x.from + width * static_cast<double>(i)),
                 right = area.at_x(x.from + width * static_cast<double>(i + 1)),
                 top = area.at_y(static_cast<double>(column.parts[i]));
    svg += rectangle(left, top, std::max(right - left - 0.4, 0.4), area.at_y(0) - top, "class=\"bar\"");
  }
  return finished_figure(svg, " small");
}

std::string scatter(const SweepView& view, std::size_t input, std::size_t output, const std::string& x_label,
                    const std::string& y_label) {
  const PlotArea area = small_area(padded(view.inputs[input].range), padded(view.outputs[output].range));
  std::string svg = begin_chart(area, y_label + " over " + x_label) +
                    axes(area, ticks(area.x.from, area.x.to, 4), ticks(area.y.from, area.y.to, 4), x_label, y_label);
  std::string path;
  for (const std::vector<double>& point : view.points) {
    const double x = point[input], y = point[view.inputs.size() + output];
    if (std::isfinite(x) && std::isfinite(y)) path += fmt::format("M{:.1f} {:.1f}h0", area.at_x(x), area.at_y(y));
  }
  return finished_figure(svg + fmt::format("<path class=\"points c0\" d=\"{}\"/>", path), " small");
}

std::string heat_map(const SweepView& view, std::size_t output, const std::string& x_label, const std::string& y_label,
                     const std::string& label) {
  const auto &across = view.axes[0].edges, &up = view.axes[1].edges;
  constexpr double bar = 86;  // room for the colours and their numbers
  const PlotArea area{660, 380, 64, 14 + bar, 28, 42, {across.front(), across.back()}, {up.front(), up.back()}};
  const std::vector<OutputMap::Cell>& cells = view.maps[output].cells;
  Range range;
  for (const OutputMap::Cell& cell : cells)
    if (cell.count > 0) range.take(cell.sum / static_cast<double>(cell.count));
  std::string svg = begin_chart(area, fmt::format("{} over {} and {}", label, x_label, y_label)) +
                    axes(area, ticks(area.x.from, area.x.to, 7), ticks(area.y.from, area.y.to, 6), x_label, y_label);
  for (std::size_t row = 0; row < view.axes[1].cells(); ++row) {
    for (std::size_t column = 0; column < view.axes[0].cells(); ++column) {
      const OutputMap::Cell& cell = cells[row * view.axes[0].cells() + column];
      if (cell.count == 0) continue;
      const double value = cell.sum / static_cast<double>(cell.count);
      const double left = area.at_x(across[column]), right = area.at_x(across[column + 1]),
                   top = area.at_y(up[row + 1]), bottom = area.at_y(up[row]);
      // a little larger, so that nothing shines through between two
      svg += rectangle(left, top, right - left + 0.4, bottom - top + 0.4,
                       fill(range.span() > 0 ? (value - range.from) / range.span() : 0.5));
    }
  }
  constexpr int steps = 40;
  const Range shown = range.empty() ? Range{0, 1} : range.span() > 0 ? range : padded(range);
  const double x = area.width - bar + 6, height = area.height - area.top - area.bottom;
  for (int i = 0; i < steps; ++i)
    svg += rectangle(x, area.height - area.bottom - height * (i + 1) / steps, 14, height / steps + 0.4,
                     fill((i + 0.5) / steps));
  const Ticks marks = ticks(shown.from, shown.to, 5);
  svg += "<g class=\"ticks\">";
  for (std::size_t i = 0; i < marks.at.size(); ++i)
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x + 20,
                       area.height - area.bottom - height * (marks.at[i] - shown.from) / shown.span() + 4,
                       marks.labels[i]);
  return finished_figure(svg + "</g>", "");
}

}  // namespace cetaev
