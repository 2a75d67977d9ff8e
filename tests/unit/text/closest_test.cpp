// What misspelt words were meant to be.
#include "cetaev/detail/text/closest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace cetaev::text {
namespace {

TEST(EditDistance, CountsChangesInHalves) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 6u);  // the textbook's three
  EXPECT_EQ(edit_distance("skate", "saket"), 4u);     // two swaps
  EXPECT_EQ(edit_distance("theta", "thtea"), 2u);     // neighbours swapped: one
  EXPECT_EQ(edit_distance("Mass", "mass"), 1u);       // only the case: half
  EXPECT_EQ(edit_distance("θ", "φ"), 2u);             // letters, not bytes
  EXPECT_EQ(edit_distance("", "abc"), 6u);
}

TEST(EditDistance, IsTheSameBothWays) {
  const std::vector<std::string> words = {"", "a", "phi", "psi", "skate", "snake", "Phi", "θ₁"};
  for (const std::string& a : words)
    for (const std::string& b : words) EXPECT_EQ(edit_distance(a, b), edit_distance(b, a)) << a << " " << b;
}

TEST(Closest, IsWhatWasMeant) {
  const std::vector<std::string> names = {"slope", "phi", "x", "skate", "snake"};
  EXPECT_EQ(closest("slop", names), "slope");
  EXPECT_EQ(closest("skat", names), "skate");
  EXPECT_EQ(closest("X", names), "x");
  EXPECT_EQ(closest("y", names), "");  // of a single letter only its case may be wrong
  EXPECT_EQ(closest("pendulum", names), "");
}

TEST(Closest, IsTheFirstOfEquals) {
  EXPECT_EQ(closest("sate", std::vector<std::string>{"skate", "state"}), "skate");
  EXPECT_EQ(closest("sate", std::vector<std::string>{"state", "skate"}), "state");
}

TEST(Closest, KnowsGreekLettersByName) {
  EXPECT_EQ(closest("theta", std::vector<std::string>{"x", "θ"}), "θ");
  EXPECT_EQ(closest("φ", std::vector<std::string>{"phi"}), "phi");
}

}  // namespace
}  // namespace cetaev::text
