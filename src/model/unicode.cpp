#include "unicode.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>

namespace cetaev::model {
namespace {

struct Range {
  char32_t first, last;
};

template <std::size_t N>
bool within(const Range (&ranges)[N], char32_t c) {
  const auto* range = std::lower_bound(std::begin(ranges), std::end(ranges), c,
                                       [](const Range& r, char32_t value) { return r.last < value; });
  return range != std::end(ranges) && range->first <= c;
}

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

constexpr Range marks[] = {
    {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x610, 0x61A},   {0x64B, 0x65F},
    {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0x3099, 0x309A}, {0xFE20, 0xFE2F},
};

constexpr Range wide[] = {
    {0x1100, 0x115F}, {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},
    {0xA000, 0xA4CF}, {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
};

bool is_ascii_letter(char32_t c) { return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z'); }
bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

}  // namespace

CodePoint decode(std::string_view text, std::size_t offset) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[offset + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const unsigned length = lead >= 0xC2 && lead <= 0xDF   ? 2
                          : (lead & 0xF0) == 0xE0        ? 3
                          : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                         : 0;
  if (length == 0 || text.size() - offset < length) return {};
  char32_t value = lead & (0xFFu >> (length + 1));
  for (unsigned i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    value = (value << 6) | (byte(i) & 0x3Fu);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < least[length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return {};
  return {value, length};
}

void append_utf8(std::string& text, char32_t c) {
  const auto push = [&](char32_t bits) { text += static_cast<char>(static_cast<unsigned char>(bits)); };
  if (c < 0x80) {
    push(c);
  } else if (c < 0x800) {
    push(0xC0 | (c >> 6));
    push(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    push(0xE0 | (c >> 12));
    push(0x80 | ((c >> 6) & 0x3F));
    push(0x80 | (c & 0x3F));
  } else {
    push(0xF0 | (c >> 18));
    push(0x80 | ((c >> 12) & 0x3F));
    push(0x80 | ((c >> 6) & 0x3F));
    push(0x80 | (c & 0x3F));
  }
}

std::size_t valid_prefix(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
      continue;
    }
    const CodePoint c = decode(text, i);
    if (c.bytes == 0) return i;
    i += c.bytes;
  }
  return i;
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool is_name_start(char32_t c) {
  if (c < 0x80) return is_ascii_letter(c) || c == U'_';
  return !within(not_letters, c) && !within(marks, c) && !(c >= 0x2080 && c <= 0x2089);
}

bool is_name_part(char32_t c) {
  if (c < 0x80) return is_ascii_letter(c) || is_digit(c) || c == U'_';
  return !within(not_letters, c);
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
    if (c.bytes == 0 || c.value < 0x20 || c.value == 0x7F)
      shown += ' ';
    else
      shown.append(text, i, c.bytes);
    i += std::max(1u, c.bytes);
  }
  return shown + "'";
}

unsigned display_width(char32_t c) {
  if (within(marks, c)) return 0;
  return within(wide, c) ? 2 : 1;
}

}  // namespace cetaev::model
