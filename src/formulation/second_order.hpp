// Constraints h(q,v,a,t) = 0 that are nonlinear in the accelerations.
#pragma once

#include <cstddef>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/formulation/terms.hpp"

namespace cetaev {

struct SecondOrderSolution {
  std::vector<double> a;
  std::vector<double> multipliers;  // least norm
  std::size_t others = 0;           // further solutions found
};

// gauss: the point of the set J a = c (orders 0, 1), h(a) = 0 nearest to the free acceleration in the metric H.
SecondOrderSolution solve_least_constraint(const System& system, const Terms& terms, const State& state);

// multipliers: H a − (∂h/∂a)ᵀμ = b together with h = 0 ([T2] (30)), by Newton's method from there.
SecondOrderSolution solve_second_order(const System& system, const Terms& terms, const State& state);

}  // namespace cetaev
