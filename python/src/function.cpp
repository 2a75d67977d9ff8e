#include "function.hpp"

#include <algorithm>
#include <limits>

#include "cetaev/codegen/export.hpp"
#include "cetaev/detail/formulation/lambda_on_rows.hpp"

namespace cetaev {

CompiledFunction::CompiledFunction(const Workbench& bench, std::optional<Form> form) {
  // Its own groundwork: the Jacobian adds expressions, and others may be at work with those of the bench.
  Groundwork work = bench.groundwork();
  const FirstOrderSystem equations = equations_to_export(work, form);
  const System& system = work.system();
  form_ = equations.form;
  for (const StateVariable& y : equations.state) names_.push_back(y.name);
  for (const Parameter& p : system->parameters) parameters_.emplace_back(p.symbol.name());
  values_ = parameter_values(system);
  for (const SolveStep& step : equations.steps) if_singular_.emplace_back(step.if_singular, step.meaning);
  const FirstOrderSystem::Jacobian jacobian = equations.jacobian();
  const Expr energy[] = {equations.energy};
  parts_.push_back(part(equations, equations.rates, equations.needed_for(equations.rates)));
  parts_.push_back(part(equations, jacobian.entries.entries, jacobian.systems));
  parts_.push_back(part(equations, equations.velocities, equations.needed_for(equations.velocities)));
  parts_.push_back(part(equations, energy, equations.needed_for(energy)));
  try {
    const State& at = work.initial().state;
    start_ = at.t;
    std::vector<double> lambda;
    if (!equations.lambda.empty())
      lambda = lambda_on_rows(system, work.terms().constraints, equations.rows, state_values(at, values_),
                              initial_lambda(system, at));
    initial_ = FirstOrderProgram(system, equations).state(at, lambda);
  } catch (const Error& error) {
    no_initial_ = error;
  }
}

const std::vector<double>& CompiledFunction::initial() const {
  if (no_initial_) throw Error(*no_initial_);
  return initial_;
}

CompiledFunction::Part CompiledFunction::part(const FirstOrderSystem& equations, std::span<const Expr> outputs,
                                              const NumberedBlocks& systems) const {
  Part result;
  result.outputs = outputs.size();
  result.steps = systems.step;
  result.code.emplace(Program(outputs, equations.inputs(), systems.blocks));
  return result;
}

int CompiledFunction::run(const Part& part, double t, const double* y, double* out,
                          std::span<const double> parameters) const {
  // The inputs, then the workspace; kept by the thread, so that a call allocates nothing.
  thread_local std::vector<double> memory;
  const std::span<const double> values = parameters.empty() ? std::span<const double>(values_) : parameters;
  const std::size_t inputs = size() + 1 + values.size();
  if (memory.size() < inputs + part.code->workspace_size()) memory.resize(inputs + part.code->workspace_size());
  std::copy(y, y + size(), memory.begin());
  memory[size()] = t;
  std::copy(values.begin(), values.end(), memory.begin() + static_cast<std::ptrdiff_t>(size() + 1));
  return (*part.code)(memory.data(), out, memory.data() + inputs);
}

void CompiledFunction::operator()(What what, double t, const double* y, double* out,
                                  std::span<const double> parameters) const {
  const int singular = run(of(what), t, y, out, parameters);
  if (singular >= 0) throw Error(if_singular_[of(what).steps[static_cast<std::size_t>(singular)]]);
}

bool CompiledFunction::rates(double t, const double* y, double* out) const noexcept try {
  if (run(of(What::rates), t, y, out, {}) < 0) return true;
  std::fill(out, out + size(), std::numeric_limits<double>::quiet_NaN());
  return false;
} catch (...) {
  std::fill(out, out + size(), std::numeric_limits<double>::quiet_NaN());
  return false;
}

}  // namespace cetaev
