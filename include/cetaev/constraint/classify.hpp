// What kind of constraints are these?
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "cetaev/algebra/degree.hpp"
#include "cetaev/constraint/admissible.hpp"
#include "cetaev/error.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

struct ConstraintKind {
  int order = 1;
  // In the velocities (order 1) or the accelerations (order 2); none for order 0.
  Linearity linearity = Linearity::linear;
  std::optional<Rational> degree;  // exact degree of positive homogeneity in the velocities
  bool rheonomic = false;          // contains the time
};

struct Classification {
  std::vector<ConstraintKind> constraints;  // one per scalar constraint, in file order

  // At generic admissible states.
  std::size_t rank = 0;
  std::size_t redundant = 0;
  std::size_t degrees_of_freedom = 0;
  bool regular = true;  // ker J is tangent to the set

  // What is wrong with the initial state, if anything, and the rank there if it differs.
  std::optional<Error> state;
  std::optional<std::size_t> rank_at_state;

  // Some constraint is of order 2.
  bool restricts_accelerations() const {
    return std::any_of(constraints.begin(), constraints.end(), [](const ConstraintKind& c) { return c.order == 2; });
  }
};

ConstraintKind classify(const System& system, const Constraint& constraint);

// Does not fail because of the initial state. Throws inconsistent-constraints and bad-model.
Classification classify(const System& system);
Classification classify(const System& system, Admissible& admissible);

// rank-lost with the rows concerned, when the rank at a state is below the generic one or the set is irregular.
std::optional<Error> rank_diagnosis(const System& system, Admissible& admissible, const RankReport& at_state);

}  // namespace cetaev
