// What became of the claims as a whole: paper by paper, each slip once.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cetaev/verify/claims.hpp"

namespace cetaev::verify {

// A claim, and the other places where its slip stands.
struct ListedClaim {
  const ClaimResult* result = nullptr;
  std::vector<const ClaimResult*> occurrences;
};

struct ListedPaper {
  std::string name, title;
  std::vector<ListedClaim> entries;
};

// [T1], [T2], [T3], then [L]. An occurrence whose claim is not among the results is an entry of its own.
std::vector<ListedPaper> by_paper(std::span<const ClaimResult> results);

// "115 claims: 86 hold, 21 are slips (in 40 places), 8 are false, 3 questions are answered, 2 are opinions; and 9 definitions"
std::string counts(std::span<const ClaimResult> results);

// "Every one of the 253 numbered items has an entry.", or those that have none; empty where there are no items.
std::string completeness(std::span<const ClaimResult> results, std::span<const PaperItem> items);
std::vector<PaperItem> missing_items(std::span<const ClaimResult> results, std::span<const PaperItem> items);

}  // namespace cetaev::verify
