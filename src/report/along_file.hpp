// What is computed along one name, in an HDF5 file laid out as that of a sweep.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/model/system.hpp"

namespace cetaev {

struct AlongRows {
  std::string name;            // what is varied: the input
  std::vector<double> values;  // of it
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;            // one for each value
  std::vector<std::string> critical;                // the attribute of that name: "hopf 4.29"
  std::vector<std::optional<ErrorCode>> diagnosis;  // of values that have no row of numbers; none where all have
};
// Throws cannot-write.
void write_along(const System& system, const AlongRows& along, const std::string& path);

}  // namespace cetaev
