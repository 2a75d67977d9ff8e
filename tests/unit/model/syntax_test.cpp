// The grammar of expressions: what binds to what, and what is said where something is missing.
#include "../../../src/model/syntax.hpp"

#include <gtest/gtest.h>

#include "refuses.hpp"

namespace cetaev::model {
namespace {

// The tree in prefix notation.
std::string tree(const std::string& text, bool equation = false) {
  const SourceText source("text", text);
  const Syntax syntax = parse_syntax(source.text(), Origin::bare(source, 0), equation);
  static constexpr const char* signs[] = {"", "", "", "vector", ".", "D", "-", "+", "*", "/", "^"};
  std::vector<std::string> shown;
  for (const SyntaxNode& node : syntax.nodes) {
    std::string s(syntax.text_of(node));
    if (node.kind > SyntaxNode::Kind::name) {
      s = "(" + s + signs[static_cast<int>(node.kind)];
      if (node.kind == SyntaxNode::Kind::component) s += "xyz"[node.component];
      for (const std::uint32_t operand : syntax.operands_of(node)) s += " " + shown[operand];
      s += ")";
    }
    shown.push_back(s);
  }
  return shown[syntax.left] + (syntax.equation ? " = " + shown[syntax.right] : "");
}

TEST(Syntax, SumsAndProductsAreFlatAndLeftToRight) {
  EXPECT_EQ(tree("a - b - c + d"), "(+ a (- b) (- c) d)");
  EXPECT_EQ(tree("a/b/c*d"), "(* a (/ b) (/ c) d)");
  EXPECT_EQ(tree("a + b*c - d"), "(+ a (* b c) (- d))");
  EXPECT_EQ(tree("(a + b)*c"), "(* (+ a b) c)");
}

TEST(Syntax, PowersBindToTheRightAndTighterThanASign) {
  EXPECT_EQ(tree("-x^2"), "(- (^ x 2))");
  EXPECT_EQ(tree("2^3^4"), "(^ 2 (^ 3 4))");
  EXPECT_EQ(tree("2^-x^2*y"), "(* (^ 2 (- (^ x 2))) y)");
  EXPECT_EQ(tree("(-x)^2"), "(^ (- x) 2)");
}

TEST(Syntax, ASignMayFollowAnOperator) {
  EXPECT_EQ(tree("2*-x"), "(* 2 (- x))");
  EXPECT_EQ(tree("a - -b"), "(+ a (- (- b)))");
  EXPECT_EQ(tree("a/+b"), "(* a (/ b))");
  EXPECT_EQ(tree("--x"), "(- (- x))");
  EXPECT_EQ(tree("-a*b"), "(* (- a) b)");
}

TEST(Syntax, PrimesAndComponentsFollowWhatTheyBelongTo) {
  EXPECT_EQ(tree("x'^2"), "(^ (D x) 2)");
  EXPECT_EQ(tree("P1'.x + P1.x'"), "(+ (.x (D P1)) (D (.x P1)))");
  EXPECT_EQ(tree("(x + y)''"), "(D (D (+ x y)))");
  EXPECT_EQ(tree("[a, b, c]'.z"), "(.z (D (vector a b c)))");
  EXPECT_EQ(tree("sin(x)'"), "(D (sin x))");
  EXPECT_EQ(tree("-x'"), "(- (D x))");
}

TEST(Syntax, CallsAndEquations) {
  EXPECT_EQ(tree("atan2 (y, -x)"), "(atan2 y (- x))");
  EXPECT_EQ(tree("dot(P1', P2') = 0", true), "(dot (D P1) (D P2)) = 0");
  EXPECT_EQ(tree(" a\n=\tb ", true), "a = b");
}

TEST(Syntax, NumbersHaveTheUsualForms) {
  EXPECT_EQ(tree("1.5e-3 + .5 + 5. + 2E+7 + 0001"), "(+ 1.5e-3 .5 5. 2E+7 0001)");
}

TEST(Syntax, NamesAreLettersOfAnyScriptDigitsAndUnderscores) {
  for (const char* name : {"θ", "φ₁", "угол", "角度", "x_1", "_a", "ẋ", "x\xCC\x87", "ℓ", "𝜃", "Ä2", "é"})
    EXPECT_EQ(tree(std::string(name) + "'"), "(D " + std::string(name) + ")");
}

void refuses_syntax(std::string_view marked, std::string_view message, std::string_view suggestion = "") {
  const Marked text(marked);
  SCOPED_TRACE(text.text);
  const auto error = error_of([&] { tree(text.text, true); });
  expect_error(error, ErrorCode::parse_error, message, suggestion, "text", text.line, text.column);
}

TEST(Syntax, SaysWhatWasExpectedAndWhere) {
  refuses_syntax("¶", "the expression is empty");
  refuses_syntax("  ¶", "the expression is empty");
  refuses_syntax("x +¶", "expected an operand after '+'");
  refuses_syntax("x + ¶", "expected an operand after '+'");
  refuses_syntax("x*¶)", "expected an operand after '*', found ')'");
  refuses_syntax("2*(¶)", "expected an operand after '(', found ')'");
  refuses_syntax("sin(¶)", "expected an operand after 'sin(', found ')'");
  refuses_syntax("dot(a, ¶)", "expected an operand after ',', found ')'");
  refuses_syntax("¶*x", "expected an operand, found '*'");
  refuses_syntax("x\n + ¶@", "expected an operand after '+', found '@'");
  refuses_syntax("x =¶", "expected an operand after '='");
  refuses_syntax("¶(x + y", "this '(' is never closed");
  refuses_syntax("2*sin¶(x", "this '(' is never closed");
  refuses_syntax("¶[x, y", "this '[' is never closed");
  refuses_syntax("x¶)", "this ')' closes nothing");
  refuses_syntax("(x¶]", "expected ')' before ']'");
  refuses_syntax("[x, y, z¶)", "expected ']' before ')'");
  refuses_syntax("¶[x, y]", "a vector has three components, found 2");
  refuses_syntax("(x¶, y)", "a ',' inside parentheses that are not a function's; vectors are written [a, b, c]");
  refuses_syntax("x¶, y", "a ',' outside of a function or a vector");
  refuses_syntax("P.¶w", "expected .x, .y or .z");
  refuses_syntax("P.¶xx", "expected .x, .y or .z");
  refuses_syntax("3¶'", "a prime follows a name or a parenthesis, not a number");
  refuses_syntax("x = y ¶= z", "a second '=' in an equation");
  refuses_syntax("(x ¶= y)", "'=' inside brackets");
  refuses_syntax("x ¶< y", "unexpected '<'");
  refuses_syntax("x'¶(y)", "expected an operator before '('");
  refuses_syntax("(x)¶y", "expected an operator before 'y'");
}

TEST(Syntax, SuggestsWhatWasProbablyMeant) {
  refuses_syntax("2¶x", "expected an operator between '2' and 'x'", "2*x");
  refuses_syntax("m ¶g", "expected an operator between 'm' and 'g'", "m*g");
  refuses_syntax("x ¶2.5", "expected an operator between 'x' and '2.5'", "x*2.5");
  refuses_syntax("sin ¶x", "the argument of sin stands in parentheses", "sin(x)");
  refuses_syntax("x ¶** y", "'**' is not an operator; powers are written with '^'", "^");
  refuses_syntax("x ¶== y", "'==' is not an operator; an equation has one '='", "=");
  refuses_syntax("x¶’", "unexpected '’' (U+2019): a derivative is written with the apostrophe '", "'");
  refuses_syntax("x¶′", "unexpected '′' (U+2032): a derivative is written with the apostrophe '", "'");
  refuses_syntax("x¶²", "unexpected '²' (U+00B2)", "^2");
  refuses_syntax("x ¶− y", "unexpected '−' (U+2212)", "-");
  refuses_syntax("θ¶·φ", "unexpected '·' (U+00B7)", "*");
  refuses_syntax("¶√(x)", "expected an operand, found '√' (U+221A)", "sqrt");
  refuses_syntax("x +¶\xC2\xA0y", "expected an operand after '+', found the character U+00A0", " ");
}

TEST(Syntax, EquationsStandOnlyWhereTheyAreAllowed) {
  const auto error = error_of([] { tree("x = 0"); });
  expect_error(error, ErrorCode::parse_error, "'=' outside of constraints: only a constraint is an equation", "",
               "text", 1, 3);
}

TEST(Syntax, DepthIsLimitedToAThousandLevels) {
  const auto nested = [](std::string open, std::size_t depth, std::string close) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += open;
    text += "x";
    for (std::size_t i = 0; i < depth; ++i) text += close;
    return text;
  };
  EXPECT_NO_THROW(tree(nested("(", 1'000, ")")));
  EXPECT_NO_THROW(tree(nested("-", 1'000, "")));
  EXPECT_NO_THROW(tree(nested("x^", 1'000, "")));
  for (const auto& [open, close] : {std::pair{"(", ")"}, std::pair{"-", ""}, std::pair{"x^", ""},
                                    std::pair{"sin(", ")"}, std::pair{"[0,0,", "]"}, std::pair{"2^-", ""}}) {
    for (const std::size_t depth : {1'001u, 100'000u}) {
      const std::string text = nested(open, depth, close);
      const auto error = error_of([&] { tree(text); });
      ASSERT_TRUE(error);
      EXPECT_EQ(error->message(), "nested too deeply: more than 1000 levels");
    }
  }
}

TEST(Syntax, DepthIsNotCountedBySidesOfASum) {
  std::string text = "x";
  for (int i = 0; i < 100'000; ++i) text += i % 2 == 0 ? " + (x - -y)" : "*x^-2";
  const SourceText source("text", text);
  const Syntax syntax = parse_syntax(source.text(), Origin::bare(source, 0));
  EXPECT_EQ(syntax.nodes[syntax.left].kind, SyntaxNode::Kind::sum);
  EXPECT_EQ(syntax.nodes[syntax.left].count, 50'001u);
}

TEST(Syntax, NumbersAreBoundedBeforeTheyAreComputed) {
  const std::string digits(1'000'000, '7');
  for (const std::string& text : {digits, "0." + digits, digits + ".5e3"}) {
    const auto error = error_of([&] { tree(text); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->message(), "number too large: more than 10000 digits");
  }
  refuses_syntax("2 + ¶1e999999999", "number too large: its exponent is beyond 9999");
  refuses_syntax("¶1e-10000", "number too large: its exponent is beyond 9999");
  EXPECT_EQ(tree("1e0000000009"), "1e0000000009");
}

}  // namespace
}  // namespace cetaev::model
