// Motions that were written to files, read back as columns.
#pragma once

#include <string>
#include <vector>

namespace cetaev {

struct MotionTable {
  std::vector<std::string> names;            // t, coordinates, velocities x', lambda1…, E, residual
  std::vector<std::vector<double>> columns;  // not a number where a value does not exist
};

// FILE.csv with a header line, or FILE.h5 as `run` writes it. Throws bad-model with the place of what is wrong.
MotionTable read_motion(const std::string& path);

}  // namespace cetaev
