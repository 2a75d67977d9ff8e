#include "cetaev/formulation/multipliers.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "cetaev/constraint/describe.hpp"
#include "cetaev/error.hpp"

namespace cetaev {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rank_tolerance = 1e-10;
// Below this ratio of pivots the quick way through Cholesky factors is left for the careful one.
constexpr double quick_tolerance = 1e-6;

std::vector<Expr> outputs_of(const Terms& terms) {
  const std::size_t n = terms.mass.rows;
  std::vector<Expr> outputs;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) outputs.push_back(terms.mass(i, j));
  }
  outputs.insert(outputs.end(), terms.bias.begin(), terms.bias.end());
  const Matrix& J = terms.constraints.jacobian;
  outputs.insert(outputs.end(), J.entries.begin(), J.entries.end());
  outputs.insert(outputs.end(), terms.constraints.bias.begin(), terms.constraints.bias.end());
  return outputs;
}

// "H a = …" in words of the model: the coordinates that a direction of ker H ∩ ker J moves
std::string moving_coordinates(const System& system, const VectorXd& direction) {
  std::string names;
  const double largest = direction.lpNorm<Eigen::Infinity>();
  for (Index i = 0; i < direction.size(); ++i) {
    if (std::fabs(direction[i]) < 1e-6 * largest) continue;
    names += (names.empty() ? "" : ", ") + system.coordinates[static_cast<std::size_t>(i)];
  }
  return names;
}

}  // namespace

struct Multipliers::Workspace::Data {
  explicit Data(const Multipliers& form)
      : interpreter(form.program_),
        outputs(form.program_.output_count()),
        n(static_cast<Index>(form.n_)),
        k(static_cast<Index>(form.k_)),
        H(n, n),
        J(k, n),
        b(n),
        c(k),
        cholesky(n),
        Y(n, k),
        S(k, k),
        schur(k),
        a(n),
        lambda(k) {}

  Interpreter interpreter;
  std::vector<double> outputs;
  Index n, k;
  MatrixXd H, J;
  VectorXd b, c;
  // quick way: H = L Lᵀ, Y = L⁻¹Jᵀ, S = YᵀY
  Eigen::LLT<MatrixXd> cholesky;
  MatrixXd Y, S;
  Eigen::LLT<MatrixXd> schur;
  VectorXd a, lambda;

  void load(std::span<const double> inputs) {
    interpreter(inputs, outputs);
    const double* value = outputs.data();
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j <= i; ++j) H(i, j) = H(j, i) = *value++;
    }
    for (Index i = 0; i < n; ++i) b[i] = *value++;
    for (Index i = 0; i < k; ++i) {
      for (Index j = 0; j < n; ++j) J(i, j) = *value++;
    }
    for (Index i = 0; i < k; ++i) c[i] = *value++;
  }

  static bool well_conditioned(const Eigen::LLT<MatrixXd>& factor) {
    if (factor.info() != Eigen::Success) return false;
    const auto diagonal = factor.matrixLLT().diagonal();
    return diagonal.minCoeff() > quick_tolerance * diagonal.maxCoeff();
  }

  // H positive definite and J of full rank, both comfortably: a = H⁻¹(b + Jᵀλ), (J H⁻¹Jᵀ) λ = c − J H⁻¹ b.
  bool solve_quickly() {
    cholesky.compute(H);
    if (!well_conditioned(cholesky)) return false;
    a = b;
    cholesky.matrixL().solveInPlace(a);  // a = L⁻¹b
    if (k > 0) {
      Y = J.transpose();
      cholesky.matrixL().solveInPlace(Y);
      S.noalias() = Y.transpose() * Y;
      schur.compute(S);
      if (!well_conditioned(schur)) return false;
      lambda = c;
      lambda.noalias() -= Y.transpose() * a;
      schur.solveInPlace(lambda);
      a.noalias() += Y * lambda;
    }
    cholesky.matrixU().solveInPlace(a);
    return true;
  }

  std::size_t solve_carefully(const System& system);

  double allowed = 1e-8;  // contradiction between rows
};

// Any H that is regular on ker J, any consistent J: by orthonormal bases Q₁ of the row space of J and N of its kernel.
std::size_t Multipliers::Workspace::Data::solve_carefully(const System& system) {
  // Rows are compared at equal length; a row of zeros stays one.
  MatrixXd scaled = J;
  VectorXd scaled_c = c;
  for (Index i = 0; i < k; ++i) {
    const double norm = J.row(i).norm();
    if (norm > 0) {
      scaled.row(i) /= norm;
      scaled_c[i] /= norm;
    }
  }
  Index r = 0;
  MatrixXd Q = MatrixXd::Identity(n, n);
  if (k > 0) {
    Eigen::ColPivHouseholderQR<MatrixXd> qr;
    qr.setThreshold(rank_tolerance);
    qr.compute(scaled.transpose());
    r = qr.rank();
    Q = qr.householderQ();
  }
  const MatrixXd Q1 = Q.leftCols(r);
  const MatrixXd N = Q.rightCols(n - r);

  // J a = c: a = Q₁ y + N z, (J Q₁) y = c
  VectorXd particular = VectorXd::Zero(n);
  if (k > 0) {
    const MatrixXd JQ = scaled * Q1;
    const VectorXd y = r > 0 ? VectorXd(JQ.householderQr().solve(scaled_c)) : VectorXd(0);
    const VectorXd left = scaled_c - JQ * y;
    std::vector<std::size_t> unmet;
    for (Index i = 0; i < k; ++i) {
      if (std::fabs(left[i]) > allowed * (1 + scaled_c.lpNorm<Eigen::Infinity>()))
        unmet.push_back(static_cast<std::size_t>(i));
    }
    if (!unmet.empty()) {
      throw Error(ErrorCode::inconsistent_constraints,
                  "the constraints leave no acceleration at this state: the time derivatives of " +
                      describe_rows(system, unmet) +
                      (unmet.size() == static_cast<std::size_t>(k) ? " contradict each other; they hide"
                                                                   : " contradict the others; they hide") +
                      std::string(" a condition on positions or velocities"));
    }
    particular = Q1 * y;
  }

  // Nᵀ(H a − b) = 0
  a = particular;
  if (n > r) {
    // Directions to comparable size: a light coordinate is not a massless one.
    MatrixXd reduced = N.transpose() * H * N;
    const MatrixXd terms = N.cwiseAbs().transpose() * H.cwiseAbs() * N.cwiseAbs();  // what may have cancelled
    VectorXd size(n - r);
    for (Index i = 0; i < size.size(); ++i) {
      const double inertia = std::fabs(reduced(i, i));
      const double scale = inertia > 1e-13 * terms(i, i) ? inertia : terms(i, i);
      size[i] = scale > 0 ? 1 / std::sqrt(scale) : 1;
    }
    reduced = size.asDiagonal() * reduced * size.asDiagonal();
    for (double& entry : reduced.reshaped()) {
      if (std::fabs(entry) < 1e-12) entry = 0;
    }
    Eigen::FullPivLU<MatrixXd> lu;
    lu.setThreshold(rank_tolerance);
    lu.compute(reduced);
    if (!lu.isInvertible()) {
      const MatrixXd kernel = lu.kernel();
      const VectorXd direction = N * (size.asDiagonal() * kernel.col(0));
      throw Error(
          ErrorCode::singular_mass_matrix,
          "the mass matrix is singular on the directions that the constraints leave free: nothing determines the "
          "acceleration along " +
              moving_coordinates(system, direction));
    }
    const VectorXd force = size.asDiagonal() * (N.transpose() * (b - H * particular));
    a += N * (size.asDiagonal() * lu.solve(force));
  }

  // Jᵀλ = H a − b, of least norm: M = Q₁ᵀJᵀ has full row rank
  lambda.setZero();
  if (r > 0) {
    const MatrixXd M = Q1.transpose() * J.transpose();
    lambda = M.completeOrthogonalDecomposition().solve(Q1.transpose() * (H * a - b));
  }
  return static_cast<std::size_t>(r);
}

Multipliers::Workspace::Workspace(const Multipliers& form) : data_(std::make_unique<Data>(form)) {}
Multipliers::Workspace::~Workspace() = default;
Multipliers::Workspace::Workspace(Workspace&&) noexcept = default;
void Multipliers::Workspace::allow(double contradiction) { data_->allowed = contradiction; }

Multipliers::Multipliers(const System& system, const Terms& terms)
    : system_(system), n_(system.size()), k_(terms.constraints.size()), parameters_(parameter_values(system)) {
  for (std::size_t i = 0; i < k_; ++i) {
    if (!terms.constraints.nonlinear_in_accelerations[i]) continue;
    throw Error(ErrorCode::not_applicable, fmt::format("constraint {} ({}) is nonlinear in the accelerations", i + 1,
                                                       system.constraints[i].label()));
  }
  program_ = Program(outputs_of(terms), state_symbols(system));
}

Multipliers::~Multipliers() = default;

std::size_t Multipliers::evaluate(std::span<const double> inputs, Workspace& workspace, std::span<double> a,
                                  std::span<double> multipliers) const {
  Workspace::Data& data = *workspace.data_;
  data.load(inputs);
  for (const double value : data.outputs) {
    if (!std::isfinite(value)) {
      throw Error(ErrorCode::non_finite, "the equations of motion are not finite at this state");
    }
  }
  const std::size_t rank = data.solve_quickly() ? k_ : data.solve_carefully(system_);
  for (std::size_t i = 0; i < n_; ++i) a[i] = data.a[static_cast<Index>(i)];
  for (std::size_t i = 0; i < k_; ++i) multipliers[i] = data.lambda[static_cast<Index>(i)];
  return rank;
}

Reaction Multipliers::evaluate(const State& state) const {
  Workspace workspace(*this);
  Reaction result;
  result.a.resize(n_);
  result.multipliers.resize(k_);
  result.rank = evaluate(state_values(state, parameters_), workspace, result.a, result.multipliers);
  return result;
}

}  // namespace cetaev
