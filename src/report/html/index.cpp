// The index of a gallery: one card for each page.
#include <fmt/format.h>

#include <algorithm>

#include "../mathml.hpp"
#include "assets.hpp"
#include "cetaev/report/page.hpp"

namespace cetaev {

namespace {

std::string card(const IndexEntry& entry) {
  return fmt::format(
      "<li class=\"card\"><a href=\"{}\"><span class=\"thumb\" aria-hidden=\"true\">{}</span><h3>{}</h3></a>"
      "<p>{}</p><p class=\"kind\">{}</p></li>\n",
      html_text(entry.href), entry.thumbnail, html_text(entry.title), html_text(entry.description),
      html_text(entry.kind));
}

// The groups in the order in which a newcomer might look at them; those that nobody foresaw behind them.
std::vector<std::string> groups(const std::vector<IndexEntry>& entries) {
  std::vector<std::string> list = {"teaching", "classics", "papers"};
  for (const IndexEntry& entry : entries)
    if (std::find(list.begin(), list.end(), entry.group) == list.end()) list.push_back(entry.group);
  return list;
}

std::string heading(std::string group) {
  if (group.empty()) return "Others";
  if (group == "teaching") return "For teaching";
  if (group[0] >= 'a' && group[0] <= 'z') group[0] = static_cast<char>(group[0] - 'a' + 'A');
  return group;
}

}  // namespace

std::string write_index(const std::string& title, const std::vector<IndexEntry>& entries, const std::string& version) {
  std::string cards;
  for (const std::string& group : groups(entries)) {
    std::string list;
    for (const IndexEntry& entry : entries)
      if (entry.group == group) list += card(entry);
    if (list.empty()) continue;
    cards += fmt::format("<section>\n<h2>{}</h2>\n<ul class=\"cards\">\n{}</ul>\n</section>\n",
                         html_text(heading(group)), list);
  }
  return page_head(version, title) +
         fmt::format(
             "<body class=\"index\">\n<main>\n<header>\n<h1>{}</h1>\n<p class=\"lead\">{} models with their motions, "
             "equations and verdicts.</p>\n</header>\n{}</main>\n</body>\n</html>\n",
             html_text(title), entries.size(), cards);
}

}  // namespace cetaev
