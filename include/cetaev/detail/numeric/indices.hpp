// 0, 1, 2, …
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace cetaev {

// As many as there are rows, columns, unknowns.
inline std::vector<std::size_t> all_indices(std::size_t count) {
  std::vector<std::size_t> indices(count);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

}  // namespace cetaev
