// Steady motions, proved to exist, and the families they belong to.
#include <algorithm>
#include <cmath>

#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/expr/derivative.hpp"
#include "steady.hpp"

namespace cetaev {

namespace {

// The model's own number where the state has it, else that of the double.
std::vector<Expr> exact_state(const ReducedField& field, std::span<const double> y) {
  const System& system = field.system();
  const InitialData& initial = system->initial;
  const std::vector<Replacement> parameters = exact_parameters(system);
  std::vector<Expr> result;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const Expr symbol = field.form().state[i].symbol;
    std::optional<Expr> given;
    for (std::size_t j = 0; j < system->size(); ++j) {
      if (symbol == system->motion.q[j]) given = initial.q[j];
      if (symbol == system->motion.v[j]) given = initial.v[j];
    }
    if (given) given = substitute(*given, parameters);
    const double tiny = 4 * std::numeric_limits<double>::epsilon() * std::abs(y[i]);
    if (given && std::abs(evaluate(*given, {}) - y[i]) <= tiny) {
      result.push_back(*given);
      continue;
    }
    result.push_back(system->context->number(exactly(y[i])));
  }
  return result;
}

// What has to vanish with the exact values of all components but some, and of all parameters but those that move.
std::optional<ReducedField::Vanishing> left_with(const ReducedField& field, std::span<const Expr> exact,
                                                 std::span<const std::size_t> free, const Movable& moves) {
  const System& system = field.system();
  std::vector<Replacement> values;
  const std::vector<Replacement> given = exact_parameters(system);
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (std::ranges::find(moves.parameters, i) != moves.parameters.end()) continue;
    values.push_back(moves.follows(i)
                         ? Replacement(given[i].first, substitute(system->parameters[i].definition, values))
                         : given[i]);
  }
  values.emplace_back(field.form().t, system->context->zero());
  for (std::size_t i = 0; i < exact.size(); ++i)
    if (std::ranges::find(free, i) == free.end()) values.emplace_back(field.form().state[i].symbol, exact[i]);
  return field.what_vanishes(values);
}

// Krawczyk's test: u₀ − Y F(u₀) + (1 − Y F'(X)) (X − u₀) within X proves that X has a zero of F. X becomes an enclosure of it.
bool encloses_a_zero(std::span<const Expr> equations, std::span<const Expr> unknowns, std::vector<Ball>& X, long bits) {
  const std::size_t n = unknowns.size();
  std::vector<Expr> slopes;
  for (const Expr e : equations) {
    for (const Expr u : unknowns) slopes.push_back(derivative(e, u));
  }
  const Program values(equations, unknowns), derivatives(slopes, unknowns);
  bool proved = false;
  constexpr int rounds = 12;
  for (int round = 0; round < rounds; ++round) {
    std::vector<Ball> middle, F, D, D_middle;
    for (const Ball& x : X) middle.push_back(x.center());
    run_in_balls(values, middle, F, bits);
    run_in_balls(derivatives, X, D, bits);
    run_in_balls(derivatives, middle, D_middle, bits);
    // Y = (F' at the middle)⁻¹
    std::vector<Ball> Y(n * n);
    for (std::size_t i = 0; i < n; ++i) Y[i * n + i].set(1L);
    if (!solve_in_balls(D_middle, Y, n, n, bits)) return proved;
    for (Ball& entry : Y) entry = entry.center();
    std::vector<Ball> next;
    bool inside = true;
    for (std::size_t i = 0; i < n; ++i) {
      Ball sum = middle[i];
      for (std::size_t j = 0; j < n; ++j) sum.subtract_product(Y[i * n + j], F[j], bits);
      for (std::size_t k = 0; k < n; ++k) {
        Ball entry;
        entry.set(i == k ? 1L : 0L);
        for (std::size_t j = 0; j < n; ++j) entry.subtract_product(Y[i * n + j], D[j * n + k], bits);
        sum.add_product(entry, X[k] - middle[k], bits);
      }
      if (!sum.is_finite()) return proved;
      // by bounds that doubles keep however narrow the ball is; what they round is less than this part
      constexpr double within = 1 - 1e-9;
      inside = inside && (sum - X[i].center()).magnitude() < within * X[i].radius();
      next.push_back(std::move(sum));
    }
    // once proved, every image is an enclosure
    if (!inside && !proved) return false;
    if (!inside && proved) {
      X = std::move(next);
      return true;
    }
    proved = true;
    X = std::move(next);
  }
  return proved;
}

// A steady motion keeps the coordinates that are not ignorable: their velocities are zero. What is left free.
std::vector<std::size_t> free_of_rest(const ReducedField& field) {
  const System& system = field.system();
  std::vector<std::size_t> free;
  for (const std::size_t i : field.kept()) {
    const Expr symbol = field.form().state[i].symbol;
    bool at_rest = false;
    for (const std::size_t j : field.kept()) {
      if (!field.is_position(j)) continue;
      const auto coordinate =
          std::ranges::find(system->motion.q, field.form().state[j].symbol) - system->motion.q.begin();
      at_rest = at_rest || symbol == system->motion.v[static_cast<std::size_t>(coordinate)];
    }
    if (!at_rest) free.push_back(i);
  }
  return free;
}

// Components by which what has to vanish can be solved, as the derivatives tell that are known there.
std::vector<std::size_t> told_by_slopes(const ReducedField& field, const SteadyPoint& point) {
  const std::vector<std::size_t> free = free_of_rest(field);
  const std::size_t size = point.y.size();
  std::vector<double> slopes;
  const auto add_rows = [&](const std::vector<double>& all) {
    for (std::size_t row = 0; row < all.size(); row += size) {
      for (const std::size_t i : free) slopes.push_back(all[row + i]);
    }
  };
  add_rows(point.slopes.rates);
  add_rows(point.slopes.constraints);
  if (free.empty() || !all_finite(slopes)) return {};
  const std::size_t rows = slopes.size() / free.size();
  std::vector<std::size_t> result;
  for (const std::size_t column : regular_part(std::move(slopes), rows, free.size()).columns)
    result.push_back(free[column]);
  return result;
}

// How many equations are left for certain, whatever algebra would say, when these components are not given: those that do not vanish at
// another place near by.
std::size_t surely_left(const ReducedField& field, const SteadyPoint& point, std::span<const Expr> exact,
                        std::span<const std::size_t> unknown, long bits) {
  std::vector<Ball> y = evaluate_balls(exact, {}, bits);
  for (std::size_t k = 0; k < unknown.size(); ++k) {
    const double size = std::max(1.0, std::abs(point.y[unknown[k]]));
    // no two of them alike
    const double part = 0.1 + 0.1 * static_cast<double>(k + 1) / static_cast<double>(unknown.size() + 1);
    y[unknown[k]].set(point.y[unknown[k]] + part * size);
  }
  const System& system = field.system();
  const std::vector<std::optional<Ball>> as_defined(system->parameters.size());
  const auto left = field.left_of_zero(y, balls_of_parameters(system, as_defined, bits), bits);
  if (!left) return 0;
  return static_cast<std::size_t>(
      std::ranges::count_if(*left, [](const Ball& ball) { return ball.is_finite() && !ball.contains_zero(); }));
}

bool none_vanishes(std::span<const Expr> conditions, std::span<const Expr> symbols, std::span<const Ball> at,
                   long bits) {
  std::vector<Ball> found;
  run_in_balls(Program(conditions, symbols), at, found, bits);
  return std::ranges::all_of(found, [](const Ball& ball) { return ball.is_finite() && !ball.contains_zero(); });
}

// Of what is left free, equations that do not vanish by themselves leave as many steady motions as there are components beyond their rank,
// if their derivatives are independent.
std::vector<std::string> curved_family(const ReducedField& field, const Movable& moves, const SteadyPoint& point,
                                       std::span<const Expr> exact, std::span<const std::size_t> free, long bits) {
  const std::optional<ReducedField::Vanishing> vanishing = left_with(field, exact, free, moves);
  if (!vanishing) return {};
  const std::vector<Expr>& left = vanishing->equations;
  std::vector<Expr> symbols, slopes;
  std::vector<Ball> at;
  for (const std::size_t i : free) {
    symbols.push_back(field.form().state[i].symbol);
    at.push_back(point.y_balls[i]);
  }
  const std::vector<Expr> components = symbols;
  for (const std::size_t i : moves.parameters) {
    symbols.push_back(field.system()->parameters[i].symbol);
    at.push_back(point.parameter_balls[i]);
  }
  if (!none_vanishes(vanishing->conditions, symbols, at, bits)) return {};
  for (const Expr e : left) {
    for (const Expr u : components) slopes.push_back(derivative(e, u));
  }
  std::vector<Ball> D;
  run_in_balls(Program(slopes, symbols), at, D, bits);
  std::vector<double> middle;
  for (const Ball& ball : D) {
    if (!ball.is_finite()) return {};
    middle.push_back(ball.midpoint());
  }
  const RegularPart regular = regular_part(std::move(middle), left.size(), free.size());
  if (regular.rows.size() != left.size()) return {};
  // regular for certain
  const std::size_t k = left.size();
  std::vector<Ball> part, unit(k);
  for (const std::size_t r : regular.rows) {
    for (const std::size_t c : regular.columns) part.push_back(D[r * free.size() + c]);
  }
  if (k > 0 && !solve_in_balls(part, unit, k, 1, bits)) return {};
  std::vector<std::string> names;
  for (std::size_t c = 0; c < free.size(); ++c) {
    if (std::ranges::find(regular.columns, c) == regular.columns.end())
      names.push_back(field.form().state[free[c]].name);
  }
  return names;
}

// Components that may have any value while all others keep theirs. The equations then vanish wherever the conditions of their solution do
// not; that is next to every value, as none of these is zero everywhere; and so at it, for the equations are regular at the point. What
// follows from the others by constraints may have no formula for a value: then the constraints have to be all that is left.
std::vector<std::string> straight_family(const ReducedField& field, const Movable& moves, const SteadyPoint& point,
                                         const ReducedField::Values<Ball>& slopes, std::span<const Expr> exact,
                                         std::span<const std::size_t> free, long bits) {
  const auto stays_steady = [&](std::span<const std::size_t> components) {
    const std::optional<ReducedField::Vanishing> left = left_with(field, exact, components, moves);
    return left && left->equations.empty() &&
           std::ranges::all_of(left->conditions, [](Expr e) { return prove_zero(e).verdict == Verdict::refuted; });
  };
  const auto stays_steady_with_dependent = [&](const std::vector<std::size_t>& components) {
    const std::vector<std::size_t> some = with_dependent(components, point.dependent);
    return some.size() > components.size() &&
           curved_family(field, moves, point, exact, some, bits).size() == components.size();
  };
  const auto& [rates, constraints] = slopes;
  std::vector<std::size_t> together;
  for (const std::size_t i : free) {
    bool may_move = true;
    for (std::size_t at = i; at < rates.size(); at += exact.size()) may_move = may_move && rates[at].contains_zero();
    for (std::size_t at = i; at < constraints.size(); at += exact.size())
      may_move = may_move && constraints[at].contains_zero();
    if (!may_move) continue;
    together.push_back(i);
    if (!stays_steady(together) && !stays_steady_with_dependent(together)) together.pop_back();
  }
  std::vector<std::string> names;
  for (const std::size_t i : together) names.push_back(field.form().state[i].name);
  return names;
}

}  // namespace

void certify(const ReducedField& field, const Movable& moves, SteadyPoint& point, long bits) {
  const System& system = field.system();
  const std::vector<Expr> exact = exact_state(field, point.y);
  try {
    std::vector<std::size_t> unknown;
    std::optional<ReducedField::Vanishing> left;
    // Numbers tell at once where there are too many equations; algebra, which may take long, is for the others.
    const auto as_many_with = [&](std::vector<std::size_t> components) {
      unknown = std::move(components);
      const std::size_t count = unknown.size() + moves.parameters.size();
      if (surely_left(field, point, exact, unknown, bits) > count) return false;
      left = left_with(field, exact, unknown, moves);
      return left && left->equations.size() == count;
    };
    // as they are given, or with what follows from the others; where algebra does not see that they are steady, some that tell it move,
    // within what they are given by
    const bool as_many = as_many_with(moves.components) ||
                         as_many_with(with_dependent(moves.components, point.dependent)) ||
                         (!moves.any() && as_many_with(told_by_slopes(field, point)));
    if (!as_many) return;
    std::vector<Expr> symbols;
    std::vector<double> middle;
    for (const std::size_t i : unknown) {
      symbols.push_back(field.form().state[i].symbol);
      middle.push_back(point.y[i]);
    }
    for (const std::size_t i : moves.parameters) {
      symbols.push_back(system->parameters[i].symbol);
      middle.push_back(point.parameters[i]);
    }
    // Of what may be zero nobody knows beside what it is small.
    bool proved = symbols.empty();
    std::vector<Ball> X;
    for (const double unit : {1.0, 1e-20, 1e-40, 1e-80, 1e-120, 1e-160}) {
      if (proved) break;
      X.clear();
      for (const double value : middle) {
        const double r = 1e-10 * std::max(unit, std::abs(value));
        X.push_back(Ball::between(value - r, value + r));
      }
      proved = encloses_a_zero(left->equations, symbols, X, bits);
    }
    if (!proved || !none_vanishes(left->conditions, symbols, X, bits)) return;
    point.y_balls = evaluate_balls(exact, {}, bits);
    for (std::size_t i = 0; i < unknown.size(); ++i) point.y_balls[unknown[i]] = X[i];
    std::vector<std::optional<Ball>> moved(system->parameters.size());
    for (std::size_t i = 0; i < moves.parameters.size(); ++i) moved[moves.parameters[i]] = X[unknown.size() + i];
    point.parameter_balls = balls_of_parameters(system, moved, bits);
    point.certified = true;
  } catch (const Error&) {
    // something is not defined at these values: no proof
  }
}

void find_families(const ReducedField& field, const Movable& moves, SteadyPoint& point,
                   const ReducedField::Values<Ball>& slopes, std::size_t zero, long bits) {
  if (!point.certified || zero == 0) return;
  const std::vector<Expr> exact = exact_state(field, point.y);
  const std::vector<std::size_t> free = free_of_rest(field);
  try {
    point.families = straight_family(field, moves, point, slopes, exact, free, bits);
    if (point.families.size() == zero) return;
    std::vector<std::string> curved = curved_family(field, moves, point, exact, free, bits);
    if (curved.size() > point.families.size()) point.families = std::move(curved);
  } catch (const Error&) {
    // something is not defined at these values: no proof
  }
}

}  // namespace cetaev
