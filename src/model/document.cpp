#include "document.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_set>

#include "syntax.hpp"
#include "toml_scan.hpp"
#include "unicode.hpp"

// Bare keys beyond ASCII (θ = 1) are in the language of TOML 1.1 and still behind this switch.
#define TOML_ENABLE_UNRELEASED_FEATURES 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

namespace cetaev::model {
namespace {

class Builder {
 public:
  explicit Builder(const SourceText& source) : source_(source) {}

  // Recursion is bounded by TomlLimits.
  TomlValue build(const toml::node& node) const {
    TomlValue value;
    value.offset = offset(node.source().begin);
    switch (node.type()) {
      case toml::node_type::table: {
        value.kind = TomlValue::Kind::table;
        for (auto&& [key, child] : *node.as_table()) {
          const std::size_t place = offset(key.source().begin);
          value.entries.push_back({key_at(source_.text(), place), place, build(child)});
        }
        // The library sorts by name; the file's own order is that of the keys' places.
        std::sort(value.entries.begin(), value.entries.end(),
                  [](const Entry& a, const Entry& b) { return a.offset < b.offset; });
        refuse_repeated(value);
        break;
      }
      case toml::node_type::array:
        value.kind = TomlValue::Kind::array;
        value.elements.reserve(node.as_array()->size());
        for (const toml::node& child : *node.as_array()) value.elements.push_back(build(child));
        break;
      case toml::node_type::string:
        value.kind = TomlValue::Kind::string;
        value.text = string_value(source_.text(), value.offset);
        break;
      case toml::node_type::integer:
      case toml::node_type::floating_point:
        // Dates were hidden with the numbers.
        if (const std::string_view token = bare_token(source_.text(), value.offset);
            is_toml_number(token) || token.ends_with("inf") || token.ends_with("nan")) {
          value.kind = TomlValue::Kind::number;
          value.text = decimal(token, value.offset);
        } else {
          value.kind = TomlValue::Kind::other;
          value.text = token;
        }
        break;
      case toml::node_type::boolean:
        value.kind = TomlValue::Kind::boolean;
        value.boolean = node.as_boolean()->get();
        value.text = value.boolean ? "true" : "false";
        break;
      default: break;  // nothing else is left in the text that the library sees
    }
    return value;
  }

  // The library compares keys as they are written; "\u03b8" and θ are the same.
  void refuse_repeated(const TomlValue& table) const {
    std::unordered_set<std::string_view> seen;
    for (const Entry& entry : table.entries)
      if (!seen.insert(entry.key).second)
        source_.fail(ErrorCode::parse_error, in_quotes(entry.key) + " is written twice", entry.offset);
  }

  // The exact number in decimal notation, as expressions have it: 1_000 is 1000, 0xff is 255.
  std::string decimal(std::string_view written, std::size_t place) const {
    std::string token(written);
    std::erase(token, '_');
    const std::string_view bases = "box";
    const std::size_t which = token.size() > 2 && token[0] == '0' ? bases.find(token[1]) : std::string_view::npos;
    if (which == std::string_view::npos) return token;
    if (token.size() > SyntaxLimits::number_digits)
      source_.fail(ErrorCode::parse_error, "number too large: more than 10000 digits", place);
    constexpr std::uint64_t limb = 1'000'000'000;
    const std::uint64_t base = which == 0 ? 2 : which == 1 ? 8 : 16;
    std::vector<std::uint64_t> limbs(1, 0);  // least first
    for (const char c : token.substr(2)) {
      std::uint64_t carry = static_cast<std::uint64_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
      for (std::uint64_t& part : limbs) {
        carry += part * base;
        part = carry % limb;
        carry /= limb;
      }
      if (carry != 0) limbs.push_back(carry);
    }
    std::string text = std::to_string(limbs.back());
    for (std::size_t i = limbs.size() - 1; i-- > 0;) {
      const std::string part = std::to_string(limbs[i]);
      text += std::string(9 - part.size(), '0') + part;
    }
    return text;
  }

  std::size_t offset(const toml::source_position& position) const {
    return source_.offset(position.line, position.column);
  }

 private:
  const SourceText& source_;
};

[[noreturn]] void report(const toml::parse_error& problem, const SourceText& source, const TomlScan& scan) {
  const std::string_view message = problem.description();
  std::size_t place = source.offset(problem.source().begin.line, problem.source().begin.column);
  if (message.find("cannot redefine") != std::string_view::npos ||
      message.find("cannot insert") != std::string_view::npos) {
    // The library points at the value of a pair, at the part of a dotted key, at a header or behind it.
    const auto value = std::lower_bound(scan.keys.begin(), scan.keys.end(), std::pair(place, std::size_t{0}));
    if (value != scan.keys.end() && value->first == place) {
      place = value->second;
    } else if (message.find("dotted key") == std::string_view::npos) {
      const auto above = std::upper_bound(scan.headers.begin(), scan.headers.end(), place);
      if (above != scan.headers.begin()) place = *std::prev(above);
    }
    const std::size_t key = source.text().find_first_not_of("[ \t", place);
    if (key == std::string_view::npos) source.fail(ErrorCode::parse_error, "this is written twice", place);
    source.fail(ErrorCode::parse_error, in_quotes(key_at(source.text(), key)) + " is written twice", place);
  }
  std::string text(message);
  const std::string_view prefix = "Error while parsing ";
  if (text.starts_with(prefix)) text.erase(0, prefix.size());
  source.fail(ErrorCode::parse_error, "not valid TOML: " + text, place);
}

// Walks a string value byte by byte; `emit(byte, source offset)` returns false to stop. Returns the offset behind the
// last byte looked at: the closing quote when the walk was not stopped.
template <typename Emit>
std::size_t walk_string(std::string_view text, std::size_t offset, Emit emit) {
  const char quote = text[offset];
  const bool basic = quote == '"';
  const bool multi_line = offset + 2 < text.size() && text[offset + 1] == quote && text[offset + 2] == quote;
  std::size_t i = offset + (multi_line ? 3 : 1);
  const auto line_break = [&](std::size_t k) -> std::size_t {
    if (k < text.size() && text[k] == '\n') return 1;
    return k + 1 < text.size() && text[k] == '\r' && text[k + 1] == '\n' ? 2 : 0;
  };
  if (multi_line) i += line_break(i);

  while (i < text.size()) {
    const char c = text[i];
    if (c == quote) {
      if (!multi_line) return i;
      std::size_t run = 0;
      while (run < 5 && i + run < text.size() && text[i + run] == quote) ++run;
      const std::size_t content = run >= 3 ? run - 3 : run;
      for (std::size_t k = 0; k < content; ++k, ++i)
        if (!emit(quote, i)) return i;
      if (run >= 3) return i;
    } else if (c == '\\' && basic) {
      const char kind = i + 1 < text.size() ? text[i + 1] : '\0';
      if (kind == 'u' || kind == 'U' || kind == 'x') {
        const std::size_t length = kind == 'u' ? 4 : kind == 'U' ? 8 : 2;
        char32_t value = 0;
        for (std::size_t k = 0; k < length && i + 2 + k < text.size(); ++k) {
          const char h = text[i + 2 + k];
          value = (value << 4) | static_cast<char32_t>(h <= '9' ? h - '0' : (h | 0x20) - 'a' + 10);
        }
        std::string bytes;
        append_utf8(bytes, value);
        for (const char byte : bytes)
          if (!emit(byte, i)) return i;
        i += 2 + length;
      } else if (kind == ' ' || kind == '\t' || kind == '\n' || kind == '\r') {
        ++i;
        while (i < text.size() && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r')) ++i;
      } else {
        const std::string_view letters = "btnfre\"\\", values = "\b\t\n\f\r\x1B\"\\";
        const std::size_t which = letters.find(kind);
        if (!emit(which == std::string_view::npos ? kind : values[which], i)) return i;
        i += 2;
      }
    } else if (const std::size_t width = line_break(i); width != 0) {
      if (!emit('\n', i)) return i;
      i += width;
    } else {
      if (!emit(c, i)) return i;
      ++i;
    }
  }
  return i;
}

}  // namespace

const Entry* TomlValue::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

std::string_view kind_name(TomlValue::Kind kind) {
  switch (kind) {
    case TomlValue::Kind::string: return "a string";
    case TomlValue::Kind::number: return "a number";
    case TomlValue::Kind::boolean: return "true or false";
    case TomlValue::Kind::array: return "an array";
    case TomlValue::Kind::table: return "a table";
    case TomlValue::Kind::other: return "a date or time";
  }
  return "a value";
}

TomlValue read_document(const SourceText& source) {
  const TomlScan scan = scan_toml(source);
  const toml::parse_result parsed = toml::parse(std::string_view(scan.masked));
  if (!parsed) report(parsed.error(), source, scan);
  return Builder(source).build(parsed.table());
}

std::size_t string_source(std::string_view text, std::size_t offset, std::size_t index) {
  std::size_t count = 0;
  return walk_string(text, offset, [&](char, std::size_t) { return count++ != index; });
}

std::string string_value(std::string_view text, std::size_t offset) {
  std::string value;
  walk_string(text, offset, [&](char byte, std::size_t) {
    value += byte;
    return true;
  });
  return value;
}

}  // namespace cetaev::model
