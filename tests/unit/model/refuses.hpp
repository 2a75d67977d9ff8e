// What every test of an error says: this text, this place, this code, these words, this suggestion.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cetaev/error.hpp"
#include "cetaev/model/read.hpp"

namespace cetaev {

// A text with the offending place marked by ¶, taken apart.
struct Marked {
  std::string text;
  std::size_t line = 1, column = 1;

  explicit Marked(std::string_view marked) {
    constexpr std::string_view mark = "¶";
    const std::size_t at = marked.find(mark);
    EXPECT_NE(at, std::string_view::npos) << "the test marks no place";
    for (const char c : marked.substr(0, at)) {
      if (c == '\n') {
        ++line;
        column = 1;
      } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
        ++column;
      }
    }
    text = std::string(marked.substr(0, at)) + std::string(marked.substr(at + mark.size()));
  }
};

template <typename Action>
std::optional<Error> error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

inline void expect_error(const std::optional<Error>& error, ErrorCode code, std::string_view message,
                         std::string_view suggestion, const std::string& file, std::size_t line, std::size_t column) {
  ASSERT_TRUE(error) << "no error; expected: " << message;
  EXPECT_EQ(error->message(), message);
  EXPECT_EQ(to_string(error->code()), to_string(code)) << message;
  EXPECT_EQ(error->suggestion(), suggestion) << message;
  ASSERT_TRUE(error->position()) << message;
  EXPECT_EQ(error->position()->file, file);
  EXPECT_EQ(error->position()->line, line) << message;
  EXPECT_EQ(error->position()->column, column) << message;
}

inline void refuses(std::string_view marked, ErrorCode code, std::string_view message,
                    std::string_view suggestion = "") {
  const Marked model(marked);
  const auto error = error_of([&] { read_model(model.text, "model.toml"); });
  SCOPED_TRACE(model.text.substr(0, 2000));
  expect_error(error, code, message, suggestion, "model.toml", model.line, model.column);
}

// The same for one expression, put where a Lagrangian of x, y and the parameters m, g stands.
inline std::string with_lagrangian(std::string_view expression) {
  return "coordinates = [\"x\", \"y\"]\nlagrangian = \"" + std::string(expression) +
         "\"\n[parameters]\nm = 1\ng = 9.81\n[[points]]\nname = \"P\"\nposition = [\"x\", \"y\", 0]\n"
         "[definitions]\nd = \"2*P\"\ns = \"x*y\"\n";
}
inline void refuses_lagrangian(std::string_view marked, ErrorCode code, std::string_view message,
                               std::string_view suggestion = "") {
  refuses(with_lagrangian(marked), code, message, suggestion);
}

}  // namespace cetaev
