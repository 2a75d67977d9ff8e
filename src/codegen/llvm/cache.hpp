// Images on disk. A file is executed only if nobody but the effective user can have written it: folder, key and file belong
// to that user and cannot be changed by others, and the file bears a seal that is made with the key. What is not so is left
// alone; what cannot be written is not kept.
#pragma once

#include <optional>
#include <string>

#include "hash.hpp"
#include "image.hpp"

namespace cetaev::native {

struct CachedImage {
  std::optional<Image> image;
  std::string refusal;  // why something that is there was not used; empty where nothing is there
};
CachedImage read_cache(const Digest& key);
// Why the folder is not used, or nothing.
std::string write_cache(const Digest& key, const Image& image);

}  // namespace cetaev::native
