#include "cetaev/formulation/variational.hpp"

#include "cetaev/detail/numeric/dense.hpp"
#include "tangents.hpp"

namespace cetaev {

namespace {

std::vector<Derivation::Seed> parameter_seeds(const System& system, const std::string& name, Expr w) {
  const std::vector<Expr> changes = parameter_changes(system, name);
  std::vector<Derivation::Seed> seeds;
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (!changes[i].is_zero()) seeds.emplace_back(system->parameters[i].symbol, changes[i] * w);
  return seeds;
}

}  // namespace

VariationalSystem::VariationalSystem(const System& system, const FirstOrderSystem& form,
                                     std::span<const std::string> names)
    : size_(form.state.size()), equations_(form) {
  if (!form.lambda.empty())
    throw Error(ErrorCode::not_applicable, "the multipliers of " + form.form.name() +
                                               " belong to its state: variations are those of motions that positions "
                                               "and velocities determine");
  Context& context = *system->context;
  std::vector<std::vector<Derivation::Seed>> seeds;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string& name = names[k];
    const Expr w = context.symbol("$w" + std::to_string(k));
    parameters_.push_back(cetaev::parameter_seeds(system, name, w));
    seeds.push_back(parameters_.back());
    for (std::size_t j = 0; j < size_; ++j) {
      const Expr s = context.symbol("$s" + std::to_string(k) + "_" + std::to_string(j));
      equations_.state.push_back({"d(" + form.state[j].name + ")/d(" + name + ")", s});
      seeds.back().emplace_back(form.state[j].symbol, s);
    }
    equations_.state.push_back({"d(" + name + ")", w});
  }
  Tangents tangents(std::move(seeds), "v");
  equations_.steps.clear();
  for (const SolveStep& step : form.steps) {
    equations_.steps.push_back(step);
    if (auto varied = tangents.of(step.block, context))
      equations_.steps.push_back({std::move(*varied), step.if_singular, step.meaning});
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::vector<Expr> rates = tangents.of(form.rates, k);
    equations_.rates.insert(equations_.rates.end(), rates.begin(), rates.end());
    equations_.rates.push_back(context.zero());
    changes_.push_back(tangents.of(system->motion.q, k));
    const std::vector<Expr> velocities = tangents.of(form.velocities, k);
    changes_.back().insert(changes_.back().end(), velocities.begin(), velocities.end());
  }

  // the way back, from the symbols of the model
  for (const std::string& name : names) {
    std::vector<Expr> inputs = state_symbols(system);
    const Expr w = context.symbol("$w");
    std::vector<Derivation::Seed> given = cetaev::parameter_seeds(system, name, w);
    const auto add = [&](const std::vector<Expr>& symbols, const char* tag) {
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        inputs.push_back(context.symbol(tag + std::to_string(i)));
        given.emplace_back(symbols[i], inputs.back());
      }
    };
    add(system->motion.q, "$dq");
    add(system->motion.v, "$dv");
    inputs.push_back(w);
    Tangents back({std::move(given)}, "b");
    std::vector<LinearBlock> blocks;
    for (const SolveStep& step : form.from_steps) {
      blocks.push_back(step.block);
      if (auto varied = back.of(step.block, context)) blocks.push_back(std::move(*varied));
    }
    from_.emplace_back(back.of(form.from_state, 0), inputs, blocks);
  }
}

std::vector<double> VariationalSystem::from(std::size_t direction, const State& at, std::span<const double> parameters,
                                            std::span<const double> changes, double w) const {
  std::vector<double> inputs = state_values(at, parameters);
  inputs.insert(inputs.end(), changes.begin(), changes.end());
  inputs.push_back(w);
  std::vector<double> s(size_);
  if (Interpreter(from_[direction])(inputs, s) >= 0 || !all_finite(s))
    throw Error(ErrorCode::non_finite, "the state of the equations has no derivatives here");
  return s;
}

}  // namespace cetaev
