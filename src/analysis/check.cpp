#include "cetaev/analysis/check.hpp"

#include <algorithm>

#include "cetaev/formulation/evaluation.hpp"

namespace cetaev {

namespace {

// Constraints nonlinear in the accelerations have no linear system; the model's own state must speak for the others.
void judge_by_state(Groundwork& work, Check& result) {
  try {
    const Evaluation evaluation = evaluate(work, {{Form::multipliers}, false});
    const FormResult* motion = evaluation.find(Form::multipliers);
    if (motion == nullptr || !motion->values) return;
    result.determinate = true;
    result.determinate_because = "the equations are regular at the initial state";
    if (!motion->notes.empty()) {
      result.determinate = false;
      result.determinate_because = motion->notes.front();
    }
    const auto energy = energy_at(work, evaluation);
    if (!energy || result.energy.conserved.answer != Finding::Answer::undecided) return;
    const double scale = std::max({1.0, std::abs(energy->values.E), std::abs(energy->values.reaction_power)});
    if (std::abs(energy->values.dE_dt_balance) > 1e-6 * scale) {
      result.energy.conserved = Finding::failure(evaluation.initial.state, energy->values.dE_dt_balance);
      result.energy.conserved.states = 1;  // the one that was given
      result.energy.because = "at the initial state it changes";
    }
  } catch (const Error&) {
    return;  // nothing to say
  }
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
  result.homogeneity = homogeneity(set);
  result.integrability = integrability(set, result.at ? std::optional(result.at->state) : std::nullopt);
  result.caplygin = caplygin_type(set, terms, result.dependent);

  const MotionSample motions(set, terms, Form::multipliers, result.dependent);
  result.determinate = !motions.motions().empty();
  result.determinate_because =
      motions.obstacle() ? motions.obstacle()->message() : "the equations are regular at random admissible states";
  result.energy = energy_verdict(set, result.homogeneity, motions);
  const auto& nonlinear = terms.constraints.nonlinear_in_accelerations;
  if (motions.motions().empty() && std::find(nonlinear.begin(), nonlinear.end(), true) != nonlinear.end()) {
    judge_by_state(work, result);
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
  return result;
}

bool passes(const Check& check) {
  return std::none_of(check.integrals.begin(), check.integrals.end(),
                      [](const DeclaredIntegral& integral) { return integral.conserved.fails(); });
}

}  // namespace cetaev
