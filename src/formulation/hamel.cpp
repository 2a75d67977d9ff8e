// hamel: quasi-velocities u = Y(q,t) v + y₀ under constraints linear or affine in v, so that v = N u + n₀; state (q, u):
//
//   (NᵀHN) u̇ = Nᵀ(b − H(Ṅ u + ṅ₀)),   a = N u̇ + Ṅ u + ṅ₀
//
// With N smooth on the whole configuration space no choice of dependent velocities can become singular.
#include <fmt/format.h>

#include "assemble.hpp"
#include "basis.hpp"
#include "cetaev/constraint/describe.hpp"
#include "principles.hpp"

namespace cetaev {

namespace {

void require_affine(const Setting& s) {
  const Matrix J = s.J();
  for (std::size_t i = 0; i < s.rank(); ++i) {
    for (std::size_t j = 0; j < s.n(); ++j) {
      if (!depends_on(J(i, j), s.system.motion.v)) continue;
      throw Error(ErrorCode::not_applicable, "quasi-velocities need constraints linear or affine in the velocities; " +
                                                 describe_rows(s.system, std::vector<std::size_t>{s.rows[i]}) +
                                                 " is not");
    }
  }
}

// The last step and the accelerations, from N and d = Ṅ u + ṅ₀.
void finish(const Setting& s, Formulation& form, const Matrix& N, const std::vector<Expr>& d) {
  const Matrix NT = transpose(N);
  const Matrix NTH = multiply(s, NT, s.terms.mass);
  std::vector<Expr> force = multiply(s, NT, s.terms.bias);
  const std::vector<Expr> inertial = multiply(s, NTH, d);
  for (std::size_t i = 0; i < force.size(); ++i) force[i] = force[i] - inertial[i];
  form.a = d;
  form.system_step = form.steps.size();
  if (N.columns == 0) return;
  LinearBlock block{multiply(s, NTH, N), column(force), s.symbols("hamel", N.columns)};
  const std::vector<Expr> along = multiply(s, N, block.unknowns);
  for (std::size_t i = 0; i < s.n(); ++i) form.a[i] = along[i] + d[i];
  form.steps.push_back({std::move(block), ErrorCode::singular_mass_matrix,
                        "the mass matrix is singular on the directions that the constraints leave free"});
}

// u given as functions of v: M = [∂u/∂v; J], M N = [I; 0], M d = (−u̇ at fixed v; c)
void with_given_quasi_velocities(const Setting& s, Formulation& form, const std::vector<Expr>& u, ErrorCode if_singular,
                                 const std::string& meaning) {
  const std::size_t n = s.n(), m = u.size();
  const Matrix Y = jacobian(u, s.system.motion.v);
  const Matrix J = s.J();
  const std::vector<Expr> c = s.c();
  LinearBlock block{zeros(s, n, n), zeros(s, n, m + 1), s.symbols("hamel_N", n * (m + 1))};
  Derivation advance = derivative_at_fixed_velocity(s.system.motion);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) block.matrix(i, j) = i < m ? Y(i, j) : J(i - m, j);
    if (i < m) block.right(i, i) = s.context().one();
    block.right(i, m) = i < m ? -advance(u[i]) : c[i - m];
  }
  Matrix N = zeros(s, n, m);
  std::vector<Expr> d;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) N(i, j) = block.unknown(i, j);
    d.push_back(block.unknown(i, m));
  }
  form.steps.push_back({block, if_singular, meaning});
  finish(s, form, N, d);
}

void with_basis(const Setting& s, Formulation& form, const Basis& basis) {
  const Motion& motion = s.system.motion;
  const std::size_t m = basis.N.columns;
  // (NᵀN) u = Nᵀ(v − n₀)
  const Matrix NT = transpose(basis.N);
  std::vector<Expr> difference;
  for (std::size_t i = 0; i < s.n(); ++i) difference.push_back(motion.v[i] - basis.drift[i]);
  std::vector<Expr> u;
  if (m > 0) {
    LinearBlock block{multiply(s, NT, basis.N), column(multiply(s, NT, difference)), s.symbols("hamel_u", m)};
    u = block.unknowns;
    form.steps.push_back({block, ErrorCode::rank_lost, "the basis of quasi-velocities degenerates at this state"});
  }
  Derivation advance = derivative_at_fixed_velocity(motion);
  std::vector<Expr> d;
  for (std::size_t i = 0; i < s.n(); ++i) {
    std::vector<Expr> terms = {advance(basis.drift[i])};
    for (std::size_t j = 0; j < m; ++j) terms.push_back(advance(basis.N(i, j)) * u[j]);
    d.push_back(s.context().sum(terms));
  }
  finish(s, form, basis.N, d);
}

// To print: v = N u + n₀, then (NᵀHN) u̇ − Nᵀ(b − H(Ṅ u + ṅ₀)) = 0 with v expressed by u.
void print_equations(const Setting& s, Formulation& form, const Basis& basis, const std::vector<std::string>& names) {
  const Motion& motion = s.system.motion;
  std::vector<Expr> u, rates;
  for (const std::string& name : names) {
    u.push_back(s.context().symbol("$" + name));
    rates.push_back(s.context().symbol("$" + name + "'"));
  }
  const std::vector<Expr> along = multiply(s, basis.N, u);
  std::vector<Replacement> in_u;
  for (std::size_t i = 0; i < s.n(); ++i) {
    in_u.emplace_back(motion.v[i], along[i] + basis.drift[i]);
    form.equations.push_back({"velocity", motion.v[i] - along[i] - basis.drift[i]});
  }
  Derivation advance = derivative_at_fixed_velocity(motion);
  std::vector<Expr> d;
  for (std::size_t i = 0; i < s.n(); ++i) {
    std::vector<Expr> terms = {advance(basis.drift[i])};
    for (std::size_t j = 0; j < u.size(); ++j) terms.push_back(advance(basis.N(i, j)) * u[j]);
    d.push_back(s.context().sum(terms));
  }
  // H (N u̇ + d) − b along every column of N
  std::vector<Expr> acceleration = multiply(s, basis.N, rates);
  for (std::size_t i = 0; i < s.n(); ++i) acceleration[i] = acceleration[i] + d[i];
  std::vector<Expr> gap = multiply(s, s.terms.mass, acceleration);
  for (std::size_t i = 0; i < s.n(); ++i) gap[i] = gap[i] - s.terms.bias[i];
  const std::vector<Expr> equations = substitute(multiply(s, transpose(basis.N), gap), in_u);
  for (std::size_t j = 0; j < u.size(); ++j) form.equations.push_back({names[j], equations[j]});
}

}  // namespace

Formulation derive_hamel(const Setting& s) {
  s.refuse_second_order("hamel");
  require_affine(s);
  Formulation form;
  form.name = "hamel";
  form.state = "positions and quasi-velocities";
  const std::size_t m = s.independent.size();

  if (!s.system.quasi_velocities.empty()) {
    if (s.system.quasi_velocities.size() != m) {
      throw Error(ErrorCode::not_applicable,
                  fmt::format("the model gives {} quasi-velocities where {} are needed (coordinates less rank)",
                              s.system.quasi_velocities.size(), m));
    }
    std::vector<Expr> u;
    std::vector<std::string> names;
    for (const NamedExpression& q : s.system.quasi_velocities) {
      u.push_back(q.expression);
      names.push_back(q.name);
    }
    with_given_quasi_velocities(s, form, u, ErrorCode::singular_dependent,
                                "the quasi-velocities " + enumerate(names) +
                                    " and the constraints do not determine the velocities at this state");
    for (const NamedExpression& q : s.system.quasi_velocities) {
      form.equations.push_back({"definition", s.context().symbol("$" + q.name) - q.expression});
    }
    if (s.with_equations) {
      if (const auto basis = basis_of(s, u)) print_equations(s, form, *basis, names);
    }
    return form;
  }
  if (const auto basis = regular_basis(s)) {
    with_basis(s, form, *basis);
    std::vector<std::string> names;
    for (std::size_t j = 0; j < m; ++j) names.push_back("u" + std::to_string(j + 1));
    if (s.with_equations) print_equations(s, form, *basis, names);
    return form;
  }
  std::vector<Expr> u;
  for (const std::size_t r : s.independent) u.push_back(s.system.motion.v[r]);
  with_given_quasi_velocities(s, form, u, ErrorCode::singular_dependent, singular_dependent_message(s));
  form.notes.emplace_back(
      "no basis of quasi-velocities that is regular everywhere was found; the independent velocities serve locally");
  append_constraints(s, form);
  return form;
}

}  // namespace cetaev
