#include "modified_vakonomic.hpp"

#include "assemble.hpp"
#include "cetaev/detail/algebra/solve.hpp"

namespace cetaev {

namespace {

// Systems up to this size have A solved for, to be printed.
constexpr std::size_t largest_printed = 5;

}  // namespace

RelationFunctions functions_of_suslov(const Setting& s) {
  RelationFunctions result{s.phi(), s.n(), 0, {}};
  for (const std::size_t r : s.independent) result.f.push_back(s.system->motion.v[r]);
  return result;
}

SolveStep relations_step(const Setting& s, const std::string& name, const RelationFunctions& functions) {
  const std::size_t n = s.n();
  LinearBlock relations{jacobian(functions.f, s.system->motion.v), zeros(s, n, n), s.symbols(name + "_A", n * n)};
  for (std::size_t j = 0; j < functions.acting; ++j) {
    const std::vector<Expr> row = lagrangian_derivative(functions.f[j], s.system->motion);
    for (std::size_t i = 0; i < n; ++i) relations.right(j, i) = row[i];
  }
  return {std::move(relations), ErrorCode::singular_auxiliary,
          "the functions of " + name + " are dependent at this state: det W = 0; choose other auxiliary functions"};
}

Formulation modified_vakonomic(const Setting& s, const std::string& name, const RelationFunctions& functions,
                               Expr psi) {
  const Motion& motion = s.system->motion;
  const std::size_t n = s.n();
  Formulation form;
  form.notes = functions.notes;

  // Wᵀ s = ∂(L − ψ)/∂v, W = ∂f/∂v
  const Matrix W = jacobian(functions.f, motion.v);
  std::vector<Expr> momentum = s.terms.momentum;
  const std::vector<Expr> of_psi = gradient(psi, motion.v);
  for (std::size_t j = 0; j < n; ++j) momentum[j] = momentum[j] - of_psi[j];
  LinearBlock weights{transpose(W), column(momentum), s.symbols(name + "_s", n)};
  SolveStep relations = relations_step(s, name, functions);
  form.steps.push_back({weights, relations.if_singular, relations.meaning});

  // E ψ + Σ_j s_j E f_j with λ and s constant at this instant
  std::vector<Expr> weighted = {psi};
  for (std::size_t j = 0; j < functions.acting; ++j) weighted.push_back(weights.unknowns[j] * functions.f[j]);
  const std::vector<Expr> E = lagrangian_derivative(s.context().sum(weighted), motion);
  form.system_step = 1;
  form.steps.push_back(driven_step(s, E, name, form));
  form.steps.back().meaning =
      "the equations of " + name + " do not determine the accelerations: their matrix is singular at this state";

  std::vector<Replacement> found;
  for (std::size_t i = 0; i < n; ++i) found.emplace_back(motion.a[i], form.a[i]);
  const Matrix right = relations.block.right;
  relations.block.right.entries = substitute(right.entries, found);
  form.transpositional = Matrix{n, n, relations.block.unknowns};
  form.steps.push_back(std::move(relations));

  form.name = name;
  if (!s.with_equations) return form;

  if (n <= largest_printed) {
    const auto solution = solve_linear(W, right);
    if (solution && solution->rank == n && solution->consistent()) form.transpositional_formula = solution->particular;
  }

  std::vector<Expr> names;
  std::vector<Replacement> readable;
  for (std::size_t j = 0; j < n; ++j) {
    names.push_back(s.context().symbol("$s" + std::to_string(j + 1)));
    readable.emplace_back(weights.unknowns[j], names[j]);
  }
  append_driven_equations(s, substitute(E, readable), form);
  const std::vector<Expr> definition = multiply(s, transpose(W), names);
  for (std::size_t j = 0; j < n; ++j)
    form.equations.push_back({Equation::Kind::weights, j, definition[j] - momentum[j]});
  append_constraints(s, form);
  return form;
}

}  // namespace cetaev
