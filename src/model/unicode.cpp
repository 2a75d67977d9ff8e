#include "unicode.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>

#include "cetaev/detail/text/printable.hpp"

namespace cetaev::model {
namespace {

struct Range {
  char32_t first, last;
};

constexpr Range not_letters[] = {
    {0x80, 0xA9},        // controls, no-break space, Latin-1 punctuation and signs
    {0xAB, 0xB4},        // … « ¬ soft hyphen ® ¯ ° ± ² ³ ´
    {0xB6, 0xB9},        // ¶ · ¸ ¹
    {0xBB, 0xBF},        // » fractions ¿
    {0xD7, 0xD7},        // ×
    {0xF7, 0xF7},        // ÷
    {0x2B9, 0x2BC},      // modifier primes and apostrophes: look like '
    {0x1680, 0x1680},    // ogham space
    {0x2000, 0x207F},    // general punctuation, superscripts
    {0x208A, 0x208F},    // subscript + − = ( )
    {0x20A0, 0x20CF},    // currency
    {0x2150, 0x215F},    // fractions
    {0x2190, 0x2BFF},    // arrows, operators, technical signs, shapes, dingbats
    {0x2E00, 0x2E7F},    // supplemental punctuation
    {0x2FF0, 0x3004},    // ideographic descriptions, CJK space and punctuation
    {0x3008, 0x3020},    // CJK brackets
    {0x3030, 0x3030},    // wavy dash
    {0xE000, 0xF8FF},    // private use
    {0xFD3E, 0xFD3F},    // ornate parentheses
    {0xFE00, 0xFE1F},    // variation selectors, vertical punctuation
    {0xFE30, 0xFE6F},    // punctuation forms
    {0xFEFF, 0xFF0F},    // byte order mark, full-width punctuation
    {0xFF1A, 0xFF20},    //
    {0xFF3B, 0xFF40},    //
    {0xFF5B, 0xFF65},    //
    {0xFFE0, 0xFFFF},    // full-width signs, specials
    {0x1F000, 0x1FAFF},  // emoji and pictures
    {0xE0000, 0x10FFFF},
};

bool is_letter_beyond_ascii(char32_t c) {
  const auto* range = std::lower_bound(std::begin(not_letters), std::end(not_letters), c,
                                       [](const Range& r, char32_t value) { return r.last < value; });
  return range == std::end(not_letters) || c < range->first;
}

bool is_ascii_letter(char32_t c) { return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z'); }
bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

}  // namespace

bool is_name_start(char32_t c) {
  if (c < 0x80) return is_ascii_letter(c) || c == U'_';
  return is_letter_beyond_ascii(c) && !text::is_combining(c) && !(c >= 0x2080 && c <= 0x2089);
}

bool is_name_part(char32_t c) {
  if (c < 0x80) return is_ascii_letter(c) || is_digit(c) || c == U'_';
  return is_letter_beyond_ascii(c);
}

std::string_view name_at(std::string_view text, std::size_t offset) {
  std::size_t end = offset;
  while (end < text.size()) {
    const CodePoint c = decode(text, end);
    if (c.bytes == 0 || !(end == offset ? is_name_start(c.value) : is_name_part(c.value))) break;
    end += c.bytes;
  }
  return text.substr(offset, end - offset);
}

bool is_name(std::string_view text) { return !text.empty() && name_at(text, 0).size() == text.size(); }

std::optional<std::string_view> ascii_lookalike(char32_t c) {
  struct Pair {
    char32_t c;
    std::string_view ascii;
  };
  static constexpr Pair pairs[] = {
      {U'`', "'"},      {0xB4, "'"},     {0x2B9, "'"},   {0x2BB, "'"},   {0x2BC, "'"},   {0x2018, "'"},  {0x2019, "'"},
      {0x201B, "'"},    {0x2032, "'"},   {0xFF07, "'"},  {0x2BA, "''"},  {0x201C, "''"}, {0x201D, "''"}, {0x2033, "''"},
      {U'"', "''"},     {0x2034, "'''"}, {0x2010, "-"},  {0x2011, "-"},  {0x2012, "-"},  {0x2013, "-"},  {0x2014, "-"},
      {0x2212, "-"},    {0xFE63, "-"},   {0xFF0D, "-"},  {0xB7, "*"},    {0xD7, "*"},    {0x2022, "*"},  {0x2217, "*"},
      {0x2219, "*"},    {0x22C5, "*"},   {0x22C6, "*"},  {0xF7, "/"},    {0x2044, "/"},  {0x2215, "/"},  {0xFF0F, "/"},
      {0x221A, "sqrt"}, {0xB2, "^2"},    {0xB3, "^3"},   {0xB9, "^1"},   {0x2070, "^0"}, {0x2074, "^4"}, {0x2075, "^5"},
      {0x2076, "^6"},   {0x2077, "^7"},  {0x2078, "^8"}, {0x2079, "^9"}, {0xBD, "1/2"},  {0xBC, "1/4"},  {0xBE, "3/4"},
      {0xFF08, "("},    {0xFF09, ")"},   {0xFF0B, "+"},  {0xFF0C, ","},  {0xFF1D, "="},  {0x2061, "*"},  {0xA0, " "},
      {0x2009, " "},    {0x202F, " "},   {0x3000, " "},
  };
  for (const Pair& pair : pairs)
    if (pair.c == c) return pair.ascii;
  return std::nullopt;
}

std::string describe(char32_t c) {
  if (c == U'\t') return "a tab";
  if (c == U'\n' || c == U'\r') return "the end of the line";
  std::array<char, 16> code{};
  std::snprintf(code.data(), code.size(), "U+%04X", static_cast<unsigned>(c));
  if (c < 0x20 || c == 0x7F || (c >= 0x80 && c <= 0xA0) || c == 0xAD || (c >= 0x2000 && c <= 0x200F) ||
      (c >= 0x2028 && c <= 0x202F) || (c >= 0x205F && c <= 0x206F) || c == 0x3000 || c == 0xFEFF)
    return std::string("the character ") + code.data();
  std::string text = "'";
  append_utf8(text, c);
  text += "'";
  if (c >= 0x80 && !is_name_part(c)) text += std::string(" (") + code.data() + ")";
  return text;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string shown = "'";
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++count) {
    if (count == most) {
      shown += "…";
      break;
    }
    const CodePoint c = decode(text, i);
    if (c.bytes == 0 || text::is_control(c.value))
      shown += ' ';
    else
      shown.append(text, i, c.bytes);
    i += std::max(1u, c.bytes);
  }
  return shown + "'";
}

}  // namespace cetaev::model
