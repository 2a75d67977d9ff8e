// Code of a program: found on disk or made.
#pragma once

#include <functional>
#include <memory>

#include "cetaev/detail/codegen/native.hpp"
#include "hash.hpp"
#include "image.hpp"

namespace cetaev::native {

// Of everything that the code depends on beyond the program itself.
Hasher begin_key(std::string_view kind, const NativeOptions& options);

void add_system(Hasher& h, const Program::System& s);

// Throws bad-model.
void require_lanes(unsigned lanes);

// `make` compiles. Null where machine code cannot be had here.
std::unique_ptr<LoadedImage> find_or_make(const Digest& key, bool cache, NativeOrigin& origin,
                                          const std::function<Image()>& make);

}  // namespace cetaev::native
