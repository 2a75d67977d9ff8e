// Everything at one state: what `cetaev eval` shows.
#pragma once

#include <optional>
#include <vector>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/error.hpp"
#include "cetaev/formulation/multipliers.hpp"

namespace cetaev {

struct Evaluation {
  AdmissibleState initial;
  std::vector<double> residual;       // one per scalar constraint, in file order
  std::optional<std::size_t> rank;    // of J at the state; absent where J is not finite
  std::optional<Reaction> multipliers;
  std::optional<Error> multipliers_error;  // instead of `multipliers`
};

// At the admissible initial state of the model. Throws when there is none.
Evaluation evaluate(const System& system);

}  // namespace cetaev
