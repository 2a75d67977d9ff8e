// The transpositional relations of a model on their own, at any accelerations.
#pragma once

#include <vector>

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

// A of δ(q̇) − Dₜ(δq) = A δq in q, v, a, t and the unknowns of the steps.
struct RelationMatrix {
  Matrix A;
  std::vector<SolveStep> steps;
};

// Of the point of view that the model takes, which it has to take one. Throws needs-auxiliary, singular-dependent, not-applicable.
RelationMatrix relation_matrix(const Setting& setting);

}  // namespace cetaev
