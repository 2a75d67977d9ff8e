// One figure from the columns of a motion: what `cetaev plot` draws.
#pragma once

#include <string>
#include <vector>

#include "cetaev/output/read_motion.hpp"

namespace cetaev {

struct PlotOptions {
  std::string x = "t";
  std::vector<std::string> y;        // the positions where none is named
  bool logarithmic = false;          // |y|, powers of ten
  bool same_scale = false;           // a length is the same in both directions
  double width = 640, height = 400;  // points
};

// By the end of the path: .svg, .pdf or .png (two pixels to the point). Throws unknown-name for a column that is not there,
// bad-model for another ending and where nothing would be seen, cannot-write. Says which curves were left out, and why.
std::vector<std::string> draw_plot(const MotionTable& table, const PlotOptions& options, const std::string& path);

}  // namespace cetaev
