// A claim is worth what its transcription is worth: a sign that changes in a formula of
// papers/llibre.toml is noticed, in forms that are wrong anyway by their size. One sign of each form; `make stress` tries every
// place of every formula (scripts/mutations).
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
    std::string part = text.substr(begin, end - begin);
    // each claim is read alone, without the one whose slip it repeats
    if (const std::size_t key = part.find("\noccurrence_of"); key != std::string::npos)
      part.erase(key, part.find('\n', key + 1) - key);
    parts.push_back(std::move(part));
    begin = end;
  }
  return parts;
}

struct Sign {
  std::size_t at = 0;
  std::string form;  // the key whose formulas it stands in
};

// The first " + " or " - " in each form of a claim.
std::vector<Sign> signs(const std::string& claim) {
  std::set<std::string> forms = {"given", "printed", "correct", "instead"};
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
    if (quoted && sign && forms.erase(key) > 0) result.push_back({i + 1, key});
  }
  return result;
}

TEST(Papers, AChangedSignIsNoticed) {
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
      names.push_back(read[0].id + " " + sign.form);
      changed.push_back(std::move(read[0]));
    }
  }
  ASSERT_GT(changed.size(), 150U);
  const std::vector<ClaimResult> results = verify_claims(changed);
  ASSERT_EQ(results.size(), changed.size());
  std::string unnoticed;
  std::size_t noticed = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].passed()) {
      unnoticed += names[i] + "\n";
      continue;
    }
    ++noticed;
    EXPECT_THAT(results[i].failure(), HasSubstr(changed[i].id));
  }
  // Some signs mean nothing: of arbitrary functions and constants, of terms that are zero, of what is squared.
  EXPECT_GT(static_cast<double>(noticed), 0.85 * static_cast<double>(changed.size())) << unnoticed;
}

}  // namespace
}  // namespace cetaev
