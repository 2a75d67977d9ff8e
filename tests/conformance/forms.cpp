#include "forms.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace cetaev::conformance {

namespace {

DerivedForm derive(const Principle& principle, const Setting& setting) {
  DerivedForm result{&principle, std::nullopt, std::nullopt, std::nullopt};
  const std::vector<bool>& nonlinear = setting.terms.constraints.nonlinear_in_accelerations;
  try {
    if (std::find(nonlinear.begin(), nonlinear.end(), true) != nonlinear.end()) {
      throw Error(ErrorCode::not_applicable, "constraints that are nonlinear in the accelerations have no program");
    }
    result.form.emplace(setting, principle.derive(setting));
  } catch (const Error& error) {
    result.refusal = error;
    return result;
  }
  const Formulation& form = result.form->form();
  std::vector<Expr> entries, inputs = state_symbols(setting.system);
  std::vector<LinearBlock> blocks;
  inputs.insert(inputs.end(), form.lambda.begin(), form.lambda.end());
  for (const SolveStep& step : form.steps) {
    entries.insert(entries.end(), step.block.matrix.entries.begin(), step.block.matrix.entries.end());
    blocks.push_back(step.block);
  }
  result.matrices.emplace(entries, inputs, blocks);
  return result;
}

// The worst of the form's linear systems here.
double worst_condition(const DerivedForm& derived, const std::vector<double>& inputs) {
  std::vector<double> entries(derived.matrices->output_count());
  Interpreter run(*derived.matrices);
  if (run(inputs, entries) >= 0) return std::numeric_limits<double>::infinity();
  double worst = 1;
  const double* next = entries.data();
  for (const SolveStep& step : derived.form->form().steps) {
    const std::size_t size = step.block.matrix.rows;
    worst = std::max(worst, condition_number(size, next));
    next += size * size;
  }
  return worst;
}

bool uses_dependent_velocities(std::string_view form) {
  return form != "multipliers" && form != "gauss" && form != "vakonomic" && form != "mvm1";
}

// γ = −J_dep⁻¹ J_ind of a setting: large where the constraints hardly restrict the velocities chosen as dependent.
double largest_gamma(const Setting& setting, const State& state) {
  if (setting.rank() == 0 || setting.independent.empty()) return 0;
  const Matrix J = setting.J();
  const Program program(J.entries, state_symbols(setting.system));
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  RowMajor numbers(static_cast<Eigen::Index>(J.rows), static_cast<Eigen::Index>(J.columns));
  Interpreter run(program);
  run(state_values(state, parameter_values(setting.system)), std::span(numbers.data(), J.entries.size()));
  const Eigen::MatrixXd dependent = numbers(Eigen::all, setting.dependent);
  const Eigen::MatrixXd independent = numbers(Eigen::all, setting.independent);
  const double largest = dependent.fullPivLu().solve(independent).lpNorm<Eigen::Infinity>();
  return std::isfinite(largest) ? largest : HUGE_VAL;
}

}  // namespace

bool Outcome::regular() const { return values.has_value() && condition <= near_singular; }

const Outcome& AtState::operator[](std::string_view name) const {
  return *std::find_if(outcomes.begin(), outcomes.end(), [&](const Outcome& o) { return o.name() == name; });
}

Forms::Forms(const System& system) : system_(system), terms_(system), admissible_(system) {}

AtState Forms::at(const State& state, const std::vector<std::size_t>& dependent, const std::vector<double>& lambda) {
  Setting setting = setting_at(system_, terms_, admissible_, AdmissibleState{state, false, dependent});
  const Key key = {setting.rows, setting.dependent, {setting.mvm3_left_out.value_or(setting.n())}};
  auto found = derived_.find(key);
  if (found == derived_.end()) {
    found = derived_.emplace(key, DerivedSetting{std::move(setting), {}}).first;
    for (const Principle& principle : principles_of(system_))
      found->second.forms.push_back(derive(principle, found->second.setting));
  }
  AtState result{state, &found->second, {}};
  std::vector<double> active;
  for (const std::size_t i : found->second.setting.rows) active.push_back(i < lambda.size() ? lambda[i] : 0.0);
  // The second derivatives of α grow with the square of the first.
  const double gamma = largest_gamma(found->second.setting, state);
  for (const DerivedForm& derived : found->second.forms) {
    Outcome outcome{&derived, std::nullopt, derived.refusal, 1};
    if (derived.form) {
      std::vector<double> inputs = state_values(state, parameter_values(system_));
      if (!derived.form->form().lambda.empty()) inputs.insert(inputs.end(), active.begin(), active.end());
      outcome.condition = worst_condition(derived, inputs);
      if (uses_dependent_velocities(derived.name())) outcome.condition = std::max(outcome.condition, gamma * gamma);
      try {
        outcome.values = derived.form->evaluate(state, active);
      } catch (const Error& error) {
        outcome.error = error;
      }
    }
    result.outcomes.push_back(std::move(outcome));
  }
  return result;
}

double relative_difference(const std::vector<double>& x, const std::vector<double>& y) {
  double difference = 0, scale = 1;
  for (std::size_t i = 0; i < y.size(); ++i) {
    difference = std::max(difference, std::fabs(x[i] - y[i]));
    scale = std::max(scale, std::fabs(y[i]));
  }
  return difference / scale;
}

double condition_number(std::size_t size, const double* entries) {
  const auto n = static_cast<Eigen::Index>(size);
  if (n == 0) return 1;
  Eigen::MatrixXd m =
      Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(entries, n, n);
  if (!m.allFinite()) return std::numeric_limits<double>::infinity();
  for (int sweep = 0; sweep < 4; ++sweep) {
    for (Eigen::Index i = 0; i < n; ++i) {
      const double row = m.row(i).lpNorm<Eigen::Infinity>();
      if (row > 0) m.row(i) /= row;
    }
    for (Eigen::Index j = 0; j < n; ++j) {
      const double column = m.col(j).lpNorm<Eigen::Infinity>();
      if (column > 0) m.col(j) /= column;
    }
  }
  const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(m).singularValues();
  return values[n - 1] > 0 ? values[0] / values[n - 1] : std::numeric_limits<double>::infinity();
}

std::string describe(const System& system, const State& state) {
  std::ostringstream text;
  text.precision(17);
  text << "t = " << state.t;
  for (std::size_t i = 0; i < system->size(); ++i) text << ", " << system->coordinates[i] << " = " << state.q[i];
  for (std::size_t i = 0; i < system->size(); ++i) text << ", " << system->coordinates[i] << "' = " << state.v[i];
  return text.str();
}

}  // namespace cetaev::conformance
