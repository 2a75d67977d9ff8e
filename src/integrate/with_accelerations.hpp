// Equations for constraints that are nonlinear in the accelerations, h(q, v, a, t) = 0, with accelerations and multipliers in the
// state. From
//
//   R = H a − b − Jᵀμ = 0,   G = 0,   J = ∂G/∂a       ([T2] (30); G = h, and J a − c for constraints of orders 0 and 1)
//
// differentiated once along the motion:
//
//   ∂(R, G)/∂(a, μ) · (ȧ, μ̇) = −(∂(R, G)/∂q · v + ∂(R, G)/∂v · a + ∂(R, G)/∂t)
//
// The start is that of least constraint; from there the branch is followed.
#pragma once

#include "cetaev/constraint/state.hpp"
#include "cetaev/formulation/first_order.hpp"
#include "cetaev/formulation/terms.hpp"

namespace cetaev {

// `from_state` gives q and v only.
FirstOrderSystem first_order_with_accelerations(const System& system, const Terms& terms);

// a and μ at a state, and how many other solutions were found. Throws as evaluation does.
struct StartOfAccelerations {
  std::vector<double> values;
  std::size_t others = 0;
};
StartOfAccelerations start_of_accelerations(const System& system, const Terms& terms, const State& at);

}  // namespace cetaev
