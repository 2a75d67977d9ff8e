#include "cetaev/formulation/terms.hpp"

namespace cetaev {

Terms::Terms(const System& system) : constraints(system) {
  const Motion& motion = system->motion;
  const Expr L = system->lagrangian;
  momentum = gradient(L, motion.v);
  const std::vector<Expr> by_position = gradient(L, motion.q);
  mass = jacobian(momentum, motion.v);

  // (∂p/∂q)·v + ∂p/∂t: p along the motion at fixed velocity
  Derivation advance = derivative_at_fixed_velocity(motion);
  for (std::size_t j = 0; j < motion.q.size(); ++j) {
    bias.push_back(by_position[j] + system->forces[j] - advance(momentum[j]));
  }
}

}  // namespace cetaev
