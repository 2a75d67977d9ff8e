#include "force_potential.hpp"

#include <algorithm>

#include "cetaev/constraint/state.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {

std::optional<std::vector<Expr>> force_with_potential(const System& system) {
  const Motion& motion = system->motion;
  Context& context = *system->context;
  const auto has_time = [&](Expr e) { return depends_on(e, std::span(&motion.t, 1)); };
  if (std::ranges::all_of(system->forces, [](Expr e) { return e.is_zero(); })) return std::nullopt;
  if (!system->substituted.empty() || has_time(system->lagrangian) || std::ranges::any_of(system->forces, has_time) ||
      std::ranges::any_of(system->constraints,
                          [&](const Constraint& one) { return one.order > 0 || has_time(one.expression); }))
    return std::nullopt;
  const auto vanishes = [&](Expr e) {
    return e.is_zero() || prove_zero(with_parameter_values(system, e)).verdict == Verdict::proved;
  };
  try {
    std::vector<Replacement> at_rest;
    for (const Expr v : motion.v) at_rest.emplace_back(v, context.zero());
    const std::vector<Expr> own = substitute(system->forces, at_rest);
    if (std::ranges::any_of(own, [&](Expr e) { return depends_on(e, motion.a); })) return std::nullopt;
    std::vector<Expr> power;
    for (std::size_t i = 0; i < own.size(); ++i) power.push_back((system->forces[i] - own[i]) * motion.v[i]);
    if (!vanishes(context.sum(power))) return std::nullopt;
    for (std::size_t i = 0; i < own.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (!vanishes(derivative(own[i], motion.q[j]) - derivative(own[j], motion.q[i]))) return std::nullopt;
    return own;
  } catch (const Error&) {
    return std::nullopt;  // they have no value at rest, or algebra gives up
  }
}

}  // namespace cetaev
