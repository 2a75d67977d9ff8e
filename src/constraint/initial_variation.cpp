// The initial state x is nearest to what is given, g, on the set F(x, p) = 0, when only some of the unknowns may move:
//
//   x − g + Aᵀμ = 0,  F = 0,   A = ∂F/∂x of those that move,
//
// and so are its derivatives those of this system:
//
//   (1 + Σ μᵢ ∂²Fᵢ) δx + Aᵀδμ = δg − ∂(Aᵀμ) δ(others),   A δx = −∂F δ(others)
//
// on positions first, then on velocities, for which positions are others. As many as there are equations are determined by the latter.
#include "cetaev/constraint/initial_variation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/text/closest.hpp"
#include "cetaev/error.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {

namespace {

// A rank is told to twelve digits, and so is a right-hand side that no unknowns can meet.
constexpr double rank_tolerance = 1e-12, unmet = 1e-6;

// What varies, by symbols and in numbers.
struct Variation {
  std::vector<Expr> symbols, changes;  // x and δx
  std::vector<double> values, change_values;

  void add(Expr symbol, double value, double change) {
    symbols.push_back(symbol);
    changes.push_back(symbol.context().symbol("$change" + std::to_string(changes.size())));
    values.push_back(value);
    change_values.push_back(change);
  }
};

std::vector<double> evaluated(std::span<const Expr> outputs, std::span<const Expr> symbols, std::vector<double> values,
                              std::span<const Expr> more, std::span<const double> more_values) {
  std::vector<Expr> inputs(symbols.begin(), symbols.end());
  inputs.insert(inputs.end(), more.begin(), more.end());
  values.insert(values.end(), more_values.begin(), more_values.end());
  const Program program(outputs, inputs);
  std::vector<double> result(outputs.size());
  Interpreter run(program);
  run(values, result);
  if (!all_finite(result))
    throw Error(ErrorCode::non_finite, "the constraints have no derivatives at the initial state");
  return result;
}

// Derivatives of F, or of other expressions, along everything that varies and does not follow.
std::vector<double> along_others(std::span<const Expr> outputs, const Variation& others) {
  std::vector<Derivation::Seed> seeds;
  for (std::size_t i = 0; i < others.symbols.size(); ++i) seeds.emplace_back(others.symbols[i], others.changes[i]);
  Derivation along(seeds);
  std::vector<Expr> derivatives;
  for (const Expr e : outputs) derivatives.push_back(along(e));
  return evaluated(derivatives, others.symbols, others.values, others.changes, others.change_values);
}

// One level: the unknowns x at their values, what was given for them, and how that changes. `others` holds everything that occurs in F, with the
// changes of what does not follow, and none for what does.
struct FollowedLevel {
  std::vector<Expr> F, x;
  std::vector<double> values, given, given_change;
  std::vector<std::size_t> followers;
};

void follow(const FollowedLevel& level, const Variation& others, std::vector<double>& change) {
  const std::size_t m = level.followers.size(), k = level.F.size();
  if (m == 0 || k == 0) return;
  std::vector<Expr> x;
  std::vector<double> moved;
  for (const std::size_t i : level.followers) {
    x.push_back(level.x[i]);
    moved.push_back(level.given[i] - level.values[i]);
  }
  const Matrix slopes = jacobian(level.F, x);
  const std::vector<double> rows = evaluated(slopes.entries, others.symbols, others.values, {}, {});
  const DenseMatrix A = DenseMatrix::from_rows(rows.data(), k, m);
  const std::vector<double> against = along_others(level.F, others);

  PivotedQr qr(rank_tolerance);
  qr.compute(A);
  const bool determined = qr.rank() == m;
  DenseMatrix system(m + k, m + k);
  std::vector<double> right(m + k);
  for (std::size_t i = 0; i < m; ++i) {
    system(i, i) = 1;
    right[i] = level.given_change[level.followers[i]];
    for (std::size_t r = 0; r < k; ++r) system(i, m + r) = system(m + r, i) = A(r, i);
  }
  for (std::size_t r = 0; r < k; ++r) right[m + r] = -against[r];
  if (!determined && largest_magnitude(moved) > 0) {
    const std::vector<double> mu = LeastNorm(transposed(A), rank_tolerance).solve(moved);
    std::vector<Expr> forces(m, level.F.front().context().zero());
    std::vector<Expr> mu_symbols;
    for (std::size_t r = 0; r < k; ++r) {
      mu_symbols.push_back(level.F[r].context().symbol("$mu" + std::to_string(r)));
      for (std::size_t i = 0; i < m; ++i) forces[i] = forces[i] + mu_symbols[r] * slopes(r, i);
    }
    Variation with_mu = others;
    for (std::size_t r = 0; r < k; ++r) with_mu.add(mu_symbols[r], mu[r], 0);
    const Matrix curvature = jacobian(forces, x);
    const std::vector<double> bent = evaluated(curvature.entries, with_mu.symbols, with_mu.values, {}, {});
    const std::vector<double> turned = along_others(forces, with_mu);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < m; ++j) system(i, j) += bent[i * m + j];
      right[i] -= turned[i];
    }
  }
  const std::vector<double> solution = LeastNorm(system, rank_tolerance).solve(right);
  const std::vector<double> met = system * solution;
  const double size = std::max(1.0, largest_magnitude(right));
  if (distance(met, right) > unmet * size)
    throw Error(ErrorCode::not_applicable,
                "the constraints leave the initial state no way to follow: no admissible states lie beside it there");
  for (std::size_t i = 0; i < m; ++i) change[level.followers[i]] = solution[i];
}

}  // namespace

GivenValue given_value(const System& system, const std::string& name) {
  GivenValue result;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < system->parameters.size(); ++i) {
    names.emplace_back(system->parameters[i].symbol.name());
    if (names.back() == name) result.parameter = i;
  }
  for (std::size_t i = 0; i < system->size(); ++i) {
    names.push_back(system->coordinates[i]);
    if (names.back() == name) result.position = i;
    names.push_back(system->coordinates[i] + "'");
    if (names.back() == name) result.velocity = i;
  }
  if (result.parameter || result.position || result.velocity) return result;
  Error error(ErrorCode::unknown_name, "there is no parameter or initial value '" + name + "' to vary");
  if (const std::string near = text::closest(name, names); !near.empty()) error.suggest(near);
  throw error;
}

std::vector<Expr> parameter_changes(const System& system, const std::string& name) {
  if (name.empty()) return std::vector(system->parameters.size(), system->context->zero());
  const GivenValue named = given_value(system, name);
  std::vector<Derivation::Seed> seeds;
  std::vector<Expr> result;
  for (std::size_t i = 0; i < system->parameters.size(); ++i) {
    const Parameter& p = system->parameters[i];
    result.push_back(named.parameter == i ? system->context->one() : Derivation(seeds)(p.definition));
    if (!result.back().is_zero()) seeds.emplace_back(p.symbol, result.back());
  }
  return result;
}

InitialChange initial_change(const System& system, Admissible& admissible, const AdmissibleState& initial,
                             const std::string& name) {
  const std::size_t n = system->size();
  if (name.empty()) return {std::vector<double>(n), std::vector<double>(n)};
  const GivenValue named = given_value(system, name);
  const Motion& motion = system->motion;
  const State& at = initial.state;
  InitialChange result{std::vector<double>(n), std::vector<double>(n)};

  const std::vector<Expr> changes = parameter_changes(system, name);
  std::vector<Derivation::Seed> seeds;
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (!changes[i].is_zero()) seeds.emplace_back(system->parameters[i].symbol, changes[i]);
  const std::vector<double> parameters = parameter_values(system);
  std::vector<Expr> parameter_symbols;
  for (const Parameter& p : system->parameters) parameter_symbols.push_back(p.symbol);
  const auto number = [&](Expr e) { return evaluated(std::array{e}, parameter_symbols, parameters, {}, {})[0]; };

  Derivation by_parameters(seeds);
  if (system->initial.t && !by_parameters(*system->initial.t).is_zero())
    throw Error(ErrorCode::not_applicable, "the initial time depends on '" + name +
                                               "': states of the same time are compared, and these begin at others");
  const auto given_change = [&](const std::vector<std::optional<Expr>>& given, std::optional<std::size_t> changed) {
    std::vector<double> change(n);
    for (std::size_t i = 0; i < n; ++i) {
      if (changed == i) {
        change[i] = 1;
      } else if (given[i]) {
        change[i] = number(by_parameters(*given[i]));
      }
    }
    return change;
  };
  // a value that nobody gave is varied from what it is
  State given = given_state(system);
  if (named.position && !system->initial.q[*named.position]) given.q[*named.position] = at.q[*named.position];
  if (named.velocity && !system->initial.v[*named.velocity]) given.v[*named.velocity] = at.v[*named.velocity];
  const Admissible::Followers followers = admissible.followers(initial, named.position, named.velocity);
  const ConstraintSet& set = admissible.constraints();

  const auto level = [&](const std::vector<std::size_t>& rows, const std::vector<Expr>& of, const std::vector<Expr>& x,
                         const std::vector<double>& values, const std::vector<double>& wanted,
                         const std::vector<double>& change, const std::vector<std::size_t>& following) {
    FollowedLevel made{{}, x, values, wanted, change, following};
    for (const std::size_t row : rows) made.F.push_back(of[row]);
    return made;
  };
  const auto everything = [&](const std::vector<double>& dq, const std::vector<double>& dv) {
    Variation others;
    for (std::size_t i = 0; i < n; ++i) others.add(motion.q[i], at.q[i], dq[i]);
    for (std::size_t i = 0; i < n; ++i) others.add(motion.v[i], at.v[i], dv[i]);
    others.add(motion.t, at.t, 0);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      others.add(parameter_symbols[i], parameters[i], number(changes[i]));
    return others;
  };
  const auto without = [](std::vector<double> change, const std::vector<std::size_t>& following) {
    for (const std::size_t i : following) change[i] = 0;
    return change;
  };

  const std::vector<double> q_change = given_change(system->initial.q, named.position);
  const std::vector<double> v_change = given_change(system->initial.v, named.velocity);
  result.q = q_change;
  follow(level(set.position_rows, set.residual, motion.q, at.q, given.q, q_change, followers.q),
         everything(without(q_change, followers.q), result.v), result.q);
  result.v = v_change;
  follow(level(set.velocity_rows, set.phi, motion.v, at.v, given.v, v_change, followers.v),
         everything(result.q, without(v_change, followers.v)), result.v);
  return result;
}

}  // namespace cetaev
