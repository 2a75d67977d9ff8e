#include "claims_overview.hpp"

#include <algorithm>
#include <array>

#include "../report/layout.hpp"

namespace cetaev::verify {

std::vector<ListedPaper> by_paper(std::span<const ClaimResult> results) {
  std::vector<ListedPaper> papers;
  const auto paper_of = [&](const Claim& claim) -> ListedPaper& {
    const auto found =
        std::find_if(papers.begin(), papers.end(), [&](const ListedPaper& p) { return p.name == claim.paper; });
    return found != papers.end() ? *found : *papers.insert(papers.end(), {claim.paper, claim.title, {}});
  };
  const auto present = [&](const std::string& id) {
    return std::any_of(results.begin(), results.end(), [&](const ClaimResult& r) { return r.claim.id == id; });
  };
  const auto is_occurrence = [&](const ClaimResult& r) {
    return !r.claim.occurrence_of.empty() && present(r.claim.occurrence_of);
  };
  for (const ClaimResult& result : results)
    if (!is_occurrence(result)) paper_of(result.claim).entries.push_back({&result, {}});
  for (const ClaimResult& result : results) {
    if (!is_occurrence(result)) continue;
    for (ListedClaim& entry : paper_of(result.claim).entries)
      if (entry.result->claim.id == result.claim.occurrence_of) entry.occurrences.push_back(&result);
  }
  std::sort(papers.begin(), papers.end(), [](const ListedPaper& a, const ListedPaper& b) {
    return a.name.front() != b.name.front() ? a.name.front() > b.name.front() : a.name < b.name;
  });
  return papers;
}

std::string counts(std::span<const ClaimResult> results) {
  struct Number {
    std::size_t entries = 0, places = 0;
  };
  std::array<Number, 7> numbers{};
  std::size_t all = 0;
  for (const ListedPaper& paper : by_paper(results)) {
    for (const ListedClaim& entry : paper.entries) {
      Number& number = numbers[static_cast<std::size_t>(entry.result->verdict)];
      ++number.entries;
      number.places += 1 + entry.occurrences.size();
      if (entry.result->verdict != ClaimVerdict::definition) ++all;
    }
  }
  const auto number = [&](ClaimVerdict verdict) { return numbers[static_cast<std::size_t>(verdict)].entries; };
  const auto places = [&](ClaimVerdict verdict) {
    const Number& n = numbers[static_cast<std::size_t>(verdict)];
    return n.places > n.entries ? fmt::format(" (in {} places)", n.places) : std::string();
  };
  std::string text = count(all, "claim", "claims") + ": " + count(number(ClaimVerdict::holds), "holds", "hold") + ", ";
  text += count(number(ClaimVerdict::corrected), "holds", "hold") + " after a correction" +
          places(ClaimVerdict::corrected) + ", ";
  text += count(number(ClaimVerdict::refuted), "is", "are") + " false" + places(ClaimVerdict::refuted);
  const auto add = [&](ClaimVerdict verdict, std::string_view one, std::string_view many) {
    if (number(verdict) > 0) text += ", " + count(number(verdict), one, many);
  };
  add(ClaimVerdict::open, "is an open question, answered", "are open questions, answered");
  add(ClaimVerdict::opinion, "is an opinion", "are opinions");
  add(ClaimVerdict::undecided, "is undecided", "are undecided");
  if (number(ClaimVerdict::definition) > 0)
    text += "; and " + count(number(ClaimVerdict::definition), "entry is", "entries are") + " of definitions";
  return text;
}

std::vector<PaperItem> missing_items(std::span<const ClaimResult> results, std::span<const PaperItem> items) {
  std::vector<Claim> claims;
  for (const ClaimResult& result : results) claims.push_back(result.claim);
  return without_claim(items, claims);
}

std::string completeness(std::span<const ClaimResult> results, std::span<const PaperItem> items) {
  if (items.empty()) return {};
  const std::vector<PaperItem> missing = missing_items(results, items);
  if (missing.empty()) return fmt::format("Every one of the {} numbered items has an entry.", items.size());
  std::string text = "Numbered items without an entry:";
  for (const PaperItem& item : missing) text += fmt::format(" [{}] {},", item.paper, item.item);
  text.back() = '.';
  return text;
}

}  // namespace cetaev::verify
