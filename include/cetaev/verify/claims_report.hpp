// What became of the claims of the papers: what `cetaev verify --papers` prints.
#pragma once

#include <span>
#include <string>

#include "cetaev/verify/claims.hpp"

namespace cetaev {

// `items`, wherever they are asked for: what the papers number, to say whether each has a claim.

// A line for each claim, paper by paper, with the evidence where a printed form is wrong, and under it the other places where
// its slip stands; then the counts, and every claim whose verdict is not the expected one.
std::string to_text(std::span<const ClaimResult> results, std::span<const PaperItem> items = {});

// {"claims": [{"id", "paper", "where", "statement", "verdict", "expected", "evidence", …, "occurrences": […]}],
//  "items": {"count", "missing"}, "passed": true}
std::string to_json(std::span<const ClaimResult> results, std::span<const PaperItem> items = {});

// The page docs/theory/what-the-papers-claim.md: an essay on what matters most, then every claim.
std::string to_markdown(std::span<const ClaimResult> results, std::span<const PaperItem> items = {});

// The same as one HTML file that needs nothing beside it, with the formulas in MathML.
std::string to_html(std::span<const ClaimResult> results, std::span<const PaperItem> items, const std::string& version);

// True when every claim has its expected verdict, and every item a claim.
bool passed(std::span<const ClaimResult> results);
bool passed(std::span<const ClaimResult> results, std::span<const PaperItem> items);

}  // namespace cetaev
