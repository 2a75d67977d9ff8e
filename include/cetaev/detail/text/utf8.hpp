// UTF-8 and the width of characters on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cetaev::text {

// The code point that starts at text[offset] and the number of its bytes. `bytes` is 0 where the text is not UTF-8
// (overlong forms, surrogates and values above U+10FFFF included).
struct CodePoint {
  char32_t value = 0;
  unsigned bytes = 0;
};
CodePoint decode(std::string_view text, std::size_t offset);

void append_utf8(std::string& text, char32_t c);
std::string utf8(char32_t c);

// The first byte that is not part of a UTF-8 character, or text.size().
std::size_t valid_prefix(std::string_view text);

// Characters in a text that is known to be UTF-8.
std::size_t character_count(std::string_view text);
// Where a character of such a text begins, from 0 on; its size for one that is not there.
std::size_t byte_of_character(std::string_view text, std::size_t number);

// The code points of a text; what is not UTF-8 becomes bad_character, byte by byte.
inline constexpr char32_t bad_character = 0xFFFD;
std::u32string code_points(std::string_view text);

// Marks that stand over or under the character before them, and selectors of its shape.
bool is_combining(char32_t c);

// Columns of a terminal: 0 for combining marks, 2 for wide East Asian characters and emoji.
unsigned display_width(char32_t c);
std::size_t display_width(std::string_view text);

}  // namespace cetaev::text
