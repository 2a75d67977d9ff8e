// What is shown of the motions of a sweep: counts, distributions, and outputs over what varies. Gathered block by block, so that the memory
// does not grow with the count.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cetaev/output/sweep_file.hpp"
#include "chart.hpp"

namespace cetaev {

// Of one column, over all motions that have a value.
struct ColumnSummary {
  std::string name;
  std::size_t count = 0;
  Range range;
  double mean = 0, spread = 0;     // the root of the mean square of the distances from the mean
  std::vector<std::size_t> parts;  // how many are in which of the equal parts of the range
};

// The mean of an output over cells of what varies first and second.
struct OutputMap {
  struct Cell {
    double sum = 0;
    std::size_t count = 0;
  };
  std::vector<Cell> cells;  // row by row, upwards
};

struct SweepView {
  explicit SweepView(const SweepFile& sweep);

  std::size_t count = 0, there = 0;  // motions; those that are in the file
  std::map<std::string, std::size_t> statuses, diagnoses;
  std::vector<ColumnSummary> inputs, outputs;

  // Cells of the first two inputs: where they are grids of not too many values, one for each of those.
  struct Axis {
    std::vector<double> edges;
    std::size_t cell(double value) const;
    std::size_t cells() const { return edges.size() - 1; }
  };
  std::array<Axis, 2> axes;     // of no edges where less than two inputs vary
  std::vector<OutputMap> maps;  // one for each output
  bool has_maps() const { return !maps.empty(); }

  // Motions evenly chosen, few enough to be drawn one by one: inputs, then outputs.
  std::vector<std::vector<double>> points;

 private:
  void count_all(const SweepFile& sweep);
  void place_axes();
  void sort_all(const SweepFile& sweep);
  std::array<std::map<double, std::size_t>, 2> values_;  // of the first two inputs, as long as they are few
};

// Figures as SVG with their captions.
std::string histogram(const ColumnSummary& column, const std::string& label);
std::string scatter(const SweepView& view, std::size_t input, std::size_t output, const std::string& x_label,
                    const std::string& y_label);
std::string heat_map(const SweepView& view, std::size_t output, const std::string& x_label, const std::string& y_label,
                     const std::string& label);

}  // namespace cetaev
