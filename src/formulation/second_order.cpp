#include "second_order.hpp"

#include <algorithm>

#include "../constraint/zero_set.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/error.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

namespace {

using Vector = std::vector<double>;

// H, b at the state; G(a) = 0 (the constraints on accelerations), ∂G/∂a and, for Newton, Σ μ ∂²G/∂a∂a.
class AccelerationProblem {
 public:
  AccelerationProblem(const System& system, const Terms& terms, const State& state)
      : n_(system->size()), k_(terms.constraints.size()) {
    Context& context = *system->context;
    std::vector<Expr> mu;
    for (std::size_t i = 0; i < k_; ++i) mu.push_back(context.symbol("$mu" + std::to_string(i)));
    std::vector<Expr> functions;
    const ConstraintSet& set = terms.constraints;
    for (std::size_t i = 0; i < k_; ++i) {
      std::vector<Expr> sum = {-set.bias[i]};
      for (std::size_t j = 0; j < n_; ++j) sum.push_back(set.jacobian(i, j) * system->motion.a[j]);
      functions.push_back(set.order[i] == 2 ? set.phi[i] : context.sum(sum));  // J a − c, or h as written
    }
    const Matrix by_a = jacobian(functions, system->motion.a);
    std::vector<Expr> weighted;
    for (std::size_t i = 0; i < k_; ++i) weighted.push_back(mu[i] * functions[i]);
    const Matrix weighted_second = hessian(context.sum(weighted), system->motion.a);
    std::vector<Expr> outputs = terms.mass.entries;
    outputs.insert(outputs.end(), terms.bias.begin(), terms.bias.end());
    outputs.insert(outputs.end(), functions.begin(), functions.end());
    outputs.insert(outputs.end(), by_a.entries.begin(), by_a.entries.end());
    outputs.insert(outputs.end(), weighted_second.entries.begin(), weighted_second.entries.end());
    std::vector<Expr> inputs = state_symbols(system);
    inputs.insert(inputs.end(), system->motion.a.begin(), system->motion.a.end());
    inputs.insert(inputs.end(), mu.begin(), mu.end());
    program_ = Program(outputs, inputs);
    inputs_ = state_values(state, parameter_values(system));
    inputs_.resize(inputs.size(), 0.0);
    outputs_.resize(outputs.size());
  }

  void at(const Vector& a, const Vector& mu) {
    std::copy(a.begin(), a.end(), inputs_.end() - static_cast<std::ptrdiff_t>(n_ + k_));
    std::copy(mu.begin(), mu.end(), inputs_.end() - static_cast<std::ptrdiff_t>(k_));
    Interpreter run(program_);
    run(inputs_, outputs_);
    const double* next = outputs_.data();
    const auto take = [&](std::size_t rows, std::size_t columns) {
      const double* const from = next;
      next += rows * columns;
      return DenseMatrix::from_rows(from, rows, columns);
    };
    const auto take_vector = [&](std::size_t count) {
      const double* const from = next;
      next += count;
      return Vector(from, next);
    };
    H = take(n_, n_);
    b = take_vector(n_);
    g = take_vector(k_);
    J = take(k_, n_);
    second = take(n_, n_);
  }

  // H a − b
  Vector reaction(const Vector& a) const {
    Vector result = H * a;
    for (std::size_t i = 0; i < n_; ++i) result[i] -= b[i];
    return result;
  }
  // μ of least norm with Jᵀμ = H a − b
  Vector multipliers(const Vector& a) const { return LeastNorm(transposed(J), std::nullopt).solve(reaction(a)); }

  std::size_t n_, k_;
  DenseMatrix H, J, second;
  Vector b, g;

 private:
  Program program_;
  std::vector<double> inputs_, outputs_;
};

}  // namespace

SecondOrderSolution solve_least_constraint(const System& system, const Terms& terms, const State& state) {
  AccelerationProblem p(system, terms, state);
  const Vector no_mu(p.k_, 0.0), origin(p.n_, 0.0);
  p.at(origin, no_mu);
  Cholesky cholesky;
  if (!cholesky.compute(p.H)) {
    throw Error(ErrorCode::singular_mass_matrix,
                "constraints that are nonlinear in the accelerations need a positive definite mass matrix");
  }
  // a = a₀ + L⁻ᵀx turns the metric H into the Euclidean one
  Vector a0 = p.b;
  cholesky.solve(a0);
  const auto acceleration = [&](Vector x) {
    cholesky.solve_upper(x);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += a0[i];
    return x;
  };
  ZeroSet set(p.k_, p.n_, [&](const Vector& x, Vector& f, DenseMatrix& j) {
    p.at(acceleration(x), no_mu);
    f = p.g;
    j = cholesky.divide_by_upper(p.J);
  });
  std::vector<std::size_t> every(p.n_);
  for (std::size_t i = 0; i < p.n_; ++i) every[i] = i;
  ZeroSet::Solution best;
  const auto found = set.nearest(origin, every, false, best);
  if (found.empty()) {
    throw Error(ErrorCode::inconsistent_constraints, "no accelerations satisfy the constraints on them at this state");
  }
  if (found.size() > 1 && length(found[1].x) - length(found[0].x) <= 1e-7 * (1 + length(found[0].x))) {
    throw Error(ErrorCode::no_branch,
                "two accelerations that satisfy the constraints are equally near the free one in Gauss's sense");
  }
  const Vector a = acceleration(found.front().x);
  p.at(a, no_mu);
  return {a, p.multipliers(a), found.size() - 1};
}

SecondOrderSolution solve_second_order(const System& system, const Terms& terms, const State& state) {
  SecondOrderSolution result = solve_least_constraint(system, terms, state);
  AccelerationProblem p(system, terms, state);
  const std::size_t n = p.n_, k = p.k_;
  Vector& a = result.a;
  Vector& mu = result.multipliers;
  for (int iteration = 0; iteration < 20; ++iteration) {
    // [H − Σ μ G_aa, −Jᵀ; J, 0] (Δa, Δμ) = −(H a − b − Jᵀμ, G)
    p.at(a, mu);
    DenseMatrix K(n + k, n + k);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) K(i, j) = p.H(i, j) - p.second(i, j);
      for (std::size_t r = 0; r < k; ++r) {
        K(i, n + r) = -p.J(r, i);
        K(n + r, i) = p.J(r, i);
      }
    }
    Vector f = p.reaction(a);
    subtract_transposed_product(p.J, mu, f);
    f.insert(f.end(), p.g.begin(), p.g.end());
    const Vector step = LeastNorm(K, std::nullopt).solve(f);
    for (std::size_t i = 0; i < n; ++i) a[i] -= step[i];
    for (std::size_t i = 0; i < k; ++i) mu[i] -= step[n + i];
    if (length(step) <= 1e-15 * (1 + length(a) + length(mu))) break;
  }
  p.at(a, mu);
  mu = p.multipliers(a);
  return result;
}

}  // namespace cetaev
