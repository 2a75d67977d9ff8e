// What kind of system it is: what `cetaev check` prints.
#pragma once

#include <string>

#include "cetaev/analysis/check.hpp"

namespace cetaev {

std::string to_text(const System& system, const Check& check);
std::string to_json(const System& system, const Check& check);

}  // namespace cetaev
