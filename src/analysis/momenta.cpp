#include "momenta.hpp"

#include <algorithm>

#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {

namespace {

// Nodes of the tree beyond which a momentum would not be read.
constexpr double longest_momentum = 2000;

// v = N u + n₀, which stands there as v − N u − n₀
std::vector<Replacement> in_quasi_velocities(const Motion& motion, const Formulation& derived) {
  std::vector<Replacement> list;
  for (const Equation& e : derived.equations)
    if (e.kind == Equation::Kind::velocity) list.emplace_back(motion.v[e.about], motion.v[e.about] - e.expression);
  return list;
}

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
  const std::vector<Replacement> in_u = in_quasi_velocities(motion, derived);
  // u̇ = 0 says it itself
  const bool alone = std::ranges::count_if(mass, [](Expr m) { return !m.is_zero(); }) < 2;
  if (alone && !depends_on(context.sum(mass), motion.q)) return std::nullopt;
  const Expr p = context.sum(momentum);
  const Expr rest = substitute(equation - context.sum(rate), in_u);
  if (p.is_zero() || depends_on(rest, motion.v) || !(rest.is_zero() || vanishes(rest))) return std::nullopt;
  return p;
}

std::vector<Expr> momenta_of_symmetry(const Setting& setting, const Symmetry& symmetry, const Formulation& derived) {
  const System& system = setting.system;
  const Motion& motion = system->motion;
  const std::vector<Replacement> in_u = in_quasi_velocities(motion, derived);
  const std::vector<Expr>& momentum = setting.terms.momentum;
  const Matrix J = setting.J();
  const auto along = [&](const std::vector<Expr>& xi, const auto& row) {
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < xi.size(); ++i) terms.push_back(xi[i] * row(i));
    return system->context->sum(terms);
  };
  std::vector<Expr> turning, result;
  for (std::size_t k = 0; k < derived.quasi->u.size(); ++k)
    if (derived.quasi->names[k].starts_with("omega_")) turning.push_back(derived.quasi->u[k]);
  for (const SymmetryField& field : symmetry.fields) {
    if (!field.ground.proved) continue;
    const std::vector<Expr> xi = field.at(motion.q);
    std::vector<Expr> conditions = {along(xi, [&](std::size_t i) { return system->forces[i]; })};
    for (std::size_t r = 0; r < setting.rank(); ++r)
      conditions.push_back(along(xi, [&](std::size_t i) { return J(r, i); }));
    const auto holds = [](Expr e) { return e.is_zero() || prove_zero(e).verdict == Verdict::proved; };
    if (!std::ranges::all_of(conditions, holds)) continue;
    const Expr p = normal(substitute(along(xi, [&](std::size_t i) { return momentum[i]; }), in_u));
    if (!depends_on(p, motion.v) && depends_on(p, turning) && written_size(p) <= longest_momentum) result.push_back(p);
  }
  return result;
}

}  // namespace cetaev
