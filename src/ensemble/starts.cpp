#include "starts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "cetaev/detail/expr/walk.hpp"
#include "cetaev/error.hpp"

namespace cetaev::ensemble {

namespace {

// Where a name stands in the data of a system.
struct Slot {
  Parameter* parameter = nullptr;
  std::optional<Expr>* initial = nullptr;
  Expr symbol;  // that stands for it
};

Slot slot_of(SystemData& data, const std::string& name) {
  for (Parameter& parameter : data.parameters)
    if (parameter.symbol.name() == name) return {&parameter, nullptr, parameter.symbol};
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data.coordinates[i] == name) return {nullptr, &data.initial.q[i], data.motion.q[i]};
    if (data.coordinates[i] + "'" == name) return {nullptr, &data.initial.v[i], data.motion.v[i]};
  }
  return {nullptr, &data.initial.t, data.motion.t};
}

Program start_program(const System& system, const std::vector<std::string>& names) {
  SystemData data = *system.scratch();
  std::vector<Expr> inputs;
  for (const std::string& name : names) {
    const Slot slot = slot_of(data, name);
    inputs.push_back(slot.symbol);
    if (slot.parameter != nullptr) slot.parameter->definition = slot.symbol;
    if (slot.initial != nullptr) *slot.initial = slot.symbol;
  }
  std::vector<Replacement> known;
  std::vector<Expr> outputs;
  for (const Parameter& parameter : data.parameters) {
    const Expr value = substitute(parameter.definition, known);
    outputs.push_back(value);
    if (!(value == parameter.symbol)) known.emplace_back(parameter.symbol, value);
  }
  const auto add = [&](const std::optional<Expr>& e) {
    outputs.push_back(e ? substitute(*e, known) : data.context->zero());
  };
  for (const auto& e : data.initial.q) add(e);
  for (const auto& e : data.initial.v) add(e);
  add(data.initial.t);
  return Program(outputs, inputs);
}

Program residual_program(const System& system) {
  const System scratch = system.scratch();
  const ConstraintSet set(scratch);
  std::vector<Expr> outputs;
  for (const std::size_t i : set.position_rows) outputs.push_back(set.residual[i]);
  for (const std::size_t i : set.velocity_rows) outputs.push_back(set.phi[i]);
  return Program(outputs, state_symbols(scratch));
}

bool is_plain(const System& system) {
  std::vector<Expr> constraints;
  for (const Constraint& constraint : system->constraints) constraints.push_back(constraint.expression);
  const auto all = topological(constraints);
  return std::none_of(all.begin(), all.end(), [](Expr e) {
    return e.kind() == Kind::function && e.function() != Function::sin && e.function() != Function::cos;
  });
}

}  // namespace

System with_values(const System& system, const std::vector<std::string>& names, std::span<const double> values) {
  SystemData data = *system.scratch();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Slot slot = slot_of(data, names[i]);
    const Expr value = data.context->number(exactly(values[i]));
    if (slot.parameter != nullptr) slot.parameter->definition = value;
    if (slot.initial != nullptr) *slot.initial = value;
  }
  return System(std::move(data));
}

Starts::Starts(const System& base, const std::vector<std::string>& names)
    : system_(base),
      parameter_count_(base->parameters.size()),
      program_(start_program(base, names)),
      run_(program_),
      outputs_(program_.output_count()),
      residuals_(residual_program(base)),
      run_residuals_(residuals_),
      residual_(residuals_.output_count()),
      plain_(is_plain(base)),
      admissible_(base) {}

// As it is given, and without looking at more than that.
bool Starts::is_admissible(const State& state) {
  if (!plain_) return false;
  state_ = state_values(state, parameters());
  if (run_residuals_(state_, residual_) >= 0) return false;
  return std::all_of(residual_.begin(), residual_.end(), [](double value) { return value == 0; });
}

State Starts::find(std::span<const double> values) {
  run_(values, outputs_);
  for (const double value : outputs_)
    if (!std::isfinite(value))
      throw Error(ErrorCode::non_finite, "a parameter or an initial value of the model is no number here");
  const std::size_t n = system_->size();
  const double* const from = outputs_.data() + parameter_count_;
  State given{outputs_.back(), {from, from + n}, {from + n, from + 2 * n}};
  return is_admissible(given) ? given : admissible_.initial(given, parameters()).state;
}

}  // namespace cetaev::ensemble
