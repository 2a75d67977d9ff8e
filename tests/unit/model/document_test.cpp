// TOML as the reader sees it: file order, exact numbers, and the place of everything.
#include "../../../src/model/document.hpp"

#include <gtest/gtest.h>

#include "refuses.hpp"

namespace cetaev::model {
namespace {

using Kind = TomlValue::Kind;

std::string place(const SourceText& source, std::size_t offset) {
  const SourcePosition position = source.position(offset);
  return std::to_string(position.line) + ":" + std::to_string(position.column);
}

TEST(SourceText, CountsColumnsInCharacters) {
  const SourceText source("f", "aθb\n𝜃ẋ = 1\r\n");
  EXPECT_EQ(place(source, 0), "1:1");
  EXPECT_EQ(place(source, 3), "1:3");  // b, behind a letter of two bytes
  EXPECT_EQ(place(source, 5), "2:1");
  EXPECT_EQ(place(source, 9), "2:2");
  EXPECT_EQ(source.position(9).line_text, "𝜃ẋ = 1");
  EXPECT_EQ(source.offset(2, 2), 9u);
  EXPECT_EQ(place(source, source.text().size()), "3:1");
  EXPECT_EQ(source.offset(99, 1), source.text().size());
}

TEST(SourceText, LeavesOutAByteOrderMark) {
  const SourceText source("f", "\xEF\xBB\xBFx = 1");
  EXPECT_EQ(source.text(), "x = 1");
}

TEST(SourceText, FindsTheColumnAndClipsTheTextOfAVeryLongLine) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "θ";
  const SourceText source("f", "a\n" + text + "\nb");
  const SourcePosition position = source.position(2 + 2 * 50'000);
  EXPECT_EQ(position.line, 2u);
  EXPECT_EQ(position.column, 50'001u);
  EXPECT_LT(position.line_text.size(), 400u);
  EXPECT_TRUE(position.line_text.starts_with("…θ"));
  EXPECT_EQ(source.offset(2, 50'001), 2u + 2 * 50'000);
}

TEST(SourceText, RefusesWhatIsNotText) {
  const auto bad = [](std::string text, std::string_view message, std::size_t line, std::size_t column) {
    const auto error = error_of([&] { SourceText("f", std::move(text)); });
    expect_error(error, ErrorCode::parse_error, message, "", "f", line, column);
  };
  bad(std::string("x = 1\ny = \"a\0\"", 14), "a NUL character; model files are text", 2, 7);
  bad("x = \"θ\xFF\"", "not UTF-8 text", 1, 7);
  bad("\xC0\xAF", "not UTF-8 text", 1, 1);           // overlong
  bad("x\xED\xA0\x80", "not UTF-8 text", 1, 2);      // a surrogate
  bad("x\xF4\x90\x80\x80", "not UTF-8 text", 1, 2);  // beyond U+10FFFF
  bad("x\xCE", "not UTF-8 text", 1, 2);              // cut off
}

TEST(Document, KeepsTheOrderOfTheFile) {
  const SourceText source("f", "zeta = 1\nalpha = 2\n[mu]\nb = 1\na = 2\nθ = 3\n[beta]\n");
  const TomlValue document = read_document(source);
  std::string order;
  for (const Entry& entry : document.entries) order += entry.key + " ";
  for (const Entry& entry : document.find("mu")->value.entries) order += entry.key + " ";
  EXPECT_EQ(order, "zeta alpha mu beta b a θ ");
}

TEST(Document, KnowsWhereEverythingStands) {
  const SourceText source(
      "f", "a = [\n  \"θ\", {b = 2,\n c = true}]\n[[points]]\n\"q r\" = 1979-05-27 07:32:00\n[[points]]\n");
  const TomlValue document = read_document(source);
  const TomlValue& a = document.find("a")->value;
  EXPECT_EQ(place(source, a.offset), "1:5");
  EXPECT_EQ(place(source, a.elements[0].offset), "2:3");
  EXPECT_EQ(place(source, a.elements[1].offset), "2:8");
  EXPECT_EQ(place(source, a.elements[1].entries[0].offset), "2:9");
  EXPECT_EQ(place(source, a.elements[1].entries[1].value.offset), "3:6");
  EXPECT_TRUE(a.elements[1].entries[1].value.boolean);
  const TomlValue& points = document.find("points")->value;
  ASSERT_EQ(points.elements.size(), 2u);
  EXPECT_EQ(place(source, points.elements[1].offset), "6:1");
  EXPECT_EQ(points.elements[0].entries[0].key, "q r");
  EXPECT_EQ(points.elements[0].entries[0].value.kind, Kind::other);
}

TEST(Document, KeepsNumbersExactly) {
  const SourceText source("f", R"(
a = 123456789012345678901234567890123456789
b = -0.1
c = 1_000.000_1e-1_0
d = 0xFF_FF
e = 0x123456789abcdef0123456789ABCDEF
f = 0o777
g = 0b1000_0001
h = +5
i = -inf
j = [ 99999999999999999999 , 3.14 ]
)");
  const TomlValue document = read_document(source);
  const auto text = [&](std::string_view key) { return document.find(key)->value.text; };
  EXPECT_EQ(text("a"), "123456789012345678901234567890123456789");
  EXPECT_EQ(text("b"), "-0.1");
  EXPECT_EQ(text("c"), "1000.0001e-10");
  EXPECT_EQ(text("d"), "65535");
  EXPECT_EQ(text("e"), "1512366075204170929049582354406559215");
  EXPECT_EQ(text("f"), "511");
  EXPECT_EQ(text("g"), "129");
  EXPECT_EQ(text("h"), "+5");
  EXPECT_EQ(text("i"), "-inf");
  EXPECT_EQ(document.find("j")->value.elements[0].text, "99999999999999999999");
  EXPECT_EQ(document.find("j")->value.elements[1].text, "3.14");
  for (const Entry& entry : document.entries)
    EXPECT_EQ(entry.value.kind, entry.key == "j" ? Kind::array : Kind::number) << entry.key;
}

TEST(Document, NumbersInsideStringsAndCommentsAreLeftAlone) {
  const SourceText source("f", "# 12345678901234567890123\na = \"12345678901234567890123\" # = 99999999999999999999\n");
  EXPECT_EQ(read_document(source).find("a")->value.text, "12345678901234567890123");
}

TEST(Document, EveryByteOfAStringKnowsItsSource) {
  const std::string text =
      "a = \"x\\u03b8\\t\\\"y\"\n"               // "x\u03b8\t\"y"
      "b = \"\"\"\n  one\\\n     two\"\"\"\"\n"  // joined lines, a quote at the end
      "c = '\\raw'\n"
      "d = '''\r\nl'1\r\nl''2'''\n"
      "e = \"\"\n"
      "f = \"\"\"\\\n  θφ角 \\\n \u00a0é😀\"\"\"\n";
  const SourceText source("f", text);
  const TomlValue document = read_document(source);
  const auto source_of = [&](std::string_view key, std::size_t index) {
    return place(source, string_source(source.text(), document.find(key)->value.offset, index));
  };
  EXPECT_EQ(document.find("a")->value.text, "xθ\t\"y");
  EXPECT_EQ(source_of("a", 0), "1:6");
  EXPECT_EQ(source_of("a", 1), "1:7");  // both bytes of θ come from the escape
  EXPECT_EQ(source_of("a", 2), "1:7");
  EXPECT_EQ(source_of("a", 3), "1:13");
  EXPECT_EQ(source_of("a", 5), "1:17");  // y
  EXPECT_EQ(source_of("a", 6), "1:18");  // the end: the closing quote
  EXPECT_EQ(document.find("b")->value.text, "  onetwo\"");
  EXPECT_EQ(source_of("b", 2), "3:3");
  EXPECT_EQ(source_of("b", 5), "4:6");
  EXPECT_EQ(document.find("c")->value.text, "\\raw");
  EXPECT_EQ(document.find("d")->value.text, "l'1\nl''2");
  EXPECT_EQ(source_of("d", 4), "8:1");
  EXPECT_EQ(source_of("e", 0), "9:6");
  EXPECT_EQ(document.find("f")->value.text, "θφ角 \u00a0é😀");
  EXPECT_EQ(source_of("f", 4), "11:5");  // 角
}

TEST(Document, BareKeysMayBeInAnyScript) {
  const SourceText source("f", "θ = 1\nугол = 2\n角 = 3\nx₁ = 4\n𝜃 = 5\n[é.\"φ ψ\"]\nß = {ö = 1}\n");
  const TomlValue document = read_document(source);
  ASSERT_EQ(document.entries.size(), 6u);
  EXPECT_EQ(document.entries[1].key, "угол");
  EXPECT_EQ(document.entries[4].key, "𝜃");
  EXPECT_EQ(document.entries[5].key, "é");
  EXPECT_EQ(document.entries[5].value.entries[0].key, "φ ψ");
  EXPECT_EQ(document.entries[5].value.entries[0].value.entries[0].value.entries[0].key, "ö");
}

}  // namespace
}  // namespace cetaev::model
