// What every page carries: its style, its scripts and fonts. Made from web/ by the build; without node there are no scripts
// and no fonts, and the page does without.
#pragma once

#include <string_view>

namespace cetaev {

std::string_view page_style();
std::string_view page_script();
std::string_view page_fonts();  // @font-face rules with the fonts in them

}  // namespace cetaev
