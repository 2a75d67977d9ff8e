// Words that text and JSON share.
#pragma once

#include <string>
#include <string_view>

#include "cetaev/algebra/degree.hpp"
#include "cetaev/constraint/on_set.hpp"

namespace cetaev {

std::string_view word(Linearity linearity);
// "x", "y", "z" for the components of a vector equation
std::string_view component_name(int component);

// The ground for a screen: where something fails is a list of numbers that `check --json` gives.
std::string brief(const System& system, const Finding& finding);

}  // namespace cetaev
