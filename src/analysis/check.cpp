#include "cetaev/analysis/check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cetaev/detail/formulation/second_order.hpp"

namespace cetaev {

namespace {

// A set of several branches is as integrable as the least of them, and has the integrals that all of them have.
void look_at_branches(OnSet& set, Check& result) {
  result.branches_complete = set.complete();
  Derivation rate = total_derivative(set.system()->motion);
  std::vector<std::string> grounds;
  for (const OnSet::Branch& branch : set.branches()) {
    Check::Branch& made = result.branches.emplace_back();
    for (const Constraint& c : branch.system->constraints) made.equations.push_back(c.expression);
    OnSet own(branch.system);
    made.integrability = integrability(own);
    Integrability& all = result.integrability;
    const Integrability& one = made.integrability;
    if (result.branches.size() == 1) {
      all = one;
      all.integrals.clear();
      all.growth_at_state.reset();
    }
    all.linear = all.linear && one.linear;
    all.linear_rows = all.linear_rows && one.linear_rows;
    if (all.growth != one.growth) all.growth.reset();
    all.hidden = std::min(all.hidden, one.hidden);
    all.integrable = all.integrable && one.integrable;
    all.decided = all.decided && one.decided;
    all.proved = all.proved && one.proved && result.branches_complete;
    for (const FoundIntegral& found : one.integrals) {
      const bool known = std::any_of(all.integrals.begin(), all.integrals.end(), [&](const FoundIntegral& other) {
        return (other.expression - found.expression).is_number();
      });
      const Finding everywhere = set.vanishes(rate(found.expression));
      if (!known && everywhere.holds())
        all.integrals.push_back({found.expression, everywhere, std::nullopt, found.jumps});
    }
    grounds.push_back(one.ground);
  }
  result.integrability.ground =
      fmt::format("each of the {} branches by itself; the first: {}", grounds.size(), grounds.front());
}

}  // namespace

Check check(const System& system, Form form) {
  Groundwork work(system);
  return check(work, form);
}

Check check(Groundwork& work, Form form) {
  const System& system = work.system();
  const Terms& terms = work.terms();
  OnSet& set = work.set();
  Check result;
  result.system = system;
  result.classification = classify(system, set.admissible());
  try {
    result.at = work.initial();
    result.dependent = result.at->dependent;
  } catch (const Error&) {
    result.at.reset();  // the classification says why
  }
  if (result.dependent.size() != result.classification.rank && !set.states().empty()) {
    result.dependent = system->dependent && system->dependent->size() == result.classification.rank
                           ? *system->dependent
                           : set.states().front().dependent;
  }
  for (const System& lower : set.of_lower_order()) {
    std::vector<Expr>& equations = result.lower_order.emplace_back();
    for (const Constraint& c : lower->constraints) equations.push_back(c.expression);
  }
  result.ranks = set.ranks();
  for (const OnSet::RankThere& piece : result.ranks) {
    Classification& all = result.classification;
    all.rank = std::max(all.rank, piece.rank);
    all.redundant = system->constraints.size() - all.rank;
    all.degrees_of_freedom = system->size() - all.rank;
  }
  result.homogeneity = homogeneity(set);
  const std::optional<State> at = result.at ? std::optional(result.at->state) : std::nullopt;
  if (set.branches().size() > 1) {
    look_at_branches(set, result);
  } else if (!set.branches().empty() && !set.branches().front().as_written) {
    // the same set in simpler equations
    OnSet simpler(set.branches().front().system);
    result.integrability = integrability(simpler, at);
  } else {
    result.integrability = integrability(set, at);
  }
  result.caplygin = caplygin_type(set, terms, result.dependent);

  const MotionSample motions(set, terms, Form::multipliers, result.dependent);
  result.determinate = !motions.motions().empty() && motions.other_solutions() == 0;
  result.determinate_because = motions.obstacle() ? motions.obstacle()->message()
                               : motions.other_solutions() > 0
                                   ? of_least_constraint(motions.other_solutions())
                                   : "the equations are regular at random admissible states";
  result.energy = energy_verdict(set, result.homogeneity, motions);
  for (std::size_t k = 0; k < result.branches.size(); ++k) {
    result.branches[k].conic = result.homogeneity.by_branch[k];
    result.branches[k].conserved = result.energy.by_branch[k];
  }
  result.first_integrals = linear_integrals(set, terms);
  result.form = form;
  if (!system->integrals.empty()) {
    result.integrals = form == Form::multipliers
                           ? declared_integrals(system, motions)
                           : declared_integrals(system, MotionSample(set, terms, form, result.dependent));
  }
  if (result.at && !result.classification.state) result.displacements = virtual_displacements(set, *result.at);
  result.substitution = diagnose_substitution(system);
  result.symmetry = symmetry(set, terms);
  return result;
}

bool passes(const Check& check) {
  return std::none_of(check.integrals.begin(), check.integrals.end(),
                      [](const DeclaredIntegral& integral) { return integral.conserved.fails(); });
}

}  // namespace cetaev
