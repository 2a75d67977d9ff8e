// gauss: a minimises (a − a₀)ᵀH(a − a₀), H a₀ = b, subject to J a = c.
// Gauss 1829; Udwadia and Kalaba: a = a₀ + H^{-1/2}(J H^{-1/2})⁺(c − J a₀). On an independent subset of the rows, which
// spans the same row space, the pseudo-inverse is H⁻¹Jᵀ(J H⁻¹Jᵀ)⁻¹.
#include "assemble.hpp"
#include "cetaev/detail/formulation/second_order.hpp"
#include "principles.hpp"

namespace cetaev {

namespace {

Formulation derive_gauss(const Setting& s) {
  const std::size_t n = s.n(), r = s.rank();
  Formulation form;
  const Matrix J = s.J();
  const std::vector<Expr> c = s.c();

  // H [a₀ | Y] = [b | Jᵀ]
  LinearBlock free{s.terms.mass, zeros(s, n, 1 + r), s.symbols("gauss_free", n * (1 + r))};
  for (std::size_t i = 0; i < n; ++i) {
    free.right(i, 0) = s.terms.bias[i];
    for (std::size_t v = 0; v < r; ++v) free.right(i, 1 + v) = J(v, i);
  }
  std::vector<Expr> a0;
  Matrix Y = zeros(s, n, r);
  for (std::size_t i = 0; i < n; ++i) {
    a0.push_back(free.unknown(i, 0));
    for (std::size_t v = 0; v < r; ++v) Y(i, v) = free.unknown(i, 1 + v);
  }
  form.steps.push_back({free, ErrorCode::singular_mass_matrix,
                        "Gauss's principle needs a regular mass matrix; it is singular at this state"});

  // a − Y ν = a₀, J a = c, with ν in its unit. Of the same determinant as (J Y) ν = c − J a₀, whose matrix it has after n pivots; written out, J Y would be
  // r² sums of n products each.
  form.a = a0;
  if (r > 0) {
    LinearBlock correction{zeros(s, n + r, n + r), zeros(s, n + r, 1), s.symbols("gauss", n + r)};
    for (std::size_t i = 0; i < n; ++i) {
      correction.matrix(i, i) = s.context().one();
      correction.right(i, 0) = a0[i];
      form.a[i] = correction.unknowns[i];
    }
    const std::vector<Expr> units = units_of_reactions(s, s.terms.mass, J);
    for (std::size_t v = 0; v < r; ++v) {
      const Expr unit = units[v];
      for (std::size_t i = 0; i < n; ++i) {
        correction.matrix(i, n + v) = -(unit * Y(i, v));
        correction.matrix(n + v, i) = J(v, i) / unit;
      }
      correction.right(n + v, 0) = c[v] / unit;
    }
    form.steps.push_back({correction, ErrorCode::rank_lost, "the constraints lose rank at this state"});
    form.system_step = 1;
  }

  if (!s.with_equations) return form;

  // to print: the function to be minimised
  std::vector<Expr> a0_symbols;
  for (std::size_t i = 0; i < n; ++i)
    a0_symbols.push_back(s.context().symbol("$free_" + s.system->coordinates[i] + "''"));
  std::vector<Expr> difference;
  for (std::size_t i = 0; i < n; ++i) difference.push_back(s.system->motion.a[i] - a0_symbols[i]);
  form.equations.push_back({Equation::Kind::least, 0, dot(s, difference, multiply(s, s.terms.mass, difference))});
  const std::vector<Expr> free_motion = multiply(s, s.terms.mass, a0_symbols);
  for (std::size_t i = 0; i < n; ++i)
    form.equations.push_back({Equation::Kind::free_motion, i, free_motion[i] - s.terms.bias[i]});
  const std::vector<Expr> Ja = multiply(s, J, s.system->motion.a);
  for (std::size_t v = 0; v < r; ++v) form.equations.push_back({Equation::Kind::constraint, s.rows[v], Ja[v] - c[v]});
  return form;
}

std::vector<double> least_constraint(const System& system, const Terms& terms, const State& state) {
  return solve_least_constraint(system, terms, state).a;
}

}  // namespace

constinit const Principle gauss_principle = {
    .name = "gauss",
    .title = "Gauss's principle of least constraint",
    .equations = derive_gauss,
    .dalembert_lagrange = true,
    .uses_dependent = false,
    .constraints_on_accelerations = true,
    .nonlinear_accelerations = least_constraint,
};

}  // namespace cetaev
