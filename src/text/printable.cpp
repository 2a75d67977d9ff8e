#include "cetaev/detail/text/printable.hpp"

#include <algorithm>
#include <cstdio>

#include "cetaev/detail/text/utf8.hpp"

namespace cetaev::text {

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint c = decode(text, i);
    char escape[8];
    if (c.bytes == 0) {
      std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(text[i])));
      result += escape;
    } else if (is_control(c.value) && c.value != U'\n' && c.value != U'\t') {
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c.value));
      result += escape;
    } else {
      result.append(text, i, c.bytes);
    }
    i += std::max(1u, c.bytes);
  }
  return result;
}

}  // namespace cetaev::text
