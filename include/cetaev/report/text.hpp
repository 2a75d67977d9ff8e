// Results as text for people.
#pragma once

#include <string>

#include "cetaev/energy/energies.hpp"
#include "cetaev/formulation/compare.hpp"
#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

std::string to_text(const System& system, const Evaluation& evaluation, const std::optional<EnergyAtState>& energy);
std::string to_text(const System& system, const Comparison& comparison);

}  // namespace cetaev
