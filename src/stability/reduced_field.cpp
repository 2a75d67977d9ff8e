#include "reduced_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cetaev/constraint/state.hpp"
#include "cetaev/detail/algebra/solve.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/formulation/slopes.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/formulation/symmetry.hpp"

namespace cetaev {

namespace {

// Independent velocities where there are constraints; quasi-velocities where they are wanted.
FirstOrderSystem equations_of(Groundwork& work, const AdmissibleState& at, bool quasi, bool simplified) {
  Setting setting = work.setting_at(at);
  setting.simplified = simplified;
  if (quasi) return first_order(setting, at.state, Form::hamel);
  if (setting.rank() == 0) return first_order(setting, at.state, Form::multipliers);
  try {
    return first_order(setting, at.state, Form::voronec);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::not_applicable) throw;
    return first_order(setting, at.state, Form::multipliers);
  }
}

template <class Number>
std::vector<Number> inputs_of(std::span<const Number> y, Number t, std::span<const Number> parameters) {
  std::vector<Number> inputs(y.begin(), y.end());
  inputs.push_back(std::move(t));
  inputs.insert(inputs.end(), parameters.begin(), parameters.end());
  return inputs;
}

// But for those that are the symbol itself.
bool depends_on_any(std::span<const Expr> expressions, Expr symbol) {
  return std::ranges::any_of(expressions, [&](Expr e) { return e != symbol && depends_on(e, std::span(&symbol, 1)); });
}

// A factor by which entries of a matrix may differ from each other and still be pivots: a rank is told to half the digits.
constexpr double least_pivot = 1e-8;

}  // namespace

RegularPart regular_part(std::vector<double> a, std::size_t rows, std::size_t columns) {
  RegularPart result;
  std::vector<bool> row_used(rows), column_used(columns);
  for (std::size_t r = 0; r < rows; ++r) {
    double size = 0;
    for (std::size_t c = 0; c < columns; ++c) size = std::max(size, std::abs(a[r * columns + c]));
    for (std::size_t c = 0; size > 0 && c < columns; ++c) a[r * columns + c] /= size;
  }
  for (;;) {
    std::size_t best_row = rows, best_column = columns;
    double best = least_pivot;
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        if (row_used[r] || column_used[c] || !(std::abs(a[r * columns + c]) > best)) continue;
        best = std::abs(a[r * columns + c]);
        best_row = r;
        best_column = c;
      }
    }
    if (best_row == rows) return result;
    row_used[best_row] = column_used[best_column] = true;
    result.rows.push_back(best_row);
    result.columns.push_back(best_column);
    for (std::size_t r = 0; r < rows; ++r) {
      if (row_used[r]) continue;
      const double factor = a[r * columns + best_column] / a[best_row * columns + best_column];
      for (std::size_t c = 0; c < columns; ++c) a[r * columns + c] -= factor * a[best_row * columns + c];
    }
  }
}

ReducedField::ReducedField(Groundwork& work, const AdmissibleState& at, bool quasi, Time time, Equations equations)
    : system_(work.system()),
      form_(equations_of(work, at, quasi, equations == Equations::shortened)),
      program_(system_, form_) {
  const Motion& motion = system_->motion;
  for (const StateVariable& variable : form_.state) {
    const auto found = std::find(motion.q.begin(), motion.q.end(), variable.symbol);
    position_.push_back(found == motion.q.end() ? std::nullopt
                                                : std::optional(static_cast<std::size_t>(found - motion.q.begin())));
  }
  for (const Constraint& constraint : system_->constraints)
    if (constraint.order == 0) constraints_.push_back(constraint.expression);
  // where all velocities belong to the state, they have to satisfy the constraints
  if (form_.state.size() == 2 * system_->size()) {
    for (const std::size_t row : form_.rows)
      if (system_->constraints[row].order < 2) constraints_.push_back(work.terms().constraints.phi[row]);
  }
  find_ignorable(of_symmetry(work, quasi));
  if (!autonomous_ && time == Time::must_not_stand)
    throw Error(ErrorCode::not_steady,
                "the time stands in the equations of motion: no motion is steady that keeps them");

  velocities_ = Program(form_.velocities, form_.inputs(), form_.needed_for(form_.velocities).blocks);
}

const FirstOrderSystem::Jacobian& ReducedField::jacobian() const {
  std::call_once(later_->differentiated, [&] { later_->jacobian = form_.jacobian(); });
  return later_->jacobian;
}

const Program& ReducedField::value_program() const {
  std::call_once(later_->values_lowered, [&] {
    std::vector<Expr> outputs;
    for (const std::size_t i : kept_) outputs.push_back(form_.rates[i]);
    outputs.insert(outputs.end(), constraints_.begin(), constraints_.end());
    later_->values = Program(outputs, form_.inputs(), form_.needed_for(outputs).blocks);
  });
  return later_->values;
}

std::vector<Expr> ReducedField::slopes_of_constraints() const {
  std::vector<Expr> symbols;
  for (const StateVariable& variable : form_.state) symbols.push_back(variable.symbol);
  return cetaev::jacobian(constraints_, symbols).entries;
}

const Program& ReducedField::constraint_slope_program() const {
  std::call_once(later_->constraint_slopes_lowered,
                 [&] { later_->constraint_slopes = Program(slopes_of_constraints(), form_.inputs()); });
  return later_->constraint_slopes;
}

const Program& ReducedField::derivative_program() const {
  std::call_once(later_->derivatives_lowered, [&] {
    std::vector<Expr> outputs;
    for (const std::size_t i : kept_) {
      for (std::size_t j = 0; j < form_.state.size(); ++j) outputs.push_back(jacobian().entries(i, j));
    }
    const std::vector<Expr> slopes = slopes_of_constraints();
    outputs.insert(outputs.end(), slopes.begin(), slopes.end());
    later_->derivatives = Program(outputs, form_.inputs(), jacobian().systems.blocks);
  });
  return later_->derivatives;
}

// Is it in one of them, whatever values the others have? What is not proved is.
bool ReducedField::contains(std::span<const Expr> expressions, Expr symbol) const {
  return std::any_of(expressions.begin(), expressions.end(), [&](Expr e) {
    if (!depends_on(e, std::span(&symbol, 1))) return false;
    return prove_zero(derivative(with_parameter_values(system_, e), symbol)).verdict != Verdict::proved;
  });
}

// Shifts of a coordinate that leave the system as it is take every motion to one: nothing depends on it. So do turns of ignorable coordinates
// whose velocities do not belong to the state, together with a shift of another one, as the heading of a vehicle: seen without the first,
// that is a shift of the second alone.
std::vector<bool> ReducedField::of_symmetry(Groundwork& work, bool quasi) const {
  const std::size_t n = system_->size();
  std::vector<bool> ignorable(n);
  if (quasi && !form_.from_steps.empty()) return ignorable;  // what they are defined by is not seen
  try {
    const Symmetry found = symmetry(work.set(), work.terms());
    const auto in_state = [&](Expr v) {
      return std::ranges::find(form_.state, v, &StateVariable::symbol) != form_.state.end();
    };
    const auto shifted_alone = [&](const SymmetryField& field) -> std::optional<std::size_t> {
      std::optional<std::size_t> only;
      for (std::size_t i = 0; i < n; ++i) {
        if (field.shift[i].is_zero() || (!field.is_shift() && ignorable[i])) continue;
        if (only) return std::nullopt;
        only = i;
      }
      return only;
    };
    for (const bool shifts : {true, false}) {
      for (const SymmetryField& field : found.fields) {
        if (!field.is_linear() || !field.ground.proved) continue;
        if (field.is_shift() != shifts || (quasi && !shifts)) continue;
        const std::optional<std::size_t> only = shifted_alone(field);
        // quasi-velocities may be other functions of the velocities elsewhere
        const bool defined_by_it = quasi && only && depends_on_any(form_.from_state, system_->motion.q[*only]);
        const bool others_ignorable = std::ranges::all_of(field.turns, [&](const SymmetryField::Turn& turn) {
          return ignorable[turn.from] && ignorable[turn.to] && !in_state(system_->motion.v[turn.from]) &&
                 !in_state(system_->motion.v[turn.to]);
        });
        if (only && !defined_by_it && others_ignorable) ignorable[*only] = true;
      }
    }
  } catch (const Error&) {
    // none was found
  }
  return ignorable;
}

std::vector<bool> ReducedField::driven_by_themselves(const std::vector<bool>& in_use,
                                                     const std::vector<bool>& by_symmetry,
                                                     const ExpressionsBehind& expressions_behind) const {
  const std::size_t size = form_.state.size();
  std::vector<std::vector<bool>> needs(size, std::vector<bool>(size));  // rate i needs position j
  std::vector<bool> result(size);
  const auto left = [&](std::size_t i) { return is_position(i) && !in_use[i] && !by_symmetry[*position_[i]]; };
  for (std::size_t i = 0; i < size; ++i) {
    if (!left(i)) continue;
    const std::vector<Expr> behind = expressions_behind(std::span(&form_.rates[i], 1));
    for (std::size_t j = 0; j < size; ++j) needs[i][j] = left(j) && contains(behind, form_.state[j].symbol);
    result[i] = contains(behind, form_.t);
  }
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; needs[i][k] && j < size; ++j) needs[i][j] = needs[i][j] || needs[k][j];
    }
  }
  for (std::size_t i = 0; i < size; ++i) result[i] = result[i] || needs[i][i];
  return result;
}

// The positions that the rates of the velocities contain, those that are in the rates of these positions, and those that constraints tie to
// them; the others are ignorable, and so are those that symmetry proves to be.
void ReducedField::find_ignorable(const std::vector<bool>& by_symmetry) {
  const auto expressions_behind = [&](std::span<const Expr> rates) {
    std::vector<Expr> all(rates.begin(), rates.end());
    for (const LinearBlock& block : form_.needed_for(rates).blocks) {
      all.insert(all.end(), block.matrix.entries.begin(), block.matrix.entries.end());
      all.insert(all.end(), block.right.entries.begin(), block.right.entries.end());
    }
    return all;
  };
  std::vector<Expr> of_velocities;
  for (std::size_t i = 0; i < form_.state.size(); ++i)
    if (!is_position(i)) of_velocities.push_back(form_.rates[i]);
  std::vector<Expr> behind = expressions_behind(of_velocities);
  std::vector<bool> in_use(form_.state.size());
  std::vector<bool> constraint_in_use(constraints_.size());
  const auto follow = [&] {
    bool more = true;
    while (more) {
      more = false;
      std::vector<Expr> added;
      for (std::size_t i = 0; i < form_.state.size(); ++i) {
        if (!is_position(i) || in_use[i] || by_symmetry[*position_[i]]) continue;
        if (!contains(behind, form_.state[i].symbol)) continue;
        in_use[i] = more = true;
        added.push_back(form_.rates[i]);
      }
      behind = expressions_behind(added);
      for (std::size_t c = 0; c < constraints_.size(); ++c) {
        if (constraint_in_use[c]) continue;
        for (std::size_t i = 0; i < form_.state.size(); ++i) {
          if (is_position(i) && !in_use[i]) continue;
          if (!depends_on(constraints_[c], std::span(&form_.state[i].symbol, 1))) continue;
          constraint_in_use[c] = more = true;
          behind.push_back(constraints_[c]);
          break;
        }
      }
    }
  };
  follow();
  // What is left is found by integration once the others are known, unless it is in its own rate, as the angle of a trailer, by itself or
  // by way of others; nor is anything steady that the time drives.
  const std::vector<bool> driven = driven_by_themselves(in_use, by_symmetry, expressions_behind);
  behind.clear();
  for (std::size_t i = 0; i < form_.state.size(); ++i) {
    if (!driven[i]) continue;
    in_use[i] = true;
    behind.push_back(form_.rates[i]);
  }
  behind = expressions_behind(behind);
  follow();
  for (std::size_t i = 0; i < form_.state.size(); ++i) {
    if (is_position(i) && !in_use[i]) {
      ignorable_.push_back(*position_[i]);
    } else {
      kept_.push_back(i);
    }
  }
  // constraints among ignorable coordinates say nothing about the others
  std::vector<Expr> left;
  for (std::size_t c = 0; c < constraints_.size(); ++c)
    if (constraint_in_use[c]) left.push_back(constraints_[c]);
  constraints_ = std::move(left);

  std::vector<Expr> all = expressions_behind(kept_rates());
  all.insert(all.end(), constraints_.begin(), constraints_.end());
  autonomous_ = !contains(all, form_.t);
}

std::vector<Expr> ReducedField::kept_rates() const {
  std::vector<Expr> rates;
  for (const std::size_t i : kept_) rates.push_back(form_.rates[i]);
  return rates;
}

bool ReducedField::has_to_vanish(const LinearBlock& block, std::span<const Expr> rates) const {
  return std::ranges::all_of(block.unknowns,
                             [&](Expr unknown) { return std::ranges::find(rates, unknown) != rates.end(); });
}

// Each linear system M x = r in its turn. Where x are rates themselves, r has to vanish with them; others, as the dependent velocities and
// the multipliers, have values, and these are solved for.
std::optional<ReducedField::Vanishing> ReducedField::what_vanishes(std::span<const Replacement> values) const {
  const auto is_zero = [](Expr e) { return e.is_zero() || prove_zero(e).verdict == Verdict::proved; };
  std::vector<Expr> rates = kept_rates();
  Vanishing result;
  std::vector<Replacement> known(values.begin(), values.end());
  for (const LinearBlock& block : form_.needed_for(rates).blocks) {
    Matrix right = block.right;
    for (Expr& e : right.entries) e = substitute(e, known);
    const bool vanishes_by_itself = std::ranges::all_of(right.entries, is_zero);
    if (vanishes_by_itself || has_to_vanish(block, rates)) {
      if (!vanishes_by_itself)
        result.equations.insert(result.equations.end(), right.entries.begin(), right.entries.end());
      for (const Expr unknown : block.unknowns) known.emplace_back(unknown, system_->context->zero());
      continue;
    }
    Matrix matrix = block.matrix;
    for (Expr& e : matrix.entries) e = substitute(e, known);
    const std::optional<LinearSolution> solved = solve_linear(matrix, right);
    if (!solved || !solved->consistent() || !solved->free_columns.empty()) return std::nullopt;
    result.conditions.insert(result.conditions.end(), solved->conditions.begin(), solved->conditions.end());
    for (std::size_t i = 0; i < right.rows; ++i) {
      for (std::size_t j = 0; j < right.columns; ++j) known.emplace_back(block.unknown(i, j), solved->particular(i, j));
    }
  }
  rates.insert(rates.end(), constraints_.begin(), constraints_.end());
  for (const Expr e : rates) result.equations.push_back(substitute(e, known));
  std::erase_if(result.equations, is_zero);
  return result;
}

const Program& ReducedField::left_of_zero_program() const {
  std::call_once(later_->left_of_zero_lowered, [&] {
    std::vector<Expr> rates = kept_rates(), outputs;
    std::vector<Replacement> zero;
    std::vector<LinearBlock> solved;
    for (LinearBlock block : form_.needed_for(rates).blocks) {
      for (Expr& e : block.right.entries) e = substitute(e, zero);
      if (has_to_vanish(block, rates)) {
        outputs.insert(outputs.end(), block.right.entries.begin(), block.right.entries.end());
        for (const Expr unknown : block.unknowns) zero.emplace_back(unknown, system_->context->zero());
        continue;
      }
      for (Expr& e : block.matrix.entries) e = substitute(e, zero);
      solved.push_back(std::move(block));
    }
    rates.insert(rates.end(), constraints_.begin(), constraints_.end());
    for (const Expr e : rates) outputs.push_back(substitute(e, zero));
    later_->left_of_zero = Program(outputs, form_.inputs(), solved);
  });
  return later_->left_of_zero;
}

std::optional<std::vector<Ball>> ReducedField::left_of_zero(std::span<const Ball> y, std::span<const Ball> parameters,
                                                            long bits) const {
  std::vector<Ball> all;
  if (run_in_balls(left_of_zero_program(), inputs_of(y, Ball(), parameters), all, bits) >= 0) return std::nullopt;
  return all;
}

std::vector<double> ReducedField::state(const State& at, std::span<const double> parameters) const {
  return program_.state(at, {}, parameters);
}

State ReducedField::full(std::span<const double> y, std::span<const double> parameters) const {
  State result;
  result.q.assign(system_->size(), 0.0);
  result.v.assign(system_->size(), 0.0);
  for (std::size_t i = 0; i < y.size(); ++i)
    if (is_position(i)) result.q[*position_[i]] = y[i];
  Interpreter run(velocities_);
  run(inputs_of(y, 0.0, parameters), result.v);
  return result;
}

ReducedField::Values<double> ReducedField::values(std::span<const double> y, std::span<const double> parameters) const {
  std::vector<double> all(value_program().output_count(), std::numeric_limits<double>::quiet_NaN());
  Interpreter run(value_program());
  run(inputs_of(y, 0.0, parameters), all);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(kept_.size());
  return {{all.begin(), middle}, {middle, all.end()}};
}

ReducedField::Values<Ball> ReducedField::values(std::span<const Ball> y, std::span<const Ball> parameters,
                                                long bits) const {
  std::vector<Ball> all;
  if (run_in_balls(value_program(), inputs_of(y, Ball(), parameters), all, bits) >= 0)
    all.assign(value_program().output_count(), Ball::anything());
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(kept_.size());
  return {{all.begin(), middle}, {middle, all.end()}};
}

// Derivatives by all of y are that many columns of expressions, and in a chain each of them contains all links: beyond so many, a few columns along
// directions that are given by numbers serve for all of them, one after the other. With more at once the linear systems would be solved less often, but eight took
// five times the memory for a snake of a hundred links.
constexpr std::size_t columns_at_once = 1;

bool ReducedField::column_by_column() const {
  constexpr std::size_t most_columns = 40;
  return form_.state.size() > most_columns;
}

const Program& ReducedField::column_program() const {
  std::call_once(later_->column_lowered, [&] {
    std::vector<std::vector<Derivation::Seed>> directions(columns_at_once);
    std::vector<Expr> inputs = form_.inputs();
    for (std::size_t k = 0; k < columns_at_once; ++k) {
      for (std::size_t j = 0; j < form_.state.size(); ++j) {
        inputs.push_back(system_->context->symbol(fmt::format("$along{}_{}", k, j)));
        directions[k].emplace_back(form_.state[j].symbol, inputs.back());
      }
    }
    later_->column = slopes_program(std::move(directions), inputs);
  });
  return later_->column;
}

template <class Number, class Run>
ReducedField::Values<Number> ReducedField::columns(std::vector<Number> inputs, const Number& one,
                                                   const Run& run) const {
  const std::size_t size = form_.state.size(), first = inputs.size();
  Values<Number> result{std::vector<Number>(kept_.size() * size), std::vector<Number>(constraints_.size() * size)};
  for (std::size_t j = 0; j < size; j += columns_at_once) {
    const std::size_t count = std::min(columns_at_once, size - j);
    inputs.resize(first);
    inputs.resize(first + columns_at_once * size);
    for (std::size_t k = 0; k < count; ++k) inputs[first + k * size + j + k] = one;
    const std::vector<Number> found = run(inputs);
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t i = 0; i < kept_.size(); ++i) result.rates[i * size + j + k] = found[i * columns_at_once + k];
      for (std::size_t r = 0; r < constraints_.size(); ++r)
        result.constraints[r * size + j + k] = found[(kept_.size() + r) * columns_at_once + k];
    }
  }
  return result;
}

ReducedField::Values<double> ReducedField::derivatives(std::span<const double> y,
                                                       std::span<const double> parameters) const {
  const bool by_column = column_by_column();
  const Program& program = by_column ? column_program() : derivative_program();
  Interpreter run(program);
  const auto values = [&](std::span<const double> inputs) {
    std::vector<double> all(program.output_count(), std::numeric_limits<double>::quiet_NaN());
    run(inputs, all);
    return all;
  };
  if (by_column) return columns(inputs_of(y, 0.0, parameters), 1.0, values);
  const std::vector<double> all = values(inputs_of(y, 0.0, parameters));
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(kept_.size() * y.size());
  return {{all.begin(), middle}, {middle, all.end()}};
}

ReducedField::Values<Ball> ReducedField::derivatives(std::span<const Ball> y, std::span<const Ball> parameters,
                                                     long bits) const {
  const bool by_column = column_by_column();
  const Program& program = by_column ? column_program() : derivative_program();
  const auto values = [&](std::span<const Ball> inputs) {
    std::vector<Ball> all;
    if (run_in_balls(program, inputs, all, bits) >= 0) all.assign(program.output_count(), Ball::anything());
    return all;
  };
  if (by_column) {
    Ball one;
    one.set(1L);
    return columns(inputs_of(y, Ball(), parameters), one, values);
  }
  const std::vector<Ball> all = values(inputs_of(y, Ball(), parameters));
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(kept_.size() * y.size());
  return {{all.begin(), middle}, {middle, all.end()}};
}

std::vector<double> ReducedField::constraint_slopes(std::span<const double> y,
                                                    std::span<const double> parameters) const {
  std::vector<double> all(constraint_slope_program().output_count(), std::numeric_limits<double>::quiet_NaN());
  Interpreter run(constraint_slope_program());
  run(inputs_of(y, 0.0, parameters), all);
  return all;
}

std::vector<double> ReducedField::inputs(std::span<const double> y, std::span<const double> parameters) const {
  return inputs_of(y, 0.0, parameters);
}

Program ReducedField::slopes_program(std::vector<std::vector<Derivation::Seed>> directions) const {
  return slopes_program(std::move(directions), form_.inputs());
}

Program ReducedField::slopes_program(std::vector<std::vector<Derivation::Seed>> directions,
                                     const std::vector<Expr>& inputs) const {
  std::vector<Expr> of_constraints;
  for (const Expr g : constraints_) {
    for (const auto& seeds : directions) {
      Derivation along(seeds);
      of_constraints.push_back(along(g));
    }
  }
  const std::size_t count = directions.size();
  const FirstOrderSystem::Jacobian slopes = slopes_along(form_, std::move(directions));
  std::vector<Expr> outputs;
  for (const std::size_t i : kept_) {
    for (std::size_t j = 0; j < count; ++j) outputs.push_back(slopes.entries(i, j));
  }
  outputs.insert(outputs.end(), of_constraints.begin(), of_constraints.end());
  return {outputs, inputs, slopes.systems.blocks};
}

// Positions by constraints on positions, velocities by the others.
ReducedField::Dependent ReducedField::dependent(std::span<const double> y, std::span<const double> parameters) const {
  Dependent result;
  if (constraints_.empty()) return result;
  const std::vector<double> all = constraint_slopes(y, parameters);
  const std::size_t size = y.size();
  const auto choose = [&](bool positions) {
    std::vector<std::size_t> rows, columns;
    for (const std::size_t i : kept_)
      if (is_position(i) == positions) columns.push_back(i);
    for (std::size_t r = 0; r < constraints_.size(); ++r) {
      bool on_velocities = false;
      for (std::size_t i = 0; i < size; ++i)
        on_velocities =
            on_velocities || (!is_position(i) && depends_on(constraints_[r], std::span(&form_.state[i].symbol, 1)));
      if (on_velocities != positions) rows.push_back(r);
    }
    std::vector<double> part;
    for (const std::size_t r : rows) {
      for (const std::size_t c : columns) part.push_back(all[r * size + c]);
    }
    const RegularPart regular = regular_part(std::move(part), rows.size(), columns.size());
    for (std::size_t i = 0; i < regular.rows.size(); ++i) {
      result.rows.push_back(rows[regular.rows[i]]);
      result.components.push_back(columns[regular.columns[i]]);
    }
  };
  choose(true);
  choose(false);
  return result;
}

std::vector<std::size_t> ReducedField::independent(const Dependent& dependent) const {
  std::vector<std::size_t> result;
  for (const std::size_t i : kept_)
    if (std::ranges::find(dependent.components, i) == dependent.components.end()) result.push_back(i);
  return result;
}

std::optional<std::vector<Ball>> ReducedField::lift(const Dependent& dependent, std::span<const Ball> y,
                                                    std::span<const Ball> parameters, long bits) const {
  return lift(dependent, constraints_.empty() ? std::vector<Ball>() : derivatives(y, parameters, bits).constraints,
              bits);
}

std::optional<std::vector<Ball>> ReducedField::lift(const Dependent& dependent, std::span<const Ball> all,
                                                    long bits) const {
  const std::vector<std::size_t> z = independent(dependent);
  const std::size_t k = dependent.rows.size(), m = z.size(), size = form_.state.size();
  std::vector<Ball> solved;
  if (k > 0) {
    std::vector<Ball> matrix;
    for (const std::size_t r : dependent.rows) {
      for (const std::size_t c : dependent.components) matrix.push_back(all[r * size + c]);
      for (const std::size_t c : z) solved.push_back(-all[r * size + c]);
    }
    if (!solve_in_balls(matrix, solved, k, m, bits)) return std::nullopt;
  }
  std::vector<Ball> result(kept_.size() * m);
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const auto free = std::ranges::find(z, kept_[i]);
    if (free != z.end()) {
      result[i * m + static_cast<std::size_t>(free - z.begin())].set(1L);
      continue;
    }
    const auto row =
        static_cast<std::size_t>(std::ranges::find(dependent.components, kept_[i]) - dependent.components.begin());
    for (std::size_t j = 0; j < m; ++j) result[i * m + j] = solved[row * m + j];
  }
  return result;
}

std::optional<std::vector<Ball>> ReducedField::matrix(const Dependent& dependent, std::span<const Ball> y,
                                                      std::span<const Ball> parameters, long bits) const {
  return matrix(dependent, derivatives(y, parameters, bits), bits);
}

std::optional<std::vector<Ball>> ReducedField::matrix(const Dependent& dependent, const Values<Ball>& slopes,
                                                      long bits) const {
  const auto& [all, of_constraints] = slopes;
  const auto along = lift(dependent, of_constraints, bits);
  if (!along) return std::nullopt;
  const std::vector<std::size_t> z = independent(dependent);
  const std::size_t m = z.size(), size = form_.state.size();
  std::vector<Ball> result;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (std::ranges::find(z, kept_[i]) == z.end()) continue;
    for (std::size_t j = 0; j < m; ++j) {
      Ball sum;
      for (std::size_t l = 0; l < kept_.size(); ++l)
        sum.add_product(all[i * size + kept_[l]], (*along)[l * m + j], bits);
      if (!sum.is_finite()) return std::nullopt;
      result.push_back(std::move(sum));
    }
  }
  return result;
}

std::optional<std::vector<double>> ReducedField::matrix(const Dependent& dependent,
                                                        const Values<double>& slopes) const {
  const auto& [rates, constraints] = slopes;
  if (!all_finite(rates) || !all_finite(constraints)) return std::nullopt;
  const std::vector<std::size_t> z = independent(dependent);
  const std::size_t k = dependent.rows.size(), m = z.size(), size = form_.state.size();
  DenseMatrix solved(k, m);
  if (k > 0) {
    DenseMatrix matrix(k, k);
    for (std::size_t r = 0; r < k; ++r) {
      for (std::size_t c = 0; c < k; ++c)
        matrix(r, c) = constraints[dependent.rows[r] * size + dependent.components[c]];
      for (std::size_t c = 0; c < m; ++c) solved(r, c) = -constraints[dependent.rows[r] * size + z[c]];
    }
    CompleteLu lu;
    lu.compute(matrix);
    if (!lu.invertible()) return std::nullopt;
    solved = lu.solve(solved);
  }
  std::vector<double> result;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (std::ranges::find(z, kept_[i]) == z.end()) continue;
    for (std::size_t j = 0; j < m; ++j) {
      double sum = rates[i * size + z[j]];
      for (std::size_t r = 0; r < k; ++r) sum += rates[i * size + dependent.components[r]] * solved(r, j);
      result.push_back(sum);
    }
  }
  return result;
}

}  // namespace cetaev
