#include "cetaev/formulation/terms.hpp"

#include <atomic>

namespace cetaev {

namespace {
std::atomic<std::size_t> terms_derived = 0;
}

Terms::Terms(const System& system) : constraints(system) {
  ++terms_derived;
  const Motion& motion = system->motion;
  const Expr L = system->lagrangian;
  momentum = gradient(L, motion.v);
  const std::vector<Expr> by_position = gradient(L, motion.q);
  mass = jacobian(momentum, motion.v);

  // (∂p/∂q)·v + ∂p/∂t: p along the motion at fixed velocity
  Derivation advance = derivative_at_fixed_velocity(motion);
  for (std::size_t j = 0; j < motion.q.size(); ++j) {
    const Expr advanced = advance(momentum[j]);
    bias.push_back(by_position[j] + system->forces[j] - advanced);
  }
}

std::size_t Terms::derived() { return terms_derived; }

void Terms::move_to(std::span<const Expr> images) {
  bases.entries.clear();
  for (std::vector<Expr>* list : {&momentum, &mass.entries, &bias, &constraints.residual, &constraints.phi,
                                  &constraints.jacobian.entries, &constraints.bias})
    for (Expr& e : *list) e = images[e.id()];
}

}  // namespace cetaev
