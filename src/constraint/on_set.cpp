#include "cetaev/constraint/on_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cetaev/algebra/degree.hpp"
#include "cetaev/detail/algebra/certain.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/constraint/explicit_form.hpp"
#include "cetaev/detail/expr/walk.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "on_set_implementation.hpp"

namespace cetaev {

namespace {

// What is larger than this is left to the evaluation: a proof would take longer than a reader waits.
constexpr std::size_t largest_to_prove = 1500;

std::vector<Expr> symbols_of(const System& system) {
  std::vector<Expr> symbols = state_symbols(system);
  symbols.insert(symbols.end(), system->motion.a.begin(), system->motion.a.end());
  return symbols;
}

}  // namespace

OnSet::Implementation::Implementation(const System& s, std::shared_ptr<Admissible> with)
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

std::vector<OnSet::Implementation::Branch> OnSet::Implementation::branches_at(std::span<const PreciseState> at) {
  std::vector<Branch> result;
  for (const PreciseState& state : at) {
    std::optional<Branch> branch = branch_of(piece_of(state), state);
    if (!branch) return {};
    if (std::ranges::find(result, *branch) == result.end()) result.push_back(std::move(*branch));
  }
  return result;
}

OnSet::Implementation::Solvable OnSet::Implementation::solvable(const Piece& piece, int order,
                                                                const PreciseState& state) const {
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

std::optional<OnSet::Implementation::Branch> OnSet::Implementation::branch_of(const Piece& piece,
                                                                              const PreciseState& state) const {
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

OnSet::Implementation::Branch OnSet::Implementation::inserted(Branch velocities, const Branch& positions) {
  if (positions.empty()) return velocities;
  // all at once: they share most of what they are made of
  std::vector<Expr> values;
  for (const Replacement& r : velocities) values.push_back(r.second);
  values = substitute(values, positions);
  for (std::size_t i = 0; i < values.size(); ++i) velocities[i].second = values[i];
  velocities.insert(velocities.end(), positions.begin(), positions.end());
  return velocities;
}

const std::optional<std::vector<OnSet::Implementation::Branch>>& OnSet::Implementation::ways_of(Piece& piece,
                                                                                                bool positions_too) {
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

OnSet::Implementation::Piece& OnSet::Implementation::piece_of(const PreciseState& state) {
  for (Piece& piece : pieces) {
    const bool all = std::ranges::all_of(piece.equations, [&](const std::vector<Expr>& list) {
      return std::ranges::all_of(list, [&](Expr e) { return zero_at(e, state.values); });
    });
    if (all) return piece;
  }
  return pieces.front();
}

void OnSet::Implementation::take_apart() {
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

bool OnSet::Implementation::proved_empty(Piece& piece) {
  for (const auto& list : piece.equations)
    if (std::any_of(list.begin(), list.end(), never_zero)) return true;
  if (piece.component.positive.empty()) return false;
  const auto& ways = ways_of(piece);
  if (!ways) return false;
  try {
    return std::all_of(ways->begin(), ways->end(), [&](const Branch& way) {
      const std::vector<Expr> conditions = substitute(piece.component.positive, way);
      return std::any_of(conditions.begin(), conditions.end(), [](Expr e) { return certain_sign(e) < 0; });
    });
  } catch (const Error&) {
    return false;
  }
}

bool OnSet::Implementation::proved_on(Piece& piece, Expr e) {
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

bool OnSet::Implementation::proved(Expr e, std::span<const Branch> ways) const {
  // constraints on accelerations are not inserted
  if (!levels[2].equations.empty() || ways.empty()) return false;
  try {
    return std::all_of(ways.begin(), ways.end(), [&](const auto& way) { return is_zero(substitute(e, way)); });
  } catch (const Error&) {
    return false;  // a division by what vanishes on the set
  }
}

bool OnSet::Implementation::is_zero(Expr e) {
  if (e.is_zero()) return true;
  try {
    return !has_more_nodes_than(largest_to_prove, e) && prove_zero(e).verdict == Verdict::proved;
  } catch (const Error&) {
    return false;
  }
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

std::vector<System> OnSet::of_lower_order() {
  std::vector<System> result;
  for (const System& lower : lower_components_of(implementation_->system)) {
    constexpr std::uint64_t starts = 5;
    Admissible states(lower);
    bool found = false;
    for (std::uint64_t seed = 1; seed <= starts && !found; ++seed) found = states.random(seed).has_value();
    if (found) result.push_back(lower);
  }
  return result;
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

Finding OnSet::all_of_states(Expr expression, std::optional<std::size_t> branch) {
  int zeros = 0;
  Expr e = expression;
  try {
    e = substitute(expression, implementation_->exact);
  } catch (const Error&) {
    return {};  // not defined at these values of the parameters
  }
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

}  // namespace cetaev
