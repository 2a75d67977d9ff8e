#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "cells.hpp"
#include "cetaev/detail/algebra/switching.hpp"
#include "cetaev/detail/constraint/around.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "on_set_implementation.hpp"
#include "state_search.hpp"
#include "zero_set.hpp"

namespace cetaev {

namespace {

constexpr std::uint64_t attempts = 40;

std::vector<double> midpoints(std::span<const Ball> values) {
  std::vector<double> result;
  for (const Ball& value : values) result.push_back(value.midpoint());
  return result;
}

// q, v, t, parameters
std::vector<Ball> balls_at(const System& system, const State& state) {
  std::vector<Ball> values;
  for (const double value : state_values(state, {})) values.push_back(Ball::from_double(value));
  for (const Ball& parameter : parameter_balls(system, OnSet::bits)) values.push_back(parameter);
  return values;
}

bool all_positive(std::span<const Expr> expressions, const PreciseState& state) {
  return std::ranges::all_of(evaluate_balls(expressions, state.values, OnSet::bits),
                             [](const Ball& value) { return value.is_finite() && value.midpoint() > 0; });
}

}  // namespace

PreciseLevel::There PreciseLevel::at(std::span<const Ball> values) const {
  const std::vector<double> inputs = midpoints(values);
  There result{DenseMatrix(equations.size(), unknowns.size()), {}};
  std::vector<double> f(equations.size());
  map->evaluate(inputs, f, result.jacobian);
  if (!all_finite(result.jacobian.entries())) return result;
  result.chosen = pivots(result.jacobian, map->jacobian_errors(around_state(inputs, unknowns.size(), map->kinds())),
                         {all_indices(unknowns.size())});
  return result;
}

void PreciseLevel::approach(std::vector<Ball>& values) const {
  std::vector<double> inputs = midpoints(values);
  const auto first = inputs.begin() + static_cast<std::ptrdiff_t>(offset);
  std::vector<double> x(first, first + static_cast<std::ptrdiff_t>(unknowns.size()));
  if (!zero_set_of(*map, inputs).reach(x)) return;
  for (std::size_t i = 0; i < x.size(); ++i) values[offset + i] = Ball::from_double(x[i]);
}

std::vector<Ball> PreciseState::inputs() const {
  std::vector<Ball> result;
  for (std::size_t i = 0; i + rounded.q.size() < values.size(); ++i) result.push_back(values[i].second);
  return result;
}

bool OnSet::Implementation::solve(PreciseLevel& level, std::vector<Ball>& values, Pivots& chosen) {
  if (level.equations.empty()) return true;
  if (!level.program) level.program.emplace(level.equations, symbols);
  PreciseLevel::There there = level.at(values);
  chosen = std::move(there.chosen);
  const std::size_t k = chosen.rows.size();
  double size = 1;  // of the unknowns
  for (std::size_t i = 0; i < level.unknowns.size(); ++i)
    size = std::max(size, std::fabs(values[level.offset + i].midpoint()));
  DenseMatrix j(k, k);
  std::vector<double> sizes;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t c = 0; c < k; ++c) j(i, c) = there.jacobian(chosen.rows[i], chosen.columns[c]);
    sizes.push_back(size * row_length(there.jacobian, chosen.rows[i]));
    places.push_back(level.offset + chosen.columns[i]);
  }
  if (!refine_in_balls({*level.program, chosen.rows, places, std::move(j), sizes}, values)) return false;
  // equations that depend on the chosen ones must hold as well
  const std::vector<BallValue> at = with_symbols(values);
  return std::ranges::all_of(level.equations, [&](Expr e) { return zero_at(e, at); });
}

std::vector<BallValue> OnSet::Implementation::with_symbols(std::span<const Ball> values) const {
  std::vector<BallValue> result;
  for (std::size_t i = 0; i < symbols.size(); ++i) result.emplace_back(symbols[i], values[i]);
  return result;
}

PreciseState OnSet::Implementation::at_rough(const State& state) const {
  PreciseState result;
  result.rounded = state;
  std::vector<Ball> values = balls_at(system, state);
  values.resize(symbols.size());
  result.values = with_symbols(values);
  return result;
}

bool OnSet::Implementation::meets_conditions(const Piece& piece, const PreciseState& state) {
  return all_positive(piece.component.positive, state);
}

bool OnSet::Implementation::loses_rank(std::size_t number, const State& at, std::size_t rank) const {
  if (pieces[number].component.as_written) return false;
  try {
    return rank < admissible->rank_on(number, at).rank;
  } catch (const Error&) {
    return true;  // no finite derivatives
  }
}

std::optional<PreciseState> OnSet::refine(const State& state) { return implementation_->refine(state, 0); }

std::optional<PreciseState> OnSet::Implementation::refine(const State& state, std::uint64_t accelerations) {
  const std::size_t n = system->size();
  std::vector<Ball> values = balls_at(system, state);
  Random random(7 + accelerations);
  for (std::size_t i = 0; i < n; ++i) values.push_back(Ball::from_double(random.uniform(-1, 1)));

  PreciseState result;
  try {
    Pivots positions, velocities, second;
    if (!solve(levels[0], values, positions)) return std::nullopt;
    if (!solve(levels[1], values, velocities)) return std::nullopt;
    // positions and velocities are close by already; accelerations are anything
    levels[2].approach(values);
    if (!solve(levels[2], values, second)) return std::nullopt;
    for (const std::size_t i : velocities.rows) result.rows.push_back(levels[1].rows[i]);
    for (const std::size_t i : second.rows) result.rows.push_back(levels[2].rows[i]);
    result.dependent = velocities.columns;
  } catch (const Error&) {
    return std::nullopt;
  }
  std::sort(result.rows.begin(), result.rows.end());
  std::sort(result.dependent.begin(), result.dependent.end());
  result.rounded = state;
  for (std::size_t i = 0; i < n; ++i) {
    result.rounded.q[i] = values[i].midpoint();
    result.rounded.v[i] = values[n + i].midpoint();
  }
  result.values = with_symbols(values);
  return result;
}

namespace {

// What is asked of a model may bend or jump wherever something in it does.
std::vector<Expr> everything_in(const System& system) {
  std::vector<Expr> all = {system->lagrangian};
  all.insert(all.end(), system->forces.begin(), system->forces.end());
  for (const Constraint& constraint : system->constraints) all.push_back(constraint.expression);
  for (const NamedExpression& integral : system->integrals) all.push_back(integral.expression);
  return all;
}

// Every choice of sides of a few; of many the sides of each, alone.
std::vector<std::vector<CellSide>> cells_of(std::span<const Expr> switches) {
  constexpr std::size_t few = 4;
  std::vector<std::vector<CellSide>> cells;
  if (switches.size() > few) {
    for (const Expr e : switches)
      for (const int sign : {1, -1}) cells.push_back({{e, sign}});
    return cells;
  }
  for (std::size_t choice = 0; choice < (std::size_t{1} << switches.size()); ++choice) {
    auto& cell = cells.emplace_back();
    for (std::size_t i = 0; i < switches.size(); ++i) cell.push_back({switches[i], (choice >> i & 1) != 0 ? -1 : 1});
  }
  return cells;
}

std::string text_of(const std::vector<CellSide>& cell) {
  std::string text;
  for (const CellSide& side : cell) text += (text.empty() ? "" : ", ") + side.text();
  return text;
}

// Fills the list of states of one branch.
class BranchSampler {
 public:
  BranchSampler(OnSet::Implementation& inside, std::size_t number)
      : inside_(inside), number_(number), piece_(inside.pieces[number]) {
    moving_ = inside.symbols;  // q, v, t
    moving_.erase(moving_.begin() + static_cast<std::ptrdiff_t>(2 * inside.system->size() + 1), moving_.end());
    expressions_ = substitute(everything_in(piece_.component.system), inside.exact);
    switches_ = switching(expressions_, moving_);
    for (const Expr e : margins(expressions_, moving_)) domain_.push_back({e, 1});
    for (const std::size_t i : inside.levels[2].rows)
      on_accelerations_.push_back(substitute(piece_.component.system->constraints[i].expression, inside.exact));
    for (const Constraint& constraint : piece_.component.system->constraints)
      for (const Expr bent : absolute_values(with_absolute_values(constraint.expression), moving_))
        edges_.push_back(bent.operands()[0]);
  }

  void run() {
    for (const double far : {1.0, 8.0, 64.0}) {
      if (far > 1 && piece_.rough) break;
      for (std::uint64_t seed = 1; seed <= attempts && found_ < OnSet::wanted_states; ++seed)
        if (const std::optional<State> rough = inside_.admissible->random_on(number_, seed, far)) take(*rough);
    }
    other_sheets();
    inside_conditions();
    sides();
    near_what_is_steep();
    hand_over();
  }

 private:
  using Sides = std::vector<int>;  // of the switches: 1, −1, or 0 where one is not defined

  // The sides on which a state lies that is kept.
  const Sides* take(const State& rough) {
    piece_.rough = rough;
    std::optional<PreciseState> state = refined(rough);
    // where the constraints have less rank than the branch they lose their gradients, as those of a square do
    if (!state || inside_.loses_rank(number_, rough, state->rows.size())) return nullptr;
    // on the edge of a region there are no derivatives, whatever they are on either side
    if (std::ranges::any_of(edges_, [&](Expr e) { return zero_at(e, state->values); })) return nullptr;
    state->branch = number_;
    Sides sides;
    for (const Expr e : switches_) {
      const Ball value = evaluate_ball(e, state->values, OnSet::bits);
      sides.push_back(!value.is_finite() ? 0 : value.midpoint() > 0 ? 1 : -1);
    }
    const auto cell = cells_.try_emplace(std::move(sides)).first;
    // generic states only: those of the largest rank
    std::vector<PreciseState>& here = cell->second;
    if (!here.empty() && state->rows.size() < here.front().rows.size()) return nullptr;
    if (!here.empty() && state->rows.size() > here.front().rows.size()) here.clear();
    here.push_back(std::move(*state));
    ++found_;
    return &cell->first;
  }

  // Accelerations are any that satisfy the constraints on them: of several starts one may lead to this branch.
  std::optional<PreciseState> refined(const State& rough) {
    constexpr std::uint64_t starts = 8;
    for (std::uint64_t start = 0; start < starts; ++start) {
      std::optional<PreciseState> state = inside_.refine(rough, start);
      if (!state) return std::nullopt;
      const bool here = inside_.meets_conditions(piece_, *state) &&
                        std::ranges::all_of(on_accelerations_, [&](Expr e) { return zero_at(e, state->values); });
      if (here) return state;
      if (inside_.levels[2].equations.empty()) break;
    }
    return std::nullopt;
  }

  // Of what bends.
  void other_sheets() {
    if (cells_.empty()) return;
    const State at = cells_.begin()->second.front().rounded;
    for (const State& other : inside_.admissible->others_on(number_, at)) take(other);
  }

  // Where a branch has conditions.
  void inside_conditions() {
    std::vector<CellSide> conditions;
    for (const Expr e : substitute(piece_.component.positive, inside_.exact))
      if (!depends_on(e, inside_.system->motion.a)) conditions.push_back({e, 1});
    for (const Rational& scale : {Rational(1), Rational(8), Rational(64), Rational(1, 8)}) {
      for (std::uint64_t seed = 1; seed <= 4 && !conditions.empty() && found_ < OnSet::wanted_states; ++seed)
        if (const auto rough = state_on(piece_.component.system, conditions, scale, seed)) take(*rough);
    }
  }

  // Every side of what bends or jumps, near and far.
  void sides() {
    for (const std::vector<CellSide>& cell : cells_of(switches_)) {
      if (cell.empty() || cells_.empty()) continue;
      std::size_t there = 0;
      for (const auto& [sides, list] : cells_)
        if (lies_in(sides, cell))
          there += static_cast<std::size_t>(
              std::ranges::count_if(list, [&](const auto& state) { return has_values(state); }));
      constexpr std::size_t enough = 2;
      for (const Rational& scale : {Rational(1), Rational(1, 8), Rational(8), Rational(64), Rational(1000)}) {
        for (std::uint64_t seed = 1; seed <= 4 && there < enough; ++seed) {
          const auto rough = on_side(cell, scale, seed);
          const Sides* sides = rough ? take(*rough) : nullptr;
          if (sides == nullptr || !lies_in(*sides, cell)) continue;
          ++there;
          break;
        }
      }
      if (there == 0) inside_.not_reached.push_back(text_of(cell));
    }
  }

  // Where everything in the model has values, if there is such a state.
  std::optional<State> on_side(const std::vector<CellSide>& cell, const Rational& scale, std::uint64_t seed) const {
    const System& system = piece_.component.system;
    if (!domain_.empty()) {
      std::vector<CellSide> both = cell;
      both.insert(both.end(), domain_.begin(), domain_.end());
      if (std::optional<State> state = state_on(system, both, scale, seed)) return state;
    }
    return state_on(system, cell, scale, seed);
  }

  bool has_values(const PreciseState& state) const {
    std::vector<Expr> margins;
    for (const CellSide& side : domain_) margins.push_back(side.expression);
    return all_positive(margins, state);
  }

  bool lies_in(const Sides& sides, const std::vector<CellSide>& cell) const {
    return std::ranges::all_of(cell, [&](const CellSide& side) {
      const auto place = std::ranges::find(switches_, side.expression) - switches_.begin();
      return sides[static_cast<std::size_t>(place)] == side.sign;
    });
  }

  // Far from there it is nothing beside the rest.
  void near_what_is_steep() {
    for (const Expr e : steep(expressions_, moving_)) {
      if (is_seen(e)) continue;
      for (const int sign : {1, -1}) {
        bool reached = false;
        for (const Rational& scale : {Rational(1, 8), Rational(1)}) {
          for (std::uint64_t seed = 1; seed <= 2 && !reached; ++seed) {
            const auto rough = state_near(piece_.component.system, {e, sign}, scale, seed);
            reached = rough && take(*rough) != nullptr;
          }
        }
      }
    }
  }

  bool is_seen(Expr e) const {
    return std::ranges::any_of(cells_, [&](const auto& cell) {
      return std::ranges::any_of(cell.second, [&](const PreciseState& state) {
        const Ball value = evaluate_ball(e, state.values, OnSet::bits);
        return value.is_finite() && std::abs(value.midpoint()) < seen_from;
      });
    });
  }

  // Those of the largest rank first: what looks at a few looks at these.
  void hand_over() {
    std::vector<std::pair<Sides, std::vector<PreciseState>>> ordered(std::make_move_iterator(cells_.begin()),
                                                                     std::make_move_iterator(cells_.end()));
    std::erase_if(ordered, [](const auto& cell) { return cell.second.empty(); });
    std::ranges::stable_sort(ordered, std::greater(), [](const auto& cell) { return cell.second.front().rows.size(); });
    for (auto& [sides, list] : ordered) {
      std::vector<CellSide> cell;
      for (std::size_t i = 0; i < sides.size(); ++i) cell.push_back({switches_[i], sides[i]});
      const OnSet::RankThere here{text_of(cell), list.front().rows.size()};
      const bool known = std::ranges::any_of(inside_.ranks, [&](const OnSet::RankThere& other) {
        return other.where == here.where && other.rank == here.rank;  // on another branch
      });
      if (!known) inside_.ranks.push_back(here);
      for (PreciseState& state : list) {
        piece_.states.push_back(inside_.states->size());
        inside_.states->push_back(std::move(state));
      }
    }
  }

  OnSet::Implementation& inside_;
  std::size_t number_;
  OnSet::Implementation::Piece& piece_;
  std::vector<Expr> moving_, expressions_, switches_;
  std::vector<CellSide> domain_;        // what is positive where everything in the model has values
  std::vector<Expr> on_accelerations_;  // constraints of the branch
  std::vector<Expr> edges_;             // what stands in absolute values of the constraints
  std::map<Sides, std::vector<PreciseState>> cells_;
  std::size_t found_ = 0;
};

}  // namespace

const std::vector<PreciseState>& OnSet::states() {
  Implementation& inside = *implementation_;
  if (inside.states) return *inside.states;
  inside.states.emplace();
  inside.take_apart();
  // where gradients say nothing of the set, as those of a square, no state is regular, whatever its rank
  if (!inside.admissible->regular()) return *inside.states;
  for (std::size_t k = 0; k < inside.pieces.size(); ++k) BranchSampler(inside, k).run();
  for (Implementation::Piece& piece : inside.pieces) {
    if (!piece.states.empty()) continue;
    piece.empty = inside.proved_empty(piece);
    if (piece.empty || inside.pieces.size() == 1) continue;
    std::string equations;
    for (const Constraint& c : piece.component.system->constraints)
      equations += (equations.empty() ? "" : ", ") + to_string(c.expression) + " = 0";
    inside.not_reached.push_back(equations);
  }
  return *inside.states;
}

}  // namespace cetaev
