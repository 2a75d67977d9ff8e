// TeX of papers as MathML.
#include "../../../src/report/html/tex.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cetaev {
namespace {

using testing::HasSubstr;

std::string body(std::string_view tex) {
  const TexFormula formula = tex_to_mathml(tex);
  EXPECT_TRUE(formula.unknown.empty()) << tex << ": " << (formula.unknown.empty() ? "" : formula.unknown.front());
  constexpr std::string_view head = "<math display=\"block\">", tail = "</math>";
  EXPECT_TRUE(formula.mathml.starts_with(head) && formula.mathml.ends_with(tail)) << formula.mathml;
  return formula.mathml.substr(head.size(), formula.mathml.size() - head.size() - tail.size());
}

TEST(Tex, SetsLettersNumbersAndScripts) {
  EXPECT_EQ(body("x_1"), "<msub><mi>x</mi><mn>1</mn></msub>");
  EXPECT_EQ(body("q^{2}"), "<msup><mi>q</mi><mrow><mn>2</mn></mrow></msup>");
  EXPECT_EQ(body("B_i^\\nu"), "<msubsup><mi>B</mi><mi>i</mi><mi>ν</mi></msubsup>");
  EXPECT_EQ(body("a - 12"), "<mi>a</mi><mo>−</mo><mn>12</mn>");
  EXPECT_EQ(body("\\dot{q}"), "<mover accent=\"true\"><mrow><mi>q</mi></mrow><mo stretchy=\"false\">˙</mo></mover>");
  EXPECT_EQ(body("x < y"), "<mi>x</mi><mo>&lt;</mo><mi>y</mi>");
}

TEST(Tex, WordsKeepTheirDistance) {
  EXPECT_EQ(body("\\text{ if } x"), "<mtext>\u00A0if\u00A0</mtext><mi>x</mi>");
  EXPECT_EQ(body("\\text{ }"), "<mtext>\u00A0</mtext>");
}

TEST(Tex, LinesOfAnIndexStayInIt) {
  const std::string mathml = tex_to_mathml("X_{\\substack{i = 1 \\\\ j}} = k").mathml;
  EXPECT_THAT(mathml, testing::HasSubstr("<mi>j</mi></mtd></mtr></mtable></mrow></msub><mo>=</mo><mi>k</mi></math>"));
  EXPECT_THAT(tex_to_mathml("\\substack{a \\\\").mathml, testing::EndsWith("</math>"));
}

TEST(Tex, SetsFractionsSumsAndFences) {
  EXPECT_EQ(body("\\frac{a}{b}"), "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>");
  EXPECT_EQ(body("\\sum_{j}^m q"), "<munderover><mo>∑</mo><mrow><mi>j</mi></mrow><mi>m</mi></munderover><mi>q</mi>");
  // the left fence before what it encloses, whatever order a compiler evaluates operands in
  EXPECT_EQ(
      body("\\left( x \\right)"),
      "<mrow><mo fence=\"true\" form=\"prefix\">(</mo><mi>x</mi><mo fence=\"true\" form=\"postfix\">)</mo></mrow>");
  EXPECT_THAT(body("\\left. L \\right|_{x=0}"),
              HasSubstr("<msub><mrow><mi>L</mi><mo fence=\"true\" form=\"postfix\">|</mo></mrow>"));
  EXPECT_EQ(body("\\sqrt[3]{x}"), "<mroot><mrow><mi>x</mi></mrow><mrow><mn>3</mn></mrow></mroot>");
}

TEST(Tex, SetsTables) {
  EXPECT_EQ(
      body("\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}"),
      "<mrow><mo fence=\"true\" form=\"prefix\">(</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr>"
      "<mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable><mo fence=\"true\" "
      "form=\"postfix\">)</mo></mrow>");
  EXPECT_THAT(body("\\begin{aligned} x &= \\left(y\\right), \\\\ z &= 0 \\end{aligned}"),
              HasSubstr("</mtd></mtr><mtr><mtd><mi>z</mi></mtd>"));
}

TEST(Tex, SaysWhatItDoesNotKnowAndNeverGoesAstray) {
  EXPECT_EQ(tex_to_mathml("\\frobnicate x").unknown, std::vector<std::string>{"\\frobnicate"});
  for (const char* broken : {"", "{", "}", "x_", "x^", "\\frac{a", "\\left(", "\\right)", "\\begin{aligned} a & b",
                             "\\end{x}", "\\", "\\\\", "&", "\\sqrt[", "\\left( a & b \\\\ c \\right)", "<script>"}) {
    const std::string mathml = tex_to_mathml(broken).mathml;
    EXPECT_TRUE(mathml.starts_with("<math") && mathml.ends_with("</math>")) << broken;
    EXPECT_THAT(mathml, testing::Not(HasSubstr("<script"))) << broken;
  }
  EXPECT_THAT(tex_to_mathml(std::string(5000, '{') + "x").mathml, testing::EndsWith("</math>"));
}

}  // namespace
}  // namespace cetaev
