// multipliers: H a − Jᵀλ = b, J a = c.
// d'Alembert–Lagrange with Četaev's condition: [T1] (5)(6), [T2] (19), [L] (33).
#include "assemble.hpp"
#include "from_leaves.hpp"
#include "principles.hpp"

namespace cetaev {

namespace {

Formulation derive_multipliers(const Setting& s) {
  Formulation form;
  if (auto solved = solved_from_leaves(s, "pivot")) {
    form.steps = std::move(solved->steps);
    form.pivots = form.steps.size();
    form.a = std::move(solved->a);
  } else {
    form.steps.push_back(bordered_step(s, s.terms.mass, s.terms.bias, "multipliers", form.a, form.multipliers));
  }

  if (!s.with_equations) return form;
  const std::vector<Expr> lambda = lambda_symbols(s);
  const std::vector<Expr> free = free_equations(s);
  const Matrix J = s.J();
  for (std::size_t j = 0; j < s.n(); ++j) {
    std::vector<Expr> terms = {free[j]};
    for (std::size_t v = 0; v < s.rank(); ++v) terms.push_back(-(lambda[v] * J(v, j)));
    form.equations.push_back({Equation::Kind::motion, j, s.context().sum(terms)});
  }
  append_constraints(s, form);
  return form;
}

}  // namespace

constinit const Principle multipliers_principle = {
    .name = "multipliers",
    .title = "d'Alembert–Lagrange equations with multipliers",
    .equations = derive_multipliers,
    .reactions = FormReactions::multipliers,
    .dalembert_lagrange = true,
    .uses_dependent = false,
    .constraints_on_accelerations = true,
};

}  // namespace cetaev
