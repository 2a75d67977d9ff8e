// A planar snake of N links with a blade under the middle of each: N + 2 coordinates, N constraints.
#pragma once

#include <string>

#include "cetaev/gallery.hpp"

namespace cetaev::bench {

inline std::string snake_model(int links) { return generated_model("snake-" + std::to_string(links)).value(); }

}  // namespace cetaev::bench
