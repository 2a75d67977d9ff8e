// One figure from the columns of a motion, or of a sweep: what `cetaev plot` draws.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/output/read_motion.hpp"

namespace cetaev {

struct PlotOptions {
  std::string x = "t";         // of a sweep: the first column that varies
  std::vector<std::string> y;  // the positions where none is named; of a sweep what was observed first
  std::string colour;          // of points: the colour is the value of this column; a map where x and y are a grid
  std::optional<double>
      level;  // of the colour: it changes sides there, and a line is drawn through a map where it is passed
  bool histogram = false;            // how many rows have which values of y
  bool logarithmic = false;          // |y|, powers of ten
  bool same_scale = false;           // a length is the same in both directions
  double width = 640, height = 400;  // points
  // What is written at the axes and beside the colours, where it is not the names of the columns: with units, say.
  std::string x_label, y_label, colour_label;
  std::vector<std::string> dashed;  // of y
  // Lines upwards at values of x, with what is written beside them.
  struct Mark {
    double x;
    std::string label;
  };
  std::vector<Mark> marks;
};

// Curves; the motions of a sweep are points. By the end of the path: .svg, .pdf or .png (two pixels to the point). Throws unknown-name for a column that is not there,
// bad-model for another ending and where nothing would be seen, cannot-write. Says which curves were left out, and why.
std::vector<std::string> draw_plot(const MotionTable& table, const PlotOptions& options, const std::string& path);

}  // namespace cetaev
