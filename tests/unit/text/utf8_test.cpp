// UTF-8 against the standard (RFC 3629), and the width of characters.
#include "cetaev/detail/text/utf8.hpp"

#include <gtest/gtest.h>

namespace cetaev::text {
namespace {

TEST(Utf8, HasTheBytesOfTheStandard) {
  // the examples of RFC 3629, section 7, and the first and last of each length
  EXPECT_EQ(utf8(0x2262), "\xE2\x89\xA2");
  EXPECT_EQ(utf8(0x65E5), "\xE6\x97\xA5");
  EXPECT_EQ(utf8(0x233B4), "\xF0\xA3\x8E\xB4");
  EXPECT_EQ(utf8(0x7F), "\x7F");
  EXPECT_EQ(utf8(0x80), "\xC2\x80");
  EXPECT_EQ(utf8(0x7FF), "\xDF\xBF");
  EXPECT_EQ(utf8(0x800), "\xE0\xA0\x80");
  EXPECT_EQ(utf8(0xFFFF), "\xEF\xBF\xBF");
  EXPECT_EQ(utf8(0x10000), "\xF0\x90\x80\x80");
  EXPECT_EQ(utf8(0x10FFFF), "\xF4\x8F\xBF\xBF");
}

TEST(Utf8, ReadsBackEveryCharacter) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c == 0xD800) c = 0xE000;  // surrogates are no characters
    const std::string bytes = utf8(c);
    const CodePoint read = decode(bytes, 0);
    ASSERT_EQ(read.value, c);
    ASSERT_EQ(read.bytes, bytes.size());
  }
}

TEST(Utf8, RefusesWhatTheStandardForbids) {
  for (const std::string bad :
       {"\x80", "\xC0\xAF", "\xC1\xBF", "\xC2", "\xC2\x41", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xED\xBF\xBF", "\xE2\x89",
        "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
    EXPECT_EQ(decode(bad, 0).bytes, 0u);
    EXPECT_EQ(valid_prefix("ab" + bad), 2u);
  }
  EXPECT_EQ(valid_prefix("aφ"), 3u);
}

TEST(Utf8, BadBytesBecomeAMarkEach) {
  EXPECT_EQ(code_points("aφ"), U"aφ");
  EXPECT_EQ(code_points("a\xE2\x89z"), U"a\xFFFD\xFFFDz");
}

TEST(Utf8, CountsCharactersAndColumns) {
  EXPECT_EQ(character_count("φ̈=1"), 4u);
  EXPECT_EQ(display_width("φ̈=1"), 3u);  // the dots stand over the letter
  EXPECT_EQ(display_width("日本"), 4u);
  EXPECT_EQ(display_width(U'x'), 1u);
}

}  // namespace
}  // namespace cetaev::text
