// A first walk over the TOML text, before the TOML library sees it.
//
// The library keeps neither the text of a number nor integers beyond 64 bits, recurses on nesting and says what is wrong
// in its own words. The walk checks the outline (keys, '=', strings, brackets, ends of lines), reports what people get
// wrong most often in ours, bounds depth and size, and hides every number behind a placeholder of the same width: the
// exact value is read from the source text at the place that the library reports.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source_text.hpp"

namespace cetaev::model {

struct TomlScan {
  std::string masked;                                     // the text with its numbers hidden
  std::vector<std::pair<std::size_t, std::size_t>> keys;  // offsets of a value and of its key, in file order
};

struct TomlLimits {
  static constexpr std::size_t depth = 64;       // brackets inside brackets
  static constexpr std::size_t key_parts = 16;   // a.b.c
  static constexpr std::size_t dotted = 10'000;  // keys and headers with dots
  static constexpr std::size_t values = 200'000;
};

// Throws Error(parse_error), or bad_model where a limit is passed.
TomlScan scan_toml(const SourceText& source);

// The text of the number, date or word that starts at `offset` of a scanned text.
std::string_view bare_token(std::string_view text, std::size_t offset);

// A number as TOML writes it (inf and nan not included).
bool is_toml_number(std::string_view token);

}  // namespace cetaev::model
