// How a sweep went: what `cetaev sweep` says.
#pragma once

#include <string>

#include "cetaev/ensemble/sweep.hpp"

namespace cetaev {

std::string to_json(const SweepOutcome& outcome);
std::string to_text(const SweepOutcome& outcome);

}  // namespace cetaev
