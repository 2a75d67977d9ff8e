// What a misspelt word was meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cetaev::text {

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other; a difference of case
// counts as half of one. In halves.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The closest of the candidates when it is close enough to be what was meant; the first of equals. Empty when none is.
// theta is close to θ.
std::string closest(std::string_view wrong, std::span<const std::string> candidates);

}  // namespace cetaev::text
