#include "inertia.hpp"

#include "assemble.hpp"
#include "cetaev/detail/algebra/zero.hpp"

namespace cetaev {

namespace {

// g and w without the sums over points of each entry: with Ṗ = Σ ∂P/∂q_i v_i, g is the second derivative of ½ Σ m |Ṗ|² by the velocities,
// and w_k the derivative of Σ m P̈·P by q_k for the P̈ of this instant. Derivatives of what the points of a chain have in common are made once.
Inertia from_points(const Setting& s) {
  const Motion& motion = s.system->motion;
  Derivation advance = derivative_at_fixed_velocity(motion);
  std::vector<Derivation::Seed> seeds;
  for (std::size_t j = 0; j < s.n(); ++j) seeds.emplace_back(motion.q[j], motion.v[j]);
  Derivation along_v(seeds);

  std::vector<Expr> squares, products;
  std::vector<Replacement> held;
  for (const Point& point : s.system->points) {
    if (!point.mass || point.mass.is_zero()) continue;
    for (const Expr x : point.position) {
      squares.push_back(Rational(1, 2) * (point.mass * pow(along_v(x), Rational(2))));
      const Expr second = advance(advance(x));
      if (second.is_zero()) continue;
      held.emplace_back(s.context().symbol("$appell_second_" + std::to_string(held.size())), second);
      products.push_back(point.mass * held.back().first * x);
    }
  }
  return {
      hessian(s.context().sum(squares), motion.v), substitute(gradient(s.context().sum(products), motion.q), held), {}};
}

Inertia from_energy(const Setting& s, Expr T) {
  const Motion& motion = s.system->motion;
  const std::size_t n = s.n();
  Inertia result{hessian(T, motion.v), {}, {}};
  for (const Expr e : result.g.entries) {
    if (e.is_number() || !depends_on(e, motion.v)) continue;
    for (const Expr v : motion.v) {
      if (depends_on(e, std::span(&v, 1)) && !vanishes(derivative(e, v))) {
        throw Error(ErrorCode::not_applicable,
                    "Appell's equations need a kinetic energy that is quadratic in the velocities");
      }
    }
  }
  std::vector<Replacement> at_rest;
  for (const Expr v : motion.v) at_rest.emplace_back(v, s.zero());
  const std::vector<Expr> b = substitute(gradient(T, motion.v), at_rest);
  const Expr c0 = substitute(T, at_rest);
  // what is left of g after v = 0 in coefficients that only look as if they depended on v
  result.g.entries = substitute(result.g.entries, at_rest);

  const auto along_v = [&](Expr e) {
    std::vector<Derivation::Seed> seeds;
    for (std::size_t j = 0; j < n; ++j) seeds.emplace_back(motion.q[j], motion.v[j]);
    return Derivation(seeds)(e);
  };
  // Σ_ij ξ_ijk v_i v_j = Σ_i (∂g_ik·v) v_i − ½ ∂_k(v g v)
  std::vector<Expr> square;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (!result.g(i, j).is_zero()) square.push_back(result.g(i, j) * motion.v[i] * motion.v[j]);
    }
  }
  const Expr vgv = s.context().sum(square);
  const std::vector<Expr> vgv_by_q = gradient(vgv, motion.q);
  const std::vector<Expr> bv_by_q = gradient(dot(s, b, motion.v), motion.q);
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<Expr> terms = {Rational(-1, 2) * vgv_by_q[k]};
    for (std::size_t i = 0; i < n; ++i) {
      if (result.g(i, k).is_zero()) continue;
      // ξ, and ∂_t g of 2 Σ_i η_ik v_i
      terms.push_back((along_v(result.g(i, k)) + derivative(result.g(i, k), motion.t)) * motion.v[i]);
    }
    // ∂_i b_k − ∂_k b_i of 2 Σ_i η_ik v_i
    terms.push_back(along_v(b[k]) - bv_by_q[k]);
    // ζ_k
    terms.push_back(derivative(b[k], motion.t) - derivative(c0, motion.q[k]));
    result.w.push_back(s.context().sum(terms));
  }
  return result;
}

}  // namespace

Inertia inertia_of(const Setting& s) {
  const std::size_t n = s.n();
  const Motion& motion = s.system->motion;
  if (!s.system->kinetic) {
    std::vector<Replacement> at_rest;
    for (const Expr v : motion.v) at_rest.emplace_back(v, s.zero());
    const Expr without_velocities = substitute(s.system->lagrangian, at_rest);
    Inertia result = from_energy(s, s.system->lagrangian - without_velocities);
    result.force = s.system->forces;
    for (std::size_t i = 0; i < n; ++i) result.force[i] = result.force[i] + derivative(without_velocities, motion.q[i]);
    return result;
  }
  Inertia result = from_energy(s, *s.system->kinetic_besides_points);
  const Inertia points = from_points(s);
  for (std::size_t i = 0; i < n * n; ++i) result.g.entries[i] = result.g.entries[i] + points.g.entries[i];
  for (std::size_t i = 0; i < n; ++i) result.w[i] = result.w[i] + points.w[i];
  result.force = s.system->forces;
  const std::vector<Expr> of_potential = lagrangian_derivative(*s.system->potential, motion);
  for (std::size_t i = 0; i < n; ++i) result.force[i] = result.force[i] + of_potential[i];
  for (const Expr e : of_potential) {
    if (depends_on(e, motion.a)) {
      throw Error(ErrorCode::not_applicable,
                  "Appell's equations need a potential without velocities; write its terms in `kinetic`");
    }
  }
  return result;
}

std::vector<Expr> projected(const Setting& s, const std::vector<Expr>& f) {
  const Jets& jets = s.jets();
  std::vector<Expr> result;
  for (std::size_t i = 0; i < s.independent.size(); ++i) {
    std::vector<Expr> terms = {f[s.independent[i]]};
    for (std::size_t p = 0; p < s.rank(); ++p) terms.push_back(jets.gamma(p, i) * f[s.dependent[p]]);
    result.push_back(s.context().sum(terms));
  }
  return result;
}

}  // namespace cetaev
