#include "steady.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {

namespace {

constexpr int most_steps = 100;
// f and the constraints as one list of what has to vanish.
std::vector<double> to_vanish(const ReducedField& field, std::span<const double> y,
                              std::span<const double> parameters) {
  auto [rates, constraints] = field.values(y, parameters);
  rates.insert(rates.end(), constraints.begin(), constraints.end());
  return rates;
}

// Newton's method on rows and columns that no unit matters to: each is divided by its largest entry.
class NewtonStep {
 public:
  NewtonStep(const ReducedField& field, const SteadyPoint& point, std::span<const std::size_t> components,
             const Movable& moves) {
    const auto& [rates, constraints] = point.slopes;
    const std::size_t size = point.y.size(), of_rates = field.kept().size(), others = moves.parameters.size();
    DenseMatrix slopes(of_rates + field.constraints().size(), components.size() + others);
    std::vector<double> by_parameters(moves.by_parameters.output_count());
    if (others > 0) Interpreter(moves.by_parameters)(field.inputs(point.y, point.parameters), by_parameters);
    for (std::size_t i = 0; i < slopes.rows(); ++i) {
      for (std::size_t j = 0; j < components.size(); ++j)
        slopes(i, j) =
            i < of_rates ? rates[i * size + components[j]] : constraints[(i - of_rates) * size + components[j]];
      for (std::size_t j = 0; j < others; ++j) slopes(i, components.size() + j) = by_parameters[i * others + j];
    }
    if (!all_finite(slopes.entries()) || slopes.columns() == 0 || slopes.rows() == 0) return;
    columns_.assign(slopes.columns(), 1.0);
    rows_.assign(slopes.rows(), 1.0);
    // twice, for the first scales of the rows depend on the units of the columns
    for (int round = 0; round < 2; ++round) {
      for (std::size_t i = 0; i < slopes.rows(); ++i) {
        double largest = 0;
        for (std::size_t j = 0; j < slopes.columns(); ++j) largest = std::max(largest, std::abs(slopes(i, j)));
        if (!(largest > 0)) continue;
        rows_[i] /= largest;
        slopes.scale_row(i, 1 / largest);
      }
      for (std::size_t j = 0; j < slopes.columns(); ++j) {
        const double largest = largest_magnitude(slopes.column(j));
        if (!(largest > 0)) continue;
        columns_[j] /= largest;
        slopes.scale_column(j, 1 / largest);
      }
    }
    if (all_finite(slopes.entries()) && all_finite(rows_) && all_finite(columns_)) solver_.emplace(slopes, 1e-12);
  }
  bool possible() const { return solver_.has_value(); }
  // What is left, in the units of this step.
  double size(std::span<const double> residual) const { return length(weighted(residual)); }
  // Of least length.
  std::vector<double> change(std::span<const double> residual) const {
    std::vector<double> right = weighted(residual);
    for (double& value : right) value = -value;
    std::vector<double> result = solver_->solve(right);
    for (std::size_t j = 0; j < result.size(); ++j) result[j] *= columns_[j];
    return result;
  }

 private:
  std::vector<double> weighted(std::span<const double> residual) const {
    std::vector<double> result;
    for (std::size_t i = 0; i < residual.size(); ++i) result.push_back(rows_[i] * residual[i]);
    return result;
  }
  std::vector<double> rows_, columns_;
  std::optional<LeastNorm> solver_;
};

// What follows from those that have moved.
void let_follow(const ReducedField& field, const Movable& moves, std::vector<double>& parameters) {
  if (moves.followers.empty()) return;
  std::vector<Value> known;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = field.system()->parameters[i];
    if (moves.follows(i)) parameters[i] = evaluate(parameter.definition, known);
    known.emplace_back(parameter.symbol, parameters[i]);
  }
}

// How far the rates may be off, to first order, where the state is known to some part of itself.
std::vector<double> known_to(double part, const ReducedField& field, const SteadyPoint& point) {
  const std::size_t size = point.y.size();
  std::vector<double> result(field.kept().size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    for (std::size_t j = 0; j < size; ++j)
      result[i] += std::abs(point.slopes.rates[i * size + j]) * part * point.sizes[j];
  }
  return result;
}

// Do the rates vanish within some part of the state?
bool vanish_within(double part, const ReducedField& field, const SteadyPoint& point, std::span<const double> rates) {
  if (!all_finite(point.slopes.rates)) return false;
  const std::vector<double> off = known_to(part, field, point);
  for (std::size_t i = 0; i < off.size(); ++i)
    if (!(std::abs(rates[i]) <= off[i])) return false;
  return true;
}

constexpr std::size_t most_listed = 12;  // rates in one message

std::string list_of_rates(const ReducedField& field, std::span<const double> rates,
                          const std::function<bool(std::size_t)>& is_left) {
  std::string text;
  std::size_t count = 0;
  for (std::size_t i = 0; i < field.kept().size(); ++i) {
    if (!is_left(i) || ++count > most_listed) continue;
    const std::string& name = field.form().state[field.kept()[i]].name;
    text += fmt::format("{}{}' = {:.6g}", text.empty() ? "" : ", ", name, rates[i]);
  }
  return count > most_listed ? fmt::format("{}, and {} more", text, count - most_listed) : text;
}

// Rates that do not vanish, by name and value; none where the state may be steady for all that it is known by.
std::string rates_left(const ReducedField& field, const SteadyPoint& point, std::span<const double> rates) {
  // so far inside that the second order does not matter
  if (!point.slopes.rates.empty() && vanish_within(1e-3 * given_to, field, point, rates)) return {};
  std::vector<Ball> y, parameters;
  for (std::size_t j = 0; j < point.y.size(); ++j)
    y.push_back(Ball::between(point.y[j] - given_to * point.sizes[j], point.y[j] + given_to * point.sizes[j]));
  for (const double value : point.parameters) parameters.push_back(Ball::from_double(value));
  const auto found = field.values(y, parameters, 128);
  return list_of_rates(field, rates, [&](std::size_t i) { return !found.rates[i].contains_zero(); });
}

// The same by the slopes of the point. Balls of a long chain of operations grow from link to link until everything may be zero in them. What is
// left in doubles alone is their rounding.
std::string rates_left_by_slopes(const ReducedField& field, const SteadyPoint& point, std::span<const double> rates) {
  constexpr double second_order = 2;  // beside the first, within a billionth of the state
  if (!all_finite(point.slopes.rates)) return {};
  const std::vector<double> off = known_to(second_order * given_to, field, point);
  const auto beyond = [&](std::size_t i) { return std::abs(rates[i]) > off[i]; };
  if (std::ranges::none_of(all_indices(off.size()), beyond)) return {};
  std::vector<Ball> y, parameters;
  for (const double value : point.y) y.push_back(Ball::from_double(value));
  for (const double value : point.parameters) parameters.push_back(Ball::from_double(value));
  const auto here = field.values(y, parameters, 128);
  return list_of_rates(field, rates, [&](std::size_t i) {
    const Ball& rate = here.rates[i];
    const bool is_rounding = rate.contains_zero() && rate.radius() < 0.5 * std::abs(rates[i]);
    return beyond(i) && !is_rounding;
  });
}

}  // namespace

std::vector<std::size_t> with_dependent(std::vector<std::size_t> components, const ReducedField::Dependent& dependent) {
  for (const std::size_t i : dependent.components)
    if (std::ranges::find(components, i) == components.end()) components.push_back(i);
  return components;
}

std::vector<Ball> balls_of_parameters(const System& system, std::span<const std::optional<Ball>> other, long bits) {
  std::vector<BallValue> values;
  std::vector<Ball> result;
  for (std::size_t i = 0; i < other.size(); ++i) {
    const Parameter& parameter = system->parameters[i];
    result.push_back(other[i] ? *other[i] : evaluate_ball(parameter.definition, values, bits));
    values.emplace_back(parameter.symbol, result.back());
  }
  return result;
}

namespace {

// Parameters that are formulas of those that move, and how everything changes with these.
void let_parameters_move(const ReducedField& field, const std::vector<std::string>& varied, Movable& moves) {
  const System& system = field.system();
  const auto& parameters = system->parameters;
  std::vector<Expr> moving;
  for (const std::size_t i : moves.parameters) moving.push_back(parameters[i].symbol);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const bool given = std::ranges::find(varied, std::string(parameters[i].symbol.name())) != varied.end() ||
                       std::ranges::find(moves.parameters, i) != moves.parameters.end();
    if (given || !depends_on(parameters[i].definition, moving)) continue;
    moves.followers.push_back(i);
    moving.push_back(parameters[i].symbol);
  }
  std::vector<std::vector<Derivation::Seed>> directions;
  for (const std::size_t i : moves.parameters) {
    std::vector<Derivation::Seed>& seeds = directions.emplace_back();
    seeds.emplace_back(parameters[i].symbol, system->context->one());
    for (const std::size_t j : moves.followers) {
      Derivation along(seeds);
      if (const Expr change = along(parameters[j].definition); !change.is_zero())
        seeds.emplace_back(parameters[j].symbol, change);
    }
  }
  moves.by_parameters = field.slopes_program(std::move(directions));
}

}  // namespace

Movable movable(const ReducedField& field, const std::vector<std::string>& names,
                const std::vector<std::string>& varied) {
  Movable result;
  result.names = names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::ranges::find(names.begin() + static_cast<std::ptrdiff_t>(i) + 1, names.end(), names[i]) != names.end())
      throw Error(ErrorCode::bad_model, names[i] + " is named twice to be solved for; once is enough");
    if (std::ranges::find(varied, names[i]) != varied.end())
      throw Error(ErrorCode::bad_model,
                  names[i] + " is both varied and solved for: it has its values from --vary; solve for something else");
  }
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
  if (!result.parameters.empty()) let_parameters_move(field, varied, result);
  return result;
}

std::vector<double> values_of(const Movable& moves, const ReducedField& field, const SteadyPoint& point) {
  std::vector<double> result;
  for (const std::string& name : moves.names) {
    const auto component = std::ranges::find(field.form().state, name, &StateVariable::name);
    if (component != field.form().state.end()) {
      result.push_back(point.y[static_cast<std::size_t>(component - field.form().state.begin())]);
      continue;
    }
    for (std::size_t i = 0; i < point.parameters.size(); ++i)
      if (field.system()->parameters[i].symbol.name() == name) result.push_back(point.parameters[i]);
  }
  return result;
}

SteadyPoint find_steady(const ReducedField& field, std::vector<double> y, std::vector<double> parameters,
                        const Movable& moves) {
  SteadyPoint point;
  point.y = std::move(y);
  point.parameters = std::move(parameters);
  const std::vector<double> start = point.y;
  const auto measure = [&] {
    point.sizes.resize(start.size());
    for (std::size_t j = 0; j < start.size(); ++j)
      point.sizes[j] = std::max(std::abs(point.y[j]), std::abs(point.y[j] - start[j]));
  };
  measure();
  point.dependent = field.dependent(point.y, point.parameters);
  const std::vector<std::size_t> components = with_dependent(moves.components, point.dependent);
  std::vector<double> residual = to_vanish(field, point.y, point.parameters);
  if (!all_finite(residual)) {
    const FirstOrderProgram program(field.system(), field.form());
    (void)program.rates(0, point.y);  // throws its diagnosis
    throw Error(ErrorCode::non_finite, "the equations of motion are not finite at this state");
  }
  // what is steady as far as doubles tell stays where it is
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
  // that a state is not steady takes no slopes, which are most of the work
  if (moves.any()) point.slopes = field.derivatives(point.y, point.parameters);
  const auto of_rates = [&] { return std::span(residual).first(field.kept().size()); };
  const bool searches = moves.any() && !vanish_within(rounding, field, point, of_rates());
  for (int step = 0; searches && step < most_steps; ++step) {
    const NewtonStep newton(field, point, components, moves);
    if (!newton.possible()) break;
    const std::vector<double> change = newton.change(residual);
    const double before = newton.size(residual);
    double part = 1;
    bool better = false;
    for (; part > 1e-6 && !better; part /= 2) {
      std::vector<double> next = point.y, others = point.parameters;
      for (std::size_t i = 0; i < components.size(); ++i) next[components[i]] += part * change[i];
      for (std::size_t i = 0; i < moves.parameters.size(); ++i)
        others[moves.parameters[i]] += part * change[components.size() + i];
      let_follow(field, moves, others);
      const std::vector<double> left = to_vanish(field, next, others);
      if (!all_finite(left) || !(newton.size(left) < before)) continue;
      better = true;
      point.y = std::move(next);
      point.parameters = std::move(others);
      residual = left;
    }
    if (!better) break;
    point.slopes = field.derivatives(point.y, point.parameters);
    measure();
  }
  const auto rates = of_rates();
  point.residual = largest_magnitude(rates);
  std::string left = rates_left(field, point, rates);
  if (left.empty()) {
    if (!moves.any()) point.slopes = field.derivatives(point.y, point.parameters);
    left = rates_left_by_slopes(field, point, rates);
  }
  if (!left.empty()) {
    throw Error(ErrorCode::not_steady,
                (moves.any() ? "no steady motion was found near the initial state: "
                             : "the initial state is not a steady motion: ") +
                    left +
                    (moves.any() ? "" : "; `--solve NAME,…` moves initial values or parameters so that it is one"));
  }
  for (const double value : point.y) point.y_balls.push_back(Ball::from_double(value));
  for (const double value : point.parameters) point.parameter_balls.push_back(Ball::from_double(value));
  return point;
}

// By Newton's method with the derivatives in doubles, which gains all their digits in every round, while what is left is computed in balls.
void sharpen(const ReducedField& field, const Movable& moves, SteadyPoint& point, long bits) {
  const std::vector<std::size_t> components = with_dependent(moves.components, point.dependent);
  const NewtonStep newton(field, point, components, moves);
  const auto left = [&] {
    auto [rates, constraints] = field.values(point.y_balls, point.parameter_balls, bits);
    rates.insert(rates.end(), constraints.begin(), constraints.end());
    return rates;
  };
  const auto move = [&](Ball& ball, double by) {
    ball.set_sum(ball.center(), Ball::from_double(by), bits);
    ball = ball.center();
  };
  std::vector<Ball> residual = left();
  double before = std::numeric_limits<double>::infinity();
  for (long gained = 0; newton.possible() && gained < bits; gained += 32) {
    std::vector<double> middle;
    for (const Ball& ball : residual) middle.push_back(ball.midpoint());
    const double size = all_finite(middle) ? newton.size(middle) : 0;
    if (!(size > 0) || !(size < before)) break;
    before = size;
    const std::vector<double> change = newton.change(middle);
    for (std::size_t i = 0; i < components.size(); ++i) move(point.y_balls[components[i]], change[i]);
    for (std::size_t i = 0; i < moves.parameters.size(); ++i)
      move(point.parameter_balls[moves.parameters[i]], change[components.size() + i]);
    if (!moves.followers.empty()) {
      std::vector<std::optional<Ball>> known(point.parameter_balls.begin(), point.parameter_balls.end());
      for (const std::size_t i : moves.followers) known[i].reset();
      point.parameter_balls = balls_of_parameters(field.system(), known, bits);
    }
    residual = left();
  }
  std::vector<double> rates;
  for (std::size_t i = 0; i < field.kept().size(); ++i)
    rates.push_back(residual[i].contains_zero() ? 0 : residual[i].midpoint());
  const double none = std::ldexp(1.0, static_cast<int>(-bits / 2)),
               rounding = 64 * std::numeric_limits<double>::epsilon();
  point.off = given_to;
  for (const double part : {rounding, none})
    if (vanish_within(part, field, point, rates)) point.off = part == none ? 0 : rounding;
}

}  // namespace cetaev
