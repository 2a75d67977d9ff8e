#include "chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../mathml.hpp"
#include "cetaev/detail/text/utf8.hpp"

namespace cetaev {

namespace {

constexpr double smallest_shown = 1e-17;  // on logarithmic scales: below this everything is rounding

double shown(const Chart& chart, double y) {
  if (!chart.logarithmic) return y;
  return std::isfinite(y) ? std::log10(std::max(std::abs(y), smallest_shown)) : y;
}

std::string short_number(double value, double step) {
  if (std::abs(value) < 1e-9 * step) value = 0;
  const double size = std::max(std::abs(value), step);
  std::string text;
  if (size >= 1e5 || size < 1e-3) {
    const int digits = value == 0 ? 0
                                  : std::max(0, static_cast<int>(std::floor(std::log10(std::abs(value))) -
                                                                 std::floor(std::log10(step) + 1e-9)));
    text = fmt::format("{:.{}e}", value, std::min(digits, 15));
    const std::size_t e = text.find('e');
    const int power = std::stoi(text.substr(e + 1));
    if (value == 0) return "0";
    text = text.substr(0, e) + "·" + power_of_ten(power);
  } else {
    const int digits = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
    text = fmt::format("{:.{}f}", value, std::min(digits, 15));
  }
  if (text.starts_with('-')) text = "−" + text.substr(1);
  return text;
}

// The path of a curve. One that stays where it is has no length, and is drawn as a dot.
struct Path {
  std::string d;
  bool still = true;
};

// Points nearer than `finest` to the one before are not missed.
Path path(const Chart& chart, const PlotArea& frame, const std::vector<double>& xs, const std::vector<double>& ys) {
  constexpr double finest = 0.4;
  Path result;
  std::string& d = result.d;
  bool down = false;
  double first_x = NAN, first_y = NAN, last_x = 0, last_y = 0;
  const std::size_t count = std::min(xs.size(), ys.size());
  for (std::size_t i = 0; i < count; ++i) {
    const double y = shown(chart, ys[i]);
    if (!std::isfinite(xs[i]) || !std::isfinite(y)) {
      down = false;
      continue;
    }
    if (chart.logarithmic && ys[i] == 0) continue;  // an exact zero has no place here, and breaks nothing
    const double px = frame.at_x(xs[i]), py = frame.at_y(y);
    if (down && i + 1 < count && std::hypot(px - last_x, py - last_y) < finest) continue;
    d += fmt::format("{}{:.1f} {:.1f}", down ? "L" : "M", px, py);
    if (std::isnan(first_x)) {
      first_x = px;
      first_y = py;
    }
    if (std::hypot(px - first_x, py - first_y) > 1) result.still = false;
    down = true;
    last_x = px;
    last_y = py;
  }
  if (!d.empty() && result.still) d = fmt::format("M{:.1f} {:.1f}h0.01", first_x, first_y);
  return result;
}

// An axis has room for so many letters.
std::string shortened(const std::string& text, std::size_t letters) {
  const std::u32string points = text::code_points(text);
  if (points.size() <= letters) return text;
  std::string result;
  for (std::size_t i = 0; i + 1 < letters; ++i) text::append_utf8(result, points[i]);
  return result + "…";
}

Ticks decades(const Range& range) {
  const int from = static_cast<int>(std::ceil(range.from)), to = static_cast<int>(std::floor(range.to));
  const int step = std::max(1, (to - from + 4) / 5);
  Ticks ticks;
  for (int p = from; p <= to; p += step) {
    ticks.at.push_back(p);
    ticks.labels.push_back(power_of_ten(p));
  }
  return ticks;
}

}  // namespace

Range padded(Range range) {
  if (range.empty()) return {0, 1};
  const double size = std::max(std::abs(range.from), std::abs(range.to));
  if (range.span() <= 1e-12 * size || range.span() < 1e-300) {
    const double room = size > 0 ? 0.1 * size : 1;
    return {range.from - room, range.to + room};
  }
  const double room = 0.05 * range.span();
  return {range.from - room, range.to + room};
}

std::string power_of_ten(int power) {
  static const char* const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = power < 0 ? "10⁻" : "10";
  for (const char c : std::to_string(std::abs(power))) text += raised[c - '0'];
  return text;
}

std::string Columns::add(const std::string& name, std::vector<double> values, bool precise) {
  if (index_.contains(name)) return name;
  index_[name] = columns_.size();
  columns_.push_back({name, std::move(values), precise});
  return name;
}

Ticks ticks(double from, double to, std::size_t wanted) {
  Ticks result;
  const double rough = (to - from) / static_cast<double>(wanted);
  if (!(rough > 0) || !std::isfinite(rough)) return result;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = power;
  for (const double multiple : {1.0, 2.0, 5.0, 10.0}) {
    step = multiple * power;
    if (step >= rough * 0.999) break;
  }
  // A step that the numbers themselves cannot resolve has no ticks.
  if (step <= 1e-15 * std::max(std::abs(from), std::abs(to))) return result;
  for (double k = std::ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; ++k) {
    result.at.push_back(k * step);
    result.labels.push_back(short_number(k * step, step));
  }
  return result;
}

std::string begin_chart(const PlotArea& frame, const std::string& title) {
  return fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\" "
      "preserveAspectRatio=\"xMidYMid meet\">",
      frame.width, frame.height, html_text(title));
}

std::string axes(const PlotArea& frame, const Ticks& across, const Ticks& upwards, const std::string& x_label,
                 const std::string& y_label) {
  std::string grid, labels;
  for (std::size_t i = 0; i < across.at.size(); ++i) {
    const double px = frame.at_x(across.at[i]);
    grid += fmt::format("M{:.1f} {:.1f}V{:.1f}", px, frame.top, frame.height - frame.bottom);
    labels += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", px,
                          frame.height - frame.bottom + 16, across.labels[i]);
  }
  for (std::size_t i = 0; i < upwards.at.size(); ++i) {
    const double py = frame.at_y(upwards.at[i]);
    grid += fmt::format("M{:.1f} {:.1f}H{:.1f}", frame.left, py, frame.width - frame.right);
    labels += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", frame.left - 7, py + 4,
                          upwards.labels[i]);
  }
  std::string svg =
      fmt::format("<path class=\"grid\" d=\"{}\"/>", grid) + fmt::format("<g class=\"ticks\">{}</g>", labels);
  const auto longest = static_cast<std::size_t>((frame.width - frame.left - frame.right) / 8);
  svg += fmt::format("<text class=\"axis\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                     frame.width - frame.right, frame.height - 6, html_text(shortened(x_label, longest)));
  if (!y_label.empty()) {
    svg += fmt::format("<text class=\"axis\" x=\"{:.1f}\" y=\"16\">{}</text>", frame.left,
                       html_text(shortened(y_label, longest)));
  }
  return svg;
}

std::string figure(const Columns& columns, const Chart& chart) {
  PlotArea frame{chart.small ? 300.0 : 660.0,
                 chart.small ? 210.0 : 270.0,
                 chart.small ? 52.0 : 64.0,
                 14,
                 chart.y_label.empty() ? 12.0 : 28.0,
                 chart.small ? 38.0 : 42.0,
                 {},
                 {}};
  if (chart.same_scale && !chart.small) frame.height = 380;
  Range x, y;
  for (const Curve& curve : chart.curves) {
    const auto &xs = columns[curve.x], &ys = columns[curve.y];
    for (std::size_t i = 0; i < std::min(xs.size(), ys.size()); ++i) {
      if (!std::isfinite(xs[i]) || !std::isfinite(ys[i])) continue;
      x.take(xs[i]);
      if (chart.logarithmic && ys[i] == 0) continue;
      y.take(shown(chart, ys[i]));
    }
  }
  const bool over_time = chart.curves.empty() || chart.x_label == "t";
  frame.x = over_time && !x.empty() && x.span() > 0 ? x : padded(x);
  frame.y = padded(y);
  if (chart.logarithmic && frame.y.span() < 2) frame.y = {std::floor(frame.y.from - 0.5), std::ceil(frame.y.to + 0.5)};
  if (chart.same_scale) {
    const double scale_x = frame.x.span() / (frame.width - frame.left - frame.right);
    const double scale_y = frame.y.span() / (frame.height - frame.top - frame.bottom);
    Range& narrow = scale_x < scale_y ? frame.x : frame.y;
    const double more = (std::max(scale_x, scale_y) / std::min(scale_x, scale_y) - 1) / 2 * narrow.span();
    narrow = {narrow.from - more, narrow.to + more};
  }

  const Ticks upwards = chart.logarithmic ? decades(frame.y) : ticks(frame.y.from, frame.y.to, chart.small ? 4 : 5);
  std::string svg = begin_chart(frame, chart.title) + axes(frame, ticks(frame.x.from, frame.x.to, chart.small ? 4 : 7),
                                                           upwards, chart.x_label, chart.y_label);
  for (const Curve& curve : chart.curves) {
    const Path drawn = path(chart, frame, columns[curve.x], columns[curve.y]);
    svg += fmt::format("<path class=\"curve c{}{}{}{}\" d=\"{}\"/>", curve.colour, curve.dashed ? " dashed" : "",
                       curve.thick ? " thick" : "", drawn.still ? " still" : "", drawn.d);
  }
  svg += "</svg>";

  std::string legend;
  if (chart.curves.size() > 1) {
    legend = "<ul class=\"legend\">";
    for (const Curve& curve : chart.curves) {
      legend += fmt::format("<li><span class=\"key c{}{}\"></span>{}</li>", curve.colour, curve.dashed ? " dashed" : "",
                            html_text(curve.label));
    }
    legend += "</ul>";
  }
  return fmt::format("<div class=\"plot{}\" id=\"{}\">{}{}</div>\n", chart.small ? " small" : "", chart.id, svg,
                     legend);
}

}  // namespace cetaev
