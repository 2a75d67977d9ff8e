// H a = b without H, from the leaves of a tree of bodies to its root.
#pragma once

#include <optional>
#include <vector>

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

// The kinetic energy of a chain is a sum of squares of velocities, each by those of the body before it: x_k = A_k x_{k−1} + B_k v_k. Put in
// one after the other, from the last to the first, and each v_j eliminated as soon as no x that is left contains it, they never meet more
// unknowns than a joint has beside it: the work grows with the number of bodies, not with its cube. The pivots are those of Cholesky's factors of
// H in that order. For chains of bodies these are the articulated inertias, and what is done is the recursion of Featherstone; nothing here
// knows of bodies, though: any Lagrangian that is written with parts shared by several squares will do.
struct FromLeaves {
  std::vector<SolveStep> steps;  // the inverse of one pivot each
  std::vector<Expr> a;
};

// Nothing where there are constraints, where the Lagrangian is not quadratic in the velocities as it is written, and where H itself costs less.
std::optional<FromLeaves> solved_from_leaves(const Setting& s, const std::string& stem);

}  // namespace cetaev
