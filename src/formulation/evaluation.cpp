#include "cetaev/formulation/evaluation.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/detail/constraint/around.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/formulation/auxiliary.hpp"
#include "cetaev/detail/formulation/lambda_on_rows.hpp"
#include "cetaev/detail/formulation/multipliers.hpp"
#include "cetaev/detail/formulation/rounding.hpp"
#include "cetaev/detail/formulation/second_order.hpp"
#include "cetaev/expr/evaluate.hpp"

namespace cetaev {

namespace {

std::vector<Value> values_at(const System& system, const State& state, std::span<const double> parameters) {
  const std::vector<Expr> symbols = state_symbols(system);
  const std::vector<double> numbers = state_values(state, parameters);
  std::vector<Value> values;
  for (std::size_t i = 0; i < symbols.size(); ++i) values.emplace_back(symbols[i], numbers[i]);
  return values;
}

ExplicitValues explicit_values(const Setting& s, const State& state) {
  ExplicitValues result;
  result.dependent = s.dependent;
  const Jets& jets = s.jets();
  std::vector<Expr> outputs;
  for (std::size_t v = 0; v < s.rank(); ++v) {
    std::vector<Expr> terms;
    for (std::size_t r = 0; r < s.independent.size(); ++r) {
      terms.push_back(jets.gamma(v, r) * s.system->motion.v[s.independent[r]]);
    }
    outputs.push_back(s.context().sum(terms));
    result.alpha.push_back(state.v[s.dependent[v]]);
  }
  const Program program(outputs, state_symbols(s.system), jets.blocks);
  Interpreter run(program);
  result.alpha_bar.resize(outputs.size());
  if (run(state_values(state, parameter_values(s.system)), result.alpha_bar) >= 0) {
    throw Error(ErrorCode::singular_dependent,
                "the constraints cannot be solved for the dependent velocities at this state");
  }
  return result;
}

// The multipliers of redundant sets are of least norm over all rows; the other forms work on independent rows.
FormResult multipliers_result(const System& system, const Terms& terms, const State& state) {
  FormResult result;
  result.form = Form::multipliers;
  try {
    CompiledForm::Values values;
    if (nonlinear_in_accelerations(terms)) {
      SecondOrderSolution solution = solve_second_order(system, terms, state);
      values.a = std::move(solution.a);
      values.multipliers = std::move(solution.multipliers);
      if (solution.others > 0) {
        result.notes.push_back(of_least_constraint(solution.others));
      }
    } else {
      Reaction reaction = Multipliers(system, terms).evaluate(state);
      values.a = std::move(reaction.a);
      values.multipliers = std::move(reaction.multipliers);
    }
    result.values = std::move(values);
  } catch (const Error& error) {
    result.error = error;
  }
  return result;
}

// Rows of A, δ(q̇) − Dₜ(δq) = A δq, that are zero here.
std::vector<std::size_t> vanishing_rows(const std::vector<double>& A, std::size_t n) {
  std::vector<std::size_t> rows;
  double largest = 0;
  for (const double entry : A) largest = std::max(largest, std::fabs(entry));
  for (std::size_t i = 0; i < n && !A.empty(); ++i) {
    const auto begin = A.begin() + static_cast<std::ptrdiff_t>(i * n);
    if (std::all_of(begin, begin + static_cast<std::ptrdiff_t>(n),
                    [&](double x) { return std::fabs(x) <= 1e-12 * (1 + largest); })) {
      rows.push_back(i);
    }
  }
  return rows;
}

// Its distance from d'Alembert–Lagrange depends on the auxiliary functions, and
bool has_discrepancy(const Principle& principle) {
  return principle.auxiliary_functions && !principle.dalembert_lagrange;
}

// on nothing else.
bool may_be_brought_to_agree(const Principle& principle) {
  return has_discrepancy(principle) && principle.state != FormState::velocities_and_multipliers;
}

// Near a state without accelerations doubles lose digits in solving for them: there they are found with more bits, and a note says so. True where
// the accelerations are known to have their digits.
bool keep_digits(const CompiledForm& form, const State& state, std::span<const double> parameters,
                 std::span<const double> lambda, CompiledForm::Values& values, std::vector<std::string>& notes) {
  if (form.form().iterated) return false;  // Newton's method does not lose them
  constexpr long bits = 256;
  std::vector<Ball> inputs;
  for (const double value : state_values(state, parameters)) inputs.push_back(Ball::from_double(value));
  for (std::size_t i = 0; i < form.form().lambda.size(); ++i) inputs.push_back(Ball::from_double(lambda[i]));
  CompiledForm::BallValues exact;
  try {
    exact = form.evaluate(inputs, bits);
  } catch (const Error&) {
    return false;
  }
  double size = 0, error = 0;
  for (std::size_t i = 0; i < values.a.size(); ++i) {
    if (!exact.a[i].is_finite()) return false;
    size = std::max(size, std::fabs(exact.a[i].midpoint()));
    error = std::max(error, std::fabs(values.a[i] - exact.a[i].midpoint()));
  }
  if (error <= much_rounding * size) return true;
  const auto put = [](std::vector<double>& to, const std::vector<Ball>& from) {
    for (std::size_t i = 0; i < std::min(to.size(), from.size()); ++i)
      if (from[i].is_finite()) to[i] = from[i].midpoint();
  };
  put(values.a, exact.a);
  put(values.lambda_dot, exact.lambda_dot);
  if (values.multipliers.size() == exact.multipliers.size()) put(values.multipliers, exact.multipliers);
  notes.push_back(
      "doubles lose " + std::to_string(static_cast<int>(std::min(16.0, 16 + std::log10(error / size)))) +
      " of their 16 digits here, near a state that is singular for these equations: the values are computed with " +
      std::to_string(bits) + " bits");
  return true;
}

// Forms of d'Alembert and Lagrange have one and the same accelerations: what agrees with those of one that has its digits has them, too.
bool agrees_with(const System& system, const std::vector<double>& known, const CompiledForm::Values& values) {
  const std::vector<double> allowed = state_errors(known, kinds_of(system), much_rounding);
  for (std::size_t i = 0; i < known.size(); ++i)
    if (!(std::fabs(values.a[i] - known[i]) <= allowed[i])) return false;
  return true;
}

FormResult form_result(const Principle& principle, const Setting& s, const State& state,
                       const std::vector<double>& lambda, const FormResult& reference, bool reference_is_exact) {
  FormResult result;
  result.form = principle;
  try {
    if (nonlinear_in_accelerations(s.terms)) {
      if (principle.nonlinear_accelerations != nullptr) {
        result.values.emplace();
        result.values->a = principle.nonlinear_accelerations(s.system, s.terms, state);
        return result;
      }
      throw Error(
          ErrorCode::not_applicable,
          std::string(principle.name) + " does not apply to constraints that are nonlinear in the accelerations");
    }
    CompiledForm form(s, principle.derive(s));
    result.notes = form.form().notes;
    const std::vector<double> parameters = parameter_values(s.system);
    const std::vector<double> own_lambda =
        lambda_on_rows(s.system, s.terms.constraints, s.rows, state_values(state, parameters), lambda);
    result.values = form.evaluate(state, own_lambda);
    if (!principle.dalembert_lagrange || !reference_is_exact ||
        !agrees_with(s.system, reference.values->a, *result.values))
      (void)keep_digits(form, state, parameters, own_lambda, *result.values, result.notes);
    if (principle.reactions == FormReactions::multipliers) {
      std::vector<double> all(s.system->constraints.size(), 0.0);
      for (std::size_t i = 0; i < s.rank(); ++i) all[s.rows[i]] = result.values->multipliers[i];
      result.values->multipliers = std::move(all);
    }
    result.determinant = result.values->determinant;
    result.vanishing_relations = vanishing_rows(result.values->transpositional, s.n());
    if (has_discrepancy(principle) && reference.values) {
      double largest = 0;
      for (std::size_t i = 0; i < s.n(); ++i)
        largest = std::max(largest, std::fabs(result.values->a[i] - reference.values->a[i]));
      result.discrepancy = largest;
    }
  } catch (const Error& error) {
    result.error = error;
  }
  return result;
}

std::vector<double> output_values(const System& system, const State& state, const CompiledForm::Values& motion) {
  const std::vector<Expr> expressions = system->output_expressions();
  std::vector<Value> values = values_at(system, state, parameter_values(system));
  for (std::size_t i = 0; i < system->size(); ++i) values.emplace_back(system->motion.a[i], motion.a[i]);
  for (std::size_t i = 0; i < system->multipliers.size(); ++i)
    values.emplace_back(system->multipliers[i], motion.multipliers[i]);
  std::vector<double> outputs;
  for (const Expr e : expressions) outputs.push_back(evaluate(e, values));
  return outputs;
}

void propose(Evaluation& evaluation, const Setting& s, Admissible& admissible, bool zero_relations) {
  for (FormResult& form : evaluation.forms) {
    if (!may_be_brought_to_agree(form.form)) continue;
    try {
      form.proposed = AuxiliarySearch(s, admissible, zero_relations).written();
    } catch (const Error&) {
      return;  // mvm2 does not apply; its own error says so
    }
  }
}

}  // namespace

const FormResult* Evaluation::find(Form form) const {
  for (const FormResult& result : forms) {
    if (result.form == form) return &result;
  }
  return nullptr;
}

const Error* Evaluation::failure(const std::vector<Form>& named) const {
  for (const FormResult& result : forms) {
    const bool asked = std::find(named.begin(), named.end(), result.form) != named.end();
    if (result.error && (asked || (named.empty() && result.form == Form::multipliers))) return &*result.error;
  }
  return nullptr;
}

Evaluation Evaluation::asked_for(const std::vector<Form>& named) const {
  Evaluation result = *this;
  const bool reference = !named.empty() && std::find(named.begin(), named.end(), Form::multipliers) == named.end();
  if (reference && failure(named) == nullptr)
    std::erase_if(result.forms, [](const FormResult& form) { return form.form == Form::multipliers; });
  return result;
}

std::vector<double> initial_lambda(const System& system, const State& state) {
  return initial_lambda(system, state, parameter_values(system));
}

std::vector<double> initial_lambda(const System& system, const State& state, std::span<const double> parameters) {
  std::vector<double> lambda(system->constraints.size(), 0.0);
  const std::vector<Value> values = values_at(system, state, parameters);
  if (system->initial.has_lambda && system->initial.lambda.size() != lambda.size()) {
    throw Error(ErrorCode::bad_model, "`lambda` in [initial] has " + std::to_string(system->initial.lambda.size()) +
                                          " entries, but the model has " + std::to_string(lambda.size()) +
                                          " scalar constraints");
  }
  for (std::size_t i = 0; i < system->initial.lambda.size(); ++i)
    lambda[i] = evaluate(system->initial.lambda[i], values);
  return lambda;
}

Evaluation evaluate(const System& system, const EvaluationOptions& options) {
  Groundwork work(system);
  return evaluate(work, options);
}

Evaluation evaluate(Groundwork& work, const EvaluationOptions& options) {
  const System& system = work.system();
  const Terms& terms = work.terms();
  Admissible& admissible = work.admissible();
  Evaluation result;
  result.initial = work.initial();
  const State& state = result.initial.state;
  result.lambda = initial_lambda(system, state);

  std::vector<Form> forms = principles_of(system);
  if (!options.forms.empty()) {
    forms.assign(principles().begin(), principles().end());
    std::erase_if(forms, [&](Form form) {
      return form != Form::multipliers && std::ranges::find(options.forms, form) == options.forms.end();
    });
  }
  try {
    result.rank = admissible.rank(state).rank;
    const Setting setting = work.setting_at(result.initial);
    result.rows = setting.rows;
    result.forms.push_back(multipliers_result(system, terms, state));
    bool exact = false;
    if (FormResult& reference = result.forms.front(); reference.values) {
      try {
        const CompiledForm form(setting, Form::multipliers->derive(setting));
        reference.determinant = form.evaluate(state).determinant;
        exact = keep_digits(form, state, parameter_values(system), {}, *reference.values, reference.notes);
      } catch (const Error&) {
        reference.determinant.reset();  // nonlinear in the accelerations: there is no one matrix
      }
    }
    for (const Form form : forms) {
      if (form == Form::multipliers) continue;
      result.forms.push_back(form_result(form, setting, state, result.lambda, result.forms.front(), exact));
    }
    if (options.propose_auxiliary) propose(result, setting, admissible, options.zero_relations);
    try {
      if (!setting.second_order("the explicit form")) result.explicit_values = explicit_values(setting, state);
    } catch (const Error&) {
      result.explicit_values.reset();  // singular here for the dependent velocities
    }
  } catch (const Error& error) {
    // The state itself is singular: no form has values here.
    result.forms.clear();
    for (const Form form : forms) {
      FormResult& refused = result.forms.emplace_back();
      refused.form = form;
      refused.error = error;
    }
  }
  const FormResult& reference = result.forms.front();
  if (reference.values && !system->outputs.empty()) {
    result.outputs = output_values(system, state, *reference.values);
    if (const auto note = note_on_reactions(system, result.rank.value_or(system->constraints.size()), ""))
      result.output_notes.push_back(*note);
  }
  result.residual = admissible.residual(state, reference.values ? reference.values->a : std::vector<double>{});
  return result;
}

}  // namespace cetaev
