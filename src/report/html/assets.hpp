// What every page carries: its style, its scripts and fonts. Made from web/ by the build; without node there are no scripts
// and no fonts, and the page does without.
#pragma once

#include <string>
#include <string_view>

namespace cetaev {

std::string_view page_style();  // with the fonts in it
std::string_view page_script();
// Content-Security-Policy: this script and this style, by their hashes, and nothing else. They stand in their elements as they
// are here, without a blank more.
std::string_view page_policy();

// From the first line of a page to the end of its <head>.
std::string page_head(const std::string& version, const std::string& title);

}  // namespace cetaev
