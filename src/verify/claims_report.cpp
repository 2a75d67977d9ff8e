#include "cetaev/verify/claims_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "../report/json_values.hpp"
#include "../report/layout.hpp"
#include "claims_essay.hpp"

namespace cetaev {

namespace {

struct Paper {
  std::string name, title;
  std::vector<const ClaimResult*> results;
};

std::vector<Paper> by_paper(std::span<const ClaimResult> results) {
  std::vector<Paper> papers;
  for (const ClaimResult& result : results) {
    auto paper =
        std::find_if(papers.begin(), papers.end(), [&](const Paper& p) { return p.name == result.claim.paper; });
    if (paper == papers.end()) paper = papers.insert(papers.end(), {result.claim.paper, result.claim.title, {}});
    paper->results.push_back(&result);
  }
  // [T1], [T2], [T3], then [L]
  std::sort(papers.begin(), papers.end(), [](const Paper& a, const Paper& b) {
    return a.name.front() != b.name.front() ? a.name.front() > b.name.front() : a.name < b.name;
  });
  return papers;
}

std::size_t number_of(std::span<const ClaimResult> results, ClaimVerdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(results.begin(), results.end(), [&](const ClaimResult& r) { return r.verdict == verdict; }));
}

// "115 claims: 86 hold, 21 hold after a correction, 8 are false"
std::string counts(std::span<const ClaimResult> results) {
  std::string text = count(results.size(), "claim", "claims") + ": ";
  text += count(number_of(results, ClaimVerdict::holds), "holds", "hold") + ", ";
  text += count(number_of(results, ClaimVerdict::corrected), "holds", "hold") + " after a correction, ";
  text += count(number_of(results, ClaimVerdict::refuted), "is", "are") + " false";
  if (const std::size_t undecided = number_of(results, ClaimVerdict::undecided); undecided > 0)
    text += fmt::format(", {} undecided", undecided);
  return text;
}

Json lines(const std::vector<std::string>& list) {
  Json array = Json::array();
  for (const std::string& line : list) array.push_back(line);
  return array;
}

// Cells of a table end at a bar, and tags look like < and >.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string code_block(const std::string& heading, const std::vector<std::string>& list) {
  if (list.empty()) return {};
  std::string text = heading + "\n\n```\n";
  for (const std::string& line : list) text += line + "\n";
  return text + "```\n\n";
}

std::string anchor(const ClaimResult& result) { return fmt::format("<a id=\"{0}\"></a>{0}", result.claim.id); }

// The printed form and what should stand in its place, with the numbers.
std::string wrong_markdown(const ClaimResult& result) {
  const Claim& claim = result.claim;
  std::string text = fmt::format("### {}: {}\n\n", anchor(result), to_string(result.verdict));
  text += fmt::format("*{}.* {}\n\n", claim.where, claim.statement);
  text += code_block("Printed:", claim.printed);
  text += code_block("Correct:", claim.correct);
  text += code_block("True instead:", claim.instead);
  if (!claim.remark.empty()) text += claim.remark + "\n\n";
  text += fmt::format("Evidence: {}; {}.\n\n", result.method, result.evidence);
  return text;
}

}  // namespace

bool passed(std::span<const ClaimResult> results) {
  return std::all_of(results.begin(), results.end(), [](const ClaimResult& r) { return r.passed(); });
}

std::string to_text(std::span<const ClaimResult> results) {
  std::string text;
  for (const Paper& paper : by_paper(results)) {
    text += fmt::format("[{}] {}\n", one_line(paper.name), one_line(paper.title));
    std::size_t widest = 0;
    for (const ClaimResult* result : paper.results) widest = std::max(widest, width(result->claim.id));
    for (const ClaimResult* result : paper.results) {
      const Claim& claim = result->claim;
      text += fmt::format("  {}  {}  {}\n", pad(one_line(claim.id), widest),
                          pad(std::string(to_string(result->verdict)), 9), one_line(claim.where));
      if (result->verdict == ClaimVerdict::holds && result->passed()) continue;
      const auto add = [&](const std::string& words) { text += paragraph("", words, widest + 13); };
      add(one_line(claim.statement));
      if (!claim.remark.empty()) add(one_line(claim.remark));
      const bool ended = result->evidence.ends_with('?');
      add(capital(one_line(result->evidence)) + (ended ? "" : "."));
    }
    text += "\n";
  }
  text += counts(results) + ".\n";
  if (passed(results)) return text + "Every verdict is the expected one.\n";
  text += "\nNot as expected:\n";
  for (const ClaimResult& result : results)
    if (!result.passed()) text += "  " + one_line(result.failure()) + "\n";
  return text::printable(text);
}

std::string to_json(std::span<const ClaimResult> results) {
  Json document;
  document["claims"] = Json::array();
  for (const ClaimResult& result : results) {
    const Claim& claim = result.claim;
    Json entry;
    entry["id"] = claim.id;
    entry["paper"] = claim.paper;
    entry["where"] = claim.where;
    entry["statement"] = claim.statement;
    entry["verdict"] = to_string(result.verdict);
    entry["expected"] = to_string(claim.expected);
    entry["evidence"] = result.evidence;
    entry["method"] = result.method;
    entry["error"] = number(result.error);
    entry["printed"] = lines(claim.printed);
    if (!claim.correct.empty()) entry["correct"] = lines(claim.correct);
    if (!claim.instead.empty()) entry["instead"] = lines(claim.instead);
    if (!claim.remark.empty()) entry["remark"] = claim.remark;
    entry["file"] = claim.position.file;
    entry["line"] = claim.position.line;
    entry["seconds"] = number(result.seconds);
    document["claims"].push_back(entry);
  }
  document["passed"] = passed(results);
  return dump(document);
}

std::string to_markdown(std::span<const ClaimResult> results) {
  std::string text = claims_essay(results);
  text += fmt::format("\n## All of them\n\n{}.\n\n", counts(results));
  for (const Paper& paper : by_paper(results)) {
    text += fmt::format("## [{}] {}\n\n| claim | where | what it says | verdict |\n| --- | --- | --- | --- |\n",
                        paper.name, paper.title);
    for (const ClaimResult* result : paper.results) {
      const Claim& claim = result->claim;
      const bool wrong = result->verdict != ClaimVerdict::holds;
      text += fmt::format("| {} | {} | {} | {} |\n", wrong ? fmt::format("[{0}](#{0})", claim.id) : anchor(*result),
                          cell(claim.where), cell(claim.statement), to_string(result->verdict));
    }
    text += "\n";
    for (const ClaimResult* result : paper.results)
      if (result->verdict != ClaimVerdict::holds) text += wrong_markdown(*result);
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text::printable(text);
}

}  // namespace cetaev
