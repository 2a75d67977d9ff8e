// Where a model is defined.
#pragma once

#include <optional>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "state_map.hpp"

namespace cetaev {

// Roots, logarithms and inverse functions in a model ask for arguments on one side.
class Domain {
 public:
  explicit Domain(const System& system);

  // Moves a state that is outside to one inside, as far as that is found: positions, velocities and the time, as little as that takes.
  void enter(State& state, Random& random);
  // Have the Lagrangian, the forces and the constraints values there?
  bool contains(const State& state) const;

 private:
  std::size_t n_;
  std::vector<double> parameters_;
  Program values_;               // of the Lagrangian, the forces, the constraints
  std::optional<StateMap> map_;  // of what has to be positive, by q, v and t
};

}  // namespace cetaev
