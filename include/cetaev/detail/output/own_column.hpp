// The name of a column that is the program's own, in a table where names of the model stand beside it.
#pragma once

#include <algorithm>
#include <span>
#include <string>

namespace cetaev::output {

// motion(T) where the model has a T of its own among the columns: a table has no name twice.
inline std::string own_column(const std::string& name, std::span<const std::string> taken) {
  return std::ranges::find(taken, name) == taken.end() ? name : "motion(" + name + ")";
}

}  // namespace cetaev::output
