// The path of a motion in Braille characters, for those who look at it in a terminal.
#pragma once

#include <string>

#include "scene.hpp"

namespace cetaev {

// Lines of text, the first path of the scene on a grid of dots; empty where there is none.
std::string sketch(const Scene& scene, const Frames& frames, std::size_t columns = 60, std::size_t lines = 14);

}  // namespace cetaev
