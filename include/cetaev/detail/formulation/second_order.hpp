// Constraints h(q,v,a,t) = 0 that are nonlinear in the accelerations.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/expr/ball.hpp"
#include "cetaev/formulation/terms.hpp"

namespace cetaev {

// Does one of the constraints contain the accelerations nonlinearly?
bool nonlinear_in_accelerations(const Terms& terms);

// What the constraints ask of the accelerations, G = 0: J a − c, or h as it is written where it contains them.
std::vector<Expr> conditions_on_accelerations(const System& system, const ConstraintSet& set);
// H a − b − (∂G/∂a)ᵀμ
std::vector<Expr> reaction_equations(const System& system, const Terms& terms, const Matrix& by_accelerations,
                                     std::span<const Expr> mu);

struct SecondOrderSolution {
  std::vector<double> a;
  std::vector<double> multipliers;  // least norm
  std::size_t others = 0;           // further solutions found
};

// "the constraints on the accelerations have 2 other solutions; …"
std::string of_least_constraint(std::size_t others);

// gauss: the point of the set J a = c (orders 0, 1), h(a) = 0 nearest to the free acceleration in the metric H.
SecondOrderSolution solve_least_constraint(const System& system, const Terms& terms, const State& state);

// multipliers: H a − (∂h/∂a)ᵀμ = b together with h = 0 ([T2] (30)), by Newton's method from there.
SecondOrderSolution solve_second_order(const System& system, const Terms& terms, const State& state);

// The same in balls, good to some 90 digits: the inputs are a state that satisfies the constraints as well as that, in the order of
// state_symbols(), and `state` the same rounded. Nothing where solutions meet.
struct PreciseAccelerations {
  std::vector<Ball> a, multipliers;
  std::size_t others = 0;
};
std::optional<PreciseAccelerations> solve_second_order(const System& system, const Terms& terms, const State& state,
                                                       std::span<const Ball> inputs);

}  // namespace cetaev
