// Linear systems of a form that need no elimination at run time.
#pragma once

#include <span>
#include <vector>

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

// What evaluating the expressions costs, shared parts once, in additions.
double evaluation_cost(std::span<const Expr> expressions);
inline constexpr double division_cost = 4;
// The same of a linear system that is solved at run time: its entries, elimination, and every right-hand side.
double cost_of_solving(const LinearBlock& block);

// Written sizes beyond which algebra is not tried: usually, and where much is to be gained.
inline constexpr double largest_simplified = 700;
inline constexpr double largest_simplified_with_patience = 6000;

// The cheaper of e and its normal forms, where it is small enough for algebra.
Expr cheapest(Expr e, double largest = largest_simplified);

// The same of what has no roots and does not divide: normal forms of others write what stands under a root another way each time, and nothing is shared.
Expr cheapest_polynomial(Expr e);

// Simplifies the entries of the steps; splits systems into independent parts; solves by algebra those of one unknown and the
// small ones without `variables` (the state and t) in their matrix. Unknowns found that way are replaced in the later steps
// and in `outputs`. A quotient whose denominator contains variables stays a system of one unknown, so that its singularity
// is seen. Throws the diagnosis of a step whose matrix vanishes identically.
void solve_by_algebra(std::span<const Expr> variables, std::vector<SolveStep>& steps,
                      std::span<std::vector<Expr>*> outputs, double largest = largest_simplified);

}  // namespace cetaev
