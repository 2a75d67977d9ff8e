// Values as colours.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace cetaev {

using Colour = std::array<double, 3>;  // red, green, blue up to 1

// From dark to light, the same steps for the eye: anchors of the map called viridis.
inline constexpr std::array<Colour, 6> dark_to_light = {{{0.267, 0.005, 0.329},
                                                         {0.254, 0.265, 0.530},
                                                         {0.164, 0.471, 0.558},
                                                         {0.135, 0.659, 0.518},
                                                         {0.478, 0.821, 0.319},
                                                         {0.993, 0.906, 0.144}}};

// At a share of the way along the anchors.
inline Colour shade(std::span<const Colour> anchors, double share) {
  const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(anchors.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(at), anchors.size() - 2);
  const double rest = at - static_cast<double>(i);
  Colour result;
  for (std::size_t c = 0; c < 3; ++c) result[c] = (1 - rest) * anchors[i][c] + rest * anchors[i + 1][c];
  return result;
}

}  // namespace cetaev
