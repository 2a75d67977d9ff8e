#include "cetaev/constraint/state.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace cetaev {

namespace {

std::vector<Value> parameter_assignment(const System& system) {
  std::vector<Value> values;
  values.reserve(system->parameters.size());
  for (const Parameter& p : system->parameters) values.emplace_back(p.symbol, evaluate(p.definition, values));
  return values;
}

}  // namespace

Rational exactly(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  constexpr int digits = std::numeric_limits<double>::digits;
  return Rational(static_cast<long>(std::ldexp(mantissa, digits))) * Rational(2).power(exponent - digits);
}

std::vector<double> parameter_values(const System& system) {
  std::vector<double> result;
  for (const Value& value : parameter_assignment(system)) result.push_back(value.second);
  return result;
}

std::vector<Ball> parameter_balls(const System& system, long bits) {
  std::vector<BallValue> values;
  std::vector<Ball> result;
  for (const Parameter& p : system->parameters) {
    values.emplace_back(p.symbol, evaluate_ball(p.definition, values, bits));
    result.push_back(values.back().second);
  }
  return result;
}

System with_parameters(const System& system, std::span<const double> values) {
  const std::size_t count = system->parameters.size();
  if (values.size() != count)
    throw Error(ErrorCode::bad_model, "the model has " + std::to_string(count) + " parameters, and " +
                                          std::to_string(values.size()) + " values were given");
  SystemData data = *system.scratch();
  for (std::size_t i = 0; i < count; ++i) {
    Parameter& parameter = data.parameters[i];
    if (!std::isfinite(values[i]))
      throw Error(ErrorCode::bad_model,
                  "the value of '" + std::string(parameter.symbol.name()) + "' is not a finite number");
    parameter.definition = data.context->number(exactly(values[i]));
  }
  return System(std::move(data));
}

System with_parameter(const System& system, std::size_t index, double value) {
  SystemData data = *system.scratch();
  data.parameters[index].definition = data.context->number(exactly(value));
  return System(std::move(data));
}

std::vector<Expr> state_symbols(const System& system) {
  std::vector<Expr> symbols = system->motion.q;
  symbols.insert(symbols.end(), system->motion.v.begin(), system->motion.v.end());
  symbols.push_back(system->motion.t);
  for (const Parameter& p : system->parameters) symbols.push_back(p.symbol);
  return symbols;
}

std::vector<double> state_values(const State& state, std::span<const double> parameters) {
  std::vector<double> values = state.q;
  values.insert(values.end(), state.v.begin(), state.v.end());
  values.push_back(state.t);
  values.insert(values.end(), parameters.begin(), parameters.end());
  return values;
}

State given_state(const System& system) {
  const std::vector<Value> values = parameter_assignment(system);
  const auto number = [&](const std::optional<Expr>& e) { return e ? evaluate(*e, values) : 0.0; };
  State state;
  state.t = number(system->initial.t);
  for (const auto& e : system->initial.q) state.q.push_back(number(e));
  for (const auto& e : system->initial.v) state.v.push_back(number(e));
  return state;
}

std::vector<Replacement> exact_parameters(const System& system) {
  std::vector<Replacement> values;
  try {
    for (const Parameter& p : system->parameters) values.emplace_back(p.symbol, substitute(p.definition, values));
  } catch (const Error&) {
    values.clear();  // evaluation says so
  }
  return values;
}

Expr with_parameter_values(const System& system, Expr e) {
  try {
    return substitute(e, exact_parameters(system));
  } catch (const Error&) {
    return e;
  }
}

}  // namespace cetaev
