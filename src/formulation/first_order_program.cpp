// What can be asked of the equations once they stand: programs, Jacobians, values.
#include "cetaev/formulation/first_order.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "assemble.hpp"

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
  Context& context = t.context();
  const std::size_t ny = state.size();
  const NumberedBlocks needed = needed_for(rates);
  std::vector<std::vector<Derivation::Seed>> seeds(ny);
  for (std::size_t j = 0; j < ny; ++j) seeds[j] = {{state[j].symbol, context.one()}};
  Jacobian result{{rates.size(), ny, std::vector<Expr>(rates.size() * ny, context.zero())}, {}};
  for (std::size_t b = 0; b < needed.blocks.size(); ++b) {
    const LinearBlock& block = needed.blocks[b];
    const std::size_t n = block.matrix.rows, sides = block.right.columns;
    result.systems.blocks.push_back(block);
    result.systems.step.push_back(needed.step[b]);
    // the columns ∂F/∂y_j − (∂M/∂y_j) x that are not zero
    std::vector<std::vector<Expr>> columns;
    std::vector<std::pair<std::size_t, std::size_t>> of;  // y_j and the right-hand side
    for (std::size_t j = 0; j < ny; ++j) {
      Derivation along(seeds[j]);
      Matrix dM{n, n, {}};
      for (const Expr e : block.matrix.entries) dM.entries.push_back(along(e));
      for (std::size_t k = 0; k < sides; ++k) {
        std::vector<Expr> column;
        bool zero = true;
        for (std::size_t i = 0; i < n; ++i) {
          std::vector<Expr> terms = {along(block.right(i, k))};
          for (std::size_t l = 0; l < n; ++l) {
            if (!dM(i, l).is_zero()) terms.push_back(-(dM(i, l) * block.unknown(l, k)));
          }
          column.push_back(context.sum(terms));
          zero = zero && column.back().is_zero();
        }
        if (zero) continue;
        columns.push_back(std::move(column));
        of.emplace_back(j, k);
      }
    }
    if (columns.empty()) continue;
    LinearBlock rates_of{block.matrix, {n, columns.size(), {}}, {}};
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const auto [j, k] = of[c];
        rates_of.right.entries.push_back(columns[c][i]);
        const Expr unknown = context.symbol("$d" + std::to_string(b) + "_" + std::to_string(i) + "_" +
                                            std::to_string(k) + "_" + std::to_string(j));
        rates_of.unknowns.push_back(unknown);
        seeds[j].emplace_back(block.unknown(i, k), unknown);
      }
    }
    result.systems.blocks.push_back(std::move(rates_of));
    result.systems.step.push_back(needed.step[b]);
  }
  for (std::size_t j = 0; j < ny; ++j) {
    Derivation along(seeds[j]);
    for (std::size_t i = 0; i < rates.size(); ++i) result.entries(i, j) = along(rates[i]);
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
