#include "modified_vakonomic.hpp"

#include "assemble.hpp"
#include "cetaev/detail/algebra/solve.hpp"

namespace cetaev {

namespace {

// Systems up to this size have A solved for, to be printed.
constexpr std::size_t largest_printed = 5;

}  // namespace

Formulation modified_vakonomic(const Setting& s, const std::string& name, const std::vector<Expr>& functions,
                               std::size_t acting) {
  const Motion& motion = s.system->motion;
  const std::size_t n = s.n();
  Formulation form;

  // Wᵀ s = p, W = ∂f/∂v
  const Matrix W = jacobian(functions, motion.v);
  LinearBlock weights{transpose(W), column(s.terms.momentum), s.symbols(name + "_s", n)};
  form.steps.push_back(
      {weights, ErrorCode::singular_auxiliary,
       "the functions of " + name + " are dependent at this state: det W = 0; choose other auxiliary functions"});

  // Σ_j s_j E f_j with s constant at this instant: (Σ s_j ∂²f_j/∂v∂v) a − (…)
  std::vector<Expr> weighted_terms;
  for (std::size_t j = 0; j < acting; ++j) weighted_terms.push_back(weights.unknowns[j] * functions[j]);
  const Expr weighted = s.context().sum(weighted_terms);
  const std::vector<Expr> E = lagrangian_derivative(weighted, motion);
  const Matrix second = hessian(weighted, motion.v);
  std::vector<Replacement> at_rest;
  for (const Expr a : motion.a) at_rest.emplace_back(a, s.zero());
  const std::vector<Expr> E0 = substitute(E, at_rest);
  Matrix K = s.terms.mass;
  std::vector<Expr> f = s.terms.bias;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) K(i, j) = K(i, j) - second(i, j);
    f[i] = f[i] + E0[i];
  }
  form.system_step = 1;
  form.steps.push_back(bordered_step(s, K, f, name, form.a, form.lambda_dot));
  form.steps.back().meaning =
      "the equations of " + name + " do not determine the accelerations: their matrix is singular at this state";

  // W A = Ω at these accelerations
  LinearBlock relations{W, zeros(s, n, n), s.symbols(name + "_A", n * n)};
  std::vector<Replacement> found;
  for (std::size_t i = 0; i < n; ++i) found.emplace_back(motion.a[i], form.a[i]);
  for (std::size_t j = 0; j < acting; ++j) {
    const std::vector<Expr> row = substitute(lagrangian_derivative(functions[j], motion), found);
    for (std::size_t i = 0; i < n; ++i) relations.right(j, i) = row[i];
  }
  form.transpositional = Matrix{n, n, relations.unknowns};
  form.steps.push_back({relations, ErrorCode::singular_auxiliary, form.steps[0].meaning});

  form.name = name;
  if (!s.with_equations) return form;

  if (n <= largest_printed) {
    Matrix omega = zeros(s, n, n);
    for (std::size_t j = 0; j < acting; ++j) {
      const std::vector<Expr> row = lagrangian_derivative(functions[j], motion);
      for (std::size_t i = 0; i < n; ++i) omega(j, i) = row[i];
    }
    const auto solution = solve_linear(W, omega);
    if (solution && solution->rank == n && solution->consistent()) form.transpositional_formula = solution->particular;
  }

  const std::vector<Expr> rates = lambda_dot_symbols(s);
  const std::vector<Expr> free = free_equations(s);
  const Matrix J = s.J();
  std::vector<Expr> names;
  for (std::size_t j = 0; j < n; ++j) names.push_back(s.context().symbol("$s" + std::to_string(j + 1)));
  std::vector<Replacement> readable;
  for (std::size_t j = 0; j < n; ++j) readable.emplace_back(weights.unknowns[j], names[j]);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<Expr> terms = {free[j], -substitute(E[j], readable)};
    for (std::size_t v = 0; v < s.rank(); ++v) terms.push_back(-(rates[v] * J(v, j)));
    form.equations.push_back({Equation::Kind::motion, j, s.context().sum(terms)});
  }
  const std::vector<Expr> definition = multiply(s, transpose(W), names);
  for (std::size_t j = 0; j < n; ++j)
    form.equations.push_back({Equation::Kind::weights, j, definition[j] - s.terms.momentum[j]});
  append_constraints(s, form);
  return form;
}

}  // namespace cetaev
