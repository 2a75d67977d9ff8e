// Indices in sentences: Σ_j s_j, v_{m+ν}, B_r^ν, a_νr.
#pragma once

#include <string>
#include <string_view>

namespace cetaev::verify {

// The same text with <sub> and <sup> for what follows _ and ^: what stands in braces, or one letter and the letters of
// indices after it. Code in backquotes and names such as a_multipliers stay as they are. The tags serve in HTML and in
// Markdown; the text is not escaped.
std::string with_subscripts(std::string_view text);

}  // namespace cetaev::verify
