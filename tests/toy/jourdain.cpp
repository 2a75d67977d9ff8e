// jourdain: (H a − b)·δv = 0 for all δv with J δv = 0, J a = c.
// Jourdain 1909: d'Alembert's principle for variations of the velocities alone. With the orthogonal projection K = 1 − Jᵀ(JJᵀ)⁻¹J
// onto the admissible δv both are in the one equation
//
//   (K H + JᵀJ) a = K b + Jᵀc,
//
// since K and Jᵀ have orthogonal images; no velocity is chosen as dependent and no multiplier is solved for with a. The reaction
// is H a − b = Jᵀλ, so that (JJᵀ) λ = J(H a − b).
#include "jourdain.hpp"

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

namespace {

Expr dot(const Setting& s, std::size_t count, auto term) {
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < count; ++k) terms.push_back(term(k));
  return s.context().sum(terms);
}

Formulation derive_jourdain(const Setting& s) {
  const std::size_t n = s.n(), r = s.rank();
  const Matrix J = s.J();
  const Matrix& H = s.terms.mass;
  const std::vector<Expr>& b = s.terms.bias;
  const std::vector<Expr> c = s.c();
  const auto filled = [](std::size_t rows, std::size_t columns, auto entry) {
    Matrix m{rows, columns, {}};
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) m.entries.push_back(entry(i, j));
    return m;
  };
  Formulation form;

  // (JJᵀ) X = J, K = 1 − JᵀX
  const Matrix JJT = filled(r, r, [&](auto i, auto j) { return dot(s, n, [&](auto k) { return J(i, k) * J(j, k); }); });
  const LinearBlock inverse{JJT, J, s.symbols("jourdain_X", r * n)};
  if (r > 0) form.steps.push_back({inverse, ErrorCode::rank_lost, "the constraints lose rank at this state"});
  const Matrix K = filled(n, n, [&](auto i, auto j) {
    const Expr one = i == j ? s.context().one() : s.zero();
    return one - dot(s, r, [&](auto v) { return J(v, i) * inverse.unknown(v, j); });
  });

  const LinearBlock motion{filled(n, n,
                                  [&](auto i, auto j) {
                                    return dot(s, n, [&](auto k) { return K(i, k) * H(k, j); }) +
                                           dot(s, r, [&](auto v) { return J(v, i) * J(v, j); });
                                  }),
                           filled(n, 1,
                                  [&](auto i, auto) {
                                    return dot(s, n, [&](auto k) { return K(i, k) * b[k]; }) +
                                           dot(s, r, [&](auto v) { return J(v, i) * c[v]; });
                                  }),
                           s.symbols("jourdain", n)};
  form.system_step = form.steps.size();
  form.steps.push_back(
      {motion, ErrorCode::singular_mass_matrix, "Jourdain's principle does not determine the motion here"});
  form.a = motion.unknowns;

  const auto reaction = [&](std::size_t k, const std::vector<Expr>& a) {
    return dot(s, n, [&](auto j) { return H(k, j) * a[j]; }) - b[k];
  };
  const LinearBlock multipliers{
      JJT, filled(r, 1, [&](auto v, auto) { return dot(s, n, [&](auto k) { return J(v, k) * reaction(k, form.a); }); }),
      s.symbols("jourdain_lambda", r)};
  if (r > 0) form.steps.push_back({multipliers, ErrorCode::rank_lost, "the constraints lose rank at this state"});
  form.multipliers = multipliers.unknowns;

  for (std::size_t j = 0; j < n; ++j) {
    const Expr power =
        dot(s, r, [&](auto v) { return s.context().symbol("$lambda" + std::to_string(s.rows[v] + 1)) * J(v, j); });
    form.equations.push_back({Equation::Kind::motion, j, reaction(j, s.system->motion.a) - power});
  }
  for (const std::size_t i : s.rows)
    form.equations.push_back({Equation::Kind::constraint, i, s.terms.constraints.phi[i]});
  return form;
}

}  // namespace

const Form jourdain = register_principle({
    .name = "jourdain",
    .title = "Jourdain's principle",
    .equations = derive_jourdain,
    .reactions = FormReactions::multipliers,
    .dalembert_lagrange = true,
    .uses_dependent = false,
    .constraints_on_accelerations = true,
});

}  // namespace cetaev
