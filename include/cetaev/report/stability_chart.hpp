// A stability chart for people, for programs, and in files.
#pragma once

#include <string>
#include <vector>

#include "cetaev/model/system.hpp"
#include "cetaev/stability/chart.hpp"

namespace cetaev {

// At how many places it is stable, and where there is no steady motion.
std::string to_text(const StabilityChart& chart);
std::string to_json(const StabilityChart& chart);
// FILE.h5 or FILE.csv, as files of sweeps are: inputs are the two values; outputs growth, frequency and growing, or a diagnosis where there is no steady
// motion. Throws cannot-write.
void write_chart(const System& system, const StabilityChart& chart, const std::string& path);
// A map in FILE.svg, FILE.pdf or FILE.png. Throws bad-model for another ending and where there is nothing to draw, cannot-write.
void draw_chart(const System& system, const StabilityChart& chart, const std::string& path);

}  // namespace cetaev
