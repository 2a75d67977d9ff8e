#include "cetaev/detail/formulation/kinetic_sums.hpp"

#include "shared_sums.hpp"

namespace cetaev {

std::optional<KineticSums> kinetic_sums(const System& system) {
  const SharedSums sums(*system->context, system->lagrangian, system->motion.v);
  if (!sums.quadratic) return std::nullopt;
  KineticSums result;
  result.definition.resize(sums.variables);
  for (std::size_t x = 0; x < sums.variables; ++x)
    for (const Monomial& term : sums.definition[x]) result.definition[x].emplace_back(term.y, term.c);
  for (const TurnedPair& turn : sums.turns) result.turns.push_back({turn.t1, turn.t1 + 1, turn.y1, turn.y2});
  result.parts = parts_of(*system->context, sums);
  return result;
}

}  // namespace cetaev
