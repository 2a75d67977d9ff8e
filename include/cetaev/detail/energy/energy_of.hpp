// The energy of a system as an expression.
#pragma once

#include <vector>

#include "cetaev/model/system.hpp"

namespace cetaev {

// E = v·∂L/∂v − L, in the context of the system, which is a scratch copy.
inline Expr energy_of(const System& system) {
  std::vector<Expr> terms = {-system->lagrangian};
  for (const Expr v : system->motion.v) terms.push_back(v * derivative(system->lagrangian, v));
  return system->context->sum(terms);
}

}  // namespace cetaev
