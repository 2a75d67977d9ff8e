// The conditions by which exceptions are looked for and named: a vector of the model vanishes.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cetaev/constraint/equivalence.hpp"
#include "state_finder.hpp"

namespace cetaev {

struct Condition {
  std::vector<std::string> names;  // "B'", and other names of the same vector or of a multiple
  std::string description;         // "B' = 0"
  std::vector<Expr> components;    // those that do not vanish identically
  int order = 1;                   // 0: of positions, −1: of time alone
  bool coordinates = false;        // not a vector of the model, but single coordinates
  bool searched = true;            // states are looked for where it holds; otherwise it only gives a name
  bool one_too_many = false;       // it would be, were there not so many like it
  std::vector<std::size_t> rows;   // of the components among the equations of a StateFinder
};

// Velocities of points and definitions, sums and differences of velocities of points, single velocities, rest; then
// positions: definitions, differences of points, single coordinates, and where the constraints cannot be solved. Of
// multiples of one vector the first.
std::vector<Condition> special_conditions(const System& first, const System& second);

// What to say about a state at which exactly these conditions hold; those that hold everywhere are not worth saying.
Special describe_special(const std::vector<Condition>& conditions, const std::set<std::size_t>& vanishing,
                         const std::set<std::size_t>& everywhere, const State& state, StateFinder& finder);

}  // namespace cetaev
