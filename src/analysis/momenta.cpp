#include "momenta.hpp"

#include <algorithm>

#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {

namespace {

// Nodes of the tree beyond which a momentum would not be read.
constexpr double longest_momentum = 2000;

}  // namespace

std::optional<Expr> conserved_momentum(const System& system, const Formulation& derived, Expr equation) {
  if (!derived.quasi || written_size(equation) > longest_momentum) return std::nullopt;
  Context& context = *system->context;
  const Motion& motion = system->motion;
  const std::vector<Expr>& u = derived.quasi->u;
  std::vector<Expr> rates;
  for (const std::string& name : derived.quasi->names) rates.push_back(context.symbol("$" + name + "'"));
  const std::vector<Expr> mass = gradient(equation, rates);
  std::vector<Expr> moving = rates;
  moving.insert(moving.end(), u.begin(), u.end());
  moving.insert(moving.end(), motion.v.begin(), motion.v.end());
  Derivation along = derivative_at_fixed_velocity(motion);
  std::vector<Expr> momentum, rate;
  for (std::size_t k = 0; k < u.size(); ++k) {
    if (depends_on(mass[k], moving)) return std::nullopt;
    momentum.push_back(mass[k] * u[k]);
    rate.push_back(mass[k] * rates[k]);
    rate.push_back(along(mass[k]) * u[k]);
  }
  std::vector<Replacement> in_u;  // v = N u + n₀, which stands there as v − N u − n₀
  for (const Equation& e : derived.equations)
    if (e.kind == Equation::Kind::velocity) in_u.emplace_back(motion.v[e.about], motion.v[e.about] - e.expression);
  // u̇ = 0 says it itself
  const bool alone = std::ranges::count_if(mass, [](Expr m) { return !m.is_zero(); }) < 2;
  if (alone && !depends_on(context.sum(mass), motion.q)) return std::nullopt;
  const Expr p = context.sum(momentum);
  const Expr rest = substitute(equation - context.sum(rate), in_u);
  if (p.is_zero() || depends_on(rest, motion.v) || !(rest.is_zero() || vanishes(rest))) return std::nullopt;
  return p;
}

}  // namespace cetaev
