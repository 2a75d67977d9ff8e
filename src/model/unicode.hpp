// The little of Unicode that a model file needs: which characters make a name, and how messages show them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "cetaev/detail/text/utf8.hpp"

namespace cetaev::model {

using text::append_utf8;
using text::character_count;
using text::CodePoint;
using text::decode;
using text::valid_prefix;

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

}  // namespace cetaev::model
