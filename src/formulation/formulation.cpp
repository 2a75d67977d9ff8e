#include "cetaev/formulation/formulation.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/constraint/explicit_form.hpp"

namespace cetaev {

Setting::Setting(const System& system_, const Terms& terms_, std::vector<std::size_t> rows_,
                 std::vector<std::size_t> dependent_)
    : system(system_), terms(terms_), rows(std::move(rows_)), dependent(std::move(dependent_)) {
  for (std::size_t i = 0; i < n(); ++i) {
    if (std::find(dependent.begin(), dependent.end(), i) == dependent.end()) independent.push_back(i);
  }
}

Matrix Setting::J() const {
  Matrix result{rank(), n(), {}};
  for (const std::size_t i : rows) {
    for (std::size_t j = 0; j < n(); ++j) result.entries.push_back(terms.constraints.jacobian(i, j));
  }
  return result;
}

std::vector<Expr> Setting::c() const {
  std::vector<Expr> result;
  for (const std::size_t i : rows) result.push_back(terms.constraints.bias[i]);
  return result;
}

std::vector<Expr> Setting::phi() const {
  std::vector<Expr> result;
  for (const std::size_t i : rows) result.push_back(terms.constraints.phi[i]);
  return result;
}

void Setting::require_dependent() const {
  if (dependent_error) throw *dependent_error;
}

std::optional<Error> Setting::nonlinear_accelerations(std::string_view form) const {
  for (std::size_t i = 0; i < terms.constraints.size(); ++i) {
    if (!terms.constraints.nonlinear_in_accelerations[i]) continue;
    return Error(ErrorCode::not_applicable, "the equations of " + std::string(form) +
                                                " are not linear in the accelerations here: " +
                                                describe_rows(system, std::vector<std::size_t>{i}));
  }
  return std::nullopt;
}

const Jets& Setting::jets() const {
  require_dependent();
  // where they are first asked for: of a long chain, derivatives of α are its cube
  if (!jets_) jets_ = std::make_shared<Jets>(alpha_ ? explicit_jets(*this, *alpha_) : implicit_jets(*this));
  return *jets_;
}

std::optional<std::vector<Expr>> Setting::closed_form(const State& state) const {
  if (const auto error = second_order("the explicit form")) throw *error;
  std::vector<Expr> unknowns;
  for (const std::size_t d : dependent) unknowns.push_back(system->motion.v[d]);
  return explicit_form(system, phi(), unknowns, state);
}

void Setting::use_explicit(const std::vector<Expr>& alpha) {
  alpha_ = std::make_shared<const std::vector<Expr>>(alpha);
  jets_ = nullptr;
}

std::vector<Expr> Setting::symbols(const std::string& stem, std::size_t count) const {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(context().symbol("$" + stem + "_" + std::to_string(i)));
  return result;
}

std::optional<Error> Setting::second_order(std::string_view form) const {
  for (std::size_t i = 0; i < terms.constraints.size(); ++i) {
    if (terms.constraints.order[i] < 2) continue;
    return Error(ErrorCode::not_applicable, std::string(form) + " does not apply to constraints on accelerations: " +
                                                describe_rows(system, std::vector<std::size_t>{i}));
  }
  return std::nullopt;
}

std::string label(const System& system, const std::optional<QuasiVelocities>& quasi, const Equation& e) {
  switch (e.kind) {
    case Equation::Kind::motion:
    case Equation::Kind::velocity: return system->coordinates[e.about];
    case Equation::Kind::quasi_motion:
    case Equation::Kind::definition: return quasi->names[e.about];
    case Equation::Kind::constraint: return "constraint " + std::to_string(e.about + 1);
    case Equation::Kind::least: return "least";
    case Equation::Kind::free_motion: return "free " + system->coordinates[e.about];
    case Equation::Kind::derivatives: return "gamma";
    case Equation::Kind::weights: return "s";
  }
  return "";
}

CompiledForm::CompiledForm(const Setting& setting, Formulation form)
    : n_(setting.n()), parameters_(parameter_values(setting.system)), form_(std::move(form)) {
  std::vector<Expr> inputs = state_symbols(setting.system);
  inputs.insert(inputs.end(), form_.lambda.begin(), form_.lambda.end());
  const std::vector<Expr>& a = setting.system->motion.a;
  if (form_.iterated) inputs.insert(inputs.end(), a.begin(), a.end());
  std::vector<Expr> outputs = form_.a;
  for (const auto* list : {&form_.multipliers, &form_.lambda_dot, &form_.transpositional.entries}) {
    outputs.insert(outputs.end(), list->begin(), list->end());
  }
  std::vector<LinearBlock> blocks;
  for (const SolveStep& step : form_.steps) blocks.push_back(step.block);
  program_ = Program(outputs, inputs, blocks);
}

void CompiledForm::refuse(int singular) const {
  const SolveStep& step = form_.steps[static_cast<std::size_t>(singular)];
  throw Error(step.if_singular, step.meaning);
}

std::vector<double> CompiledForm::iterated(std::vector<double> inputs) const {
  constexpr int most_steps = 100;
  constexpr double settled = 1e-15;  // of the accelerations; they then change by rounding alone
  const std::span<double> a = std::span(inputs).last(n_);
  std::vector<double> outputs(program_.output_count());
  Interpreter run(program_);
  double before = HUGE_VAL;
  for (int step = 0; step < most_steps; ++step) {
    if (const int singular = run(inputs, outputs); singular >= 0) refuse(singular);
    double change = 0, size = 1;
    for (std::size_t i = 0; i < n_; ++i) {
      change = std::max(change, std::fabs(outputs[i] - a[i]));
      size = std::max(size, std::fabs(outputs[i]));
      a[i] = outputs[i];
    }
    if (!std::isfinite(change)) break;
    // quadratic until rounding: where it is close and comes no closer, it is there
    if (change <= settled * size || (change < 1e-12 * size && change >= before)) return inputs;
    before = change;
  }
  throw Error(ErrorCode::not_applicable, "the equations of " + form_.name +
                                             " are not linear in the accelerations, and Newton's method finds none "
                                             "that satisfy them at this state");
}

CompiledForm::Values CompiledForm::evaluate(const State& state, std::span<const double> lambda) const {
  std::vector<double> inputs = state_values(state, parameters_);
  inputs.insert(inputs.end(), lambda.begin(), lambda.end());
  inputs.resize(program_.input_count(), 0.0);
  if (form_.iterated) inputs = iterated(std::move(inputs));
  std::vector<double> outputs(program_.output_count());
  Interpreter run(program_);
  if (const int singular = run(inputs, outputs); singular >= 0) refuse(singular);
  for (const double value : outputs) {
    if (!std::isfinite(value))
      throw Error(ErrorCode::non_finite, "the equations of " + form_.name + " are not finite at this state");
  }
  Values values;
  const double* next = outputs.data();
  const auto take = [&](std::vector<double>& list, std::size_t count) {
    list.assign(next, next + count);
    next += count;
  };
  take(values.a, form_.a.size());
  take(values.multipliers, form_.multipliers.size());
  take(values.lambda_dot, form_.lambda_dot.size());
  take(values.transpositional, form_.transpositional.entries.size());
  values.determinant = 1;
  for (std::size_t i = 0; i < form_.pivots && !form_.steps.empty(); ++i)
    values.determinant *= run.determinant(form_.system_step + i);
  return values;
}

CompiledForm::BallValues CompiledForm::evaluate(std::span<const Ball> given, long bits) const {
  std::vector<Ball> inputs(given.begin(), given.end()), outputs;
  const auto run = [&] {
    if (const int singular = run_in_balls(program_, inputs, outputs, bits); singular >= 0) refuse(singular);
  };
  if (form_.iterated) {
    std::vector<double> rough;
    for (const Ball& ball : inputs) rough.push_back(ball.midpoint());
    rough.resize(program_.input_count(), 0.0);
    rough = iterated(std::move(rough));
    for (std::size_t i = inputs.size(); i < rough.size(); ++i) inputs.push_back(Ball::from_double(rough[i]));
    // from 15 digits, doubled each time
    for (long digits = 15; digits < bits; digits *= 2) {
      run();
      for (std::size_t i = 0; i < n_; ++i) inputs[inputs.size() - n_ + i] = outputs[i].center();
    }
  }
  run();
  BallValues values;
  auto next = outputs.begin();
  const auto take = [&](std::vector<Ball>& list, std::size_t count) {
    list.assign(next, next + static_cast<std::ptrdiff_t>(count));
    next += static_cast<std::ptrdiff_t>(count);
  };
  take(values.a, form_.a.size());
  take(values.multipliers, form_.multipliers.size());
  take(values.lambda_dot, form_.lambda_dot.size());
  return values;
}

}  // namespace cetaev
