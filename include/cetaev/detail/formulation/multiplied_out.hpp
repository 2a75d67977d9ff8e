// A Lagrangian with its sums of velocities multiplied out, as one looks for what is alike in the links of a chain.
#pragma once

#include <optional>
#include <vector>

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

struct MultipliedOut {
  Expr lagrangian;             // Σ c_ij v_i v_j and what has no velocities
  std::vector<Expr> inertial;  // H a − b from it, for each coordinate
};

// From the sums that contain others down to the velocities: a sum is put in once for all that is multiplied by it, so that a chain of n links takes n² steps, not n³.
// Nothing where the Lagrangian is not quadratic in the velocities, or has sums with parts without any.
std::optional<MultipliedOut> multiplied_out(const Setting& s);

}  // namespace cetaev
