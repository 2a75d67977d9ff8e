#include "cetaev/verify/claims_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "../report/json_values.hpp"
#include "../report/layout.hpp"
#include "claims_essay.hpp"
#include "claims_overview.hpp"
#include "claims_sheet.hpp"
#include "subscripts.hpp"

namespace cetaev {

namespace {

using verify::SheetRow;

Json lines(const std::vector<std::string>& list) {
  Json array = Json::array();
  for (const std::string& line : list) array.push_back(line);
  return array;
}

Json entry_json(const ClaimResult& result) {
  const Claim& claim = result.claim;
  Json entry;
  entry["id"] = claim.id;
  entry["paper"] = claim.paper;
  entry["where"] = claim.where;
  entry["items"] = lines(claim.items);
  entry["statement"] = claim.statement;
  entry["verdict"] = to_string(result.verdict);
  entry["expected"] = to_string(claim.expected);
  entry["evidence"] = result.evidence;
  entry["method"] = result.method;
  entry["error"] = number(result.error);
  entry["off"] = number(result.sum);
  entry["digits"] = result.digits;
  entry["state"] = result.state;
  entry["models"] = lines(claim.models);
  const auto optional = [&](const char* key, const std::vector<std::string>& list) {
    if (!list.empty()) entry[key] = lines(list);
  };
  optional("tex", claim.tex);
  optional("given", claim.given);
  optional("printed", claim.printed);
  optional("correct", claim.correct);
  optional("instead", claim.instead);
  optional("answer", claim.answer);
  if (!claim.remark.empty()) entry["remark"] = claim.remark;
  if (!claim.extraction.empty()) entry["extraction"] = claim.extraction;
  entry["file"] = claim.position.file;
  entry["line"] = claim.position.line;
  entry["seconds"] = number(result.seconds);
  return entry;
}

// Cells of a table end at a bar.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string row_markdown(const SheetRow& row) {
  const bool words = row.kind == SheetRow::Kind::words;
  if (words || row.kind == SheetRow::Kind::found) {
    std::string text = "*" + row.label + ".*";
    for (const std::string& line : row.lines) text += " " + (words ? verify::with_subscripts(line) : line);
    return text + "\n\n";
  }
  std::string text = "*" + row.label + ":*\n\n";
  if (row.kind == SheetRow::Kind::code) {
    text += "```\n";
    for (const std::string& line : row.lines) text += line + "\n";
    return text + "```\n\n";
  }
  for (const std::string& line : row.lines) text += "```math\n" + line + "\n```\n\n";
  return text;
}

std::string entry_markdown(const ClaimResult& result, int level) {
  const Claim& claim = result.claim;
  std::string text =
      fmt::format("{0} <a id=\"{1}\"></a>{1}: {2}\n\n{3}\n\n", std::string(static_cast<std::size_t>(level), '#'),
                  claim.id, to_string(result.verdict), verify::with_subscripts(claim.statement));
  for (const SheetRow& row : verify::sheet(result)) text += row_markdown(row);
  return text;
}

void add_text(const ClaimResult& result, std::size_t widest, const std::string& indent, std::string& text) {
  const Claim& claim = result.claim;
  text += fmt::format("{}{}  {}  {}\n", indent, pad(one_line(claim.id), widest - indent.size() + 2),
                      pad(std::string(to_string(result.verdict)), 10), one_line(claim.where));
  const bool plain = result.verdict == ClaimVerdict::holds || result.verdict == ClaimVerdict::definition;
  if (plain && result.passed()) return;
  const auto add = [&](const std::string& words) { text += paragraph("", words, widest + 14); };
  add(one_line(claim.statement));
  if (!claim.remark.empty()) add(one_line(claim.remark));
  if (!claim.extraction.empty()) add("Perhaps the extraction of the text: " + one_line(claim.extraction) + ".");
  const bool ended = result.evidence.ends_with('?');
  add(capital(one_line(result.evidence)) + (ended ? "" : "."));
}

}  // namespace

bool passed(std::span<const ClaimResult> results) {
  return std::all_of(results.begin(), results.end(), [](const ClaimResult& r) { return r.passed(); });
}

bool passed(std::span<const ClaimResult> results, std::span<const PaperItem> items) {
  return passed(results) && verify::missing_items(results, items).empty();
}

std::string to_text(std::span<const ClaimResult> results, std::span<const PaperItem> items) {
  std::string text;
  for (const verify::ListedPaper& paper : verify::by_paper(results)) {
    text += fmt::format("[{}] {}\n", one_line(paper.name), one_line(paper.title));
    std::size_t widest = 0;
    for (const verify::ListedClaim& entry : paper.entries) {
      widest = std::max(widest, width(entry.result->claim.id));
      for (const ClaimResult* occurrence : entry.occurrences)
        widest = std::max(widest, 2 + width(occurrence->claim.id));
    }
    for (const verify::ListedClaim& entry : paper.entries) {
      add_text(*entry.result, widest, "  ", text);
      for (const ClaimResult* occurrence : entry.occurrences) add_text(*occurrence, widest, "    ", text);
    }
    text += "\n";
  }
  text += verify::counts(results) + ".\n";
  if (const std::string words = verify::completeness(results, items); !words.empty()) text += words + "\n";
  if (passed(results)) return text::printable(text + "Every verdict is the expected one.\n");
  text += "\nNot as expected:\n";
  for (const ClaimResult& result : results)
    if (!result.passed()) text += "  " + one_line(result.failure()) + "\n";
  return text::printable(text);
}

std::string to_json(std::span<const ClaimResult> results, std::span<const PaperItem> items) {
  Json document;
  document["claims"] = Json::array();
  for (const verify::ListedPaper& paper : verify::by_paper(results)) {
    for (const verify::ListedClaim& entry : paper.entries) {
      Json claim = entry_json(*entry.result);
      if (!entry.occurrences.empty()) {
        claim["occurrences"] = Json::array();
        for (const ClaimResult* occurrence : entry.occurrences) claim["occurrences"].push_back(entry_json(*occurrence));
      }
      document["claims"].push_back(claim);
    }
  }
  if (!items.empty()) {
    Json missing = Json::array();
    for (const PaperItem& item : verify::missing_items(results, items))
      missing.push_back(Json{{"paper", item.paper}, {"item", item.item}});
    document["items"] = Json{{"count", items.size()}, {"missing", missing}};
  }
  document["passed"] = passed(results, items);
  return dump(document);
}

std::string to_markdown(std::span<const ClaimResult> results, std::span<const PaperItem> items) {
  std::string text = verify::with_subscripts(claims_essay(results));
  text += fmt::format("\n## All of them\n\n{}. {}\n\n", verify::counts(results), verify::completeness(results, items));
  for (const verify::ListedPaper& paper : verify::by_paper(results)) {
    text += fmt::format("## [{}] {}\n\n| claim | where | what it says | verdict |\n| --- | --- | --- | --- |\n",
                        paper.name, paper.title);
    const auto add = [&](const ClaimResult& result, const char* mark) {
      text += fmt::format("| {0}[{1}](#{1}) | {2} | {3} | {4} |\n", mark, result.claim.id,
                          cell(verify::with_subscripts(result.claim.where)),
                          cell(verify::with_subscripts(result.claim.statement)), to_string(result.verdict));
    };
    for (const verify::ListedClaim& entry : paper.entries) {
      add(*entry.result, "");
      for (const ClaimResult* occurrence : entry.occurrences) add(*occurrence, "↳ ");
    }
    text += "\n";
    for (const verify::ListedClaim& entry : paper.entries) {
      text += entry_markdown(*entry.result, 3);
      if (!entry.occurrences.empty()) text += "The same slip stands in other places:\n\n";
      for (const ClaimResult* occurrence : entry.occurrences) text += entry_markdown(*occurrence, 4);
    }
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text::printable(text);
}

}  // namespace cetaev
