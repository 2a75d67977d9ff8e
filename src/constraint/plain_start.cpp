#include "plain_start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cetaev/detail/constraint/around.hpp"
#include "cetaev/detail/expr/walk.hpp"

namespace cetaev {

namespace {

// Of the linear equations for the velocities, beside rows of length 1: rounding over this is what a state is known to.
constexpr double least_pivot = std::numeric_limits<double>::epsilon() / known_state;

// Within the first part of what a state is known to a row is zero, beyond the second it is not; what is in between, the balls of the
// search decide.
constexpr double surely = 0.5, surely_not = 2;

// Zeros in doubles are zeros: exponentials have limits whose differences from them rounding swallows, other functions ends and edges.
bool is_plain(const ConstraintSet& set) {
  const auto all = topological(set.residual);
  return std::none_of(all.begin(), all.end(), [](Expr e) {
    return e.kind() == Kind::power ||
           (e.kind() == Kind::function && e.function() != Function::sin && e.function() != Function::cos);
  });
}

Program rows_and_jacobian(const System& system, const ConstraintSet& set) {
  const Matrix by_position = jacobian(set.residual, system->motion.q);
  std::vector<Expr> outputs;
  for (const std::size_t i : set.position_rows) outputs.push_back(set.residual[i]);
  for (const std::size_t i : set.velocity_rows) outputs.push_back(set.phi[i]);
  const auto add = [&](const Matrix& matrix, std::size_t row) {
    for (std::size_t j = 0; j < matrix.columns; ++j) outputs.push_back(matrix(row, j));
  };
  for (const std::size_t i : set.position_rows) add(by_position, i);
  for (const std::size_t i : set.velocity_rows) add(set.jacobian, i);
  return Program(outputs, state_symbols(system));
}

}  // namespace

PlainStart::PlainStart(const System& system, const ConstraintSet& set, bool affine_in_velocities)
    : n_(system->size()),
      position_rows_(set.position_rows.size()),
      rows_(position_rows_ + set.velocity_rows.size()),
      kinds_(kinds_of(system)),
      plain_(is_plain(set)),
      linear_(affine_in_velocities && rows_ > position_rows_),
      named_(system->dependent.has_value()),
      program_(rows_and_jacobian(system, set)),
      run_(program_),
      inputs_(2 * n_ + 1 + system->parameters.size()),
      outputs_(program_.output_count()),
      lengths_(rows_ - position_rows_),
      decomposition_(std::max<std::size_t>(1, lengths_.size()), std::max<std::size_t>(1, lengths_.size())) {
  const std::size_t k = lengths_.size();
  right_.resize(k);
  step_.resize(k);
  if (named_) {
    unknowns_ = *system->dependent;
    linear_ = linear_ && unknowns_.size() == k;
  } else {
    // where all are written all of them move
    classes_.emplace_back();
    for (std::size_t i = 0; i < n_; ++i)
      if (!system->initial.v[i]) classes_.front().push_back(i);
    linear_ = linear_ && classes_.front().size() >= k;
  }
}

bool PlainStart::evaluate(const State& state, std::span<const double> parameters) {
  auto next = std::copy(state.q.begin(), state.q.end(), inputs_.begin());
  next = std::copy(state.v.begin(), state.v.end(), next);
  *next++ = state.t;
  std::copy(parameters.begin(), parameters.end(), next);
  return all_finite(inputs_) && run_(inputs_, outputs_) < 0 && all_finite(outputs_);
}

double PlainStart::known(std::size_t row, std::span<const double> of) const {
  const std::vector<double> off = state_errors(of, kinds_);
  double sum = 0;
  for (std::size_t j = 0; j < n_; ++j) sum += std::fabs(entry(row, j)) * off[j];
  return sum;
}

bool PlainStart::find(State& state, std::span<const double> parameters) {
  if (!plain_ || !evaluate(state, parameters)) return false;
  const auto values = std::span(outputs_).first(rows_);
  if (std::all_of(values.begin(), values.end(), [](double value) { return value == 0; })) return true;
  if (!linear_) return false;
  for (std::size_t i = 0; i < position_rows_; ++i)
    if (!(std::fabs(values[i]) <= surely * known(i, state.q))) return false;
  bool there = true, away = false;
  for (std::size_t i = position_rows_; i < rows_; ++i) {
    const double off = std::fabs(values[i]), allowed = known(i, state.v);
    there = there && off <= surely * allowed;
    away = away || off > surely_not * allowed;
  }
  return there || (away && solve(state, parameters));
}

bool PlainStart::choose_unknowns() {
  const std::size_t k = lengths_.size();
  DenseMatrix all(k, n_);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < n_; ++j) all(i, j) = entry(position_rows_ + i, j);
    lengths_[i] = row_length(all, i);
    if (!(lengths_[i] > 0)) return false;
  }
  if (!named_) unknowns_ = pivots(all, std::vector<double>(k), classes_).columns;
  if (unknowns_.size() != k) return false;
  matrix_ = all.select_columns(unknowns_);
  for (std::size_t i = 0; i < k; ++i) matrix_.scale_row(i, 1 / lengths_[i]);
  decomposition_.compute(matrix_);
  return decomposition_.pivot(k - 1) > least_pivot;
}

double PlainStart::residual() const {
  double largest = 0;
  for (std::size_t i = 0; i < lengths_.size(); ++i)
    largest = std::max(largest, std::fabs(outputs_[position_rows_ + i]) / lengths_[i]);
  return largest;
}

// x − J⁻¹F, and again as long as that takes something away: what is left is rounding.
bool PlainStart::solve(State& state, std::span<const double> parameters) {
  if (!choose_unknowns()) return false;
  constexpr int most = 4;
  const std::vector<double> given = state.v;
  std::vector<double> best = given;
  double least = residual();
  for (int i = 0; i < most && least > 0; ++i) {
    for (std::size_t row = 0; row < right_.size(); ++row) right_[row] = outputs_[position_rows_ + row] / lengths_[row];
    decomposition_.solve(right_, step_);
    for (std::size_t k = 0; k < unknowns_.size(); ++k) state.v[unknowns_[k]] -= step_[k];
    if (!evaluate(state, parameters) || !(residual() < least)) break;
    least = residual();
    best = state.v;
  }
  state.v = best;
  bool found = evaluate(state, parameters);
  for (std::size_t i = position_rows_; i < rows_; ++i)
    found = found && std::fabs(outputs_[i]) <= surely * known(i, state.v);
  if (!found) state.v = given;
  return found;
}

}  // namespace cetaev
