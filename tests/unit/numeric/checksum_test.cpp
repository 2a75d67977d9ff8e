// Checksums of files, against values of the standard.
#include "cetaev/detail/numeric/checksum.hpp"

#include <gtest/gtest.h>

#include <string>

namespace cetaev {
namespace {

std::uint32_t of(const std::string& text) { return checksum_of(text.data(), text.size()); }

TEST(Checksum, HasTheCheckValuesOfCrc32) {
  EXPECT_EQ(of(""), 0U);
  EXPECT_EQ(of("123456789"), 0xcbf43926U);  // the check value of its catalogues
  EXPECT_EQ(of("The quick brown fox jumps over the lazy dog"), 0x414fa339U);
}

TEST(Checksum, GoesOnFromAnyPlace) {
  const std::string text = "a text that is longer than eight bytes, and not a multiple of them";
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    EXPECT_EQ(checksum_of(text.data() + cut, text.size() - cut, checksum_of(text.data(), cut)), of(text)) << cut;
}

}  // namespace
}  // namespace cetaev
