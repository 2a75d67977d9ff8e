#include "precision.hpp"

#include <fmt/format.h>

#include <cctype>

namespace cetaev::gpu {

namespace {

struct Precise {
  const char *name, *in_doubles, *in_floats;
};
constexpr Precise precise[] = {
    {"real", "double", "float"},         {"LARGEST", "1.7976931348623157e308", "3.4028235e38"},
    {"FAR_OFF", "1e300", "1e30"},         // of rows that are no numbers, beside their terms
    {"ROUNDED", "4.5e-16", "2.4e-7"},     // twice the distance of two numbers beside 1
    {"NEARLY_ROUNDED", "1e-13", "1e-5"},  // where steps back to the constraints gain nothing more
    {"BACK_AGAIN", "1e-10", "1e-4"},      // after the last of them
    {"START_OFF", "1e-12", "1e-6"},       // of a start, which has the digits of its precision
    {"LEAST_DRIFT", "1.5e-14", "4e-6"}};  // that is not mended: some thirty roundings

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string precision_text(bool single) {
  std::string text;
  for (const Precise& one : precise)
    text += fmt::format("#define {} {}\n", one.name, single ? one.in_floats : one.in_doubles);
  return text;
}

std::string with_single_literals(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    bool fraction = false;
    if (is_digit(text[i])) {
      const auto belongs = [&](char c) {
        return is_word(c) || c == '.' || ((c == '-' || c == '+') && text[end - 1] == 'e');
      };
      for (; end < text.size() && belongs(text[end]); ++end)
        fraction = fraction || text[end] == '.' || text[end] == 'e';
    } else {
      while (end < text.size() && is_word(text[end])) ++end;
      if (end == i) ++end;
    }
    const std::string word = text.substr(i, end - i);
    result += word == "sincos" ? "sincosf" : word;
    if (fraction) result += 'f';
    i = end;
  }
  return result;
}

}  // namespace cetaev::gpu
