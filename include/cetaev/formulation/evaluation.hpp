// Everything at one state: what `cetaev eval` shows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/error.hpp"
#include "cetaev/formulation/formulation.hpp"
#include "cetaev/formulation/groundwork.hpp"

namespace cetaev {

// Auxiliary functions with which mvm2 gives the motion of d'Alembert and Lagrange, and where they were looked for.
struct ProposedAuxiliary {
  struct Set {
    std::vector<std::string> functions;   // ready for `auxiliary`
    std::vector<std::string> potentials;  // f where the functions are its total derivatives; else empty
    bool zero_relations = false;          // the transpositional relations are zero
    std::string ground;                   // how it is known that there is no discrepancy
  };
  std::vector<Set> sets;           // the simplest first
  std::optional<bool> integrable;  // the kinetic-orthogonal complement of the admissible directions, where it decides
  bool proved = false;             // whether it is
  std::string complement;          // in words, with the ground; or why it does not decide
  std::vector<std::string> searched;  // without success
  std::string impossible;             // why there can be none of the kind asked for
};

// One principle at the state: its values, or why it has none.
struct FormResult {
  Form form = Form::multipliers;
  std::optional<CompiledForm::Values> values;  // its multipliers one for each constraint, zero where it uses others
  std::optional<Error> error;
  std::vector<std::string> notes;
  std::optional<double> determinant;             // of the system that determines the accelerations
  std::optional<ProposedAuxiliary> proposed;     // where they were asked for (mvm2)
  std::vector<std::size_t> vanishing_relations;  // coordinates whose transpositional relation is zero (mvm2, mvm3)
  std::optional<double> discrepancy;             // largest difference of accelerations from `multipliers` (mvm2)
};

// The dependent velocities as functions of the others, here.
struct ExplicitValues {
  std::vector<std::size_t> dependent;
  std::vector<double> alpha;      // their values
  std::vector<double> alpha_bar;  // Σ_r v_r ∂α/∂v_r
};

struct Evaluation {
  AdmissibleState initial;
  std::vector<double> residual;     // one per scalar constraint, in file order
  std::optional<std::size_t> rank;  // of J at the state; absent where J is not finite
  std::vector<std::size_t> rows;    // an independent subset of the constraints
  std::vector<double> lambda;       // multipliers of the vakonomic equations, one per constraint
  std::vector<FormResult> forms;
  std::optional<ExplicitValues> explicit_values;
  // Of the model, component by component, along the accelerations of `multipliers`; none where there are no accelerations, not a number
  // where one has no value.
  std::vector<double> outputs;
  std::vector<std::string> output_notes;  // what is to be known about them: which of many reactions they are

  const FormResult* find(Form form) const;

  // Why what was asked for has no answer: `multipliers`, where no form was named, and the named forms must have values.
  const Error* failure(const std::vector<Form>& named) const;
  // Without `multipliers` where they were computed as the reference of the named forms and not asked for.
  Evaluation asked_for(const std::vector<Form>& named) const;
};

struct EvaluationOptions {
  std::vector<Form> forms;         // all when none is named; `multipliers` always, first
  bool propose_auxiliary = false;  // look for auxiliary functions with which mvm2 has no discrepancy,
  bool zero_relations = false;     // and whose transpositional relations vanish

  bool operator==(const EvaluationOptions&) const = default;
};

// The named forms (all when none is named; `multipliers` always, first) at the admissible initial state of the model.
// Throws when there is none. A form that fails carries its error.
Evaluation evaluate(Groundwork& work, const EvaluationOptions& options = {});
Evaluation evaluate(const System& system, const EvaluationOptions& options = {});

// What [initial] says about the multipliers of the vakonomic equations, one per constraint; zero where it says nothing. Throws
// bad-model when it has another number of them.
std::vector<double> initial_lambda(const System& system, const State& state);
// The same at other values of the parameters, one for each in file order.
std::vector<double> initial_lambda(const System& system, const State& state, std::span<const double> parameters);

}  // namespace cetaev
