// Words that text and JSON share.
#pragma once

#include <string>
#include <string_view>

#include "cetaev/algebra/degree.hpp"

namespace cetaev {

std::string_view word(Linearity linearity);
// "x", "y", "z" for the components of a vector equation
std::string_view component_name(int component);

}  // namespace cetaev
