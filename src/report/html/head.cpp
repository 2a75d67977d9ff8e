#include <fmt/format.h>

#include "../mathml.hpp"
#include "assets.hpp"

namespace cetaev {

std::string page_head(const std::string& version, const std::string& title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"Cetaev {}\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n",
      page_policy(), html_text(version), html_text(title), page_style());
}

}  // namespace cetaev
