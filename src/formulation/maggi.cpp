// maggi: Nᵀ(H a − b) = 0, J a = c, N a basis of ker J.
// [T2] (22)(27). With dependent velocities chosen, N = [I; γ], γ = −J_dep⁻¹J_ind.
#include "assemble.hpp"
#include "principles.hpp"

namespace cetaev {

namespace {

Formulation derive_maggi(const Setting& s) {
  s.require_dependent();
  const std::size_t n = s.n(), r = s.rank(), m = s.independent.size();
  Formulation form;
  const Matrix J = s.J();
  const std::vector<Expr> c = s.c();

  // J_dep γ = −J_ind
  Matrix gamma = zeros(s, r, m);
  if (r > 0 && m > 0) {
    LinearBlock block{columns_of(J, s.dependent), columns_of(J, s.independent), s.symbols("maggi_gamma", r * m)};
    for (Expr& e : block.right.entries) e = -e;
    gamma.entries = block.unknowns;
    form.steps.push_back({block, ErrorCode::singular_dependent, singular_dependent_message(s)});
  }
  Matrix N = zeros(s, n, m);
  for (std::size_t k = 0; k < m; ++k) {
    N(s.independent[k], k) = s.context().one();
    for (std::size_t v = 0; v < r; ++v) N(s.dependent[v], k) = gamma(v, k);
  }

  // [NᵀH; J] a = [Nᵀb; c]
  const Matrix NT = transpose(N);
  const Matrix NTH = multiply(s, NT, s.terms.mass);
  const std::vector<Expr> NTb = multiply(s, NT, s.terms.bias);
  LinearBlock block{zeros(s, n, n), zeros(s, n, 1), s.symbols("maggi", n)};
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < m; ++k) block.matrix(k, j) = NTH(k, j);
    for (std::size_t v = 0; v < r; ++v) block.matrix(m + v, j) = J(v, j);
  }
  for (std::size_t k = 0; k < m; ++k) block.right(k, 0) = NTb[k];
  for (std::size_t v = 0; v < r; ++v) block.right(m + v, 0) = c[v];
  form.a = block.unknowns;
  form.system_step = form.steps.size();
  form.steps.push_back({block, ErrorCode::singular_mass_matrix,
                        "the mass matrix is singular on the directions that the constraints leave free"});

  if (!s.with_equations) return form;

  // to print: γ by its name, with what defines it
  Matrix names = zeros(s, r, m);
  for (std::size_t v = 0; v < r; ++v) {
    for (std::size_t k = 0; k < m; ++k) {
      names(v, k) = s.context().symbol("$gamma[" + s.system->coordinates[s.dependent[v]] + "," +
                                       s.system->coordinates[s.independent[k]] + "]");
    }
  }
  const std::vector<Expr> free = free_equations(s);
  for (std::size_t k = 0; k < m; ++k) {
    std::vector<Expr> terms = {free[s.independent[k]]};
    for (std::size_t v = 0; v < r; ++v) terms.push_back(names(v, k) * free[s.dependent[v]]);
    form.equations.push_back({Equation::Kind::motion, s.independent[k], s.context().sum(terms)});
  }
  const Matrix definition = multiply(s, columns_of(J, s.dependent), names);
  const Matrix J_ind = columns_of(J, s.independent);
  for (std::size_t v = 0; v < r; ++v) {
    for (std::size_t k = 0; k < m; ++k) {
      form.equations.push_back({Equation::Kind::derivatives, s.dependent[v], definition(v, k) + J_ind(v, k)});
    }
  }
  append_constraints(s, form);
  return form;
}

}  // namespace

constinit const Principle maggi_principle = {
    .name = "maggi",
    .title = "Maggi's equations",
    .equations = derive_maggi,
    .dalembert_lagrange = true,
    .constraints_on_accelerations = true,
};

}  // namespace cetaev
