// Line charts as SVG, and the columns of numbers that they and the scripts of the page share.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace cetaev {

// Columns by name. Those of one grid have equal length.
class Columns {
 public:
  struct Column {
    std::string name;
    std::vector<double> values;  // not a number where there is none
    bool precise = true;         // else single precision does
  };
  // Returns the name. The same name again is the same column.
  std::string add(const std::string& name, std::vector<double> values, bool precise = true);
  const std::vector<double>& operator[](const std::string& name) const { return columns_[index_.at(name)].values; }
  const std::vector<Column>& all() const { return columns_; }

 private:
  std::vector<Column> columns_;
  std::map<std::string, std::size_t> index_;
};

struct Curve {
  std::string label;
  std::string x, y;  // names of columns
  int colour = 0;    // of the page's palette
  bool dashed = false;
  bool thick = false;
};

struct Chart {
  std::string id;
  std::string title;  // what it shows, for a reader who cannot see it
  std::string x_label, y_label;
  std::vector<Curve> curves;
  bool same_scale = false;   // a length is the same in both directions
  bool logarithmic = false;  // |y|, powers of ten
  bool small = false;
};

// A figure with its legend; scripts find it by its id.
std::string figure(const Columns& columns, const Chart& chart);

// "10⁻³"
std::string power_of_ten(int power);

struct Range {
  double from = INFINITY, to = -INFINITY;
  void take(double x) {
    if (!std::isfinite(x)) return;
    from = std::min(from, x);
    to = std::max(to, x);
  }
  bool empty() const { return !(from <= to); }
  double span() const { return to - from; }
};
// Room around the curves; something to see where they are constant.
Range padded(Range range);

struct PlotArea {
  double width, height, left, right, top, bottom;
  Range x, y;
  double at_x(double v) const { return left + (v - x.from) / x.span() * (width - left - right); }
  double at_y(double v) const { return height - bottom - (v - y.from) / y.span() * (height - top - bottom); }
};

struct Ticks {
  std::vector<double> at;
  std::vector<std::string> labels;
};
// About `wanted` round numbers between the two.
Ticks ticks(double from, double to, std::size_t wanted);

// The beginning of a figure, and its axes: for those who draw something else than curves.
std::string begin_chart(const PlotArea& frame, const std::string& title);
std::string axes(const PlotArea& frame, const Ticks& across, const Ticks& upwards, const std::string& x_label,
                 const std::string& y_label);

}  // namespace cetaev
