// Is the system of Čaplygin's type, and for which choices of dependent velocities?
#pragma once

#include <string>
#include <vector>

#include "cetaev/constraint/on_set.hpp"
#include "cetaev/formulation/terms.hpp"

namespace cetaev {

// Where φ = 0 is solved for v_dep = α(q, v_ind, t), ∂α/∂q_j = −J_dep⁻¹ ∂φ/∂q_j: whether α contains q_j does not depend on
// which velocities are dependent. So a coordinate is ignorable or not by itself (∂φ/∂q_j, ∂L/∂q_j and ∂F/∂q_j vanish on the
// set), and the system is of Čaplygin's type for every choice of ignorable coordinates that can carry the constraints.
struct CaplyginType {
  struct Coordinate {
    Finding ignorable;
    std::string obstacle;  // "constraint 1 contains x", "the Lagrangian contains x"; empty when it is ignorable
  };
  std::vector<Coordinate> coordinates;
  std::vector<std::vector<std::size_t>> choices;  // dependent velocities, the choice in use first
  bool more = false;                              // there were too many choices to try them all
  bool in_use = false;
  std::string obstacle;  // for the choice in use
};

// Why a coordinate is not ignorable.
CaplyginType::Coordinate ignorable(OnSet& set, const Terms& terms, std::size_t coordinate);

CaplyginType caplygin_type(OnSet& set, const Terms& terms, const std::vector<std::size_t>& dependent);

}  // namespace cetaev
