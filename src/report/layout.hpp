// Columns, numbers and counts for text that people read.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "cetaev/detail/text/printable.hpp"
#include "cetaev/detail/text/utf8.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

// Columns on the screen.
inline std::size_t width(std::string_view text) { return text::display_width(text); }

inline std::string pad(std::string text, std::size_t to) {
  const std::size_t now = width(text);
  return now < to ? text + std::string(to - now, ' ') : text;
}

// A number for people: no negative zero, and nothing below the smallest normal number, where a double has fewer digits than are
// printed. 4.940656458e-324 is one bit.
inline double readable(double x) { return std::fabs(x) < std::numeric_limits<double>::min() ? 0.0 : x; }

inline std::string value(double x) { return fmt::format("{:.10g}", readable(x)); }

// Names may contain what would break a line, or what a terminal would obey.
inline std::string one_line(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  return text::printable(result);
}

// A table of rows with columns as wide as they need to be, indented.
inline std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) line += " " + pad(row[i], i + 1 == row.size() ? 0 : widths[i] + 1);
    while (!line.empty() && line.back() == ' ') line.pop_back();
    text += line + "\n";
  }
  return text;
}

inline std::string count(std::size_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

// The first letter of a sentence; names keep theirs.
inline std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z' && !text.starts_with("d'"))
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

inline std::string heading(const System& system) {
  std::string text = system->name + "\n";
  if (!system->description.empty()) text += system->description + "\n";
  return text;
}

// "  label   text …": the text broken at spaces so that no line is longer than a screen is wide, its lines one below the
// other. The label may be empty.
inline std::string paragraph(const std::string& label, const std::string& text, std::size_t indent) {
  constexpr std::size_t screen = 100;
  std::string result = "  " + pad(label, indent);
  std::size_t used = 2 + indent;
  bool fresh = true;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!fresh && used + 1 + width(word) > screen) {
      result += "\n" + std::string(2 + indent, ' ');
      used = 2 + indent;
      fresh = true;
    }
    result += (fresh ? "" : " ") + word;
    used += width(word) + (fresh ? 0 : 1);
    fresh = false;
    begin = end + 1;
  }
  return result + "\n";
}

}  // namespace cetaev
