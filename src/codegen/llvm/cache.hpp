// Images on disk. Whatever is wrong with a file or the folder means that nothing is found; what cannot be written is not
// kept.
#pragma once

#include <optional>

#include "hash.hpp"
#include "image.hpp"

namespace cetaev::native {

std::optional<Image> read_cache(const Digest& key);
void write_cache(const Digest& key, const Image& image);

}  // namespace cetaev::native
