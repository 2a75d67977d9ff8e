// What the papers claim, embedded in the program: papers/*.toml of the source tree (docs/reference/claims.md).
#pragma once

#include <span>
#include <string_view>

namespace cetaev {

struct ClaimsFile {
  std::string_view name;  // of the file, without .toml
  std::string_view text;  // the file, byte for byte
};

// Every file, sorted by name.
std::span<const ClaimsFile> claims_files();

}  // namespace cetaev
