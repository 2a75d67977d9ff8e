// Results as text for people.
#pragma once

#include <string>

#include "cetaev/constraint/classify.hpp"
#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

std::string to_text(const System& system, const Evaluation& evaluation);
std::string to_text(const System& system, const Classification& classification);

}  // namespace cetaev
