#include "cetaev/energy/motion_sample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/formulation/second_order.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/rank.hpp"

namespace cetaev {

namespace {

struct Compiled {
  std::size_t setting = 0;
  std::optional<CompiledForm> form;
};

}  // namespace

std::vector<Ball> MotionSample::Motion::inputs() const {
  std::vector<Ball> values = state->inputs();
  values.insert(values.end(), a.begin(), a.end());
  values.insert(values.end(), multipliers.begin(), multipliers.end());
  return values;
}

namespace {

// Can these velocities carry the rows at a state? Relative to what the rows are there.
bool serves(const Terms& terms, const PreciseState& state, const std::vector<std::size_t>& dependent) {
  if (state.rows.empty()) return true;
  const std::size_t n = terms.constraints.jacobian.columns;
  std::vector<Expr> entries;
  for (const std::size_t row : state.rows)
    for (std::size_t j = 0; j < n; ++j) entries.push_back(terms.constraints.jacobian(row, j));
  std::vector<Value> values;
  for (const BallValue& value : state.values) values.emplace_back(value.first, value.second.midpoint());
  DenseMatrix J = DenseMatrix::from_rows(evaluate(entries, values).data(), state.rows.size(), n);
  for (std::size_t i = 0; i < J.rows(); ++i) J.scale_row(i, 1 / row_length(J, i));
  CompleteLu lu;
  lu.compute(J.select_columns(dependent));
  return lu.last_pivot() > rank_tolerance;
}

}  // namespace

MotionSample::MotionSample(OnSet& set, const Terms& terms, Form form, const std::vector<std::size_t>& preferred,
                           std::size_t most)
    : set_(set) {
  const System& system = set.system();
  if (set.states().empty()) {
    obstacle_ = Error(ErrorCode::rank_lost, "no regular admissible state was found");
    return;
  }
  const bool nonlinear = nonlinear_in_accelerations(terms);
  if (nonlinear && !(form == Form::multipliers || form->nonlinear_accelerations != nullptr)) {
    obstacle_ =
        Error(ErrorCode::not_applicable,
              std::string(form->name) + " does not apply to constraints that are nonlinear in the accelerations");
    return;
  }
  const std::vector<Expr> conditions = conditions_on_accelerations(system, terms.constraints);
  std::map<std::pair<std::vector<std::size_t>, std::vector<std::size_t>>, Compiled> compiled;
  for (const PreciseState& state : set.states()) {
    if (motions_.size() >= most) break;
    // Constraints on accelerations have no dependent velocities of their own.
    std::vector<std::size_t> dependent =
        preferred.size() == state.rows.size() && serves(terms, state, preferred) ? preferred : state.dependent;
    for (std::size_t i = 0; dependent.size() < state.rows.size() && i < system->size(); ++i) {
      if (std::find(dependent.begin(), dependent.end(), i) == dependent.end()) dependent.push_back(i);
    }
    auto [entry, fresh] = compiled.try_emplace({state.rows, dependent});
    Compiled& c = entry->second;
    try {
      if (fresh) {
        c.setting = settings_.size();
        settings_.push_back(std::make_unique<Setting>(system, terms, state.rows, dependent));
        if (!nonlinear) c.form.emplace(*settings_.back(), form->derive(*settings_.back()));
      }
      if (nonlinear) {
        add_of_least_constraint(terms, state, c.setting);
        continue;
      }
      if (!c.form) continue;
      std::vector<Ball> inputs = state.inputs();
      // multipliers that belong to the state (vakonomic) are as free as the velocities
      for (std::size_t i = 0; i < c.form->form().lambda.size(); ++i) {
        inputs.emplace_back(Rational(static_cast<long>(3 + 2 * i), 7), OnSet::bits);
      }
      CompiledForm::BallValues values = c.form->evaluate(inputs, OnSet::bits);
      Motion motion{&state, c.setting, std::move(values.a), {}};
      motion.multipliers.assign(system->constraints.size(), Ball());
      for (std::size_t i = 0; i < values.multipliers.size(); ++i) {
        motion.multipliers[state.rows[i]] = values.multipliers[i];
      }
      bool finite = true;
      for (const Ball& a : motion.a) finite = finite && a.is_finite();
      if (finite && satisfies_all(conditions, motion)) motions_.push_back(std::move(motion));
    } catch (const Error& error) {
      obstacle_ = error;
    }
  }
  if (!motions_.empty()) {
    obstacle_.reset();
  } else if (!obstacle_) {
    obstacle_ = Error(ErrorCode::singular_mass_matrix, "the accelerations are not finite at random admissible states");
  }
}

void MotionSample::add_of_least_constraint(const Terms& terms, const PreciseState& state, std::size_t setting) {
  const System& system = settings_[setting]->system;
  auto found = solve_second_order(system, terms, state.rounded, state.inputs());
  if (!found) return;
  Motion motion{&state, setting, std::move(found->a), std::move(found->multipliers)};
  const std::vector<BallValue> at = with_accelerations(motion);
  for (const OnSet::Branch& branch : set_.branches()) {
    if (branch.number != state.branch || branch.as_written) continue;
    for (const Constraint& constraint : branch.system->constraints)
      motion.on_its_branch = motion.on_its_branch && zero_at(with_parameter_values(system, constraint.expression), at);
  }
  motions_.push_back(std::move(motion));
  other_solutions_ = std::max(other_solutions_, found->others);
}

// The rows that depend on others at a state do so on their derivatives too, unless they hide a condition.
bool MotionSample::satisfies_all(std::span<const Expr> conditions, const Motion& motion) {
  const System& system = settings_[motion.setting]->system;
  if (motion.state->rows.size() == conditions.size()) return true;
  const std::vector<BallValue> at = with_accelerations(motion);
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    if (zero_at(conditions[i], at)) continue;
    obstacle_ =
        Error(ErrorCode::inconsistent_constraints,
              "the time derivatives of the constraints contradict each other: " + describe_rows(system, std::array{i}) +
                  " hides a condition on positions or velocities");
    return false;
  }
  return true;
}

std::vector<BallValue> MotionSample::with_accelerations(const Motion& motion) {
  std::vector<BallValue> values = motion.state->values;
  for (std::size_t i = 0; i < motion.a.size(); ++i)
    values[values.size() - motion.a.size() + i].second = motion.a[i].center();
  return values;
}

Finding MotionSample::vanishes(Expr e) const {
  int states = 0;
  for (const Motion& motion : motions_) {
    double value = 0;
    const bool zero = zero_at(e, with_accelerations(motion), &value);
    if (std::isnan(value)) continue;
    if (!zero) return Finding::failure(motion.state->rounded, value);
    ++states;
  }
  return set_.on_all_branches(std::array{Finding::evidence(states, OnSet::wanted_digits)});
}

}  // namespace cetaev
