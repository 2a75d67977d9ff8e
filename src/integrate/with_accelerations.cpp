#include "with_accelerations.hpp"

#include "cetaev/detail/formulation/second_order.hpp"

namespace cetaev {

FirstOrderSystem first_order_with_accelerations(const System& system, const Terms& terms) {
  const Motion& motion = system->motion;
  const ConstraintSet& set = terms.constraints;
  Context& context = *system->context;
  const std::size_t n = system->size(), k = set.size();
  FirstOrderSystem r;
  r.system = system;
  r.form = Form::multipliers;
  r.t = motion.t;
  for (const auto& parameter : system->parameters) r.parameters.push_back(parameter.symbol);
  std::vector<Expr> mu, unknowns;
  for (std::size_t i = 0; i < k; ++i) mu.push_back(context.symbol("$mu" + std::to_string(i)));
  for (std::size_t i = 0; i < n + k; ++i) unknowns.push_back(context.symbol("$rate" + std::to_string(i)));
  for (std::size_t i = 0; i < n; ++i) r.state.push_back({system->coordinates[i], motion.q[i]});
  for (std::size_t i = 0; i < n; ++i) r.state.push_back({system->coordinates[i] + "'", motion.v[i]});
  for (std::size_t i = 0; i < n; ++i) r.state.push_back({system->coordinates[i] + "''", motion.a[i]});
  for (std::size_t i = 0; i < k; ++i) r.state.push_back({"multiplier" + std::to_string(i + 1), mu[i]});

  const std::vector<Expr> G = conditions_on_accelerations(system, set);
  std::vector<Expr> F = reaction_equations(system, terms, jacobian(G, motion.a), mu);
  F.insert(F.end(), G.begin(), G.end());

  std::vector<Expr> sought = motion.a;
  sought.insert(sought.end(), mu.begin(), mu.end());
  LinearBlock block{jacobian(F, sought), {n + k, 1, {}}, unknowns};
  for (const Expr f : F) {
    std::vector<Expr> sum = {-derivative(f, motion.t)};
    for (std::size_t i = 0; i < n; ++i) {
      sum.push_back(-derivative(f, motion.q[i]) * motion.v[i]);
      sum.push_back(-derivative(f, motion.v[i]) * motion.a[i]);
    }
    block.right.entries.push_back(context.sum(sum));
  }
  r.steps.push_back({std::move(block), ErrorCode::rank_lost,
                     "the constraints do not determine the accelerations here: two solutions meet"});
  r.rates = motion.v;
  r.rates.insert(r.rates.end(), motion.a.begin(), motion.a.end());
  r.rates.insert(r.rates.end(), unknowns.begin(), unknowns.end());
  r.velocities = motion.v;
  r.accelerations = motion.a;
  r.multipliers = mu;
  for (std::size_t i = 0; i < k; ++i) r.rows.push_back(i);
  r.residual = set.residual;
  std::vector<Expr> energy = {-system->lagrangian};
  for (const Expr v : motion.v) energy.push_back(v * derivative(system->lagrangian, v));
  r.energy = context.sum(energy);
  r.from_state = motion.q;
  r.from_state.insert(r.from_state.end(), motion.v.begin(), motion.v.end());
  return r;
}

StartOfAccelerations start_of_accelerations(const System& system, const Terms& terms, const State& at) {
  SecondOrderSolution solution = solve_second_order(system, terms, at);
  StartOfAccelerations result{std::move(solution.a), solution.others};
  result.values.insert(result.values.end(), solution.multipliers.begin(), solution.multipliers.end());
  return result;
}

}  // namespace cetaev
