// Models for tests that derive things by hand: expressions are added to them, so each is a scratch copy.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cetaev/model/read.hpp"

namespace cetaev {

inline System scratch_model(std::string_view text, const std::string& file,
                            std::span<const std::string> settings = {}) {
  return read_model(text, file, settings).scratch();
}

inline System scratch_model_file(const std::string& path, std::span<const std::string> settings = {}) {
  return read_model_file(path, settings).scratch();
}

}  // namespace cetaev
