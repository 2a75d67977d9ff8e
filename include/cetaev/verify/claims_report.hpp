// What became of the claims of the papers: what `cetaev verify --papers` prints.
#pragma once

#include <span>
#include <string>

#include "cetaev/verify/claims.hpp"

namespace cetaev {

// A line for each claim, paper by paper, with the evidence where a printed form is wrong; then the counts, and every claim
// whose verdict is not the expected one.
std::string to_text(std::span<const ClaimResult> results);

// {"claims": [{"id", "paper", "where", "statement", "verdict", "expected", "evidence", …}], "passed": true}
std::string to_json(std::span<const ClaimResult> results);

// The page docs/theory/what-the-papers-claim.md: an essay on what matters most, then every claim.
std::string to_markdown(std::span<const ClaimResult> results);

// True when every claim has its expected verdict.
bool passed(std::span<const ClaimResult> results);

}  // namespace cetaev
