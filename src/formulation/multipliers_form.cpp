// multipliers: H a − Jᵀλ = b, J a = c.
// d'Alembert–Lagrange with Četaev's condition: [T1] (5)(6), [T2] (19), [L] (33).
#include "assemble.hpp"
#include "principles.hpp"

namespace cetaev {

Formulation derive_multipliers(const Setting& s) {
  s.refuse_nonlinear_accelerations("multipliers");
  Formulation form;
  form.name = "multipliers";
  form.state = "positions and all velocities";
  form.steps.push_back(bordered_step(s, s.terms.mass, s.terms.bias, "multipliers", form.a, form.multipliers));

  const std::vector<Expr> lambda = lambda_symbols(s);
  const std::vector<Expr> free = free_equations(s);
  const Matrix J = s.J();
  for (std::size_t j = 0; j < s.n(); ++j) {
    std::vector<Expr> terms = {free[j]};
    for (std::size_t v = 0; v < s.rank(); ++v) terms.push_back(-(lambda[v] * J(v, j)));
    form.equations.push_back({s.system.coordinates[j], s.context().sum(terms)});
  }
  append_constraints(s, form);
  return form;
}

}  // namespace cetaev
