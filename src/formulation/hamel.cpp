// hamel: quasi-velocities u = Y(q,t) v + y₀ under constraints linear or affine in v, so that v = N u + n₀; state (q, u):
//
//   (NᵀHN) u̇ = Nᵀ(b − H(Ṅ u + ṅ₀)),   a = N u̇ + Ṅ u + ṅ₀
//
// With N smooth on the whole configuration space no choice of dependent velocities can become singular.
#include "hamel.hpp"

#include <fmt/format.h>

#include <set>

#include "assemble.hpp"
#include "basis.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/formulation/body_velocities.hpp"
#include "cetaev/detail/text/numbered.hpp"
#include "moving_frame.hpp"
#include "principles.hpp"

namespace cetaev {

SolveStep coordinates_in(const Setting& s, const Basis& basis, const std::string& stem) {
  const Matrix NT = transpose(basis.N);
  std::vector<Expr> difference;
  for (std::size_t i = 0; i < s.n(); ++i) difference.push_back(s.system->motion.v[i] - basis.drift[i]);
  LinearBlock block{multiply(s, NT, basis.N), column(multiply(s, NT, difference)), s.symbols(stem, basis.N.columns)};
  return {std::move(block), ErrorCode::rank_lost, "the basis of quasi-velocities degenerates at this state"};
}

std::vector<Expr> rate_at_fixed_u(const Setting& s, const Basis& basis, const std::vector<Expr>& u) {
  Derivation advance = derivative_at_fixed_velocity(s.system->motion);
  std::vector<Expr> d;
  for (std::size_t i = 0; i < s.n(); ++i) {
    std::vector<Expr> terms = {advance(basis.drift[i])};
    for (std::size_t j = 0; j < u.size(); ++j) terms.push_back(advance(basis.N(i, j)) * u[j]);
    d.push_back(s.context().sum(terms));
  }
  return d;
}

// M = [∂u/∂v; J]: M [N | n₀] = [I, −u; 0, −φ] at v = 0, and M d = (−u̇ at fixed v; c).
SolvedBasis solved_basis(const Setting& s, const QuasiVelocities& quasi) {
  const Motion& motion = s.system->motion;
  const std::size_t n = s.n(), m = quasi.definition.size();
  std::vector<Expr> functions = quasi.definition;
  const std::vector<Expr> phi = s.phi(), c = s.c();
  functions.insert(functions.end(), phi.begin(), phi.end());
  std::vector<Replacement> at_rest;
  for (const Expr v : motion.v) at_rest.emplace_back(v, s.zero());
  const std::vector<Expr> constant = substitute(functions, at_rest);
  const Matrix M = jacobian(functions, motion.v);
  LinearBlock first{M, zeros(s, n, m + 1), s.symbols("hamel_basis", n * (m + 1))};
  LinearBlock second{M, zeros(s, n, 1), s.symbols("hamel_drift", n)};
  Derivation advance = derivative_at_fixed_velocity(motion);
  for (std::size_t i = 0; i < n; ++i) {
    if (i < m) first.right(i, i) = s.context().one();
    first.right(i, m) = -constant[i];
    second.right(i, 0) = i < m ? -advance(quasi.definition[i]) : c[i - m];
  }
  SolvedBasis result{{zeros(s, n, m), {}}, second.unknowns, {}};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) result.basis.N(i, j) = first.unknown(i, j);
    result.basis.drift.push_back(first.unknown(i, m));
  }
  for (LinearBlock* block : {&first, &second})
    result.steps.push_back({std::move(*block), ErrorCode::singular_dependent, quasi.if_undetermined});
  return result;
}

std::vector<Expr> force_along(const Setting& s, const Matrix& N, const std::vector<Expr>& d) {
  const Matrix NT = transpose(N);
  std::vector<Expr> force = multiply(s, NT, s.terms.bias);
  const std::vector<Expr> inertial = multiply(s, multiply(s, NT, s.terms.mass), d);
  for (std::size_t i = 0; i < force.size(); ++i) force[i] = force[i] - inertial[i];
  return force;
}

SolveStep without_inertia(LinearBlock block) {
  return {std::move(block), ErrorCode::singular_mass_matrix,
          "the mass matrix is singular on the directions that the constraints leave free"};
}

SolveStep rates_along(const Setting& s, const Matrix& N, const std::vector<Expr>& d, const std::string& stem) {
  const Matrix mass = multiply(s, multiply(s, transpose(N), s.terms.mass), N);
  return without_inertia({mass, column(force_along(s, N, d)), s.symbols(stem, N.columns)});
}

std::vector<Expr> accelerations_along(const Setting& s, const Matrix& N, const std::vector<Expr>& rates,
                                      const std::vector<Expr>& d) {
  std::vector<Expr> a = multiply(s, N, rates);
  for (std::size_t i = 0; i < s.n(); ++i) a[i] = a[i] + d[i];
  return a;
}

namespace {

std::optional<Error> no_quasi_velocities(const Setting& s) {
  const Matrix J = s.J();
  for (std::size_t i = 0; i < s.rank(); ++i) {
    for (std::size_t j = 0; j < s.n(); ++j) {
      if (!depends_on(J(i, j), s.system->motion.v)) continue;
      return Error(ErrorCode::not_applicable, "quasi-velocities need constraints linear or affine in the velocities; " +
                                                  describe_rows(s.system, std::vector<std::size_t>{s.rows[i]}) +
                                                  " is not");
    }
  }
  const std::size_t given = s.system->quasi_velocities.size(), m = s.independent.size();
  if (given == 0 || given == m) return std::nullopt;
  return Error(
      ErrorCode::not_applicable,
      fmt::format("the model gives {} quasi-velocities where {} are needed (coordinates less rank)", given, m));
}

// The coordinate whose velocity is the quasi-velocity, for each of them; nothing where one is more than that.
std::optional<std::vector<std::size_t>> velocities_alone(const Setting& s, const Basis& basis) {
  if (s.rank() > 0) return std::nullopt;
  std::vector<std::size_t> list(basis.N.columns, s.n());
  for (std::size_t i = 0; i < s.n(); ++i) {
    if (!basis.drift[i].is_zero()) return std::nullopt;
    for (std::size_t j = 0; j < basis.N.columns; ++j) {
      if (basis.N(i, j).is_zero()) continue;
      if (!basis.N(i, j).is_one() || list[j] != s.n()) return std::nullopt;
      list[j] = i;
    }
  }
  return list;
}

// u1, u2, …; the velocities of a chain have the numbers that its links have, and u_x is that of x beside them.
std::vector<std::string> names_for(const Setting& s, const Basis& basis) {
  std::vector<std::string> counted, own;
  for (std::size_t j = 0; j < basis.N.columns; ++j) counted.push_back("u" + std::to_string(j + 1));
  const auto alone = velocities_alone(s, basis);
  if (!alone) return counted;
  std::set<std::string> stems;
  std::size_t links = 0;
  for (const std::size_t i : *alone) {
    const std::string& q = s.system->coordinates[i];
    const auto parts = text::numbered_name(q);
    if (parts) stems.insert(parts->stem);
    links += parts ? 1 : 0;
    own.push_back(parts ? "u" + std::to_string(parts->index) : "u_" + q);
  }
  return links > 1 && stems.size() == 1 ? own : counted;
}

void name_by_number(const Setting& s, const Basis& basis, QuasiVelocities& quasi) {
  quasi.names = names_for(s, basis);
  quasi.u.clear();
  for (const std::string& name : quasi.names) quasi.u.push_back(s.context().symbol("$" + name));
}

// Those of the model; else a basis that serves everywhere, or, for a motion that is content with it, wherever the constraints keep their rank; else the
// independent velocities.
QuasiVelocities chosen_quasi_velocities(const Setting& s) {
  QuasiVelocities quasi;
  for (const NamedExpression& q : s.system->quasi_velocities) {
    quasi.names.push_back(q.name);
    quasi.definition.push_back(q.expression);
  }
  const bool local = s.local_bases && !s.with_equations;
  if (quasi.definition.empty() && s.written_out) quasi.basis = regular_basis(s);
  if (quasi.definition.empty() && s.written_out && local && !quasi.basis) {
    quasi.basis = regular_basis(s, Validity::where_of_rank);
    quasi.of_rank = quasi.basis.has_value();
  }
  if (quasi.basis) name_by_number(s, *quasi.basis, quasi);
  if (quasi.basis || !quasi.definition.empty()) {
    quasi.u.clear();
    for (const std::string& name : quasi.names) quasi.u.push_back(s.context().symbol("$" + name));
    quasi.if_undetermined = "the quasi-velocities " + enumerate(quasi.names) +
                            " and the constraints do not determine the velocities at this state";
    return quasi;
  }
  for (const std::size_t r : s.independent) {
    quasi.names.push_back(s.system->coordinates[r] + "'");
    quasi.u.push_back(s.system->motion.v[r]);
  }
  quasi.definition = quasi.u;
  quasi.if_undetermined = singular_dependent_message(s);
  return quasi;
}

bool is_sum_of_several(const Basis& basis, std::size_t row) {
  std::size_t count = basis.drift[row].is_zero() ? 0 : 1;
  for (std::size_t j = 0; j < basis.N.columns; ++j) count += basis.N(row, j).is_zero() ? 0 : 1;
  return count > 1;
}

double tree_size(std::span<const Expr> list) {
  double sum = 0;
  for (const Expr e : list) sum += written_size(e);
  return sum;
}

// In axes that turn with the system where its symmetry gives such.
std::optional<Basis> basis_to_print(const Setting& s, QuasiVelocities& quasi, std::optional<MovingFrame>& frame) {
  if (s.in_place != nullptr && s.system->quasi_velocities.empty()) {
    quasi.definition = s.in_place->u;
    quasi.names = s.in_place->names;
    quasi.u.clear();
    for (const std::string& name : quasi.names) quasi.u.push_back(s.context().symbol("$" + name));
  }
  const bool given = s.in_place != nullptr || !s.system->quasi_velocities.empty();
  const Validity validity = given || quasi.basis ? Validity::everywhere : Validity::locally;
  std::optional<Basis> basis;
  if (s.symmetry != nullptr) frame = moving_frame(s, *s.symmetry);
  if (frame) basis = basis_in_frame(s, *frame, given ? quasi.definition : std::vector<Expr>(), validity);
  if (basis) {
    quasi.turning = frame->angle;
  } else {
    frame.reset();
    basis = given                              ? basis_of(s, quasi.definition)
            : validity == Validity::everywhere ? quasi.basis
                                               : regular_basis(s, s.J(), at_rest(s, s.phi()), validity);
    if (basis) shorten(*basis, validity);
  }
  if (!basis || tree_size(basis->N.entries) > s.longest_equations) return std::nullopt;
  if (validity == Validity::locally) {
    name_by_number(s, *basis, quasi);
    quasi.definition.clear();
  }
  return basis;
}

// To print: v = N u + n₀, then (NᵀHN) u̇ − Nᵀ(b − H(Ṅ u + ṅ₀)) = 0 with v expressed by u. In axes that turn with the system they are the
// same all along an orbit, and are written at one place of it.
void print_equations(const Setting& s, Formulation& form) {
  const Motion& motion = s.system->motion;
  QuasiVelocities quasi = *form.quasi;
  std::optional<MovingFrame> frame;
  const std::optional<Basis> basis = basis_to_print(s, quasi, frame);
  if (!basis) return;
  const std::vector<Expr>& u = quasi.u;
  std::vector<Expr> rates;
  for (const std::string& name : quasi.names) rates.push_back(s.context().symbol("$" + name + "'"));
  const std::vector<Expr> along = multiply(s, basis->N, u);
  std::vector<Replacement> all, few;
  std::vector<Equation> velocities;
  for (std::size_t i = 0; i < s.n(); ++i) {
    velocities.push_back({Equation::Kind::velocity, i, motion.v[i] - along[i] - basis->drift[i]});
    all.emplace_back(motion.v[i], along[i] + basis->drift[i]);
    const bool turned = frame && !frame->axes(i, i).is_one();
    if (turned || !is_sum_of_several(*basis, i)) few.push_back(all.back());
  }
  // H (N u̇ + d) − b along every column of N
  const std::vector<Expr> acceleration = accelerations_along(s, basis->N, rates, rate_at_fixed_u(s, *basis, u));
  std::vector<Expr> gap = multiply(s, s.terms.mass, acceleration);
  for (std::size_t i = 0; i < s.n(); ++i) gap[i] = gap[i] - s.terms.bias[i];
  const std::vector<Expr> equations = multiply(s, transpose(basis->N), gap);
  const auto append = [&](const std::vector<Replacement>& in_u, std::vector<Equation>& to) {
    std::vector<Expr> inserted = substitute(equations, in_u);
    if (frame) inserted = substitute(inserted, frame->place);
    // as long as those with multipliers, where nothing is inserted but names
    if (!velocities_alone(s, *basis) && tree_size(inserted) > s.longest_equations) return;
    to = form.equations;
    to.insert(to.end(), velocities.begin(), velocities.end());
    for (std::size_t j = 0; j < u.size(); ++j) to.push_back({Equation::Kind::quasi_motion, j, inserted[j]});
  };
  if (few.size() < all.size()) append(few, form.with_velocities);
  append(all, form.equations);
  if (!form.equations.empty() || !form.with_velocities.empty()) form.quasi = std::move(quasi);
}

Formulation derive_hamel(const Setting& s) {
  Formulation form;
  form.quasi = chosen_quasi_velocities(s);
  const QuasiVelocities& quasi = *form.quasi;
  const std::size_t m = quasi.u.size();

  Matrix N;
  std::vector<Expr> d;
  if (quasi.basis) {
    N = quasi.basis->N;
    if (m > 0) form.steps.push_back(coordinates_in(s, *quasi.basis, "hamel_u"));
    d = rate_at_fixed_u(s, *quasi.basis, m > 0 ? form.steps.back().block.unknowns : std::vector<Expr>());
  } else {
    SolvedBasis solved = solved_basis(s, quasi);
    N = std::move(solved.basis.N);
    d = std::move(solved.d);
    form.steps = std::move(solved.steps);
  }
  form.a = d;
  form.system_step = form.steps.size();
  if (m > 0) {
    form.steps.push_back(rates_along(s, N, d, "hamel"));
    form.a = accelerations_along(s, N, form.steps.back().block.unknowns, d);
  }

  // to print
  const bool given = !s.system->quasi_velocities.empty();
  for (std::size_t j = 0; j < m && given; ++j)
    form.equations.push_back({Equation::Kind::definition, j, quasi.u[j] - quasi.definition[j]});
  if (given || quasi.basis) {
    if (s.with_equations) print_equations(s, form);
    return form;
  }
  const std::string none = "no basis of quasi-velocities that is regular everywhere was found; ";
  // Only to be read: what computes a motion keeps the independent velocities.
  if (s.with_equations && s.local_bases) {
    print_equations(s, form);
    if (!form.equations.empty() || !form.with_velocities.empty()) {
      form.notes.push_back(none +
                           "this one serves where its directions are independent and nothing in it divides by zero. "
                           "`run` and `eval` take the " +
                           "independent velocities");
      return form;
    }
  }
  if (s.written_out) form.notes.push_back(none + "the independent velocities serve locally");
  append_constraints(s, form);
  return form;
}

}  // namespace

constinit const Principle hamel_principle = {
    .name = "hamel",
    .title = "equations in quasi-velocities",
    .equations = derive_hamel,
    .state = FormState::quasi_velocities,
    .dalembert_lagrange = true,
    .own_obstacle = no_quasi_velocities,
};

}  // namespace cetaev
