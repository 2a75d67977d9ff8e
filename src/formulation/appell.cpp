// appell: Σ_r C_i^r a_r + Σ D v v + Σ E v + G = F_i + Σ_ν γ_νi F_{m+ν}, the derivatives ∂S/∂a_i of the Gibbs–Appell function
// S = ½ Σ m|P̈|² on the admissible accelerations. [T3] (5)–(7), corrected.
//
// With g_ij = ∂P^(M)/∂q_i·∂P/∂q_j and {f}_i = f(i) + Σ_p γ_pi f(m+p):
//   C_i^r = { g_{·r} + Σ_ν g_{·,m+ν} γ_νr }_i
//   D v v + E v + G = { w + Σ_ν g_{m+ν,·} drift_ν }_i
// where w_k = Σ m (second derivative of P along the motion at fixed velocity)·∂P/∂q_k collects ξ v v + 2 η v + ζ, and drift_ν
// = Σ_j (∂α_ν/∂q_j) v_j + ∂α_ν/∂t. Without points, T = ½ g v v + b·v + c₀ gives the same by
//   ξ_ijk = ½(∂_j g_ik + ∂_i g_jk − ∂_k g_ij), η_ij = ½(∂_t g_ij + ∂_i b_j − ∂_j b_i), ζ_i = ∂_t b_i − ∂_i c₀.
#include "assemble.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "principles.hpp"

namespace cetaev {

namespace {

struct Inertia {
  Matrix g;
  std::vector<Expr> w;  // ξ v v + 2 η v + ζ
};

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
  return {hessian(s.context().sum(squares), motion.v), substitute(gradient(s.context().sum(products), motion.q), held)};
}

Inertia from_energy(const Setting& s, Expr T) {
  const Motion& motion = s.system->motion;
  const std::size_t n = s.n();
  Inertia result{hessian(T, motion.v), {}};
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

Formulation derive_appell(const Setting& s) {
  const std::size_t n = s.n(), k = s.rank(), m = s.independent.size();
  Formulation form;

  // L itself when the model gives it whole: then −∂V/∂q is in its c₀ and only F remains on the right.
  const bool whole = !s.system->kinetic.has_value();
  Inertia inertia = from_energy(s, whole ? s.system->lagrangian : *s.system->kinetic_besides_points);
  std::vector<Expr> active = s.system->forces;
  if (!whole) {
    const Inertia points = from_points(s);
    for (std::size_t i = 0; i < n * n; ++i) inertia.g.entries[i] = inertia.g.entries[i] + points.g.entries[i];
    for (std::size_t i = 0; i < n; ++i) inertia.w[i] = inertia.w[i] + points.w[i];
    const std::vector<Expr> of_potential = lagrangian_derivative(*s.system->potential, s.system->motion);
    for (std::size_t i = 0; i < n; ++i) active[i] = active[i] + of_potential[i];
    for (const Expr e : of_potential) {
      if (depends_on(e, s.system->motion.a)) {
        throw Error(ErrorCode::not_applicable,
                    "Appell's equations need a potential without velocities; write its terms in `kinetic`");
      }
    }
  }

  const Jets& jets = s.jets();
  const auto project = [&](const std::vector<Expr>& f) {
    std::vector<Expr> result;
    for (std::size_t i = 0; i < m; ++i) {
      std::vector<Expr> terms = {f[s.independent[i]]};
      for (std::size_t p = 0; p < k; ++p) terms.push_back(jets.gamma(p, i) * f[s.dependent[p]]);
      result.push_back(s.context().sum(terms));
    }
    return result;
  };

  LinearBlock block{zeros(s, m, m), zeros(s, m, 1), s.symbols("appell", m)};
  for (std::size_t r = 0; r < m; ++r) {
    std::vector<Expr> f;
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<Expr> terms = {inertia.g(i, s.independent[r])};
      for (std::size_t v = 0; v < k; ++v) terms.push_back(inertia.g(i, s.dependent[v]) * jets.gamma(v, r));
      f.push_back(s.context().sum(terms));
    }
    const std::vector<Expr> column_r = project(f);
    for (std::size_t i = 0; i < m; ++i) block.matrix(i, r) = column_r[i];
  }
  std::vector<Expr> rest;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Expr> terms = {inertia.w[i], -active[i]};
    for (std::size_t v = 0; v < k; ++v) terms.push_back(inertia.g(i, s.dependent[v]) * jets.drift[v]);
    rest.push_back(s.context().sum(terms));
  }
  const std::vector<Expr> projected = project(rest);
  for (std::size_t i = 0; i < m; ++i) block.right(i, 0) = -projected[i];

  form.steps = jet_steps(s, jets);
  form.system_step = form.steps.size();
  for (std::size_t i = 0; s.with_equations && i < m; ++i) {
    std::vector<Expr> terms = {projected[i]};
    for (std::size_t r = 0; r < m; ++r) terms.push_back(block.matrix(i, r) * s.system->motion.a[s.independent[r]]);
    form.equations.push_back({Equation::Kind::motion, s.independent[i], s.context().sum(terms)});
  }
  form.a = complete(s, jets, block.unknowns);
  if (m > 0) {
    form.steps.push_back({std::move(block), ErrorCode::singular_mass_matrix,
                          "the kinetic energy is degenerate on the admissible accelerations"});
  }
  append_constraints(s, form);
  return form;
}

}  // namespace

constinit const Principle appell_principle = {
    .name = "appell",
    .title = "Appell's equations",
    .equations = derive_appell,
    .state = FormState::independent_velocities,
    .dalembert_lagrange = true,
};

}  // namespace cetaev
