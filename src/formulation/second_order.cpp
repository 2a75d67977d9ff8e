#include "second_order.hpp"

#include <Eigen/Dense>

#include "../constraint/zero_set.hpp"
#include "cetaev/error.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// H, b at the state; G(a) = 0 (the constraints on accelerations), ∂G/∂a and, for Newton, Σ μ ∂²G/∂a∂a.
class AccelerationProblem {
 public:
  AccelerationProblem(const System& system, const Terms& terms, const State& state)
      : n_(system.size()), k_(terms.constraints.size()) {
    Context& context = *system.context;
    std::vector<Expr> mu;
    for (std::size_t i = 0; i < k_; ++i) mu.push_back(context.symbol("$mu" + std::to_string(i)));
    std::vector<Expr> functions;
    const ConstraintSet& set = terms.constraints;
    for (std::size_t i = 0; i < k_; ++i) {
      std::vector<Expr> sum = {-set.bias[i]};
      for (std::size_t j = 0; j < n_; ++j) sum.push_back(set.jacobian(i, j) * system.motion.a[j]);
      functions.push_back(set.order[i] == 2 ? set.phi[i] : context.sum(sum));  // J a − c, or h as written
    }
    const Matrix by_a = jacobian(functions, system.motion.a);
    std::vector<Expr> weighted;
    for (std::size_t i = 0; i < k_; ++i) weighted.push_back(mu[i] * functions[i]);
    const Matrix weighted_second = hessian(context.sum(weighted), system.motion.a);
    std::vector<Expr> outputs = terms.mass.entries;
    outputs.insert(outputs.end(), terms.bias.begin(), terms.bias.end());
    outputs.insert(outputs.end(), functions.begin(), functions.end());
    outputs.insert(outputs.end(), by_a.entries.begin(), by_a.entries.end());
    outputs.insert(outputs.end(), weighted_second.entries.begin(), weighted_second.entries.end());
    std::vector<Expr> inputs = state_symbols(system);
    inputs.insert(inputs.end(), system.motion.a.begin(), system.motion.a.end());
    inputs.insert(inputs.end(), mu.begin(), mu.end());
    program_ = Program(outputs, inputs);
    inputs_ = state_values(state, parameter_values(system));
    inputs_.resize(inputs.size(), 0.0);
    outputs_.resize(outputs.size());
  }

  void at(const VectorXd& a, const VectorXd& mu) {
    std::copy(a.begin(), a.end(), inputs_.end() - static_cast<std::ptrdiff_t>(n_ + k_));
    std::copy(mu.begin(), mu.end(), inputs_.end() - static_cast<std::ptrdiff_t>(k_));
    Interpreter run(program_);
    run(inputs_, outputs_);
    const double* next = outputs_.data();
    const auto take = [&](Index rows, Index columns) {
      MatrixXd m =
          Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(next, rows, columns);
      next += rows * columns;
      return m;
    };
    const auto n = static_cast<Index>(n_), k = static_cast<Index>(k_);
    H = take(n, n);
    b = take(n, 1);
    g = take(k, 1);
    J = take(k, n);
    second = take(n, n);
  }

  std::size_t n_, k_;
  MatrixXd H, J, second;
  VectorXd b, g;

 private:
  Program program_;
  std::vector<double> inputs_, outputs_;
};

std::vector<double> to_vector(const VectorXd& x) { return {x.data(), x.data() + x.size()}; }

VectorXd least_norm_multipliers(const AccelerationProblem& p, const VectorXd& a) {
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition(p.J.transpose());
  return decomposition.solve(p.H * a - p.b);
}

}  // namespace

SecondOrderSolution solve_least_constraint(const System& system, const Terms& terms, const State& state) {
  AccelerationProblem p(system, terms, state);
  const VectorXd no_mu = VectorXd::Zero(static_cast<Index>(p.k_));
  p.at(VectorXd::Zero(static_cast<Index>(p.n_)), no_mu);
  const Eigen::LLT<MatrixXd> cholesky(p.H);
  if (cholesky.info() != Eigen::Success) {
    throw Error(ErrorCode::singular_mass_matrix,
                "constraints that are nonlinear in the accelerations need a positive definite mass matrix");
  }
  // a = a₀ + L⁻ᵀx turns the metric H into the Euclidean one
  const MatrixXd LT = cholesky.matrixU();
  const VectorXd a0 = cholesky.solve(p.b);
  ZeroSet set(p.k_, p.n_, [&](const VectorXd& x, VectorXd& f, MatrixXd& j) {
    p.at(a0 + LT.triangularView<Eigen::Upper>().solve(x), no_mu);
    f = p.g;
    j = LT.triangularView<Eigen::Upper>().solve<Eigen::OnTheRight>(p.J);
  });
  std::vector<std::size_t> every(p.n_);
  for (std::size_t i = 0; i < p.n_; ++i) every[i] = i;
  ZeroSet::Solution best;
  const auto found = set.nearest(VectorXd::Zero(static_cast<Index>(p.n_)), every, false, best);
  if (found.empty()) {
    throw Error(ErrorCode::inconsistent_constraints, "no accelerations satisfy the constraints on them at this state");
  }
  if (found.size() > 1 && found[1].x.norm() - found[0].x.norm() <= 1e-7 * (1 + found[0].x.norm())) {
    throw Error(ErrorCode::no_branch,
                "two accelerations that satisfy the constraints are equally near the free one in Gauss's sense");
  }
  const VectorXd a = a0 + LT.triangularView<Eigen::Upper>().solve(found.front().x);
  p.at(a, no_mu);
  return {to_vector(a), to_vector(least_norm_multipliers(p, a)), found.size() - 1};
}

SecondOrderSolution solve_second_order(const System& system, const Terms& terms, const State& state) {
  SecondOrderSolution result = solve_least_constraint(system, terms, state);
  AccelerationProblem p(system, terms, state);
  const auto n = static_cast<Index>(p.n_), k = static_cast<Index>(p.k_);
  VectorXd a = Eigen::Map<const VectorXd>(result.a.data(), n);
  VectorXd mu = Eigen::Map<const VectorXd>(result.multipliers.data(), k);
  for (int iteration = 0; iteration < 20; ++iteration) {
    // [H − Σ μ G_aa, −Jᵀ; J, 0] (Δa, Δμ) = −(H a − b − Jᵀμ, G)
    p.at(a, mu);
    MatrixXd K = MatrixXd::Zero(n + k, n + k);
    K.topLeftCorner(n, n) = p.H - p.second;
    K.topRightCorner(n, k) = -p.J.transpose();
    K.bottomLeftCorner(k, n) = p.J;
    VectorXd f(n + k);
    f.head(n) = p.H * a - p.b - p.J.transpose() * mu;
    f.tail(k) = p.g;
    const VectorXd step = K.completeOrthogonalDecomposition().solve(f);
    a -= step.head(n);
    mu -= step.tail(k);
    if (step.norm() <= 1e-15 * (1 + a.norm() + mu.norm())) break;
  }
  p.at(a, mu);
  result.a = to_vector(a);
  result.multipliers = to_vector(least_norm_multipliers(p, a));
  return result;
}

}  // namespace cetaev
