// Any text, from whatever file, as LaTeX text that prints it and nothing else.
#pragma once

#include <string>
#include <string_view>

namespace cetaev {

// Needs no packages and no fonts beyond those of plain LaTeX: accents are built, Cyrillic is transliterated, formula
// characters switch to math, and a character without any of these appears as U+4E16.
std::string latex_text(std::string_view text);

// A line of a LaTeX comment: no line breaks.
std::string latex_comment(std::string_view text);

}  // namespace cetaev
