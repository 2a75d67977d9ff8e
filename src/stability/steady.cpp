#include "steady.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {

namespace {

constexpr int most_steps = 100;
// To how many digits a state is taken to be given, where it is not zero: rates that may vanish within them do.
constexpr double given_to = 1e-9;

// f and the constraints as one list of what has to vanish.
std::vector<double> to_vanish(const ReducedField& field, std::span<const double> y,
                              std::span<const double> parameters) {
  auto [rates, constraints] = field.values(y, parameters);
  rates.insert(rates.end(), constraints.begin(), constraints.end());
  return rates;
}

std::vector<std::size_t> with_dependent(std::vector<std::size_t> components, const ReducedField::Dependent& dependent) {
  for (const std::size_t i : dependent.components)
    if (std::ranges::find(components, i) == components.end()) components.push_back(i);
  return components;
}

// One step of Newton's method, of least length.
std::vector<double> newton_step(const ReducedField& field, std::span<const double> y,
                                std::span<const double> parameters, std::span<const std::size_t> components,
                                std::span<const std::size_t> others, std::span<const double> residual) {
  constexpr double part = 1e-6;  // of a parameter: differences serve where only the next point depends on them
  const auto [rates, constraints] = field.derivatives(y, parameters);
  const std::size_t size = y.size();
  DenseMatrix slopes(residual.size(), components.size() + others.size());
  for (std::size_t j = 0; j < components.size(); ++j) {
    for (std::size_t i = 0; i < residual.size(); ++i) {
      const std::size_t of_rates = field.kept().size();
      slopes(i, j) =
          i < of_rates ? rates[i * size + components[j]] : constraints[(i - of_rates) * size + components[j]];
    }
  }
  std::vector<double> moved(parameters.begin(), parameters.end());
  for (std::size_t j = 0; j < others.size(); ++j) {
    double& value = moved[others[j]];
    const double h = part * std::max(1.0, std::abs(value)), kept = value;
    value = kept + h;
    const std::vector<double> above = to_vanish(field, y, moved);
    value = kept - h;
    const std::vector<double> below = to_vanish(field, y, moved);
    value = kept;
    for (std::size_t i = 0; i < residual.size(); ++i)
      slopes(i, components.size() + j) = (above[i] - below[i]) / (2 * h);
  }
  if (!all_finite(slopes.entries())) return {};
  std::vector<double> right;
  for (const double value : residual) right.push_back(-value);
  return LeastNorm(slopes, 1e-12).solve(right);
}

// Do the rates vanish within a thousandth of what the state is known by? To first order, so far inside that the second does not matter.
bool surely_vanish(const ReducedField& field, const SteadyPoint& point, std::span<const double> rates) {
  constexpr double part = 1e-3;
  const std::size_t size = point.y.size();
  if (!all_finite(point.slopes.rates)) return false;
  for (std::size_t i = 0; i < field.kept().size(); ++i) {
    double known_to = 0;
    for (std::size_t j = 0; j < size; ++j)
      known_to += std::abs(point.slopes.rates[i * size + j]) * given_to * std::abs(point.y[j]);
    if (!(std::abs(rates[i]) <= part * known_to)) return false;
  }
  return true;
}

// Rates that do not vanish, by name and value; none where the state may be steady for all that it is known by.
std::string rates_left(const ReducedField& field, const SteadyPoint& point, std::span<const double> rates) {
  if (surely_vanish(field, point, rates)) return {};
  std::vector<Ball> y, parameters;
  for (const double value : point.y)
    y.push_back(Ball::between(value - given_to * std::abs(value), value + given_to * std::abs(value)));
  for (const double value : point.parameters) parameters.push_back(Ball::from_double(value));
  const auto found = field.values(y, parameters, 128);
  std::string text;
  for (std::size_t i = 0; i < field.kept().size(); ++i) {
    if (found.rates[i].contains_zero()) continue;
    const std::string& name = field.form().state[field.kept()[i]].name;
    text += fmt::format("{}{}' = {:.6g}", text.empty() ? "" : ", ", name, rates[i]);
  }
  return text;
}

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
    int exponent = 0;
    const double mantissa = std::frexp(y[i], &exponent);
    const auto whole = static_cast<long>(std::ldexp(mantissa, 53));
    result.push_back(system->context->number(Rational(whole) * Rational(2).power(exponent - 53)));
  }
  return result;
}

// What has to vanish with the exact values of all components but some.
std::optional<ReducedField::Vanishing> left_with(const ReducedField& field, std::span<const Expr> exact,
                                                 std::span<const std::size_t> free) {
  const System& system = field.system();
  std::vector<Replacement> values = exact_parameters(system);
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
      inside = inside && sum.lower() > X[i].lower() && sum.upper() < X[i].upper();
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

bool none_vanishes(std::span<const Expr> conditions, std::span<const Expr> symbols, std::span<const Ball> at,
                   long bits) {
  std::vector<Ball> found;
  run_in_balls(Program(conditions, symbols), at, found, bits);
  return std::ranges::all_of(found, [](const Ball& ball) { return ball.is_finite() && !ball.contains_zero(); });
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

// Of what is left free, equations that do not vanish by themselves leave as many steady motions as there are components beyond their rank,
// if their derivatives are independent.
std::vector<std::string> curved_family(const ReducedField& field, const SteadyPoint& point, std::span<const Expr> exact,
                                       std::span<const std::size_t> free, long bits) {
  const std::optional<ReducedField::Vanishing> vanishing = left_with(field, exact, free);
  if (!vanishing) return {};
  const std::vector<Expr>& left = vanishing->equations;
  std::vector<Expr> symbols, slopes;
  std::vector<Ball> at;
  for (const std::size_t i : free) {
    symbols.push_back(field.form().state[i].symbol);
    at.push_back(point.y_balls[i]);
  }
  if (!none_vanishes(vanishing->conditions, symbols, at, bits)) return {};
  for (const Expr e : left) {
    for (const Expr u : symbols) slopes.push_back(derivative(e, u));
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
std::vector<std::string> straight_family(const ReducedField& field, const SteadyPoint& point,
                                         std::span<const Expr> exact, std::span<const std::size_t> free, long bits) {
  const auto stays_steady = [&](std::span<const std::size_t> components) {
    const std::optional<ReducedField::Vanishing> left = left_with(field, exact, components);
    return left && left->equations.empty() &&
           std::ranges::all_of(left->conditions, [](Expr e) { return prove_zero(e).verdict == Verdict::refuted; });
  };
  const auto stays_steady_with_dependent = [&](const std::vector<std::size_t>& components) {
    const std::vector<std::size_t> some = with_dependent(components, point.dependent);
    return some.size() > components.size() &&
           curved_family(field, point, exact, some, bits).size() == components.size();
  };
  const auto [rates, constraints] = field.derivatives(point.y_balls, point.parameter_balls, bits);
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

Movable movable(const ReducedField& field, const std::vector<std::string>& names) {
  Movable result;
  const std::vector<StateVariable>& state = field.form().state;
  for (const std::string& name : names) {
    const auto component = std::ranges::find(state, name, &StateVariable::name);
    if (component != state.end()) {
      result.components.push_back(static_cast<std::size_t>(component - state.begin()));
      continue;
    }
    const auto& parameters = field.system()->parameters;
    const auto parameter =
        std::ranges::find_if(parameters, [&](const Parameter& p) { return p.symbol.name() == name; });
    if (parameter != parameters.end()) {
      result.parameters.push_back(static_cast<std::size_t>(parameter - parameters.begin()));
      continue;
    }
    const bool velocity =
        name.ends_with("'") && std::ranges::find(field.system()->coordinates, name.substr(0, name.size() - 1)) !=
                                   field.system()->coordinates.end();
    std::string known;
    for (const StateVariable& variable : state) known += (known.empty() ? "" : ", ") + variable.name;
    if (velocity)
      throw Error(ErrorCode::bad_model, name + " follows from the constraints and cannot be solved for; what can: " +
                                            known + ", and parameters");
    throw Error(ErrorCode::unknown_name,
                "there is no " + name + " to solve for; what can be: " + known + ", and parameters");
  }
  return result;
}

SteadyPoint find_steady(const ReducedField& field, std::vector<double> y, std::vector<double> parameters,
                        const Movable& moves) {
  SteadyPoint point;
  point.y = std::move(y);
  point.parameters = std::move(parameters);
  point.dependent = field.dependent(point.y, point.parameters);
  const std::vector<std::size_t> components = with_dependent(moves.components, point.dependent);
  std::vector<double> residual = to_vanish(field, point.y, point.parameters);
  if (!all_finite(residual)) {
    const FirstOrderProgram program(field.system(), field.form());
    (void)program.rates(0, point.y);  // throws its diagnosis
    throw Error(ErrorCode::non_finite, "the equations of motion are not finite at this state");
  }
  const bool searches = !moves.components.empty() || !moves.parameters.empty();
  for (int step = 0; searches && step < most_steps; ++step) {
    const std::vector<double> change =
        newton_step(field, point.y, point.parameters, components, moves.parameters, residual);
    if (change.empty()) break;
    const double before = length(residual);
    double part = 1;
    bool better = false;
    for (; part > 1e-6 && !better; part /= 2) {
      std::vector<double> next = point.y, others = point.parameters;
      for (std::size_t i = 0; i < components.size(); ++i) next[components[i]] += part * change[i];
      for (std::size_t i = 0; i < moves.parameters.size(); ++i)
        others[moves.parameters[i]] += part * change[components.size() + i];
      const std::vector<double> left = to_vanish(field, next, others);
      if (!all_finite(left) || !(length(left) < before)) continue;
      better = true;
      point.y = std::move(next);
      point.parameters = std::move(others);
      residual = left;
    }
    if (!better) break;
  }
  const auto rates = std::span(residual).first(field.kept().size());
  point.residual = largest_magnitude(rates);
  point.slopes = field.derivatives(point.y, point.parameters);
  if (const std::string left = rates_left(field, point, rates); !left.empty()) {
    throw Error(ErrorCode::not_steady,
                (searches ? "no steady motion was found near the initial state: "
                          : "the initial state is not a steady motion: ") +
                    left + (searches ? "" : "; `--solve NAME,…` moves initial values or parameters so that it is one"));
  }
  for (const double value : point.y) point.y_balls.push_back(Ball::from_double(value));
  for (const double value : point.parameters) point.parameter_balls.push_back(Ball::from_double(value));
  return point;
}

void certify(const ReducedField& field, const Movable& moves, SteadyPoint& point, long bits) {
  if (!moves.parameters.empty()) return;
  const System& system = field.system();
  const std::vector<Expr> exact = exact_state(field, point.y);
  try {
    // as they are given, or with what follows from the others
    std::vector<std::size_t> unknown = moves.components;
    std::optional<ReducedField::Vanishing> left = left_with(field, exact, unknown);
    if (!left || left->equations.size() != unknown.size()) {
      unknown = with_dependent(moves.components, point.dependent);
      left = left_with(field, exact, unknown);
    }
    if (!left || left->equations.size() != unknown.size()) return;
    std::vector<Expr> symbols;
    std::vector<Ball> X;
    for (const std::size_t i : unknown) {
      symbols.push_back(field.form().state[i].symbol);
      const double r = 1e-10 * std::max(1.0, std::abs(point.y[i]));
      X.push_back(Ball::between(point.y[i] - r, point.y[i] + r));
    }
    if (!unknown.empty() && !encloses_a_zero(left->equations, symbols, X, bits)) return;
    if (!none_vanishes(left->conditions, symbols, X, bits)) return;
    point.y_balls = evaluate_balls(exact, {}, bits);
    for (std::size_t i = 0; i < unknown.size(); ++i) point.y_balls[unknown[i]] = X[i];
    point.parameter_balls = parameter_balls(system, bits);
    point.certified = true;
  } catch (const Error&) {
    // something is not defined at these values: no proof
  }
}

void find_families(const ReducedField& field, SteadyPoint& point, std::size_t zero, long bits) {
  if (!point.certified || zero == 0) return;
  const std::vector<Expr> exact = exact_state(field, point.y);
  const std::vector<std::size_t> free = free_of_rest(field);
  try {
    point.families = straight_family(field, point, exact, free, bits);
    if (point.families.size() == zero) return;
    std::vector<std::string> curved = curved_family(field, point, exact, free, bits);
    if (curved.size() > point.families.size()) point.families = std::move(curved);
  } catch (const Error&) {
    // something is not defined at these values: no proof
  }
}

}  // namespace cetaev
