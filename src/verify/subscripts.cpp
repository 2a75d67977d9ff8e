#include "subscripts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "../model/unicode.hpp"

namespace cetaev::verify {

namespace {

// The letters of indices (docs/reference/claims.md): a_νr has two, and E_rφ is E_r of φ.
constexpr std::u32string_view index_letters = U"hijlrsμνσ";
// A word this long after '_' makes a name of the whole.
constexpr std::size_t shortest_word = 3;

std::size_t ascii_letters(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), letter) - text.begin());
}

// How much of the text, which follows the mark, is an index.
std::size_t index_length(std::string_view text, bool below) {
  if (text.empty() || ascii_letters(text) >= shortest_word) return 0;
  const text::CodePoint first = text::decode(text, 0);
  const bool digit = first.value >= U'0' && first.value <= U'9';
  if (!digit && !model::is_name_start(first.value)) return 0;
  std::size_t end = first.bytes;
  while (below && end < text.size()) {
    const text::CodePoint next = text::decode(text, end);
    if (index_letters.find(next.value) == std::u32string_view::npos) break;
    end += next.bytes;
  }
  return end;
}

}  // namespace

std::string with_subscripts(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i + 1);
    if (text[i] == '`') {
      const std::size_t end = std::min(rest.find('`'), rest.size());
      result += text.substr(i, end + 2);
      i += end + 1;
      continue;
    }
    const bool mark = (text[i] == '_' || text[i] == '^') && i > 0 && text[i - 1] != ' ' && text[i - 1] != '_';
    const bool braces = mark && rest.starts_with('{') && rest.find('}') != std::string_view::npos;
    const std::size_t length = braces ? rest.find('}') - 1 : mark ? index_length(rest, text[i] == '_') : 0;
    if (length == 0) {
      result += text[i];
      continue;
    }
    result += fmt::format("<{0}>{1}</{0}>", text[i] == '_' ? "sub" : "sup", rest.substr(braces ? 1 : 0, length));
    i += length + (braces ? 2 : 0);
  }
  return result;
}

}  // namespace cetaev::verify
