#include "starts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

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
  for (const SizeCondition& condition : data.conditions) {
    outputs.push_back(substitute(condition.value, known));
    outputs.push_back(substitute(condition.beside, known));
  }
  return Program(outputs, inputs);
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

RowValues::RowValues(const System& base, const std::vector<std::string>& names)
    : system_(base), program_(start_program(base, names)), run_(program_), outputs_(program_.output_count()) {}

void RowValues::take(std::span<const double> values) {
  run_(values, outputs_);
  for (const double value : outputs_)
    if (!std::isfinite(value))
      throw Error(ErrorCode::non_finite, "a parameter or an initial value of the model is no number here");
  const double* of_conditions = outputs_.data() + system_->parameters.size() + 2 * system_->size() + 1;
  for (const SizeCondition& condition : system_->conditions) {
    if (!condition.holds(of_conditions[0], of_conditions[1])) throw Error(ErrorCode::bad_model, condition.broken);
    of_conditions += 2;
  }
}

State RowValues::state() const {
  const std::size_t n = system_->size();
  const double* const from = outputs_.data() + system_->parameters.size();
  return {from[2 * n], {from, from + n}, {from + n, from + 2 * n}};
}

State Starts::find(std::span<const double> values) {
  row_.take(values);
  return admissible_.initial(row_.state(), parameters());
}

}  // namespace cetaev::ensemble
