// Pieces of MathML, and text made safe for HTML.
#pragma once

#include <string>
#include <string_view>

namespace cetaev {

// Any text as HTML that shows it and nothing else; serves in attributes in double or single quotes too.
inline std::string html_text(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default: result += c;
    }
  }
  return result;
}

// A letter is printed in italics, a word upright.
inline std::string mathml_letter(const std::string& text) { return "<mi>" + html_text(text) + "</mi>"; }

inline std::string mathml_row(const std::string& elements) { return "<mrow>" + elements + "</mrow>"; }

inline std::string mathml_over(const std::string& base, std::string_view accent) {
  return "<mover accent=\"true\">" + base + "<mo stretchy=\"false\">" + std::string(accent) + "</mo></mover>";
}

inline std::string mathml_dotted(const std::string& base, std::size_t dots) {
  switch (dots) {
    case 0: return base;
    case 1: return mathml_over(base, "˙");
    case 2: return mathml_over(base, "¨");
    case 3: return mathml_over(base, "\u20DB");
    default: return mathml_over(base, "(" + std::to_string(dots) + ")");
  }
}

// Elements as a formula of their own within a line.
inline std::string mathml(const std::string& elements) { return "<math>" + elements + "</math>"; }

}  // namespace cetaev
