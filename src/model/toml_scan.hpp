// A first walk over the TOML text, before the TOML library sees it.
//
// The library keeps neither the text of a number nor integers beyond 64 bits, recurses on nesting, says what is wrong
// in its own words, and (3.3) runs into undefined behaviour when it asks whether a letter such as θ is a space, and on
// some things that look like dates. The walk checks the outline (keys, '=', strings, brackets, ends of lines), reports
// what people get wrong most often in ours, bounds depth and size, and hides numbers and such letters behind
// placeholders of the same width: numbers, keys and strings are read from the source text at the places that the
// library reports.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source_text.hpp"

namespace cetaev::model {

struct TomlScan {
  std::string masked;                                     // the text for the library
  std::vector<std::pair<std::size_t, std::size_t>> keys;  // offsets of a value and of its key, in file order
  std::vector<std::size_t> headers;                       // offsets of [ and [[
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

// The key that starts at `offset`, without its quotes; one part of a dotted key.
std::string key_at(std::string_view text, std::size_t offset);

// A number as TOML writes it (inf and nan not included).
bool is_toml_number(std::string_view token);

}  // namespace cetaev::model
