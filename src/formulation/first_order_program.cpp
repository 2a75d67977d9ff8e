// What can be asked of the equations once they stand: programs, Jacobians, values.
#include "cetaev/formulation/first_order.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "assemble.hpp"
#include "cetaev/detail/formulation/slopes.hpp"
#include "tangents.hpp"

namespace cetaev {

std::vector<Expr> FirstOrderSystem::inputs() const {
  std::vector<Expr> result;
  for (const StateVariable& y : state) result.push_back(y.symbol);
  result.push_back(t);
  result.insert(result.end(), parameters.begin(), parameters.end());
  return result;
}

NumberedBlocks FirstOrderSystem::needed_for(std::span<const Expr> outputs) const {
  std::set<Expr> needed;
  const auto need = [&](std::span<const Expr> roots) {
    for (const Expr symbol : free_symbols(roots)) needed.insert(symbol);
  };
  need(outputs);
  NumberedBlocks result;
  for (std::size_t k = steps.size(); k-- > 0;) {
    const LinearBlock& block = steps[k].block;
    std::vector<std::size_t> sides;
    for (std::size_t j = 0; j < block.right.columns; ++j) {
      for (std::size_t i = 0; i < block.matrix.rows; ++i) {
        if (!needed.contains(block.unknown(i, j))) continue;
        sides.push_back(j);
        break;
      }
    }
    if (sides.empty()) continue;
    LinearBlock used{block.matrix, columns_of(block.right, sides), {}};
    for (std::size_t i = 0; i < block.matrix.rows; ++i) {
      for (const std::size_t j : sides) used.unknowns.push_back(block.unknown(i, j));
    }
    need(used.matrix.entries);
    need(used.right.entries);
    result.blocks.insert(result.blocks.begin(), std::move(used));
    result.step.insert(result.step.begin(), k);
  }
  return result;
}

FirstOrderSystem::Jacobian FirstOrderSystem::jacobian() const {
  std::vector<std::vector<Derivation::Seed>> seeds;
  for (const StateVariable& variable : state) seeds.push_back({{variable.symbol, t.context().one()}});
  return slopes_along(*this, std::move(seeds));
}

FirstOrderSystem::Jacobian slopes_along(const FirstOrderSystem& system,
                                        std::vector<std::vector<Derivation::Seed>> directions) {
  Context& context = system.t.context();
  const std::size_t count = directions.size();
  const NumberedBlocks needed = system.needed_for(system.rates);
  Tangents tangents(std::move(directions), "d");
  FirstOrderSystem::Jacobian result{
      {system.rates.size(), count, std::vector<Expr>(system.rates.size() * count, context.zero())}, {}};
  for (std::size_t b = 0; b < needed.blocks.size(); ++b) {
    result.systems.blocks.push_back(needed.blocks[b]);
    result.systems.step.push_back(needed.step[b]);
    auto of_rates = tangents.of(needed.blocks[b], context);
    if (!of_rates) continue;
    result.systems.blocks.push_back(std::move(*of_rates));
    result.systems.step.push_back(needed.step[b]);
  }
  for (std::size_t j = 0; j < count; ++j) {
    const std::vector<Expr> column = tangents.of(system.rates, j);
    for (std::size_t i = 0; i < system.rates.size(); ++i) result.entries(i, j) = column[i];
  }
  return result;
}

FirstOrderProgram::FirstOrderProgram(const System& system, FirstOrderSystem equations)
    : system_(system), equations_(std::move(equations)), parameters_(parameter_values(system)) {
  rate_systems_ = equations_.needed_for(equations_.rates);
  rates_ = Program(equations_.rates, equations_.inputs(), rate_systems_.blocks);
  for (std::size_t k = 0; k < equations_.from_steps.size(); ++k) {
    from_systems_.blocks.push_back(equations_.from_steps[k].block);
    from_systems_.step.push_back(k);
  }
  std::vector<Expr> inputs = state_symbols(system_);
  inputs.insert(inputs.end(), equations_.lambda.begin(), equations_.lambda.end());
  from_state_ = Program(equations_.from_state, inputs, from_systems_.blocks);
}

std::vector<double> FirstOrderProgram::run(const Program& program, const NumberedBlocks& systems,
                                           std::span<const SolveStep> steps, std::span<const double> inputs) const {
  std::vector<double> outputs(program.output_count());
  const int singular = Interpreter(program)(inputs, outputs);
  if (singular >= 0) {
    const SolveStep& step = steps[systems.step[static_cast<std::size_t>(singular)]];
    throw Error(step.if_singular, step.meaning);
  }
  for (const double value : outputs) {
    if (!std::isfinite(value))
      throw Error(ErrorCode::non_finite,
                  "the equations of " + equations_.form.name() + " are not finite at this state");
  }
  return outputs;
}

std::vector<double> FirstOrderProgram::state(const State& at, std::span<const double> lambda,
                                             std::span<const double> parameters) const {
  std::vector<double> values = state_values(at, parameters);
  for (std::size_t i = 0; i < equations_.lambda.size(); ++i) values.push_back(i < lambda.size() ? lambda[i] : 0.0);
  return run(from_state_, from_systems_, equations_.from_steps, values);
}

std::vector<double> FirstOrderProgram::rates(double t, std::span<const double> y) const {
  std::vector<double> inputs(y.begin(), y.end());
  inputs.push_back(t);
  inputs.insert(inputs.end(), parameters_.begin(), parameters_.end());
  return run(rates_, rate_systems_, equations_.steps, inputs);
}

std::vector<double> FirstOrderProgram::values(std::span<const Expr> outputs, const NumberedBlocks& systems, double t,
                                              std::span<const double> y) const {
  std::vector<double> inputs(y.begin(), y.end());
  inputs.push_back(t);
  inputs.insert(inputs.end(), parameters_.begin(), parameters_.end());
  return run(Program(outputs, equations_.inputs(), systems.blocks), systems, equations_.steps, inputs);
}

}  // namespace cetaev
