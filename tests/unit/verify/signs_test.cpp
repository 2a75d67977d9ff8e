// A claim is worth what its transcription is worth: no sign in a formula of papers/llibre.toml can change unnoticed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "cetaev/papers.hpp"
#include "cetaev/verify/claims.hpp"

namespace cetaev {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string file_text(std::string_view name) {
  for (const ClaimsFile& file : claims_files())
    if (file.name == name) return std::string(file.text);
  return {};
}

// The text before the first claim, and the claims.
std::vector<std::string> split(const std::string& text) {
  const std::string mark = "\n[[claim]]\n";
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(mark, begin + 1), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return parts;
}

struct Sign {
  std::size_t at = 0;
  std::string form;  // the key whose formulas it stands in
};

// " + " and " - " in the formulas of a claim.
std::vector<Sign> signs(const std::string& claim) {
  static const std::set<std::string> forms = {"given", "printed", "correct", "instead"};
  std::vector<Sign> result;
  std::string key;
  bool quoted = false;
  for (std::size_t i = 0; i + 2 < claim.size(); ++i) {
    if (claim[i] == '\n' && !quoted) {
      const std::size_t end = claim.find_first_of(" =[]\n\"", i + 1);
      if (end != std::string::npos && end > i + 1) key = claim.substr(i + 1, end - i - 1);
    }
    if (claim[i] == '"') quoted = !quoted;
    const bool sign = claim[i] == ' ' && (claim[i + 1] == '+' || claim[i + 1] == '-') && claim[i + 2] == ' ';
    if (quoted && sign && forms.contains(key)) result.push_back({i + 1, key});
  }
  return result;
}

// Signs without a meaning: of arbitrary functions and constants, of terms that are shown to be zero, and of squares.
const std::set<std::string> free_signs = {
    "L-27 given",
};

TEST(Papers, NoSignOfAFormulaChangesUnnoticed) {
  const std::vector<std::string> parts = split(file_text("llibre"));
  ASSERT_GT(parts.size(), 100U);
  std::vector<Claim> changed;
  std::vector<std::string> names;
  for (std::size_t p = 1; p < parts.size(); ++p) {
    for (const Sign& sign : signs(parts[p])) {
      std::string claim = parts[p];
      claim[sign.at] = claim[sign.at] == '+' ? '-' : '+';
      std::vector<Claim> read = read_claims(parts[0] + claim, "papers/llibre.toml");
      ASSERT_EQ(read.size(), 1U);
      const std::string name = read[0].id + " " + sign.form;
      if (free_signs.contains(name)) continue;
      const std::size_t line = claim.rfind('\n', sign.at) + 1;
      names.push_back(name + ": " + claim.substr(line, claim.find('\n', sign.at) - line));
      changed.push_back(std::move(read[0]));
    }
  }
  EXPECT_GT(changed.size(), 500U);
  const std::vector<ClaimResult> results = verify_claims(changed);
  ASSERT_EQ(results.size(), changed.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_FALSE(results[i].passed()) << names[i];
    if (!results[i].passed()) {
      EXPECT_THAT(results[i].failure(), HasSubstr(changed[i].id));
    }
  }
}

}  // namespace
}  // namespace cetaev
