// The page about the papers in HTML.
#include <fmt/format.h>

#include "../report/html/assets.hpp"
#include "../report/html/tex.hpp"
#include "../report/layout.hpp"
#include "../report/mathml.hpp"
#include "cetaev/verify/claims_report.hpp"
#include "claims_essay.hpp"
#include "claims_overview.hpp"
#include "claims_sheet.hpp"
#include "subscripts.hpp"

namespace cetaev {

namespace {

using verify::SheetRow;

std::string sentence_html(std::string_view text) { return verify::with_subscripts(html_text(text)); }

// A paragraph of the essay: [text](#target), `code` and *emphasis*; the rest is text with indices.
std::string paragraph_html(std::string_view text) {
  std::string html, plain;
  const auto flush = [&] {
    html += sentence_html(plain);
    plain.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto until = [&](char close) { return text.find(close, i + 1); };
    if (text[i] == '[') {
      const std::size_t end = until(']');
      if (end != std::string_view::npos && text.substr(end + 1).starts_with("(")) {
        flush();
        const std::size_t close = text.find(')', end);
        const std::string target(text.substr(end + 2, close - end - 2));
        // the page stands alone: a link to another page of the documentation is its words
        html += target.starts_with('#') ? fmt::format("<a href=\"{}\">{}</a>", html_text(target),
                                                      html_text(text.substr(i + 1, end - i - 1)))
                                        : html_text(text.substr(i + 1, end - i - 1));
        i = close;
        continue;
      }
    }
    if (text[i] == '`' || text[i] == '*') {
      const std::size_t end = until(text[i]);
      if (end != std::string_view::npos && end > i + 1 && text[i + 1] != ' ') {
        flush();
        const char* tag = text[i] == '`' ? "code" : "em";
        html += fmt::format("<{0}>{1}</{0}>", tag, html_text(text.substr(i + 1, end - i - 1)));
        i = end;
        continue;
      }
    }
    plain += text[i];
  }
  flush();
  return html;
}

// The essay: its first heading is the page's own.
std::string essay_html(std::string_view essay) {
  std::string html;
  for (std::size_t begin = 0; begin < essay.size();) {
    const std::size_t end = std::min(essay.find("\n\n", begin), essay.size());
    std::string_view block = essay.substr(begin, end - begin);
    while (!block.empty() && block.back() == '\n') block.remove_suffix(1);
    if (block.starts_with("## ")) {
      html += "<h2>" + paragraph_html(block.substr(3)) + "</h2>\n";
    } else if (!block.starts_with("# ") && !block.empty()) {
      html += "<p>" + paragraph_html(block) + "</p>\n";
    }
    begin = end + 2;
  }
  return html;
}

std::string row_html(const SheetRow& row) {
  std::string lines;
  for (const std::string& line : row.lines) {
    switch (row.kind) {
      case SheetRow::Kind::tex: lines += "<div class=\"eqs\">" + tex_to_mathml(line).mathml + "</div>"; break;
      case SheetRow::Kind::code: lines += "<pre><code>" + html_text(line) + "</code></pre>"; break;
      case SheetRow::Kind::words: lines += "<p>" + sentence_html(line) + "</p>"; break;
      case SheetRow::Kind::found: lines += "<p>" + html_text(line) + "</p>"; break;
    }
  }
  return fmt::format("<div class=\"row\"><dt>{}</dt><dd>{}</dd></div>\n", html_text(row.label), lines);
}

std::string claim_html(const ClaimResult& result, bool occurrence) {
  const Claim& claim = result.claim;
  const std::string verdict(to_string(result.verdict));
  std::string html = fmt::format(
      "<article class=\"claim {}{}\" id=\"{}\">\n<h3><a href=\"#{}\">{}</a> <span class=\"where\">{}</span> "
      "<span class=\"tag\">{}</span></h3>\n<p>{}</p>\n<dl>\n",
      html_text(verdict), occurrence ? " occurrence" : "", html_text(claim.id), html_text(claim.id),
      html_text(claim.id), sentence_html(claim.where), html_text(verdict), sentence_html(claim.statement));
  for (const SheetRow& row : verify::sheet(result)) html += row_html(row);
  return html + "</dl>\n</article>\n";
}

}  // namespace

std::string to_html(std::span<const ClaimResult> results, std::span<const PaperItem> items,
                    const std::string& version) {
  const std::vector<verify::ListedPaper> papers = verify::by_paper(results);
  std::string contents, body;
  for (const verify::ListedPaper& paper : papers) {
    contents +=
        fmt::format("<li><a href=\"#paper-{0}\">[{0}] {1}</a></li>\n", html_text(paper.name), html_text(paper.title));
    body +=
        fmt::format("<section id=\"paper-{0}\">\n<h2>[{0}] {1}</h2>\n", html_text(paper.name), html_text(paper.title));
    for (const verify::ListedClaim& entry : paper.entries) {
      body += claim_html(*entry.result, false);
      if (!entry.occurrences.empty()) body += "<p class=\"note\">The same slip stands in other places:</p>\n";
      for (const ClaimResult* occurrence : entry.occurrences) body += claim_html(*occurrence, true);
    }
    body += "</section>\n";
  }
  const std::string html =
      page_head(version, "What the papers claim") +
      fmt::format(
          "<body class=\"index claims\">\n<main>\n<header>\n<h1>What the papers claim</h1>\n<p class=\"lead\">{}. "
          "{}</p>\n"
          "</header>\n<ol class=\"papers\">\n{}</ol>\n<section>\n{}</section>\n{}</main>\n</body>\n</html>\n",
          html_text(verify::counts(results)), html_text(verify::completeness(results, items)), contents,
          essay_html(claims_essay(results)), body);
  return text::printable(html);
}

}  // namespace cetaev
