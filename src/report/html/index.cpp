// The index of a gallery: one card for each page.
#include <fmt/format.h>

#include "../mathml.hpp"
#include "assets.hpp"
#include "cetaev/report/page.hpp"

namespace cetaev {

std::string write_index(const std::string& title, const std::vector<IndexEntry>& entries, const std::string& version) {
  std::string cards;
  for (const IndexEntry& entry : entries) {
    cards += fmt::format(
        "<li class=\"card\"><a href=\"{}\"><span class=\"thumb\" aria-hidden=\"true\">{}</span><h2>{}</h2></a>"
        "<p>{}</p><p class=\"kind\">{}</p></li>\n",
        html_text(entry.href), entry.thumbnail, html_text(entry.title), html_text(entry.description),
        html_text(entry.kind));
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"Cetaev {}\">\n"
      "<title>{}</title>\n<style>\n{}{}</style>\n</head>\n<body class=\"index\">\n<main>\n<header>\n<h1>{}</h1>\n"
      "<p class=\"lead\">{} models with their motions, equations and verdicts.</p>\n</header>\n"
      "<ul class=\"cards\">\n{}</ul>\n</main>\n</body>\n</html>\n",
      html_text(version), html_text(title), page_fonts(), page_style(), html_text(title), entries.size(), cards);
}

}  // namespace cetaev
