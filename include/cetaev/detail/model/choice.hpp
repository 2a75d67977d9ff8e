// A word that must be one of a list.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cetaev/error.hpp"

namespace cetaev {

// bad-model: "unknown form 'vornec'; there are multipliers, gauss, …", with the closest of them as the suggestion.
Error unknown_choice(std::string_view what, std::string_view word, std::span<const std::string> choices);

}  // namespace cetaev
