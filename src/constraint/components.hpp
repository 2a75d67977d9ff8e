// The admissible set taken apart by algebra: where a product vanishes one of its factors does, and |u| is u or −u.
#pragma once

#include <cstddef>
#include <vector>

#include "cetaev/model/system.hpp"

namespace cetaev {

// Where these equations hold, one for each constraint in file order, and these conditions, the constraints hold.
struct Component {
  System system;               // the model with these equations for its constraints
  std::vector<Expr> positive;  // ≥ 0 there
  bool as_written = true;      // the system is the model itself
};

// Every state at which the constraints are regular lies on one of them. Factors that the constraint's own unknowns (velocities for an
// equation of order 1) do not occur in are left out: where one vanishes the constraint loses its gradient.
struct Components {
  std::vector<Component> list;
  bool factored = true;  // no equation was too large for that
};

// One way in which an equation can hold.
struct Way {
  Expr equation;
  std::vector<Expr> positive;
};
// All ways, with the parameters at their values; the constraint as it is written where it has one, or is too large to tell (`factored`
// is then false).
std::vector<Way> ways_of(const System& system, const Constraint& constraint, bool& factored);

// With the parameters at their values. The expressions are added to the context of the system, which is not frozen. One component, the
// model as it is, where nothing can be taken apart.
Components components_of(const System& system);

// Where a factor vanishes that the constraint's own unknowns do not occur in, as x − y of (x − y)·x' = 0, the constraint leaves them as they
// are: systems with constraints of lower order, whose states satisfy those as written and lie on no other branch. They may have none.
std::vector<System> lower_components_of(const System& system);

}  // namespace cetaev
