// What kind of system it is: what `cetaev check` prints.
#pragma once

#include <string>

#include "cetaev/analysis/check.hpp"
#include "cetaev/stability/invariant_measure.hpp"

namespace cetaev {

// With what is known of an invariant measure, where that was asked.
std::string to_text(const System& system, const Check& check, const InvariantMeasure* measure = nullptr);
std::string to_json(const System& system, const Check& check, const InvariantMeasure* measure = nullptr);

}  // namespace cetaev
