#include "cetaev/formulation/evaluation.hpp"

#include "cetaev/constraint/classify.hpp"

namespace cetaev {

Evaluation evaluate(const System& system) {
  Evaluation result;
  Admissible admissible(system);
  result.initial = admissible.initial();
  const State& state = result.initial.state;
  try {
    const RankReport report = admissible.rank(state);
    result.rank = report.rank;
    if (const auto error = rank_diagnosis(system, admissible, report)) throw *error;
    const Terms terms(system);
    result.multipliers = Multipliers(system, terms).evaluate(state);
  } catch (const Error& error) {
    result.multipliers_error = error;
  }
  result.residual = admissible.residual(state, result.multipliers ? result.multipliers->a : std::vector<double>{});
  return result;
}

}  // namespace cetaev
