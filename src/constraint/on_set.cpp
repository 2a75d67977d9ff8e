#include "cetaev/constraint/on_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "cells.hpp"
#include "cetaev/algebra/degree.hpp"
#include "cetaev/detail/algebra/switching.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/constraint/around.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/constraint/explicit_form.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/program/program.hpp"
#include "components.hpp"
#include "state_map.hpp"
#include "state_search.hpp"
#include "zero_set.hpp"

namespace cetaev {

namespace {

constexpr std::uint64_t attempts = 40;
// What is larger than this is left to the evaluation: a proof would take longer than a reader waits.
constexpr std::size_t largest_to_prove = 1500;

// The equations of one order with their Jacobian by the unknowns of that order.
struct PreciseLevel {
  std::vector<std::size_t> rows;  // in the set
  std::vector<Expr> equations;
  std::vector<Expr> unknowns;
  std::size_t offset = 0;          // of the unknowns among the symbols
  std::unique_ptr<StateMap> map;   // both in doubles
  std::optional<Program> program;  // of the equations, once they are solved

  static std::vector<double> rounded(std::span<const Ball> values) {
    std::vector<double> result;
    for (const Ball& value : values) result.push_back(value.midpoint());
    return result;
  }

  // Independent equations at a state and the unknowns on which they are regular.
  struct There {
    DenseMatrix jacobian;
    Pivots chosen;
  };
  There at(std::span<const Ball> values) const {
    const std::vector<double> inputs = rounded(values);
    There result{DenseMatrix(equations.size(), unknowns.size()), {}};
    std::vector<double> f(equations.size());
    map->evaluate(inputs, f, result.jacobian);
    if (!all_finite(result.jacobian.entries())) return result;
    result.chosen = pivots(result.jacobian, map->jacobian_errors(around_state(inputs, unknowns.size())),
                           {all_indices(unknowns.size())});
    return result;
  }

  // Newton's method in doubles, from wherever the unknowns are.
  void approach(std::vector<Ball>& values) const {
    std::vector<double> inputs = rounded(values);
    const auto first = inputs.begin() + static_cast<std::ptrdiff_t>(offset);
    std::vector<double> x(first, first + static_cast<std::ptrdiff_t>(unknowns.size()));
    ZeroSet set(equations.size(), unknowns.size(), [&](const auto& at, auto& f, auto& j) {
      std::copy(at.begin(), at.end(), first);
      map->evaluate(inputs, f, j);
    });
    if (!set.reach(x)) return;
    for (std::size_t i = 0; i < x.size(); ++i) values[offset + i] = Ball::from_double(x[i]);
  }
};

std::vector<Expr> symbols_of(const System& system) {
  std::vector<Expr> symbols = state_symbols(system);
  symbols.insert(symbols.end(), system->motion.a.begin(), system->motion.a.end());
  return symbols;
}

}  // namespace

struct OnSet::Implementation {
  using Branch = std::vector<Replacement>;  // unknowns and what they are equal to

  Implementation(const System& s, std::shared_ptr<Admissible> with)
      : system(s), admissible(std::move(with)), symbols(symbols_of(s)), exact(exact_parameters(s)) {
    const ConstraintSet& set = admissible->constraints();
    const Motion& motion = s->motion;
    const auto level = [&](const std::vector<Expr>& source, const std::vector<Expr>& unknowns, std::size_t offset,
                           auto belongs) {
      PreciseLevel result;
      result.unknowns = unknowns;
      result.offset = offset;
      for (std::size_t i = 0; i < set.size(); ++i) {
        if (!belongs(set.order[i])) continue;
        result.rows.push_back(i);
        result.equations.push_back(source[i]);
      }
      result.map = std::make_unique<StateMap>(s, result.equations, jacobian(result.equations, unknowns),
                                              all_indices(result.equations.size()), offset);
      return result;
    };
    const std::size_t n = s->size();
    levels[0] = level(set.residual, motion.q, 0, [](int order) { return order == 0; });
    levels[1] = level(set.phi, motion.v, n, [](int order) { return order <= 1; });
    levels[2] = level(set.residual, motion.a, symbols.size() - n, [](int order) { return order == 2; });
  }

  // Solves the equations of one level in balls for the unknowns that pivoting chooses; the others stay as they are.
  bool solve(PreciseLevel& level, std::vector<Ball>& values, Pivots& chosen) {
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

  std::vector<BallValue> with_symbols(std::span<const Ball> values) const {
    std::vector<BallValue> result;
    for (std::size_t i = 0; i < symbols.size(); ++i) result.emplace_back(symbols[i], values[i]);
    return result;
  }

  // One branch of the set, in the equations that it has for itself.
  struct Piece {
    Component component;
    std::vector<Expr>
        equations[2];  // of positions, and of velocities, for each constraint that has them; in exact numbers
    std::vector<std::size_t> states;
    std::optional<State> rough;  // where its equations hold, whatever its conditions say
    bool empty = false;          // as was proved
    // All ways to insert its velocities, and its positions too, once they were asked for; nothing where not all are known.
    std::optional<std::optional<std::vector<Branch>>> velocity_ways, ways;
  };

  // Ways to insert the constraints into an expression, unknowns and what they are equal to: those of the branches on which
  // these states lie, or none where one of them cannot be written down.
  std::vector<Branch> branches_at(std::span<const PreciseState> at) {
    std::vector<Branch> result;
    for (const PreciseState& state : at) {
      std::optional<Branch> branch = branch_of(piece_of(state), state);
      if (!branch) return {};
      if (std::ranges::find(result, *branch) == result.end()) result.push_back(std::move(*branch));
    }
    return result;
  }

  // The unknowns of one order for which the equations of a piece are solved at a state.
  struct Solvable {
    std::vector<Expr> equations, unknowns;
  };
  Solvable solvable(const Piece& piece, int order, const PreciseState& state) const {
    const PreciseLevel& level = levels[static_cast<std::size_t>(order)];
    std::vector<Ball> values;
    for (const BallValue& value : state.values) values.push_back(value.second);
    const Pivots chosen = level.at(values).chosen;
    Solvable result;
    for (const std::size_t i : chosen.rows) result.equations.push_back(piece.equations[order][i]);
    for (const std::size_t j : chosen.columns) result.unknowns.push_back(level.unknowns[j]);
    // the same branch must look the same whichever pivots found it
    std::sort(result.unknowns.begin(), result.unknowns.end());
    return result;
  }

  std::optional<Branch> branch_of(const Piece& piece, const PreciseState& state) const {
    // Velocities first: their expressions may contain the positions that come after them.
    std::vector<Replacement> velocities, positions;
    for (const int order : {1, 0}) {
      if (levels[static_cast<std::size_t>(order)].equations.empty()) continue;
      const Solvable set = solvable(piece, order, state);
      auto solution = explicit_form(system, set.equations, set.unknowns, state.rounded);
      if (!solution) return std::nullopt;
      for (std::size_t i = 0; i < set.unknowns.size(); ++i) {
        (order == 1 ? velocities : positions).emplace_back(set.unknowns[i], (*solution)[i]);
      }
    }
    return inserted(velocities, positions);
  }

  static Branch inserted(Branch velocities, const Branch& positions) {
    for (Replacement& r : velocities) r.second = substitute(r.second, positions);
    velocities.insert(velocities.end(), positions.begin(), positions.end());
    return velocities;
  }

  // All ways to insert a piece: one where its equations are affine in their unknowns, else every solution. Nothing where
  // not all of them can be written down.
  const std::optional<std::vector<Branch>>& ways_of(Piece& piece, bool positions_too = true) {
    auto& kept = positions_too ? piece.ways : piece.velocity_ways;
    if (kept) return *kept;
    auto& ways = kept.emplace();
    std::optional<PreciseState> at;
    if (!piece.states.empty()) {
      at = (*states)[piece.states.front()];
    } else if (piece.rough) {
      at = at_rough(*piece.rough);
    }
    if (!at) return ways;
    const auto affine = [](const Solvable& set) {
      return std::all_of(set.equations.begin(), set.equations.end(),
                         [&](Expr e) { return affine_in(e, set.unknowns).has_value(); });
    };
    try {
      std::array<std::vector<Branch>, 2> found;  // positions, velocities
      for (const std::size_t order : {0, 1}) {
        if (levels[order].equations.empty() || (order == 0 && !positions_too)) {
          found[order] = {{}};
          continue;
        }
        const Solvable set = solvable(piece, static_cast<int>(order), *at);
        std::vector<std::vector<Expr>> solutions;
        if (affine(set)) {
          auto only = explicit_form(system, set.equations, set.unknowns, at->rounded);
          if (!only) return ways;
          solutions.push_back(std::move(*only));
        } else {
          auto all = explicit_forms(system, set.equations, set.unknowns);
          if (!all) return ways;
          solutions = std::move(*all);
        }
        for (const std::vector<Expr>& solution : solutions) {
          Branch& branch = found[order].emplace_back();
          for (std::size_t i = 0; i < solution.size(); ++i) branch.emplace_back(set.unknowns[i], solution[i]);
        }
      }
      ways.emplace();
      for (const Branch& velocities : found[1])
        for (const Branch& positions : found[0]) ways->push_back(inserted(velocities, positions));
    } catch (const Error&) {
      ways.reset();  // a division by what vanishes on the set
    }
    return ways;
  }

  // As a state of the set, for its pivots alone.
  PreciseState at_rough(const State& state) const {
    PreciseState result;
    result.rounded = state;
    std::vector<Ball> values;
    for (const double q : state.q) values.push_back(Ball::from_double(q));
    for (const double v : state.v) values.push_back(Ball::from_double(v));
    values.push_back(Ball::from_double(state.t));
    for (const Ball& parameter : parameter_balls(system, bits)) values.push_back(parameter);
    values.resize(symbols.size());
    result.values = with_symbols(values);
    return result;
  }

  // Where its equations hold.
  Piece& piece_of(const PreciseState& state) {
    for (Piece& piece : pieces) {
      const bool all = std::ranges::all_of(piece.equations, [&](const std::vector<Expr>& list) {
        return std::ranges::all_of(list, [&](Expr e) { return zero_at(e, state.values); });
      });
      if (all) return piece;
    }
    return pieces.front();
  }

  void take_apart() {
    if (!pieces.empty()) return;
    const Components& parts = admissible->parts();
    factored = parts.factored;
    for (const Component& component : parts.list) {
      Piece& piece = pieces.emplace_back();
      piece.component = component;
      const ConstraintSet own = component.as_written ? admissible->constraints() : ConstraintSet(component.system);
      for (const std::size_t i : levels[0].rows) piece.equations[0].push_back(substitute(own.residual[i], exact));
      for (const std::size_t i : levels[1].rows) piece.equations[1].push_back(substitute(own.phi[i], exact));
    }
  }

  bool meets_conditions(const Piece& piece, const State& state) const {
    if (piece.component.positive.empty()) return true;
    std::vector<Value> values;
    const std::vector<double> numbers = state_values(state, parameter_values(system));
    for (std::size_t i = 0; i < numbers.size(); ++i) values.emplace_back(symbols[i], numbers[i]);
    for (const double value : evaluate(piece.component.positive, values))
      if (!(value > 0)) return false;
    return true;
  }

  // Nothing can be there: an equation that is never true, or a condition that is false wherever the equations hold.
  bool proved_empty(Piece& piece) {
    for (const auto& list : piece.equations)
      if (std::any_of(list.begin(), list.end(), never_zero)) return true;
    if (piece.component.positive.empty()) return false;
    const auto& ways = ways_of(piece);
    if (!ways) return false;
    try {
      return std::all_of(ways->begin(), ways->end(), [&](const Branch& way) {
        const std::vector<Expr> conditions = substitute(piece.component.positive, way);
        return std::any_of(conditions.begin(), conditions.end(), [](Expr e) {
          return never_zero(e) && (e.is_number() ? e.number() : e.constant()).sign() < 0;
        });
      });
    } catch (const Error&) {
      return false;
    }
  }

  // Is e zero, by algebra, on a branch with all its ways known?
  bool proved_on(Piece& piece, Expr e) {
    if (piece.empty) return true;
    if (piece.states.empty()) return false;
    // positions only where velocities do not suffice: they have roots
    const bool with_positions = !levels[0].equations.empty();
    for (const bool positions_too : {false, true}) {
      if (positions_too && !with_positions) break;
      const auto& ways = ways_of(piece, positions_too);
      if (ways && proved(e, *ways)) return true;
    }
    return false;
  }

  bool proved(Expr e, std::span<const Branch> ways) const {
    // constraints on accelerations are not inserted
    if (!levels[2].equations.empty() || ways.empty()) return false;
    try {
      return std::all_of(ways.begin(), ways.end(), [&](const auto& way) { return is_zero(substitute(e, way)); });
    } catch (const Error&) {
      return false;  // a division by what vanishes on the set
    }
  }

  static bool is_zero(Expr e) {
    if (e.is_zero()) return true;
    try {
      return topological(std::array{e}).size() <= largest_to_prove && prove_zero(e).verdict == Verdict::proved;
    } catch (const Error&) {
      return false;
    }
  }

  void sample(OnSet& set, std::size_t piece);

  bool loses_rank(std::size_t number, const State& at, std::size_t rank) const {
    if (pieces[number].component.as_written) return false;
    try {
      return rank < admissible->rank_on(number, at).rank;
    } catch (const Error&) {
      return true;  // no finite derivatives
    }
  }

  System system;
  std::shared_ptr<Admissible> admissible;
  std::vector<Expr> symbols;
  std::vector<Replacement> exact;
  std::array<PreciseLevel, 3> levels;
  std::optional<std::vector<PreciseState>> states;
  std::vector<Piece> pieces;
  bool factored = true;  // the pieces are all there is
  std::vector<OnSet::Branch> shown;
  std::vector<std::string> not_reached;
  std::vector<OnSet::RankThere> ranks;
};

bool zero_at(Expr e, std::span<const BallValue> at, double* value) {
  std::vector<Expr> parts = {e};
  if (e.kind() == Kind::sum) {
    for (std::size_t i = 0; i < e.size(); ++i) parts.push_back(e.term(i));
  }
  const std::vector<Ball> balls = evaluate_balls(parts, at, OnSet::bits);
  if (value != nullptr) *value = balls[0].is_finite() ? balls[0].midpoint() : NAN;
  if (!balls[0].is_finite()) return false;
  // a product is as zero as one of its factors
  const Expr bare = e.kind() == Kind::sum && e.size() == 1 && e.constant().is_zero() ? e.term(0) : e;
  if (bare.kind() == Kind::product) {
    for (std::size_t i = 0; i < bare.size(); ++i)
      if (bare.exponent(i).sign() > 0 && bare.base(i).kind() == Kind::sum && zero_at(bare.base(i), at)) return true;
  }
  // States are good to about 95 digits. What is asked for is stricter than what is said, so that a small constant of a model
  // (1e-70) does not pass for rounding.
  constexpr double digits = OnSet::wanted_digits + 15, rounding = -88;
  double scale = -HUGE_VAL;  // log10
  if (e.kind() == Kind::sum) {
    scale = e.constant().is_zero() ? -HUGE_VAL : std::log10(std::fabs(e.constant().to_double()));
    for (std::size_t i = 0; i < e.size(); ++i) {
      scale = std::max(scale, balls[i + 1].magnitude_log10() + std::log10(std::fabs(e.coefficient(i).to_double())));
    }
  }
  return balls[0].magnitude_log10() <= std::max(scale - digits, rounding);
}

OnSet::OnSet(const System& model) {
  const System system = model.workable();
  implementation_ = std::make_unique<Implementation>(system, std::make_shared<Admissible>(system));
}
OnSet::OnSet(const System& system, std::shared_ptr<Admissible> admissible)
    : implementation_(std::make_unique<Implementation>(system, std::move(admissible))) {}
OnSet::~OnSet() = default;
OnSet::OnSet(OnSet&&) noexcept = default;
OnSet& OnSet::operator=(OnSet&&) noexcept = default;

const System& OnSet::system() const { return implementation_->system; }
Admissible& OnSet::admissible() { return *implementation_->admissible; }

std::optional<PreciseState> OnSet::refine(const State& state) {
  Implementation& inside = *implementation_;
  const std::size_t n = inside.system->size();
  std::vector<Ball> values;
  for (const double q : state.q) values.push_back(Ball::from_double(q));
  for (const double v : state.v) values.push_back(Ball::from_double(v));
  values.push_back(Ball::from_double(state.t));
  for (const Ball& parameter : parameter_balls(inside.system, bits)) values.push_back(parameter);
  Random random(7);
  for (std::size_t i = 0; i < n; ++i) values.push_back(Ball::from_double(random.uniform(-1, 1)));

  PreciseState result;
  try {
    Pivots positions, velocities, second;
    if (!inside.solve(inside.levels[0], values, positions)) return std::nullopt;
    if (!inside.solve(inside.levels[1], values, velocities)) return std::nullopt;
    // positions and velocities are close by already; accelerations are anything
    inside.levels[2].approach(values);
    if (!inside.solve(inside.levels[2], values, second)) return std::nullopt;
    for (const std::size_t i : velocities.rows) result.rows.push_back(inside.levels[1].rows[i]);
    for (const std::size_t i : second.rows) result.rows.push_back(inside.levels[2].rows[i]);
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
  result.values = inside.with_symbols(values);
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

// Where e^u, tanh u and cosh u are neither nothing nor everything beside the rest.
std::vector<Expr> steep_in(std::span<const Expr> expressions, std::span<const Expr> moving) {
  std::vector<Expr> found;
  for (const Expr node : topological(expressions)) {
    if (node.kind() != Kind::function || !depends_on(node, moving)) continue;
    const Expr argument = node.operands()[0];
    const Function f = node.function();
    if (f == Function::exp) found.push_back(argument + argument.context().one());
    if (f == Function::tanh || f == Function::cosh || f == Function::sinh) found.push_back(argument);
  }
  return found;
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

}  // namespace

const std::vector<PreciseState>& OnSet::states() {
  Implementation& inside = *implementation_;
  if (inside.states) return *inside.states;
  inside.states.emplace();
  inside.take_apart();
  // where gradients say nothing of the set, as those of a square, no state is regular, whatever its rank
  if (!inside.admissible->regular()) return *inside.states;
  for (std::size_t k = 0; k < inside.pieces.size(); ++k) inside.sample(*this, k);
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

void OnSet::Implementation::sample(OnSet& set, std::size_t number) {
  Piece& piece = pieces[number];
  std::vector<Expr> moving = symbols;  // q, v, t
  moving.erase(moving.begin() + static_cast<std::ptrdiff_t>(2 * system->size() + 1), moving.end());
  const std::vector<Expr> switches = switching(substitute(everything_in(piece.component.system), exact), moving);

  // by the sides on which they lie
  std::map<std::vector<int>, std::vector<PreciseState>> cells;
  std::size_t found = 0;
  const auto take = [&](const State& rough) -> const std::vector<int>* {
    piece.rough = rough;
    if (!meets_conditions(piece, rough)) return nullptr;
    std::optional<PreciseState> state = set.refine(rough);
    // where the constraints have less rank than the branch they lose their gradients, as those of a square do
    if (!state || loses_rank(number, rough, state->rows.size())) return nullptr;
    state->branch = number;
    std::vector<int> sides;
    for (const Expr e : switches) {
      const Ball value = evaluate_ball(e, state->values, bits);
      sides.push_back(!value.is_finite() ? 0 : value.midpoint() > 0 ? 1 : -1);
    }
    const auto cell = cells.try_emplace(std::move(sides)).first;
    // generic states only: those of the largest rank
    std::vector<PreciseState>& here = cell->second;
    if (!here.empty() && state->rows.size() < here.front().rows.size()) return nullptr;
    if (!here.empty() && state->rows.size() > here.front().rows.size()) here.clear();
    here.push_back(std::move(*state));
    ++found;
    return &cell->first;
  };
  for (std::uint64_t seed = 1; seed <= attempts && found < wanted_states; ++seed)
    if (const std::optional<State> rough = admissible->random_on(number, seed)) take(*rough);

  // other sheets of what bends
  if (!cells.empty())
    for (const State& other : admissible->others_on(number, cells.begin()->second.front().rounded)) take(other);

  // where a branch has conditions, inside of them
  std::vector<CellSide> conditions;
  for (const Expr e : substitute(piece.component.positive, exact)) conditions.push_back({e, 1});
  for (const Rational& scale : {Rational(1), Rational(8), Rational(64), Rational(1, 8)}) {
    for (std::uint64_t seed = 1; seed <= 4 && !conditions.empty() && found < wanted_states; ++seed)
      if (const auto rough = state_on(piece.component.system, conditions, scale, seed)) take(*rough);
  }
  // every side of what bends or jumps, near and far
  for (const std::vector<CellSide>& cell : cells_of(switches)) {
    if (cell.empty() || cells.empty()) continue;
    const auto lies_in = [&](const std::vector<int>& sides) {
      return std::ranges::all_of(cell, [&](const CellSide& side) {
        const auto place = std::ranges::find(switches, side.expression) - switches.begin();
        return sides[static_cast<std::size_t>(place)] == side.sign;
      });
    };
    std::size_t there = 0;
    for (const auto& [sides, list] : cells) there += lies_in(sides) ? list.size() : 0;
    constexpr std::size_t enough = 2;
    for (const Rational& scale : {Rational(1), Rational(1, 8), Rational(8), Rational(64), Rational(1000)}) {
      for (std::uint64_t seed = 1; seed <= 4 && there < enough; ++seed) {
        const auto rough = state_on(piece.component.system, cell, scale, seed);
        const std::vector<int>* sides = rough ? take(*rough) : nullptr;
        if (sides == nullptr || !lies_in(*sides)) continue;
        ++there;
        break;
      }
    }
    if (there == 0) not_reached.push_back(text_of(cell));
  }
  // and near what is steep: far from there it is nothing beside the rest
  for (const Expr e : steep_in(substitute(everything_in(piece.component.system), exact), moving)) {
    // e⁻⁶⁰ is seen beside 1 where sixty digits are
    const bool seen = std::ranges::any_of(cells, [&](const auto& cell) {
      return std::ranges::any_of(cell.second, [&](const PreciseState& state) {
        const Ball value = evaluate_ball(e, state.values, bits);
        return value.is_finite() && std::abs(value.midpoint()) < 60;
      });
    });
    if (seen) continue;
    for (const int sign : {1, -1}) {
      bool reached = false;
      for (const Rational& scale : {Rational(1, 8), Rational(1)}) {
        for (std::uint64_t seed = 1; seed <= 2 && !reached; ++seed) {
          const auto rough = state_on(piece.component.system, std::array{CellSide{e, sign}}, scale, seed);
          reached = rough && take(*rough) != nullptr;
        }
      }
    }
  }
  // those of the largest rank first: what looks at a few looks at these
  std::vector<std::pair<std::vector<int>, std::vector<PreciseState>>> ordered(std::make_move_iterator(cells.begin()),
                                                                              std::make_move_iterator(cells.end()));
  std::erase_if(ordered, [](const auto& cell) { return cell.second.empty(); });
  std::ranges::stable_sort(ordered, std::greater(), [](const auto& cell) { return cell.second.front().rows.size(); });
  for (auto& [sides, list] : ordered) {
    std::vector<CellSide> cell;
    for (std::size_t i = 0; i < sides.size(); ++i) cell.push_back({switches[i], sides[i]});
    ranks.push_back({text_of(cell), list.front().rows.size()});
    for (PreciseState& state : list) {
      piece.states.push_back(states->size());
      states->push_back(std::move(state));
    }
  }
}

const std::vector<OnSet::Branch>& OnSet::branches() {
  Implementation& inside = *implementation_;
  states();
  if (!inside.shown.empty()) return inside.shown;
  for (std::size_t k = 0; k < inside.pieces.size(); ++k) {
    const Implementation::Piece& piece = inside.pieces[k];
    if (!piece.empty)
      inside.shown.push_back({k, piece.component.system, !piece.states.empty(), piece.component.as_written});
  }
  return inside.shown;
}

std::vector<OnSet::RankThere> OnSet::ranks() {
  states();
  const std::vector<RankThere>& all = implementation_->ranks;
  const bool same = std::ranges::all_of(all, [&](const RankThere& r) { return r.rank == all.front().rank; });
  return same ? std::vector<RankThere>{} : all;
}

bool OnSet::complete() {
  states();
  const Implementation& inside = *implementation_;
  return inside.factored && std::all_of(inside.pieces.begin(), inside.pieces.end(),
                                        [](const auto& piece) { return piece.empty || !piece.states.empty(); });
}

Finding OnSet::vanishes_at_states(Expr e) { return all_of_states(e, std::nullopt); }

Finding OnSet::all_of_states(Expr e, std::optional<std::size_t> branch) {
  int zeros = 0;
  for (const PreciseState& state : states()) {
    if (branch && state.branch != *branch) continue;
    double value = 0;
    const bool zero = zero_at(e, state.values, &value);
    if (std::isnan(value)) continue;  // not defined there
    if (!zero) return Finding::failure(state.rounded, value);
    ++zeros;
  }
  return Finding::evidence(zeros, wanted_digits);
}

Finding OnSet::vanishes(Expr e) { return on_all_branches(vanishes_by_branch(e)); }

Finding OnSet::on_all_branches(std::span<const Finding> findings) {
  Finding result = all_of(findings);
  result.branches = branches().size();
  if (!result.proved) result.not_reached = implementation_->not_reached;
  return result;
}

std::vector<Finding> OnSet::vanishes_by_branch(Expr e) {
  Implementation& inside = *implementation_;
  Expr exact = e;
  try {
    exact = substitute(e, inside.exact);
  } catch (const Error&) {
    return {Finding{}};  // not defined at these values of the parameters
  }
  states();
  const bool identity = Implementation::is_zero(exact);
  std::vector<Finding> findings;
  for (std::size_t k = 0; k < inside.pieces.size(); ++k) {
    if (inside.pieces[k].empty) continue;
    Finding& finding = findings.emplace_back(all_of_states(exact, k));
    if (finding.fails()) continue;
    if (identity || (inside.factored && inside.proved_on(inside.pieces[k], exact))) {
      finding.answer = Finding::Answer::holds;
      finding.proved = true;
    }
  }
  return findings;
}

bool OnSet::proves(Expr e, std::span<const PreciseState> at) {
  Implementation& inside = *implementation_;
  inside.take_apart();
  try {
    const Expr exact = substitute(e, inside.exact);
    return Implementation::is_zero(exact) || inside.proved(exact, inside.branches_at(at));
  } catch (const Error&) {
    return false;  // not defined at these values of the parameters
  }
}

Finding OnSet::vanish(std::span<const Expr> expressions) {
  std::vector<Finding> findings;
  for (const Expr e : expressions) {
    findings.push_back(vanishes(e));
    if (findings.back().fails()) return findings.back();
  }
  return all_of(findings);
}

Finding all_of(std::span<const Finding> findings) {
  Finding result;
  result.answer = Finding::Answer::holds;
  result.proved = true;
  bool counted = false;
  for (const Finding& finding : findings) {
    if (finding.fails()) return finding;
    if (!finding.holds()) result.answer = Finding::Answer::undecided;
    result.branches = std::max(result.branches, finding.branches);
    if (finding.not_reached.size() > result.not_reached.size()) result.not_reached = finding.not_reached;
    if (finding.proved) continue;
    result.proved = false;
    result.states = counted ? std::min(result.states, finding.states) : finding.states;
    result.digits = counted ? std::min(result.digits, finding.digits) : finding.digits;
    counted = true;
  }
  return result;
}

namespace {
std::string every_branch(std::size_t number) {
  return number == 2 ? "both branches" : fmt::format("all {} branches", number);
}
}  // namespace

std::string ground(const System& system, const Finding& finding) {
  switch (finding.answer) {
    case Finding::Answer::undecided: return "no admissible state could be evaluated";
    case Finding::Answer::holds:
      if (finding.proved)
        return finding.branches == 1 ? "proved by algebra" : "proved by algebra on " + every_branch(finding.branches);
      return fmt::format(
          "holds at {} random admissible state{}{} to {} digits{}", finding.states, finding.states == 1 ? "" : "s",
          finding.branches == 1 ? "" : " on each of " + std::to_string(finding.branches) + " branches", finding.digits,
          finding.not_reached.empty()
              ? ""
              : fmt::format("; no state was found where {}", fmt::join(finding.not_reached, " or where ")));
    case Finding::Answer::fails: break;
  }
  const std::vector<std::size_t> every = all_indices(system->size());
  return fmt::format("fails at {}, {}, t = {:.6g}, by {:.6g}", describe_positions(system, finding.witness->q, every),
                     describe_velocities(system, finding.witness->v, every), finding.witness->t + 0.0, finding.value);
}

}  // namespace cetaev
