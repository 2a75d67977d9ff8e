#include "cetaev/analysis/two_models.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/constraint/initial_variation.hpp"
#include "cetaev/detail/formulation/at_states.hpp"
#include "cetaev/detail/numeric/bisection.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/text/closest.hpp"
#include "cetaev/integrate/compiled_motion.hpp"
#include "cetaev/integrate/trajectory.hpp"
#include "cetaev/model/read.hpp"

namespace cetaev {

namespace {

// A mapped state counts as one of the other model where its constraints are met to this, beside 1.
constexpr double met = 1e-9;

std::optional<std::size_t> index_of(const System& system, const std::string& name) {
  const auto found = std::find(system->coordinates.begin(), system->coordinates.end(), name);
  if (found == system->coordinates.end()) return std::nullopt;
  return static_cast<std::size_t>(found - system->coordinates.begin());
}

std::string without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return std::string(text);
}

struct NamedFormula {
  std::string name, formula;
};

std::vector<NamedFormula> split(const std::vector<std::string>& equations) {
  std::vector<NamedFormula> result;
  for (const std::string& equation : equations) {
    const std::size_t sign = equation.find('=');
    if (sign == std::string::npos)
      throw Error(ErrorCode::bad_model, "'" + equation + "' is no equation of a map; write --map \"x = r*cos(phi)\"");
    std::string name = without_blanks(std::string_view(equation).substr(0, sign));
    for (const NamedFormula& before : result)
      if (before.name == name)
        throw Error(ErrorCode::bad_model, "the map says twice what '" + name + "' is; leave one of the two --map out");
    result.push_back({std::move(name), equation.substr(sign + 1)});
  }
  return result;
}

}  // namespace

CoordinateMap::CoordinateMap(const System& first, const System& second, const std::vector<std::string>& equations) {
  const std::vector<NamedFormula> given = split(equations);
  const auto all_of = [&](const System& system) {
    return std::all_of(given.begin(), given.end(), [&](const NamedFormula& one) { return index_of(system, one.name); });
  };
  from_first_ = all_of(second);
  if (!from_first_ && !all_of(first)) {
    std::vector<std::string> names = second->coordinates;
    names.insert(names.end(), first->coordinates.begin(), first->coordinates.end());
    for (const NamedFormula& one : given) {
      if (index_of(second, one.name)) continue;
      Error error(ErrorCode::unknown_name, "'" + one.name +
                                               "' is no coordinate of the second model; the left sides of a map are "
                                               "coordinates of one model, the right sides are in those of the other");
      if (const std::string near = text::closest(one.name, names); !near.empty()) error.suggest(near);
      throw error;
    }
  }
  from_ = (from_first_ ? first : second).scratch();
  to_ = from_first_ ? second : first;
  parameters_ = parameter_values(from_);

  const Motion& motion = from_->motion;
  std::vector<Expr> g;
  for (const std::string& name : to_->coordinates) {
    const auto one = std::find_if(given.begin(), given.end(), [&](const NamedFormula& e) { return e.name == name; });
    if (one != given.end()) {
      g.push_back(parse_expression(from_, one->formula));
      std::vector<Expr> fast = motion.v;
      fast.insert(fast.end(), motion.a.begin(), motion.a.end());
      if (depends_on(g.back(), fast))
        throw Error(ErrorCode::bad_model,
                    "the map of '" + name + "' contains velocities: it is one of positions and time");
    } else if (const auto same = index_of(from_, name)) {
      g.push_back(motion.q[*same]);
    } else {
      throw Error(ErrorCode::bad_model, "the map does not say what '" + name + "' is; add --map \"" + name + " = …\"");
    }
  }
  Derivation d_t = total_derivative(motion);
  std::vector<Expr> states = g, accelerations;
  for (const Expr e : g) states.push_back(d_t(e));
  for (std::size_t i = 0; i < g.size(); ++i) accelerations.push_back(d_t(states[g.size() + i]));
  std::vector<Expr> inputs = state_symbols(from_);
  states_ = Program(states, inputs);
  inputs.insert(inputs.end(), motion.a.begin(), motion.a.end());
  accelerations_ = Program(accelerations, inputs);
}

State CoordinateMap::operator()(const State& at) const {
  std::vector<double> values(states_.output_count());
  Interpreter run(states_);
  run(state_values(at, parameters_), values);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(to_->size());
  return {at.t, {values.begin(), middle}, {middle, values.end()}};
}

std::vector<double> CoordinateMap::accelerations(const State& at, const std::vector<double>& a) const {
  std::vector<double> inputs = state_values(at, parameters_), values(accelerations_.output_count());
  inputs.insert(inputs.end(), a.begin(), a.end());
  Interpreter run(accelerations_);
  run(inputs, values);
  return values;
}

namespace {

class ComparisonOfModels {
 public:
  ComparisonOfModels(const CoordinateMap& map, TwoModels& result)
      : map_(map),
        result_(result),
        from_(map.from()),
        to_(map.to()),
        mapped_(from_, result.from_form),
        other_(to_, result.to_form) {}

  Groundwork& from() { return from_; }

  Difference at(const AdmissibleState& state) {
    const AdmissibleState there{map_(state.state), false, dependent_};
    if (!all_finite(there.state.q) || !all_finite(there.state.v))
      throw Error(ErrorCode::non_finite, "the map has no values at this state");
    const std::vector<double> residual = to_.admissible().residual(there.state);
    for (std::size_t i = 0; i < residual.size(); ++i) {
      if (map_.to()->constraints[i].order > 1 || !(std::abs(residual[i]) > met)) continue;
      ++result_.off_constraints;
      if (std::abs(residual[i]) > result_.residual) {
        result_.residual = std::abs(residual[i]);
        result_.constraint = i;
      }
      throw Error(ErrorCode::inconsistent_initial_state, "the map leads off the constraints of the other model");
    }
    Difference result;
    result.state = state.state;
    result.first = map_.accelerations(state.state, mapped_.accelerations(state));
    result.second = other_.accelerations(there);
    measure(result);
    return result;
  }

 private:
  const CoordinateMap& map_;
  TwoModels& result_;
  Groundwork from_, to_;
  FormAtStates mapped_, other_;
  std::vector<std::size_t> dependent_;
};

TwoModels::Motions motions_of(const CoordinateMap& map, Form from_form, Form to_form, MotionOptions options,
                              double threshold) {
  TwoModels::Motions result;
  result.threshold = threshold;
  options.form = from_form;
  const Trajectory a = compute_trajectory(map.from(), options);
  result.from = a.summary();
  options.form = to_form;
  const CompiledMotion motion(map.to(), options);
  const Trajectory b = compute_trajectory(motion, map(a.at(a.t_begin())));
  result.to = b.summary();
  const double begin = a.t_begin(), direction = options.t_end < begin ? -1 : 1;
  result.t_end = direction * std::min(direction * a.t_end(), direction * b.t_end());
  constexpr int looks = 1000;
  double before = begin;
  for (int i = 0; i <= looks; ++i) {
    const double t = i == looks ? result.t_end : begin + (result.t_end - begin) * i / looks;
    const double own = difference_of(map(a.at(t)), b.at(t), &result.position, &result.velocity);
    result.largest = std::max(result.largest, own);
    if (!result.part_at && own > threshold)
      result.part_at =
          first_beyond(before, t, [&](double s) { return difference_of(map(a.at(s)), b.at(s)) > threshold; });
    before = t;
  }
  return result;
}

MotionOptions motion_of(const CoordinateMap& map, std::optional<double> t_end, std::optional<Method> method) {
  MotionOptions motion = default_options(map.from());
  if (t_end) motion.t_end = *t_end;
  motion.method = method;
  if (!std::isfinite(motion.t_end)) throw Error(ErrorCode::bad_model, "--t-end needs a finite time");
  return motion;
}

}  // namespace

bool TwoModels::agree() const {
  if (off_constraints > 0 || (states == 0 && !at_initial)) return false;
  return (!at_initial || at_initial->largest <= tolerance) && (!worst || worst->largest <= tolerance);
}

TwoModels compare_models(const System& first, const System& second, const std::vector<std::string>& equations,
                         const TwoModelsOptions& options) {
  const CoordinateMap map(first, second, equations);
  TwoModels result;
  result.from = map.from()->name;
  result.to = map.to()->name;
  result.from_form = map.from_first() ? options.first : options.second;
  result.to_form = map.from_first() ? options.second : options.first;
  result.tolerance = options.at_states.tolerance;
  ComparisonOfModels compare(map, result);
  try {
    result.at_initial = compare.at(compare.from().initial());
  } catch (const Error& error) {
    if (exit_code(error.code()) == 2) throw;
    result.initial_error = error;
  }
  for (std::size_t i = 0; i < options.at_states.states; ++i) {
    const std::uint64_t seed = options.at_states.seed + i;
    try {
      const auto state = compare.from().admissible().random(seed);
      if (!state) {
        ++result.skipped;
        continue;
      }
      Difference difference = compare.at({*state, false, {}});
      difference.seed = seed;
      ++result.states;
      if (!result.worst || difference.largest > result.worst->largest) result.worst = std::move(difference);
    } catch (const Error& error) {
      if (exit_code(error.code()) == 2) throw;
      ++result.skipped;
    }
  }
  if (options.t_end)
    result.motions = motions_of(map, result.from_form, result.to_form, motion_of(map, options.t_end, options.method),
                                options.threshold);
  return result;
}

std::string_view to_string(Limit::Verdict verdict) {
  switch (verdict) {
    case Limit::Verdict::converges: return "converges";
    case Limit::Verdict::does_not: return "does-not-converge";
    case Limit::Verdict::undecided: return "undecided";
  }
  return "undecided";
}

Limit find_limit(const System& model, const System& other, const std::string& name, const std::vector<std::string>& map,
                 const LimitOptions& options) {
  // Differences below this are those of the integration.
  constexpr double of_integration = 1e-10;
  if (options.count < 3) throw Error(ErrorCode::bad_model, "a limit needs three values at least: NAME=FROM:TO:COUNT");
  if (options.from == options.to)
    throw Error(ErrorCode::bad_model, "both ends of a limit are the same: NAME=FROM:TO:COUNT");
  const auto parameter = given_value(model, name).parameter;
  if (!parameter)
    throw Error(ErrorCode::bad_model, "'" + name + "' is an initial value: a limit is one of a parameter");
  std::optional<std::size_t> of_other;
  for (std::size_t i = 0; i < other->parameters.size(); ++i)
    if (other->parameters[i].symbol.name() == name) of_other = i;
  Limit result;
  result.name = name;
  for (std::size_t i = 0; i < options.count; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(options.count - 1);
    const double value = i + 1 == options.count          ? options.to
                         : options.from * options.to > 0 ? options.from * std::pow(options.to / options.from, part)
                                                         : options.from + (options.to - options.from) * part;
    const System own = with_parameter(model, *parameter, value);
    const System beside = of_other ? with_parameter(other, *of_other, value) : other;
    const CoordinateMap coordinates(own, beside, map);
    const Form from = coordinates.from_first() ? options.first : options.second;
    const Form to = coordinates.from_first() ? options.second : options.first;
    MotionOptions motion = motion_of(coordinates, options.t_end, {});
    result.t_end = motion.t_end;
    const TwoModels::Motions along = motions_of(coordinates, from, to, motion, 1);
    if (along.t_end != motion.t_end) {
      const MotionSummary& ended = along.from.status == MotionStatus::finished ? along.to : along.from;
      throw ended.diagnosis ? *ended.diagnosis
                            : Error(ErrorCode::not_applicable, "an event of a model stops its motion before the end");
    }
    result.values.push_back(value);
    result.differences.push_back(along.largest);
  }
  for (std::size_t i = 0; i + 1 < result.values.size(); ++i) {
    const double one = result.differences[i], next = result.differences[i + 1];
    const bool told = one > of_integration && next > of_integration && result.values[i] * result.values[i + 1] > 0;
    // of the parameter where it shrinks, and of its reciprocal where it grows
    const double shrinks = std::abs(std::log(result.values[i] / result.values[i + 1]));
    result.orders.push_back(told ? std::optional(std::log(one / next) / shrinks) : std::nullopt);
    if (result.orders.back()) result.order = result.orders.back();
  }
  constexpr double least_order = 0.25;
  const double last = result.differences.back(), first = result.differences.front();
  if (last <= of_integration || (result.order && *result.order > least_order && last < first)) {
    result.verdict = Limit::Verdict::converges;
  } else if (result.order && *result.order < least_order / 2 && last > std::sqrt(of_integration)) {
    result.verdict = Limit::Verdict::does_not;
  }
  return result;
}

}  // namespace cetaev
