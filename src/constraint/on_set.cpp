#include "cetaev/constraint/on_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/constraint/explicit_form.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/program/program.hpp"
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
  Matrix jacobian;
  std::optional<Program> program;  // of the equations, once they are solved

  // Their Jacobian in doubles.
  DenseMatrix jacobian_at(std::span<const Expr> symbols, std::span<const Ball> values) const {
    std::vector<Value> rough;
    for (std::size_t i = 0; i < symbols.size(); ++i) rough.emplace_back(symbols[i], values[i].midpoint());
    const std::vector<double> numbers = evaluate(jacobian.entries, rough);
    return DenseMatrix::from_rows(numbers.data(), equations.size(), unknowns.size());
  }
};

std::vector<Expr> symbols_of(const System& system) {
  std::vector<Expr> symbols = state_symbols(system);
  symbols.insert(symbols.end(), system->motion.a.begin(), system->motion.a.end());
  return symbols;
}

}  // namespace

struct OnSet::Implementation {
  using Branch = std::vector<Replacement>;

  Implementation(const System& s, std::shared_ptr<Admissible> with)
      : system(s), admissible(std::move(with)), symbols(symbols_of(s)), exact(exact_parameters(s)) {
    const ConstraintSet& set = admissible->constraints();
    const Motion& motion = s->motion;
    const auto level = [&](const std::vector<Expr>& source, const std::vector<Expr>& unknowns, auto belongs) {
      PreciseLevel result;
      result.unknowns = unknowns;
      for (std::size_t i = 0; i < set.size(); ++i) {
        if (!belongs(set.order[i])) continue;
        result.rows.push_back(i);
        result.equations.push_back(source[i]);
      }
      result.jacobian = jacobian(result.equations, unknowns);
      return result;
    };
    levels[0] = level(set.residual, motion.q, [](int order) { return order == 0; });
    levels[1] = level(set.phi, motion.v, [](int order) { return order <= 1; });
    levels[2] = level(set.residual, motion.a, [](int order) { return order == 2; });
  }

  // Independent equations of a level at a state and the unknowns on which they are regular.
  Pivots pivots_of(const PreciseLevel& level, std::span<const Ball> values) const {
    return pivots_of(level.jacobian_at(symbols, values));
  }
  static Pivots pivots_of(const DenseMatrix& j) {
    if (!all_finite(j.entries())) return {};
    std::vector<std::size_t> every(j.columns());
    std::iota(every.begin(), every.end(), std::size_t{0});
    return pivots(j, row_sizes(j), {every});
  }
  static std::vector<double> row_sizes(const DenseMatrix& j) {
    std::vector<double> sizes(j.rows(), 0.0);
    for (std::size_t i = 0; i < j.rows(); ++i) {
      for (std::size_t c = 0; c < j.columns(); ++c) sizes[i] = std::max(sizes[i], std::fabs(j(i, c)));
      if (!(sizes[i] > 0)) sizes[i] = 1;
    }
    return sizes;
  }

  // Solves the equations of one level in balls for the unknowns that pivoting chooses; the others stay as they are. The
  // unknowns stand at `offset` among the values.
  bool solve(PreciseLevel& level, std::size_t offset, std::vector<Ball>& values, Pivots& chosen) {
    if (level.equations.empty()) return true;
    if (!level.program) level.program.emplace(level.equations, symbols);
    const DenseMatrix all = level.jacobian_at(symbols, values);
    chosen = pivots_of(all);
    const std::size_t k = chosen.rows.size();
    double size = 1;  // of the unknowns
    for (std::size_t i = 0; i < level.unknowns.size(); ++i)
      size = std::max(size, std::fabs(values[offset + i].midpoint()));
    DenseMatrix j(k, k);
    std::vector<double> sizes;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t c = 0; c < k; ++c) j(i, c) = all(chosen.rows[i], chosen.columns[c]);
      sizes.push_back(size * row_sizes(all)[chosen.rows[i]]);
      places.push_back(offset + chosen.columns[i]);
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

  // Ways to insert the constraints into an expression, unknowns and what they are equal to: those of the branches on which
  // these states lie, or none where one of them cannot be written down.
  std::vector<Branch> branches_at(std::span<const PreciseState> at) const {
    std::vector<Branch> result;
    for (const PreciseState& state : at) {
      std::optional<Branch> branch = branch_of(state);
      if (!branch) return {};
      if (std::ranges::find(result, *branch) == result.end()) result.push_back(std::move(*branch));
    }
    return result;
  }
  // Of the random states.
  const std::vector<Branch>& branches() {
    if (!closed_forms) closed_forms = branches_at(*states);
    return *closed_forms;
  }

  std::optional<Branch> branch_of(const PreciseState& state) const {
    // Velocities first: their expressions may contain the positions that come after them.
    std::vector<Replacement> velocities, positions;
    for (const int order : {1, 0}) {
      const PreciseLevel& level = levels[static_cast<std::size_t>(order)];
      if (level.equations.empty()) continue;
      std::vector<Ball> values;
      for (const BallValue& value : state.values) values.push_back(value.second);
      const Pivots chosen = pivots_of(level, values);
      std::vector<Expr> equations, unknowns;
      for (const std::size_t i : chosen.rows) equations.push_back(substitute(level.equations[i], exact));
      for (const std::size_t j : chosen.columns) unknowns.push_back(level.unknowns[j]);
      // the same branch must look the same whichever pivots found it
      std::sort(unknowns.begin(), unknowns.end());
      auto solution = explicit_form(system, equations, unknowns, state.rounded);
      if (!solution) return std::nullopt;
      for (std::size_t i = 0; i < unknowns.size(); ++i) {
        (order == 1 ? velocities : positions).emplace_back(unknowns[i], (*solution)[i]);
      }
    }
    for (Replacement& r : velocities) r.second = substitute(r.second, positions);
    velocities.insert(velocities.end(), positions.begin(), positions.end());
    return velocities;
  }

  // `branches_there` gives the ways to insert the constraints, asked for only where they are needed.
  template <class Branches>
  bool proved(Expr e, Branches branches_there) const {
    const auto zero = [](Expr x) {
      return topological(std::array{x}).size() <= largest_to_prove && prove_zero(x).verdict == Verdict::proved;
    };
    try {
      if (e.is_zero() || zero(e)) return true;
      // constraints on accelerations are not inserted
      if (!levels[2].equations.empty()) return false;
      const std::vector<Branch>& ways = branches_there();
      return !ways.empty() &&
             std::all_of(ways.begin(), ways.end(), [&](const auto& way) { return zero(substitute(e, way)); });
    } catch (const Error&) {
      return false;  // a division by what vanishes on the set
    }
  }

  System system;
  std::shared_ptr<Admissible> admissible;
  std::vector<Expr> symbols;
  std::vector<Replacement> exact;
  std::array<PreciseLevel, 3> levels;
  std::optional<std::vector<PreciseState>> states;
  std::optional<std::vector<Branch>> closed_forms;
};

bool zero_at(Expr e, std::span<const BallValue> at, double* value) {
  std::vector<Expr> parts = {e};
  if (e.kind() == Kind::sum) {
    for (std::size_t i = 0; i < e.size(); ++i) parts.push_back(e.term(i));
  }
  const std::vector<Ball> balls = evaluate_balls(parts, at, OnSet::bits);
  if (value != nullptr) *value = balls[0].is_finite() ? balls[0].midpoint() : NAN;
  if (!balls[0].is_finite()) return false;
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
  const std::size_t accelerations = values.size();
  Random random(7);
  for (std::size_t i = 0; i < n; ++i) values.push_back(Ball::from_double(random.uniform(-1, 1)));

  PreciseState result;
  try {
    Pivots positions, velocities, second;
    if (!inside.solve(inside.levels[0], 0, values, positions)) return std::nullopt;
    if (!inside.solve(inside.levels[1], n, values, velocities)) return std::nullopt;
    if (!inside.solve(inside.levels[2], accelerations, values, second)) return std::nullopt;
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

const std::vector<PreciseState>& OnSet::states() {
  Implementation& inside = *implementation_;
  if (inside.states) return *inside.states;
  inside.states.emplace();
  std::size_t best = 0;
  for (std::uint64_t seed = 1; seed <= attempts && inside.states->size() < wanted_states; ++seed) {
    const std::optional<State> rough = inside.admissible->random(seed);
    if (!rough) continue;
    std::optional<PreciseState> state = refine(*rough);
    if (!state) continue;
    // generic states only: those of the largest rank
    if (state->rows.size() > best) {
      inside.states->clear();
      best = state->rows.size();
    }
    if (state->rows.size() == best) inside.states->push_back(std::move(*state));
  }
  return *inside.states;
}

Finding OnSet::vanishes_at_states(Expr e) {
  int zeros = 0;
  for (const PreciseState& state : states()) {
    double value = 0;
    const bool zero = zero_at(e, state.values, &value);
    if (std::isnan(value)) continue;  // not defined there
    if (!zero) return Finding::failure(state.rounded, value);
    ++zeros;
  }
  return Finding::evidence(zeros, wanted_digits);
}

Finding OnSet::vanishes(Expr e) {
  Implementation& inside = *implementation_;
  Expr exact = e;
  try {
    exact = substitute(e, inside.exact);
  } catch (const Error&) {
    return {};  // not defined at these values of the parameters
  }
  Finding finding = vanishes_at_states(exact);
  if (finding.fails()) return finding;
  states();
  if (inside.proved(
          exact, [&]() -> const auto& { return inside.branches(); })) {
    finding.answer = Finding::Answer::holds;
    finding.proved = true;
  }
  return finding;
}

bool OnSet::proves(Expr e, std::span<const PreciseState> at) {
  Implementation& inside = *implementation_;
  try {
    return inside.proved(substitute(e, inside.exact), [&] { return inside.branches_at(at); });
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
    if (finding.proved) continue;
    result.proved = false;
    result.states = counted ? std::min(result.states, finding.states) : finding.states;
    result.digits = counted ? std::min(result.digits, finding.digits) : finding.digits;
    counted = true;
  }
  return result;
}

std::string ground(const System& system, const Finding& finding) {
  switch (finding.answer) {
    case Finding::Answer::undecided: return "no admissible state could be evaluated";
    case Finding::Answer::holds:
      if (finding.proved) return "proved by algebra";
      return fmt::format("holds at {} random admissible state{} to {} digits", finding.states,
                         finding.states == 1 ? "" : "s", finding.digits);
    case Finding::Answer::fails: break;
  }
  std::vector<std::size_t> every(system->size());
  std::iota(every.begin(), every.end(), std::size_t{0});
  return fmt::format("fails at {}, {}, t = {:.6g}, by {:.6g}", describe_positions(system, finding.witness->q, every),
                     describe_velocities(system, finding.witness->v, every), finding.witness->t + 0.0, finding.value);
}

}  // namespace cetaev
