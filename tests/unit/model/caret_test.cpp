// The text of an error as it stands in a terminal.
#include "cetaev/model/caret.hpp"

#include <gtest/gtest.h>

#include "refuses.hpp"

namespace cetaev {
namespace {

std::string caret_of(const std::string& text, const std::string& file = "m.toml") {
  const auto error = error_of([&] { read_model(text, file); });
  return error ? caret_text(*error) : "no error";
}

TEST(Caret, PointsAtTheOffendingPlace) {
  EXPECT_EQ(caret_of("coordinates = [\"phi\"]\nlagrangian = \"phi'^2 + phy\"\n"),
            "m.toml:2:24: error: unknown name 'phy'\n"
            "    lagrangian = \"phi'^2 + phy\"\n"
            "                           ^\n"
            "    did you mean 'phi'?\n");
}

TEST(Caret, StandsBelowTheCharacterAlsoBehindTabsAndWideOnes) {
  EXPECT_EQ(caret_of("coordinates = [\"角\"]\nlagrangian\t= \"角'^2 + ẋ\xCC\x87 + y\"\n"),
            "m.toml:2:22: error: unknown name 'ẋ\xCC\x87'\n"
            "    lagrangian\t= \"角'^2 + ẋ\xCC\x87 + y\"\n"
            "              \t           ^\n");
}

TEST(Caret, ShowsAWindowOfALongLine) {
  std::string sum = "x";
  for (int i = 0; i < 1'000; ++i) sum += " + x";
  const std::string shown = caret_of("coordinates = [\"x\"]\nlagrangian = \"" + sum + " + y + " + sum + "\"\n");
  EXPECT_TRUE(shown.starts_with("m.toml:2:4019: error: unknown name 'y'\n    …")) << shown;
  const std::size_t line = shown.find("    …"), caret_line = shown.find("\n", line) + 1;
  const std::string text = shown.substr(line, caret_line - line);
  // '…' has three bytes and one column.
  EXPECT_EQ(text.find('y') - 2, shown.find('^') - caret_line);
}

TEST(Caret, LeavesOutWhatAnErrorDoesNotHave) {
  EXPECT_EQ(caret_text(Error(ErrorCode::rank_lost, "the rank drops")), "error: the rank drops\n");
}

// Neither the words nor the line move the cursor of a terminal, colour it or turn the writing around.
TEST(Caret, ShowsWhatATerminalWouldObey) {
  Error error(ErrorCode::bad_model, "cannot read '\x1b[2J'");
  error.at({"\xC2\x9Bm.toml", 1, 3, "a\x1bz\xE2\x80\xAE\tb"}).suggest("\a");
  EXPECT_EQ(caret_text(error),
            "\\u009bm.toml:1:3: error: cannot read '\\u001b[2J'\n    a z \tb\n      ^\n    did you mean '\\u0007'?\n");
}

TEST(Caret, PointsBehindTheEndOfALineToo) {
  EXPECT_EQ(caret_of("coordinates = [\"x\"]\nlagrangian ="),
            "m.toml:2:13: error: expected a value after '='\n    lagrangian =\n                ^\n");
}

}  // namespace
}  // namespace cetaev
