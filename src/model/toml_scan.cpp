#include "toml_scan.hpp"

#include <algorithm>
#include <unordered_map>

#include "document.hpp"
#include "unicode.hpp"

namespace cetaev::model {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The bytes of the character when it may stand in a key without quotes, else 0. Beyond ASCII: what may stand in a name.
unsigned bare_key_bytes(std::string_view text, std::size_t offset) {
  const CodePoint c = decode(text, offset);
  return c.value == U'-' || is_name_part(c.value) ? c.bytes : 0;
}

bool ends_token(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == ']' || c == '}' || c == '#';
}

// Digits of a base with single underscores between them; returns the end, or `begin` when there are none.
template <typename IsDigit>
std::size_t digits(std::string_view text, std::size_t begin, IsDigit is) {
  std::size_t i = begin;
  while (i < text.size()) {
    const bool between = text[i] == '_' && i > begin && text[i - 1] != '_' && i + 1 < text.size() && is(text[i + 1]);
    if (!is(text[i]) && !between) break;
    ++i;
  }
  return i;
}

// As far as it matters: no model contains one.
bool is_date(std::string_view token) {
  return token.size() >= 5 && is_digit(token[0]) && is_digit(token[1]) &&
         (token[2] == ':' || (token.size() >= 10 && token[4] == '-' && token[7] == '-')) &&
         token.find_first_not_of("0123456789-:.+TtZz ") == std::string_view::npos;
}

bool is_infinite(std::string_view token) {
  if (token.starts_with('+') || token.starts_with('-')) token.remove_prefix(1);
  return token == "inf" || token == "nan";
}

class Scanner {
 public:
  explicit Scanner(const SourceText& source) : source_(source), text_(source.text()) { result_.masked.assign(text_); }

  TomlScan run() {
    while (true) {
      skip_blank_lines();
      if (at_end()) break;
      if (text_[at_] == '[')
        header();
      else
        key_and_value();
      finish_line();
    }
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& message, std::size_t offset, const std::string& suggestion = {}) const {
    source_.fail(ErrorCode::parse_error, message, offset, suggestion);
  }

  bool at_end() const { return at_ >= text_.size(); }
  bool at(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool at_line_end() const { return at_end() || text_[at_] == '\n' || (text_[at_] == '\r' && next_is('\n')); }
  bool next_is(char c) const { return at_ + 1 < text_.size() && text_[at_ + 1] == c; }
  std::string found() const {
    if (at_end()) return "the end of the file";
    if (at_line_end()) return "the end of the line";
    return describe(decode(text_, at_).value);
  }

  void skip_spaces() {
    while (at(' ') || at('\t')) ++at_;
  }
  void skip_comment() {
    if (at('#')) at_ = std::min(text_.find('\n', at_), text_.size());
  }
  void skip_blank_lines() {
    while (true) {
      skip_spaces();
      skip_comment();
      if (at_end() || !at_line_end()) return;
      at_ += text_[at_] == '\r' ? 2 : 1;
    }
  }
  void finish_line() {
    skip_spaces();
    skip_comment();
    if (!at_line_end()) fail("expected the end of the line, found " + found(), at_);
  }

  void header() {
    const std::size_t open = at_;
    ++at_;
    const bool array = at('[');
    if (array) ++at_;
    skip_spaces();
    if (at(']')) fail("a table needs a name", at_);
    key();
    if (!at(']')) fail("expected ']' after the name of the table, found " + found(), at_);
    ++at_;
    if (array) {
      if (!at(']')) fail("expected ']]', as the table began with '[['", at_);
      ++at_;
    }
    count_value(open);
    result_.headers.push_back(open);
  }

  void key_and_value() {
    const std::size_t start = at_;
    key();
    if (!at('=')) missing_equals(start);
    ++at_;
    skip_spaces();
    if (at_line_end() || at('#')) fail("expected a value after '='", at_);
    result_.keys.emplace_back(at_, start);
    value();
  }

  [[noreturn]] void missing_equals(std::size_t start) const {
    std::size_t end = at_;
    while (end > start && (text_[end - 1] == ' ' || text_[end - 1] == '\t')) --end;
    const std::string name(text_.substr(start, end - start));
    // x' = 1, the most natural mistake in [initial]
    if (at('\'') && end == at_) {
      std::size_t primes = at_;
      while (primes < text_.size() && text_[primes] == '\'') ++primes;
      fail("a key with a prime is written in quotes", start,
           "\"" + name + std::string(text_.substr(at_, primes - at_)) + "\"");
    }
    fail("expected '=' after the key " + in_quotes(name) + ", found " + found(), at_);
  }

  // key or a.b."c d"; leaves the place behind the spaces that follow.
  void key() {
    for (std::size_t parts = 1;; ++parts) {
      if (parts > TomlLimits::key_parts) fail("a key of more than 16 parts", at_);
      if (at('"') || at('\'')) {
        const std::size_t open = at_;
        if (text_.substr(at_, 3) == "\"\"\"" || text_.substr(at_, 3) == "'''")
          fail("a key cannot be a multi-line string", open);
        string();
        const std::size_t end = at_;
        for (at_ = open; at_ < end; at_ += decode(text_, at_).bytes)
          if (static_cast<unsigned char>(text_[at_]) >= 0x80) hide_in_key();
      } else {
        const std::size_t start = at_;
        while (!at_end()) {
          const unsigned bytes = bare_key_bytes(text_, at_);
          if (bytes == 0) break;
          if (bytes > 1) hide_in_key();
          at_ += std::max(1u, bytes);
        }
        if (at_ == start) fail("expected a key, found " + found(), at_);
      }
      skip_spaces();
      if (!at('.')) {
        if (parts > 1 && ++dotted_ > TomlLimits::dotted)
          source_.fail(ErrorCode::bad_model, "the file has too many dotted keys for a model", at_);
        return;
      }
      ++at_;
      skip_spaces();
    }
  }

  // Replaces the character by one of as many bytes that the library can handle.
  void put(std::size_t offset, char32_t c) {
    std::string bytes;
    append_utf8(bytes, c);
    result_.masked.replace(offset, bytes.size(), bytes);
  }

  // Different characters must stay different, for keys that are written twice.
  void hide_in_key() {
    const CodePoint c = decode(text_, at_);
    if (c.bytes > 3) return;
    auto& stand_ins = c.bytes == 2 ? stand_ins_of_two_ : stand_ins_of_three_;
    const char32_t first = c.bytes == 2 ? 0x500 : 0x4000;
    constexpr std::size_t most = 0x2FF;
    const auto number = static_cast<char32_t>(stand_ins.size());
    const auto [stand_in, added] = stand_ins.emplace(c.value, first + number);
    if (added && number > most) source_.fail(ErrorCode::bad_model, "too many different characters in the keys", at_);
    put(at_, stand_in->second);
  }

  void count_value(std::size_t offset) {
    if (++values_ > TomlLimits::values)
      source_.fail(ErrorCode::bad_model, "the file has too many values for a model", offset);
  }

  // A value with everything inside it; nesting is a stack of open brackets, not recursion.
  void value() {
    std::vector<std::size_t> open;
    bool wanted = true;  // a value, not a comma or a bracket
    while (true) {
      if (!open.empty()) skip_blank_lines();
      const bool in_array = !open.empty() && text_[open.back()] == '[';
      const bool in_table = !open.empty() && text_[open.back()] == '{';
      if (at_end() && !open.empty())
        fail(in_array ? "this '[' is never closed" : "this '{' is never closed", open.back());

      if ((in_array && at(']')) || (in_table && at('}'))) {
        ++at_;
        open.pop_back();
        wanted = false;
      } else if (!open.empty() && at(',')) {
        if (wanted) fail("expected a value, found ','", at_);
        ++at_;
        wanted = true;
      } else if (!wanted && !open.empty()) {
        fail(std::string(in_array ? "expected ',' or ']' in the array" : "expected ',' or '}' in the table") +
                 ", found " + found(),
             at_);
      } else {
        if (in_table) {
          const std::size_t start = at_;
          key();
          if (!at('=')) missing_equals(start);
          ++at_;
          skip_blank_lines();
          if (at_end()) fail("expected a value after '='", at_);
          result_.keys.emplace_back(at_, start);
        }
        count_value(at_);
        if (at('[') || at('{')) {
          if (open.size() >= TomlLimits::depth) fail("nested too deeply: more than 64 brackets", at_);
          open.push_back(at_++);
          wanted = true;
          continue;
        }
        if (at('"') || at('\''))
          string();
        else
          bare_value(open.empty());
        wanted = false;
      }
      if (open.empty()) return;
    }
  }

  // Checks where the string ends and that its escapes exist; its value is decoded later.
  void string() {
    const std::size_t open = at_;
    const char quote = text_[at_];
    const bool basic = quote == '"';
    const bool multi_line = text_.substr(at_, 3) == std::string_view(basic ? "\"\"\"" : "'''");
    at_ += multi_line ? 3 : 1;
    while (true) {
      if (at_end() || (!multi_line && at_line_end()))
        fail(multi_line ? "this string of several lines is never closed" : "this string is not closed on its line",
             open);
      const char c = text_[at_];
      if (c == '\\' && basic) {
        escape(multi_line);
      } else if (c != quote) {
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && !(c == '\r' && next_is('\n'))) ||
            c == 0x7F)
          fail("a control character in a string: " + describe(static_cast<char32_t>(c)), at_);
        const unsigned bytes = decode(text_, at_).bytes;
        if (bytes == 2) put(at_, 0x500);
        if (bytes == 3) put(at_, 0x1000);
        at_ += bytes;
      } else if (!multi_line) {
        ++at_;
        return;
      } else {
        std::size_t run = 0;
        while (run < 5 && at_ + run < text_.size() && text_[at_ + run] == quote) ++run;
        at_ += run;
        if (run >= 3) return;  // up to two more quotes belong to the string
      }
    }
  }

  void escape(bool multi_line) {
    const std::size_t start = at_++;
    const char c = at_end() ? '\0' : text_[at_];
    if (c == 'u' || c == 'U' || c == 'x') {
      const std::size_t length = c == 'u' ? 4 : c == 'U' ? 8 : 2;
      ++at_;
      char32_t value = 0;
      for (std::size_t i = 0; i < length; ++i, ++at_) {
        const char h = at_end() ? '\0' : text_[at_];
        const int digit = is_digit(h)            ? h - '0'
                          : h >= 'a' && h <= 'f' ? h - 'a' + 10
                          : h >= 'A' && h <= 'F' ? h - 'A' + 10
                                                 : -1;
        if (digit < 0)
          fail(std::string("the escape \\") + c + " needs " + std::to_string(length) + " hexadecimal digits", start);
        value = (value << 4) | static_cast<char32_t>(digit);
      }
      if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF) || value == 0)
        fail("this escape is not a character", start);
    } else if (c != '\0' && std::string_view("btnfre\"\\").find(c) != std::string_view::npos) {
      ++at_;
    } else if (multi_line && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
      skip_spaces();
      if (!at_line_end()) fail("a backslash that joins lines must be the last character of its line", start);
    } else {
      fail("unknown escape in a string: '\\" +
               (at_end() ? std::string() : std::string(text_.substr(at_, decode(text_, at_).bytes))) +
               "'; a backslash is written \\\\",
           start);
    }
  }

  // Numbers, dates, true, false; anything else is most likely an expression without its quotes.
  void bare_value(bool whole_line) {
    const std::size_t start = at_;
    const std::string_view token = bare_token(text_, start);
    at_ += token.size();
    if (token == "true" || token == "false") return;
    if (!is_toml_number(token) && !is_infinite(token) && !is_date(token)) unquoted(start, whole_line);
    std::fill(result_.masked.begin() + static_cast<std::ptrdiff_t>(start),
              result_.masked.begin() + static_cast<std::ptrdiff_t>(at_), ' ');
    result_.masked[start] = '1';
    if (!whole_line) return;
    skip_spaces();
    if (!at('#') && !at_line_end()) unquoted(start, whole_line);
  }

  [[noreturn]] void unquoted(std::size_t start, bool whole_line) const {
    std::size_t end = start;
    while (end < text_.size() && text_[end] != '\n' && text_[end] != '#' &&
           (whole_line || (text_[end] != ',' && text_[end] != ']' && text_[end] != '}')))
      ++end;
    while (end > start && (text_[end - 1] == ' ' || text_[end - 1] == '\t' || text_[end - 1] == '\r')) --end;
    const std::string_view text = text_.substr(start, end - start);
    if (text.empty()) fail("expected a value, found " + found(), start);
    const bool can_quote = text.size() <= 60 && text.find_first_of("\"\\\r\t") == std::string_view::npos;
    fail(in_quotes(text) + " is neither a number nor a text in quotes; expressions are written in quotes", start,
         can_quote ? "\"" + std::string(text) + "\"" : "");
  }

  const SourceText& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t values_ = 0;
  std::size_t dotted_ = 0;
  std::unordered_map<char32_t, char32_t> stand_ins_of_two_, stand_ins_of_three_;  // by bytes
  TomlScan result_;
};

}  // namespace

TomlScan scan_toml(const SourceText& source) { return Scanner(source).run(); }

std::string_view bare_token(std::string_view text, std::size_t offset) {
  const auto end_from = [&](std::size_t i) {
    while (i < text.size() && !ends_token(text[i])) ++i;
    return i;
  };
  std::size_t end = end_from(offset);
  // 1979-05-27 07:32:00 is one value
  if (end - offset == 10 && text[offset + 4] == '-' && text[offset + 7] == '-' && end + 1 < text.size() &&
      text[end] == ' ' && is_digit(text[end + 1]))
    end = end_from(end + 1);
  return text.substr(offset, end - offset);
}

std::string key_at(std::string_view text, std::size_t offset) {
  if (text[offset] == '"' || text[offset] == '\'') return string_value(text, offset);
  std::size_t end = offset;
  while (end < text.size()) {
    const unsigned bytes = bare_key_bytes(text, end);
    if (bytes == 0) break;
    end += bytes;
  }
  return std::string(text.substr(offset, end - offset));
}

bool is_toml_number(std::string_view token) {
  if (token.starts_with("0x") || token.starts_with("0o") || token.starts_with("0b")) {
    const char base = token[1];
    const auto is = [base](char c) {
      if (base == 'x') return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      return c >= '0' && c <= (base == 'o' ? '7' : '1');
    };
    return token.size() > 2 && token[2] != '_' && digits(token, 2, is) == token.size();
  }
  std::size_t i = token.starts_with('+') || token.starts_with('-') ? 1 : 0;
  const std::size_t whole = i;
  i = digits(token, i, is_digit);
  if (i == whole || (token[whole] == '0' && i - whole > 1)) return false;
  if (i < token.size() && token[i] == '.') {
    const std::size_t fraction = i + 1;
    i = digits(token, fraction, is_digit);
    if (i == fraction) return false;
  }
  if (i < token.size() && (token[i] == 'e' || token[i] == 'E')) {
    std::size_t exponent = i + 1;
    if (exponent < token.size() && (token[exponent] == '+' || token[exponent] == '-')) ++exponent;
    i = digits(token, exponent, is_digit);
    if (i == exponent) return false;
  }
  return i == token.size();
}

}  // namespace cetaev::model
