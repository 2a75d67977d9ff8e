// Two sets of constraints held against each other: what `cetaev equivalent` prints.
#pragma once

#include <string>
#include <vector>

#include "cetaev/constraint/equivalence.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

// The model, what its constraints were compared with, and the outcome.
struct NamedEquivalence {
  std::string other;         // the name of the alternative or of the other model
  bool alternative = false;  // one of the model's own
  System second;
  Equivalence equivalence;
};

std::string to_text(const System& system, const NamedEquivalence& comparison);
// One object; several as a list under "alternatives".
std::string to_json(const System& system, const NamedEquivalence& comparison);
std::string to_json(const System& system, const std::vector<NamedEquivalence>& comparisons);

}  // namespace cetaev
