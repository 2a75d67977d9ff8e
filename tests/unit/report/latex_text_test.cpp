// Whatever a model file says is printed, never executed.
#include <gtest/gtest.h>

#include <algorithm>

#include "../../../src/report/latex_text.hpp"

namespace cetaev {
namespace {

TEST(LatexText, EscapesWhatLatexWouldRead) {
  EXPECT_EQ(latex_text("100% & \\input{x}"), "100\\% \\& \\textbackslash{}input\\{x\\}");
  EXPECT_EQ(latex_text("a_b^c ~ #1 $x$"), "a\\_b\\textasciicircum{}c \\textasciitilde{} \\#1 \\$x\\$");
  EXPECT_EQ(latex_text("a -- b"), "a -{}- b");
  EXPECT_EQ(latex_text("one\ntwo"), "one two");
}

TEST(LatexText, SpellsLettersThatPlainFontsDoNotHave) {
  EXPECT_EQ(latex_text("Čaplygin, Poincaré, Zeković"), "\\v{C}aplygin, Poincar\\'{e}, Zekovi\\'{c}");
  EXPECT_EQ(latex_text("naïve"), "na\\\"{\\i}ve");
  EXPECT_EQ(latex_text("Четаев"), "\\v{C}etaev");
  EXPECT_EQ(latex_text("θ ≠ 0"), "\\ensuremath{\\theta} \\ensuremath{\\neq} 0");
  EXPECT_EQ(latex_text("e\xCC\x81"), "\\'{e}");
  EXPECT_EQ(latex_text("世"), "U+4E16");
}

TEST(LatexText, LeavesNothingButAscii) {
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  const std::string text = latex_text(all + "日本語 𝔸 \xF0\x9F\x98\x80");
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7F; }));
}

}  // namespace
}  // namespace cetaev
