// Figures by Cairo.
#include "cetaev/report/plot.hpp"
#include "cetaev/detail/output/existing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <system_error>

#include "cairo_library.hpp"
#include "cetaev/error.hpp"
#include "chart.hpp"
#include "colours.hpp"

namespace cetaev {

namespace {

constexpr Colour ink = {0.11, 0.11, 0.10}, soft = {0.36, 0.34, 0.31}, pale = {0.89, 0.86, 0.82};
// The palette of the pages.
constexpr std::array<Colour, 7> palette = {{{0.12, 0.37, 0.66},
                                            {0.76, 0.25, 0.05},
                                            {0.06, 0.46, 0.43},
                                            {0.53, 0.27, 0.61},
                                            {0.54, 0.38, 0.00},
                                            {0.75, 0.16, 0.36},
                                            {0.29, 0.33, 0.39}}};

struct Span {
  double from = INFINITY, to = -INFINITY;
  void take(double x) {
    if (!std::isfinite(x)) return;
    from = std::min(from, x);
    to = std::max(to, x);
  }
  void widen(double share) {
    if (!(from <= to)) *this = {0, 1};
    const double size = std::max(std::abs(from), std::abs(to));
    const double room = to - from > 1e-12 * size ? share * (to - from) : size > 0 ? 0.1 * size : 1;
    from -= room;
    to += room;
  }
};

// Two sides of a level, told apart by those who see no red or no green, too: from blue over white to orange.
constexpr std::array<Colour, 7> two_sides = {{{0.13, 0.28, 0.53},
                                              {0.33, 0.52, 0.74},
                                              {0.71, 0.82, 0.91},
                                              {0.98, 0.98, 0.97},
                                              {0.97, 0.80, 0.62},
                                              {0.87, 0.52, 0.22},
                                              {0.62, 0.29, 0.03}}};
// The values of a column in order, each once.
std::vector<double> distinct(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// Are the distances the same, for the eye?
bool evenly(const std::vector<double>& values) {
  const double step = (values.back() - values.front()) / static_cast<double>(values.size() - 1);
  for (std::size_t i = 1; i < values.size(); ++i)
    if (std::abs(values[i] - values[i - 1] - step) > 1e-3 * step) return false;
  return true;
}

// Cells that are drawn one by one.
constexpr std::size_t most_shapes = 2500;

class Drawing {
 public:
  Drawing(const MotionTable& table, const PlotOptions& options)
      : options_(options), x_(column(table, options.x)), points_(table.inputs > 0 && !options.histogram) {
    std::vector<std::string> wanted = options.y;
    if (!options.colour.empty()) {
      colours_ = &column(table, options.colour);
      for (const double value : *colours_) shades_.take(value);
      if (!(shades_.from <= shades_.to))
        throw Error(ErrorCode::bad_model, fmt::format("'{}' has no value in any row", options.colour));
    }
    if (wanted.empty()) wanted = positions(table);
    if (wanted.empty()) throw Error(ErrorCode::bad_model, "the file has no column besides t: there is nothing to draw");
    for (const std::string& name : wanted) {
      const Line line{name, column(table, name)};
      if (std::string why = obstacle(line); why.empty()) {
        curves_.push_back(line);
      } else {
        left_out_.push_back(std::move(why));
      }
    }
    if (curves_.empty()) throw Error(ErrorCode::bad_model, left_out_.front() + ": there is nothing to draw");
  }

  // Of the columns that were asked for.
  const std::vector<std::string>& left_out() const { return left_out_; }

  void write(const std::string& path) {
    const double width = options_.width, height = options_.height;
    constexpr double sharp = 2;
    const bool png = path.ends_with(".png");
    cairo_surface_t* surface = png ? c_.cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(sharp * width),
                                                                   static_cast<int>(sharp * height))
                               : path.ends_with(".pdf") ? c_.cairo_pdf_surface_create(path.c_str(), width, height)
                                                        : c_.cairo_svg_surface_create(path.c_str(), width, height);
    g_ = c_.cairo_create(surface);
    if (png) c_.cairo_scale(g_, sharp, sharp);
    draw();
    cairo_status_t status = CAIRO_STATUS_SUCCESS;
    if (png) status = c_.cairo_surface_write_to_png(surface, path.c_str());
    c_.cairo_destroy(g_);
    c_.cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS) status = c_.cairo_surface_status(surface);
    c_.cairo_surface_destroy(surface);
    if (status != CAIRO_STATUS_SUCCESS)
      throw Error(ErrorCode::cannot_write,
                  fmt::format("cannot write '{}': {}", path, c_.cairo_status_to_string(status)));
  }

 private:
  struct Line {
    std::string name;
    const std::vector<double>& values;
  };

  static const std::vector<double>& column(const MotionTable& table, const std::string& name) {
    const auto found = std::find(table.names.begin(), table.names.end(), name);
    if (found != table.names.end()) return table.columns[static_cast<std::size_t>(found - table.names.begin())];
    std::string list;
    for (const std::string& known : table.names) list += (list.empty() ? "" : ", ") + known;
    throw Error(ErrorCode::unknown_name, fmt::format("there is no column '{}'; there are {}", name, list));
  }

  // What stands between t and the first velocity; everything where there are no velocities.
  static std::vector<std::string> positions(const MotionTable& table) {
    std::vector<std::string> list;
    for (const std::string& name : table.names) {
      if (name.ends_with('\'')) break;
      if (name != "t") list.push_back(name);
    }
    return list;
  }

  // Why nothing would be seen of a curve; nothing where something would.
  std::string obstacle(const Line& line) const {
    const std::size_t count = std::min(x_.size(), line.values.size());
    if (count == 0) return "the file has no samples";
    bool finite = false, seen = false;
    for (std::size_t i = 0; i < count; ++i) {
      if (!std::isfinite(x_[i]) || !std::isfinite(line.values[i])) continue;
      finite = true;
      seen = seen || drawn(line.values[i]);
    }
    if (!finite) return fmt::format("'{}' over '{}' has no value at any sample", line.name, options_.x);
    if (!seen) return fmt::format("'{}' is 0 at every sample, which has no place on a logarithmic scale", line.name);
    return {};
  }

  double shown(double y) const { return options_.logarithmic ? std::log10(std::max(std::abs(y), 1e-17)) : y; }

  // An exact zero has no place on a logarithmic scale, and breaks nothing.
  bool drawn(double y) const { return std::isfinite(y) && !(options_.logarithmic && y == 0); }

  void colour(const Colour& rgb) { c_.cairo_set_source_rgb(g_, rgb[0], rgb[1], rgb[2]); }

  // `anchor`: 0 left, 0.5 in the middle, 1 right.
  void text(double x, double y, const std::string& words, double anchor) {
    cairo_text_extents_t extents;
    c_.cairo_text_extents(g_, words.c_str(), &extents);
    c_.cairo_move_to(g_, x - anchor * extents.x_advance, y);
    c_.cairo_show_text(g_, words.c_str());
  }

  double at_x(double v) const { return left_ + (v - across_.from) / (across_.to - across_.from) * (right_ - left_); }
  double at_y(double v) const { return bottom_ - (v - up_.from) / (up_.to - up_.from) * (bottom_ - top_); }

  void fit() {
    left_ = 62;
    right_ = options_.width - 16;
    top_ = 16;
    bottom_ = options_.height - 64;
    for (const double x : x_) across_.take(x);
    for (const Line& line : curves_)
      for (const double y : line.values)
        if (drawn(y)) up_.take(shown(y));
    if (options_.x != "t" || !(across_.to > across_.from)) across_.widen(0.05);
    up_.widen(0.05);
    if (!options_.same_scale) return;
    const double scale_x = (across_.to - across_.from) / (right_ - left_),
                 scale_y = (up_.to - up_.from) / (bottom_ - top_);
    Span& narrow = scale_x < scale_y ? across_ : up_;
    narrow.widen((std::max(scale_x, scale_y) / std::min(scale_x, scale_y) - 1) / 2);
  }

  void draw() {
    fit();
    c_.cairo_set_source_rgb(g_, 1, 1, 1);
    c_.cairo_paint(g_);
    c_.cairo_select_font_face(g_, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    c_.cairo_set_font_size(g_, 11);
    axes();
    c_.cairo_save(g_);
    c_.cairo_rectangle(g_, left_ - 2, top_ - 2, right_ - left_ + 4, bottom_ - top_ + 4);
    c_.cairo_clip(g_);
    c_.cairo_set_line_join(g_, CAIRO_LINE_JOIN_ROUND);
    c_.cairo_set_line_cap(g_, CAIRO_LINE_CAP_ROUND);
    if (points_ || colours_ != nullptr) {
      if (!draw_cells()) draw_points();
      c_.cairo_restore(g_);
      legend();
      return;
    }
    for (std::size_t k = 0; k < curves_.size(); ++k) {
      colour(palette[k % palette.size()]);
      bool down = false;
      Span wide, high;
      for (std::size_t i = 0; i < std::min(x_.size(), curves_[k].values.size()); ++i) {
        const double y = curves_[k].values[i];
        if (!std::isfinite(x_[i]) || !std::isfinite(y)) {
          down = false;
          continue;
        }
        if (!drawn(y)) continue;
        const double px = at_x(x_[i]), py = at_y(shown(y));
        if (!down) c_.cairo_move_to(g_, px, py);
        c_.cairo_line_to(g_, px, py);
        down = true;
        wide.take(px);
        high.take(py);
      }
      // one that stays where it is has no length, and is drawn as a dot
      const bool still = wide.to - wide.from < 1 && high.to - high.from < 1;
      c_.cairo_set_line_width(g_, still ? 7 : 1.6);
      dash(!still && is_dashed(k));
      c_.cairo_stroke(g_);
      dash(false);
    }
    c_.cairo_restore(g_);
    legend();
  }

  // Either side of a level has all its shades, however far it goes.
  Colour shade_of(double value) const {
    if (options_.level) {
      const double beyond = value - *options_.level,
                   most = beyond > 0 ? shades_.to - *options_.level : *options_.level - shades_.from;
      return shade(two_sides, most > 0 ? 0.5 + beyond / (2 * most) : 0.5);
    }
    const double size = shades_.to - shades_.from;
    return shade(dark_to_light, size > 0 ? (value - shades_.from) / size : 0.5);
  }
  bool has_shade(std::size_t row) const { return colours_ == nullptr || std::isfinite((*colours_)[row]); }

  void draw_points() {
    for (std::size_t k = 0; k < curves_.size(); ++k) {
      const std::size_t count = std::min(x_.size(), curves_[k].values.size());
      c_.cairo_set_line_width(g_, count > 20'000 ? 1.2 : count > 1000 ? 2.4 : 4);
      colour(palette[k % palette.size()]);
      for (std::size_t i = 0; i < count; ++i) {
        const double y = curves_[k].values[i];
        if (!std::isfinite(x_[i]) || !drawn(y) || !has_shade(i)) continue;
        if (colours_ != nullptr) colour(shade_of((*colours_)[i]));
        c_.cairo_move_to(g_, at_x(x_[i]), at_y(shown(y)));
        c_.cairo_line_to(g_, at_x(x_[i]), at_y(shown(y)));
        c_.cairo_stroke(g_);
      }
    }
  }

  // Of a column over a grid of two others, every place once: a cell for each, as far as the middle of the way to its neighbours.
  bool draw_cells() {
    if (colours_ == nullptr || curves_.size() != 1 || options_.logarithmic) return false;
    const std::vector<double>& y = curves_.front().values;
    const std::vector<double> across = distinct(x_), up = distinct(y);
    if (across.size() < 2 || up.size() < 2 || across.size() * up.size() != x_.size()) return false;
    const auto edges = [](const std::vector<double>& values, double value) {
      const auto at = std::lower_bound(values.begin(), values.end(), value);
      const double before = at == values.begin() ? 2 * *at - *(at + 1) : *(at - 1);
      const double after = at + 1 == values.end() ? 2 * *at - *(at - 1) : *(at + 1);
      return std::pair((before + value) / 2, (value + after) / 2);
    };
    if (x_.size() > most_shapes && evenly(across) && evenly(up)) {
      draw_image(across, up);
    } else {
      for (std::size_t i = 0; i < x_.size(); ++i) {
        if (!std::isfinite(x_[i]) || !std::isfinite(y[i]) || !has_shade(i)) continue;
        const auto [left, right] = edges(across, x_[i]);
        const auto [low, high] = edges(up, y[i]);
        colour(shade_of((*colours_)[i]));
        // a little larger, so that nothing shines through between two
        c_.cairo_rectangle(g_, at_x(left), at_y(high), at_x(right) - at_x(left) + 0.3, at_y(low) - at_y(high) + 0.3);
        c_.cairo_fill(g_);
      }
    }
    if (options_.level) draw_level(across, up);
    return true;
  }

  static std::size_t place(const std::vector<double>& all, double value) {
    return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), value) - all.begin());
  }

  // A pixel for each cell: a file of so many shapes is slow to open.
  void draw_image(const std::vector<double>& across, const std::vector<double>& up) {
    const std::vector<double>& y = curves_.front().values;
    const auto columns = static_cast<int>(across.size()), rows = static_cast<int>(up.size());
    cairo_surface_t* image = c_.cairo_image_surface_create(CAIRO_FORMAT_ARGB32, columns, rows);
    unsigned char* data = c_.cairo_image_surface_get_data(image);
    const auto stride = static_cast<std::size_t>(c_.cairo_image_surface_get_stride(image));
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (!std::isfinite(x_[i]) || !std::isfinite(y[i]) || !has_shade(i)) continue;
      std::uint32_t pixel = 0xff;
      for (const double part : shade_of((*colours_)[i]))
        pixel = pixel << 8 | static_cast<std::uint32_t>(std::lround(255 * part));
      std::memcpy(data + (up.size() - 1 - place(up, y[i])) * stride + 4 * place(across, x_[i]), &pixel, sizeof pixel);
    }
    c_.cairo_surface_mark_dirty(image);
    const double half_x = (across.back() - across.front()) / (2 * (columns - 1)),
                 half_y = (up.back() - up.front()) / (2 * (rows - 1));
    const double left = at_x(across.front() - half_x), top = at_y(up.back() + half_y);
    c_.cairo_save(g_);
    c_.cairo_translate(g_, left, top);
    c_.cairo_scale(g_, (at_x(across.back() + half_x) - left) / columns, (at_y(up.front() - half_y) - top) / rows);
    c_.cairo_set_source_surface(g_, image, 0, 0);
    c_.cairo_pattern_set_filter(c_.cairo_get_source(g_), CAIRO_FILTER_NEAREST);
    c_.cairo_paint(g_);
    c_.cairo_restore(g_);
    c_.cairo_surface_destroy(image);
  }

  // Where the colours pass the level: through every cell between four places that have values, straight lines between the points of its edges where
  // they do by linear interpolation.
  void draw_level(const std::vector<double>& across, const std::vector<double>& up) {
    const std::vector<double>& y = curves_.front().values;
    std::vector<double> values(across.size() * up.size(), std::nan(""));
    for (std::size_t i = 0; i < x_.size(); ++i)
      if (std::isfinite(x_[i]) && std::isfinite(y[i]))
        values[place(across, x_[i]) * up.size() + place(up, y[i])] = (*colours_)[i] - *options_.level;
    colour(ink);
    c_.cairo_set_line_width(g_, 1.3);
    using Corner = std::array<std::size_t, 2>;
    for (std::size_t i = 0; i + 1 < across.size(); ++i) {
      for (std::size_t j = 0; j + 1 < up.size(); ++j) {
        const std::array<Corner, 4> corners = {{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}}};
        const auto value = [&](std::size_t k) { return values[corners[k % 4][0] * up.size() + corners[k % 4][1]]; };
        if (!std::isfinite(value(0) + value(1) + value(2) + value(3))) continue;
        std::vector<std::array<double, 2>> ends;
        for (std::size_t k = 0; k < 4; ++k) {
          const double a = value(k), b = value(k + 1);
          if ((a > 0) == (b > 0)) continue;
          const Corner &from = corners[k], &to = corners[(k + 1) % 4];
          const double share = a / (a - b);
          ends.push_back({at_x(across[from[0]] + share * (across[to[0]] - across[from[0]])),
                          at_y(up[from[1]] + share * (up[to[1]] - up[from[1]]))});
        }
        for (std::size_t k = 0; k + 1 < ends.size(); k += 2) {
          c_.cairo_move_to(g_, ends[k][0], ends[k][1]);
          c_.cairo_line_to(g_, ends[k + 1][0], ends[k + 1][1]);
        }
      }
    }
    c_.cairo_stroke(g_);
  }

  // What the colours say.
  void colour_bar() {
    constexpr double width = 120, height = 9;
    const double y = options_.height - 25;
    colour(ink);
    cairo_text_extents_t extents;
    const std::string low = fmt::format("{}  {:.4g}", label(options_.colour_label, options_.colour), shades_.from);
    c_.cairo_text_extents(g_, low.c_str(), &extents);
    text(left_, y + height, low, 0);
    const double bar = left_ + extents.x_advance + 6;
    // where there is a level inside, each side of it is a half
    const bool sides = options_.level && *options_.level > shades_.from && *options_.level < shades_.to;
    const auto value = [&](double share) {
      if (!sides) return shades_.from + share * (shades_.to - shades_.from);
      return share < 0.5 ? shades_.from + 2 * share * (*options_.level - shades_.from)
                         : *options_.level + (2 * share - 1) * (shades_.to - *options_.level);
    };
    for (int i = 0; i < 60; ++i) {
      colour(shade_of(value((i + 0.5) / 60)));
      c_.cairo_rectangle(g_, bar + i * width / 60, y, width / 60 + 0.3, height);
      c_.cairo_fill(g_);
    }
    colour(ink);
    if (sides) text(bar + width / 2, y + height + 11, fmt::format("{:.4g}", *options_.level), 0.5);
    text(bar + width + 6, y + height, fmt::format("{:.4g}", shades_.to), 0);
    upwards(label(options_.y_label, curves_.front().name));
  }
  static const std::string& label(const std::string& given, const std::string& name) {
    return given.empty() ? name : given;
  }

  void axes() {
    c_.cairo_set_line_width(g_, 0.8);
    const Ticks marks = ticks(across_.from, across_.to, 7);
    Ticks heights = options_.logarithmic ? Ticks() : ticks(up_.from, up_.to, 6);
    if (options_.logarithmic) {
      const int first = static_cast<int>(std::ceil(up_.from)), last = static_cast<int>(std::floor(up_.to));
      for (int p = first; p <= last; p += std::max(1, (last - first + 4) / 5)) {
        heights.at.push_back(p);
        heights.labels.push_back(power_of_ten(p));
      }
    }
    for (std::size_t i = 0; i < marks.at.size(); ++i) {
      const double x = at_x(marks.at[i]);
      colour(pale);
      c_.cairo_move_to(g_, x, top_);
      c_.cairo_line_to(g_, x, bottom_);
      c_.cairo_stroke(g_);
      colour(soft);
      text(x, bottom_ + 15, marks.labels[i], 0.5);
    }
    for (std::size_t i = 0; i < heights.at.size(); ++i) {
      const double y = at_y(heights.at[i]);
      colour(pale);
      c_.cairo_move_to(g_, left_, y);
      c_.cairo_line_to(g_, right_, y);
      c_.cairo_stroke(g_);
      colour(soft);
      text(left_ - 7, y + 4, heights.labels[i], 1);
    }
    colour(ink);
    text(right_, bottom_ + 31, label(options_.x_label, options_.x), 1);
    if (colours_ == nullptr && !options_.y_label.empty()) upwards(options_.y_label);
    mark();
  }
  void upwards(const std::string& words) {
    c_.cairo_save(g_);
    c_.cairo_rotate(g_, -M_PI / 2);
    text(-top_, 13, words, 1);
    c_.cairo_restore(g_);
  }

  // One beside the other where there is room, else one below the other.
  void mark() {
    double free_from = left_, y = top_ - 4;
    for (const PlotOptions::Mark& one : options_.marks) {
      if (!(one.x >= across_.from && one.x <= across_.to)) continue;
      const double x = at_x(one.x);
      colour(soft);
      dash(true);
      c_.cairo_move_to(g_, x, top_);
      c_.cairo_line_to(g_, x, bottom_);
      c_.cairo_stroke(g_);
      dash(false);
      cairo_text_extents_t extents;
      c_.cairo_text_extents(g_, one.label.c_str(), &extents);
      const double from = std::min(x, right_ - extents.x_advance);
      y = from < free_from ? y + 13 : top_ - 4;
      free_from = from + extents.x_advance + 6;
      colour(ink);
      text(from, y, one.label, 0);
    }
  }
  void dash(bool on) {
    constexpr std::array<double, 2> lengths = {4, 3};
    c_.cairo_set_dash(g_, lengths.data(), on ? 2 : 0, 0);
  }
  bool is_dashed(std::size_t k) const {
    return std::ranges::find(options_.dashed, curves_[k].name) != options_.dashed.end();
  }

  void legend() {
    if (colours_ != nullptr) return colour_bar();
    double x = left_;
    for (std::size_t k = 0; k < curves_.size(); ++k) {
      cairo_text_extents_t extents;
      c_.cairo_text_extents(g_, curves_[k].name.c_str(), &extents);
      if (x + 24 + extents.x_advance > right_) break;
      colour(palette[k % palette.size()]);
      c_.cairo_set_line_width(g_, 2.4);
      c_.cairo_move_to(g_, x, options_.height - 20);
      c_.cairo_line_to(g_, x + 16, options_.height - 20);
      dash(is_dashed(k));
      c_.cairo_stroke(g_);
      dash(false);
      colour(ink);
      text(x + 21, options_.height - 16, curves_[k].name, 0);
      x += 21 + extents.x_advance + 18;
    }
  }

  Cairo c_;
  const PlotOptions& options_;
  const std::vector<double>& x_;
  std::vector<Line> curves_;
  std::vector<std::string> left_out_;
  bool points_;
  const std::vector<double>* colours_ = nullptr;
  Span shades_;
  cairo_t* g_ = nullptr;
  Span across_, up_;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
};

// Steps over equal parts of the range of all columns: how many rows have a value there.
MotionTable counted(const MotionTable& table, const std::vector<std::string>& names, const std::string& across) {
  std::vector<const std::vector<double>*> columns;
  Span range;
  std::size_t most = 0;
  for (const std::string& name : names) {
    const auto found = std::find(table.names.begin(), table.names.end(), name);
    if (found == table.names.end())
      throw Error(ErrorCode::unknown_name,
                  fmt::format("there is no column '{}'; there are {}", name, fmt::join(table.names, ", ")));
    columns.push_back(&table.columns[static_cast<std::size_t>(found - table.names.begin())]);
    for (const double value : *columns.back()) range.take(value);
    most = std::max(most, columns.back()->size());
  }
  if (!(range.from <= range.to)) throw Error(ErrorCode::bad_model, "no row has a value: there is nothing to draw");
  if (range.from == range.to) range.widen(0);
  // as many parts as the root of the count, which keeps the noise of a part below its height
  const std::size_t parts = std::clamp<std::size_t>(static_cast<std::size_t>(std::sqrt(most)), 5, 100);
  MotionTable result;
  result.names = {across};
  result.columns.resize(1);
  const auto edge = [&](std::size_t i) {
    return range.from + (range.to - range.from) * static_cast<double>(i) / static_cast<double>(parts);
  };
  result.columns[0].push_back(edge(0));
  for (std::size_t i = 0; i < parts; ++i)
    for (const std::size_t end : {i, i + 1}) result.columns[0].push_back(edge(end));
  result.columns[0].push_back(edge(parts));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    std::vector<double> counts(parts);
    for (const double value : *columns[k]) {
      if (!std::isfinite(value)) continue;
      const double share = (value - range.from) / (range.to - range.from);
      ++counts[std::min(static_cast<std::size_t>(share * static_cast<double>(parts)), parts - 1)];
    }
    result.names.push_back("motions with " + names[k]);
    std::vector<double>& heights = result.columns.emplace_back();
    heights.push_back(0);
    for (const double count : counts) heights.insert(heights.end(), {count, count});
    heights.push_back(0);
  }
  return result;
}

// What is drawn of a sweep where nothing else is said.
PlotOptions completed(const MotionTable& table, PlotOptions options) {
  if (table.inputs == 0) return options;
  if (options.x == PlotOptions().x) options.x = table.names.front();
  if (options.y.empty() && table.names.size() > table.inputs) options.y = {table.names[table.inputs]};
  return options;
}

}  // namespace

std::vector<std::string> draw_plot(const MotionTable& given, const PlotOptions& wanted, const std::string& path) {
  PlotOptions options = completed(given, wanted);
  MotionTable table_of_counts;
  if (options.histogram) {
    if (options.y.empty()) throw Error(ErrorCode::bad_model, "a histogram is one of a column: name it with --y");
    options.x = options.y.size() == 1 ? options.y.front() : "value";
    table_of_counts = counted(given, options.y, options.x);
    options.y.assign(table_of_counts.names.begin() + 1, table_of_counts.names.end());
    options.colour.clear();
  }
  const MotionTable& table = options.histogram ? table_of_counts : given;
  if (!path.ends_with(".svg") && !path.ends_with(".pdf") && !path.ends_with(".png"))
    throw Error(ErrorCode::bad_model, fmt::format("a figure is FILE.svg, FILE.pdf or FILE.png, not '{}'", path));
  Drawing drawing(table, options);
  output::require_folder(path);
  drawing.write(path);
  return drawing.left_out();
}

}  // namespace cetaev
