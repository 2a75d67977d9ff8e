// A TOML document as an ordered tree in which everything knows its place in the file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "source_text.hpp"

namespace cetaev::model {

struct Entry;

struct TomlValue {
  enum class Kind { string, number, boolean, array, table, other };

  Kind kind = Kind::table;
  std::size_t offset = 0;  // its first byte; of a [table], the bracket
  std::string text;        // string: its value; number: in decimal notation; other: as written
  bool boolean = false;
  std::vector<TomlValue> elements;  // array
  std::vector<Entry> entries;       // table, in file order

  const Entry* find(std::string_view key) const;
};

struct Entry {
  std::string key;
  std::size_t offset = 0;  // of the key
  TomlValue value;
};

// "a string", "an array": how messages name what was found.
std::string_view kind_name(TomlValue::Kind kind);

// The document; throws Error(parse_error) with the place where it is not TOML.
TomlValue read_document(const SourceText& source);

// The byte of the file that byte `index` of the string value at `offset` comes from; index may be the length of the
// value, which gives the closing quote. Escapes and joined lines are accounted for.
std::size_t string_source(std::string_view text, std::size_t offset, std::size_t index);
// The value of the string at `offset`.
std::string string_value(std::string_view text, std::size_t offset);

}  // namespace cetaev::model
