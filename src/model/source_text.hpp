// The text of a model file and the way from a byte of it to the line and column that an error shows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cetaev/error.hpp"

namespace cetaev::model {

class SourceText {
 public:
  // Model files larger than this are refused: nobody writes them, and every later stage may count on it.
  static constexpr std::size_t size_limit = std::size_t{16} << 20;

  // A byte order mark is dropped. Throws Error where the text is too large, not UTF-8, or contains a NUL.
  SourceText(std::string file, std::string text);

  const std::string& file() const { return file_; }
  std::string_view text() const { return text_; }

  // Of a byte offset, text().size() included. The line is clipped to a window around the column when it is very long;
  // the column is the true one.
  SourcePosition position(std::size_t offset) const;
  // The byte at a line and column (1-based, in characters); the end of the text when there is no such place.
  std::size_t offset(std::size_t line, std::size_t column) const;

  // An error at this byte. Throws it.
  [[noreturn]] void fail(ErrorCode code, const std::string& message, std::size_t offset,
                         const std::string& suggestion = {}) const;

 private:
  void index();
  std::size_t character_number(std::size_t offset) const;
  std::size_t character_offset(std::size_t number) const;

  // Every so many characters the byte offset is written down, so that a column far into a line is found at once.
  static constexpr std::size_t stride = 64;

  std::string file_;
  std::string text_;
  std::vector<std::size_t> lines_;        // byte offsets of the first characters of lines
  std::vector<std::size_t> checkpoints_;  // byte offset of character number stride·k
};

// How long lines are clipped. A clipped text is shorter than the column it belongs to, so caret_text can tell.
struct Clip {
  static constexpr std::size_t whole = 240;  // columns up to here show the line from its beginning
  static constexpr std::size_t before = 80;  // characters shown before the column of a clipped line
  static constexpr std::size_t after = 80;   // and behind it
};

}  // namespace cetaev::model
