#include "regularity_plan.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "inputs.hpp"

namespace cetaev {

namespace {

std::vector<Expr> moving_symbols(const System& system) {
  std::vector<Expr> symbols = system->motion.q;
  symbols.insert(symbols.end(), system->motion.v.begin(), system->motion.v.end());
  symbols.push_back(system->motion.t);
  return symbols;
}

// Of matrices up to 3 × 3, in short form; nothing for larger ones.
std::optional<Expr> small_determinant(const Matrix& M) {
  const auto minor = [&](std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
    return M(i, k) * M(j, l) - M(i, l) * M(j, k);
  };
  Expr result;
  switch (M.rows) {
    case 1: result = M(0, 0); break;
    case 2: result = minor(0, 1, 0, 1); break;
    case 3: result = M(0, 0) * minor(1, 2, 1, 2) - M(0, 1) * minor(1, 2, 0, 2) + M(0, 2) * minor(1, 2, 0, 1); break;
    default: return std::nullopt;
  }
  try {
    return normal(result, Shape::factored);
  } catch (const Error&) {
    return result;
  }
}

Matrix gram(const Matrix& A) {
  Matrix result{A.rows, A.rows, {}};
  for (std::size_t i = 0; i < A.rows; ++i) {
    for (std::size_t j = 0; j < A.rows; ++j) {
      std::vector<Expr> terms;
      for (std::size_t k = 0; k < A.columns; ++k) terms.push_back(A(i, k) * A(j, k));
      result.entries.push_back(A.entries.front().context().sum(terms));
    }
  }
  return result;
}

// Cannot vanish, whatever values the symbols have that are no parameters: by its enclosure when they may be anything.
bool never_vanishes(const System& system, Expr e) {
  const std::vector<Expr> symbols = free_symbols(e);
  std::vector<Expr> inputs;
  std::vector<Ball> values;
  const std::vector<Ball> parameters = parameter_balls(system, 128);
  for (const Expr symbol : symbols) {
    inputs.push_back(symbol);
    values.push_back(Ball::anything());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (system->parameters[i].symbol == symbol) values.back() = parameters[i];
    }
  }
  std::vector<Ball> result;
  if (run_in_balls(Program({&e, 1}, inputs), values, result, 128) >= 0) return false;
  return !result[0].contains_zero();
}

Matrix rows_of(const Matrix& A, const std::vector<std::size_t>& rows) {
  Matrix result{rows.size(), A.columns, {}};
  for (const std::size_t i : rows) {
    for (std::size_t j = 0; j < A.columns; ++j) result.entries.push_back(A(i, j));
  }
  return result;
}

// With v = N u + n₀ in a basis that serves everywhere, the minors of J are the complementary ones of N times one and the same
// function c of the state, up to signs, so that
//   c² = det(J Jᵀ) / det(Nᵀ N).
// J loses rank where c vanishes, and nowhere if c has the same value at states taken at random.
bool keeps_its_rank(const MotionEquations& equations, const Matrix& J) {
  constexpr int states = 8;
  const FirstOrderSystem& form = equations.form();
  const std::size_t n = equations.system()->size(), k = J.rows;
  std::vector<Expr> u;
  for (std::size_t i = equations.system()->size(); i < form.state.size(); ++i) u.push_back(form.state[i].symbol);
  std::vector<Expr> outputs = J.entries;
  const Matrix N = jacobian(form.velocities, u);
  outputs.insert(outputs.end(), N.entries.begin(), N.entries.end());
  const Program program = equations.observing(outputs);
  Interpreter run(program);
  MotionInputs inputs(equations);
  std::vector<double> y(equations.size()), values(program.output_count());
  Random random(1);
  const auto anywhere = [&] { return random.uniform(-1.5, 1.5); };
  double first = 0;
  for (int i = 0; i < states; ++i) {
    for (double& value : y) value = anywhere();
    if (run(inputs.at(anywhere(), y), values) >= 0) return false;
    const DenseView rows = transposed_view(values.data(), k, n);
    const DenseMatrix basis = DenseMatrix::from_rows(values.data() + k * n, n, n - k);
    const double square = determinant(transposed_times(rows, rows)) / determinant(transposed_times(basis, basis));
    if (i == 0) first = square;
    if (!(square > 0) || !(std::abs(square - first) < 1e-8 * first)) return false;
  }
  return true;
}

}  // namespace

std::vector<Expr> under_roots(std::span<const Expr> expressions, const System& system) {
  const std::vector<Expr> moving = moving_symbols(system);
  std::vector<Expr> result;
  for (const Expr e : topological(expressions)) {
    if (e.kind() != Kind::product) continue;
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (e.exponent(i).denominator() == Rational(2) && depends_on(e.base(i), moving) &&
          std::find(result.begin(), result.end(), e.base(i)) == result.end())
        result.push_back(e.base(i));
    }
  }
  return result;
}

RegularityPlan::RegularityPlan(const MotionEquations& equations, const Terms& terms, double tolerance) {
  auto data = std::make_unique<Data>(equations);
  Data& d = *data;
  const System& system = equations.system();
  const ConstraintSet& set = terms.constraints;
  const FirstOrderSystem& form = equations.form();
  d.n = system->size();
  d.k = set.size();
  d.rank = form.rows.size();
  d.tolerance = tolerance;
  d.chose_rows = d.rank < d.k;
  d.chose_dependent = !form.global && !form.chosen.empty();
  const std::vector<Expr> moving = moving_symbols(system);
  const auto any_moves = [&](const Matrix& M) {
    return std::any_of(M.entries.begin(), M.entries.end(), [&](Expr e) { return depends_on(e, moving); });
  };
  const bool in_global_basis = form.form->state == FormState::quasi_velocities && form.global;
  const Matrix J = in_global_basis ? rows_of(set.jacobian, form.rows) : set.jacobian;
  d.watch_J = d.k > 0 && any_moves(set.jacobian) && !(in_global_basis && keeps_its_rank(equations, J));
  d.watch_H = any_moves(terms.mass);
  std::vector<Expr> guards;
  bool guarded_all = true;
  const auto guard = [&](const Matrix& M) {
    const auto determinant = small_determinant(M);
    guarded_all = guarded_all && determinant;
    if (!determinant) return true;
    if (never_vanishes(system, *determinant)) return false;
    guards.push_back(*determinant);
    return true;
  };
  if (d.watch_J) d.watch_J = guard(gram(J)) || d.chose_rows || d.chose_dependent;
  if (d.watch_H) {
    bool any = false;
    if (in_global_basis) {
      // the mass matrix on the free directions, as far as algebra has not divided by it
      for (const SolveStep& step : form.steps) any = guard(step.block.matrix) || any;
      for (const Matrix& M : form.divided_by) any = guard(M) || any;
    } else {
      any = guard(terms.mass);
    }
    d.watch_H = any;
  }
  std::vector<Expr> sources = set.phi;
  sources.push_back(system->lagrangian);
  sources.insert(sources.end(), system->forces.begin(), system->forces.end());
  d.roots = under_roots(sources, system);
  for (const Expr e : d.roots) d.root_texts.push_back(to_string(e));
  guards.insert(guards.end(), d.roots.begin(), d.roots.end());
  std::vector<Expr> outputs = set.jacobian.entries;
  outputs.insert(outputs.end(), terms.mass.entries.begin(), terms.mass.entries.end());
  outputs.insert(outputs.end(), d.roots.begin(), d.roots.end());
  if (!d.empty()) {
    d.program = equations.observing(outputs);
    if (guarded_all && !d.chose_rows && !d.chose_dependent) d.guards = equations.observing(guards);
  }
  data_ = std::move(data);
}

RegularityPlan::~RegularityPlan() = default;
bool RegularityPlan::empty() const { return data_->empty(); }

}  // namespace cetaev
