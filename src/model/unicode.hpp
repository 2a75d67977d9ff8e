// The little of Unicode that a model file needs: UTF-8, which characters make a name, how wide a character is shown.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cetaev::model {

// The code point that starts at text[offset] and the number of its bytes. `bytes` is 0 where the text is not UTF-8
// (overlong forms, surrogates and values above U+10FFFF included).
struct CodePoint {
  char32_t value = 0;
  unsigned bytes = 0;
};
CodePoint decode(std::string_view text, std::size_t offset);
void append_utf8(std::string& text, char32_t c);

// The first byte that is not part of a UTF-8 character, or text.size().
std::size_t valid_prefix(std::string_view text);

// Characters in a text that is known to be UTF-8.
std::size_t character_count(std::string_view text);

// Names begin with a letter or '_' and continue with letters, digits, marks and '_'. Beyond ASCII every character
// counts as a letter except: spaces and controls, punctuation, currency signs, superscripts, fractions, arrows,
// mathematical operators and other symbols, private use. Subscripts (θ₁) and the letters of the mathematical alphabets
// count as letters; combining marks may follow a letter.
bool is_name_start(char32_t c);
bool is_name_part(char32_t c);
// The name that starts at `offset`; empty when none does.
std::string_view name_at(std::string_view text, std::size_t offset);
bool is_name(std::string_view text);

// What a reader of the model language would have typed in place of a character that only looks like it:
// ' for ’ and ′, - for −, * for · and ×, ^2 for ², and so on. Nothing for other characters.
std::optional<std::string_view> ascii_lookalike(char32_t c);

// "'*'", "'−' (U+2212)", "a tab", "the character U+00A0": how a message names a character.
std::string describe(char32_t c);

// A name or text from the file as messages quote it: in quotes, shortened, without control characters.
std::string in_quotes(std::string_view text);

// Columns of a terminal: 0 for combining marks, 2 for wide East Asian characters and emoji.
unsigned display_width(char32_t c);

}  // namespace cetaev::model
