// What a terminal would obey is shown instead.
#include "cetaev/detail/text/printable.hpp"

#include <gtest/gtest.h>

#include "cetaev/detail/text/utf8.hpp"

namespace cetaev::text {
namespace {

TEST(Printable, SpellsWhatATerminalWouldObey) {
  EXPECT_EQ(printable("\x1b]0;title\x07\x1b[2J\x1b[31mred"), "\\u001b]0;title\\u0007\\u001b[2J\\u001b[31mred");
  EXPECT_EQ(printable("a\rb\bc\x7f"), "a\\u000db\\u0008c\\u007f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\u0000b");
  EXPECT_EQ(printable(utf8(0x9B) + "31m"), "\\u009b31m");  // CSI in one character
  EXPECT_EQ(printable("safe" + utf8(0x202E) + "lmth.exe" + utf8(0x2066)), "safe\\u202elmth.exe\\u2066");
  EXPECT_EQ(printable("\x9b\xff"), "\\x9b\\xff");
}

TEST(Printable, LeavesEverythingElse) {
  const std::string text = "θ₁ = π/2,\n\t“Čaplygin” — Ω̇ 質点 🙂 \\u001b שלום";
  EXPECT_EQ(printable(text), text);
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, AgreesWithTheRangesOfUnicode) {
  // General category Cc (65 characters), and the embeddings, overrides and isolates of UAX #9 (9)
  int controls = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) controls += is_control(c) ? 1 : 0;
  EXPECT_EQ(controls, 65 + 9);
}

}  // namespace
}  // namespace cetaev::text
