#include "cetaev/constraint/on_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "cetaev/algebra/zero.hpp"
#include "cetaev/constraint/describe.hpp"
#include "cetaev/constraint/explicit_form.hpp"
#include "cetaev/numeric/random.hpp"
#include "cetaev/program/program.hpp"
#include "zero_set.hpp"

namespace cetaev {

namespace {

constexpr std::uint64_t attempts = 40;
constexpr int newton_iterations = 14;
// What is larger than this is left to the evaluation: a proof would take longer than a reader waits.
constexpr std::size_t largest_to_prove = 1500;

// The equations of one order with their Jacobian by the unknowns of that order.
struct PreciseLevel {
  std::vector<std::size_t> rows;  // in the set
  std::vector<Expr> equations;
  std::vector<Expr> unknowns;
  Matrix jacobian;
};

std::vector<Expr> symbols_of(const System& system) {
  std::vector<Expr> symbols = state_symbols(system);
  symbols.insert(symbols.end(), system->motion.a.begin(), system->motion.a.end());
  return symbols;
}

}  // namespace

struct OnSet::Implementation {
  explicit Implementation(const System& s)
      : system(s), admissible(s), symbols(symbols_of(s)), exact(exact_parameters(s)) {
    const ConstraintSet& set = admissible.constraints();
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
    std::vector<Value> rough;
    for (std::size_t i = 0; i < symbols.size(); ++i) rough.emplace_back(symbols[i], values[i].midpoint());
    const std::vector<double> numbers = evaluate(level.jacobian.entries, rough);
    if (!all_finite(numbers)) return {};
    const std::size_t k = level.equations.size(), n = level.unknowns.size();
    std::vector<double> scales;
    for (std::size_t i = 0; i < k; ++i) {
      const double scale = largest_magnitude(std::span(numbers).subspan(i * n, n));
      scales.push_back(scale > 0 ? scale : 1);
    }
    std::vector<std::size_t> every(n);
    std::iota(every.begin(), every.end(), std::size_t{0});
    return pivots(DenseMatrix::from_rows(numbers.data(), k, n), scales, {every});
  }

  // Newton's method for one level in balls. The unknowns stand at `offset` among the values.
  bool newton(const PreciseLevel& level, std::size_t offset, std::vector<Ball>& values, Pivots& chosen) {
    if (level.equations.empty()) return true;
    chosen = pivots_of(level, values);
    const std::size_t k = chosen.rows.size();
    if (k > 0) {
      const Program& step = newton_step(level, chosen);
      std::vector<Ball> found;
      bool converged = false;
      for (int iteration = 0; iteration < newton_iterations && !converged; ++iteration) {
        if (run_in_balls(step, values, found, bits) >= 0) return false;
        double correction = -HUGE_VAL;
        for (std::size_t i = 0; i < k; ++i) {
          if (!found[i].is_finite()) return false;
          values[offset + chosen.columns[i]] = found[i].center();
          correction = std::max(correction, found[k + i].magnitude_log10());
        }
        converged = correction < -0.85 * static_cast<double>(bits) * std::log10(2.0);
      }
      if (!converged) return false;
    }
    // equations that depend on the chosen ones must hold as well
    std::vector<BallValue> at = with_symbols(values);
    for (const Expr e : level.equations) {
      if (!zero_at(e, at)) return false;
    }
    return true;
  }

  const Program& newton_step(const PreciseLevel& level, const Pivots& chosen) {
    const auto key = std::make_tuple(&level, chosen.rows, chosen.columns);
    const auto known = steps.find(key);
    if (known != steps.end()) return known->second;
    const std::size_t k = chosen.rows.size();
    LinearBlock block{Matrix{k, k, {}}, Matrix{k, 1, {}}, {}};
    std::vector<Expr> outputs;
    for (std::size_t i = 0; i < k; ++i) {
      for (const std::size_t j : chosen.columns) block.matrix.entries.push_back(level.jacobian(chosen.rows[i], j));
      block.right.entries.push_back(level.equations[chosen.rows[i]]);
      block.unknowns.push_back(system->context->symbol("$newton_" + std::to_string(i)));
      outputs.push_back(level.unknowns[chosen.columns[i]] - block.unknowns[i]);
    }
    outputs.insert(outputs.end(), block.unknowns.begin(), block.unknowns.end());
    return steps.emplace(key, Program(outputs, symbols, std::array{block})).first->second;
  }

  std::vector<BallValue> with_symbols(std::span<const Ball> values) const {
    std::vector<BallValue> result;
    for (std::size_t i = 0; i < symbols.size(); ++i) result.emplace_back(symbols[i], values[i]);
    return result;
  }

  // A way to insert the constraints into an expression: unknowns and what they are equal to.
  const std::vector<std::vector<Replacement>>& branches(const std::vector<PreciseState>& at) {
    if (closed_forms) return *closed_forms;
    closed_forms.emplace();
    for (const PreciseState& state : at) {
      std::optional<std::vector<Replacement>> branch = branch_of(state);
      if (!branch) {
        closed_forms->clear();
        return *closed_forms;
      }
      if (std::find(closed_forms->begin(), closed_forms->end(), *branch) == closed_forms->end()) {
        closed_forms->push_back(std::move(*branch));
      }
    }
    return *closed_forms;
  }

  std::optional<std::vector<Replacement>> branch_of(const PreciseState& state) const {
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

  bool proved(Expr e, const std::vector<PreciseState>& at) {
    const auto zero = [](Expr x) {
      return topological(std::array{x}).size() <= largest_to_prove && prove_zero(x).verdict == Verdict::proved;
    };
    try {
      if (e.is_zero() || zero(e)) return true;
      // constraints on accelerations are not inserted
      if (!levels[2].equations.empty()) return false;
      const auto& ways = branches(at);
      return !ways.empty() &&
             std::all_of(ways.begin(), ways.end(), [&](const auto& way) { return zero(substitute(e, way)); });
    } catch (const Error&) {
      return false;  // a division by what vanishes on the set
    }
  }

  System system;
  Admissible admissible;
  std::vector<Expr> symbols;
  std::vector<Replacement> exact;
  std::array<PreciseLevel, 3> levels;
  std::map<std::tuple<const PreciseLevel*, std::vector<std::size_t>, std::vector<std::size_t>>, Program> steps;
  std::optional<std::vector<PreciseState>> states;
  std::optional<std::vector<std::vector<Replacement>>> closed_forms;
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

OnSet::OnSet(const System& system) : implementation_(std::make_unique<Implementation>(system.workable())) {}
OnSet::~OnSet() = default;
OnSet::OnSet(OnSet&&) noexcept = default;
OnSet& OnSet::operator=(OnSet&&) noexcept = default;

const System& OnSet::system() const { return implementation_->system; }
Admissible& OnSet::admissible() { return implementation_->admissible; }

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
    if (!inside.newton(inside.levels[0], 0, values, positions)) return std::nullopt;
    if (!inside.newton(inside.levels[1], n, values, velocities)) return std::nullopt;
    if (!inside.newton(inside.levels[2], accelerations, values, second)) return std::nullopt;
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
    const std::optional<State> rough = inside.admissible.random(seed);
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
  if (inside.proved(exact, states())) {
    finding.answer = Finding::Answer::holds;
    finding.proved = true;
  }
  return finding;
}

bool OnSet::proves(Expr e, std::span<const PreciseState> at) {
  Implementation& inside = *implementation_;
  const auto kept = std::exchange(inside.closed_forms, std::nullopt);
  bool proved = false;
  try {
    proved = inside.proved(substitute(e, inside.exact), {at.begin(), at.end()});
  } catch (const Error&) {
    proved = false;  // not defined at these values of the parameters
  }
  inside.closed_forms = kept;
  return proved;
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
