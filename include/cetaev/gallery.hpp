// The models that ship with the program, embedded in it: gallery/*.toml of the source tree.
#pragma once

#include <span>
#include <string_view>

namespace cetaev {

struct GalleryModel {
  std::string_view name;  // the name of its file without .toml, as the command line takes it
  std::string_view text;  // the file, byte for byte
};

// Every model, sorted by name.
std::span<const GalleryModel> gallery();

}  // namespace cetaev
