#include "cetaev/detail/formulation/second_order.hpp"

#include <algorithm>
#include <functional>

#include "../constraint/state_map.hpp"
#include "../constraint/state_search.hpp"
#include "../constraint/zero_set.hpp"
#include "cetaev/detail/algebra/certain.hpp"
#include "cetaev/detail/constraint/around.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "cetaev/detail/numeric/rank.hpp"
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
    const std::vector<Expr> functions = conditions_on_accelerations(system, terms.constraints);
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
    equations = reaction_equations(system, terms, by_a, mu);
    equations.insert(equations.end(), functions.begin(), functions.end());
    symbols = inputs;
    on_accelerations = std::make_unique<StateMap>(system, functions, by_a, all_indices(k_), inputs_.size());
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

  // Of the equations by (a, μ): [H − Σ μ G_aa, −Jᵀ; J, 0]
  DenseMatrix derivatives() const {
    DenseMatrix K(n_ + k_, n_ + k_);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) K(i, j) = H(i, j) - second(i, j);
      for (std::size_t r = 0; r < k_; ++r) {
        K(i, n_ + r) = -J(r, i);
        K(n_ + r, i) = J(r, i);
      }
    }
    return K;
  }

  void drop_vanishing_rows(const Vector& a) {
    const Vector inputs = inputs_with(a);
    const Kinds& kinds = on_accelerations->kinds();
    std::vector<Ball> near = around_state(std::span(inputs).first(inputs.size() - n_), n_, kinds);
    for (Ball& acceleration : around(a, kinds)) near.push_back(std::move(acceleration));
    for (const std::size_t row : pivots(J, on_accelerations->jacobian_errors(near), {all_indices(n_)}).vanishing_rows)
      J.scale_row(row, 0);
  }

  // Is one of G never zero, as algebra tells?
  bool is_never_met(const System& system) const {
    return std::any_of(equations.begin() + static_cast<std::ptrdiff_t>(n_), equations.end(),
                       [&](Expr e) { return never_zero(with_parameter_values(system, e)); });
  }

  // The state with these accelerations.
  Vector inputs_with(const Vector& a) const {
    Vector result(inputs_.begin(), inputs_.end() - static_cast<std::ptrdiff_t>(n_ + k_));
    result.insert(result.end(), a.begin(), a.end());
    return result;
  }

  std::size_t n_, k_;
  DenseMatrix H, J, second;
  Vector b, g;
  std::unique_ptr<StateMap> on_accelerations;  // G
  std::vector<Expr> equations, symbols;        // H a − b − Jᵀμ, G; q, v, t, parameters, a, μ

 private:
  Program program_;
  std::vector<double> inputs_, outputs_;
};

// Equations for a over boxes of some of the y in a = T y, the others fixed.
class InOtherCoordinates : public EnclosedEquations {
 public:
  InOtherCoordinates(std::unique_ptr<EnclosedEquations> equations, const DenseMatrix& T,
                     const std::vector<std::size_t>& unknowns, Vector fixed)
      : equations_(std::move(equations)), T_(T.select_columns(unknowns)), fixed_(std::move(fixed)) {}

  std::size_t equations() const override { return equations_->equations(); }
  std::size_t unknowns() const override { return T_.columns(); }
  std::size_t cost() const override { return equations_->cost(); }

  void values(std::span<const Ball> y, std::vector<Ball>& f) override { equations_->values(transformed(y), f); }
  bool sharp_values(std::span<const Ball> y, std::vector<Ball>& f) override {
    return equations_->sharp_values(transformed(y), f);
  }

  Inside derivatives(std::span<const Ball> y, std::vector<Ball>& f, std::vector<Ball>& j) override {
    std::vector<Ball> by_a;
    const Inside inside = equations_->derivatives(transformed(y), f, by_a);
    j.assign(equations() * unknowns(), Ball());
    for (std::size_t r = 0; r < equations(); ++r) {
      for (std::size_t c = 0; c < unknowns(); ++c) {
        for (std::size_t i = 0; i < fixed_.size(); ++i) {
          if (T_(i, c) != 0) j[r * unknowns() + c] += by_a[r * fixed_.size() + i] * Ball::from_double(T_(i, c));
        }
      }
    }
    return inside;
  }

 private:
  std::vector<Ball> transformed(std::span<const Ball> y) const {
    std::vector<Ball> a;
    for (std::size_t i = 0; i < fixed_.size(); ++i) {
      a.push_back(Ball::from_double(fixed_[i]));
      for (std::size_t c = 0; c < unknowns(); ++c) {
        if (T_(i, c) != 0) a.back() += y[c] * Ball::from_double(T_(i, c));
      }
    }
    return a;
  }

  std::unique_ptr<EnclosedEquations> equations_;
  DenseMatrix T_;
  Vector fixed_;
};

// Of the size of the forces: a reaction that the multipliers do not make up is none of the constraints'. Solutions are known to
// twelve digits, and half of them are lost where two of them nearly meet.
constexpr double uncarried_reaction = 1e-6;

}  // namespace

std::vector<Expr> conditions_on_accelerations(const System& system, const ConstraintSet& set) {
  std::vector<Expr> conditions;
  for (std::size_t i = 0; i < set.size(); ++i) {
    std::vector<Expr> sum = {-set.bias[i]};
    for (std::size_t j = 0; j < system->size(); ++j) sum.push_back(set.jacobian(i, j) * system->motion.a[j]);
    conditions.push_back(set.order[i] == 2 ? set.phi[i] : system->context->sum(sum));
  }
  return conditions;
}

std::vector<Expr> reaction_equations(const System& system, const Terms& terms, const Matrix& by_accelerations,
                                     std::span<const Expr> mu) {
  std::vector<Expr> equations;
  for (std::size_t i = 0; i < system->size(); ++i) {
    std::vector<Expr> sum = {-terms.bias[i]};
    for (std::size_t j = 0; j < system->size(); ++j) sum.push_back(terms.mass(i, j) * system->motion.a[j]);
    for (std::size_t r = 0; r < mu.size(); ++r) sum.push_back(-(by_accelerations(r, i) * mu[r]));
    equations.push_back(system->context->sum(sum));
  }
  return equations;
}

bool nonlinear_in_accelerations(const Terms& terms) {
  return std::ranges::any_of(terms.constraints.nonlinear_in_accelerations, std::identity());
}

std::string of_least_constraint(std::size_t others) {
  return "the constraints on the accelerations have " + std::to_string(others) + " other solution" +
         (others == 1 ? "" : "s") + "; this is the one of least constraint in Gauss's sense";
}

SecondOrderSolution solve_least_constraint(const System& system, const Terms& terms, const State& state) {
  AccelerationProblem p(system, terms, state);
  const Vector no_mu(p.k_, 0.0);
  p.at(Vector(p.n_, 0.0), no_mu);
  Cholesky cholesky;
  if (!cholesky.compute(p.H)) {
    throw Error(ErrorCode::singular_mass_matrix,
                "constraints that are nonlinear in the accelerations need a positive definite mass matrix");
  }
  // H = L Lᵀ: y = Lᵀa turns the metric H into the Euclidean one, a = T y; the free acceleration is y = L⁻¹b
  Vector free = p.b;
  cholesky.solve_lower(free);
  const DenseMatrix T = cholesky.divide_by_upper(DenseMatrix::identity(p.n_));
  ZeroSet set(
      p.k_, p.n_,
      [&](const Vector& y, Vector& f, DenseMatrix& j) {
        p.at(T * y, no_mu);
        f = p.g;
        j = p.J * T;
      },
      ZeroSet::Enclosure{[&](std::size_t row, std::size_t unknown) {
                           for (std::size_t i = 0; i < p.n_; ++i) {
                             if (T(i, unknown) != 0 && p.on_accelerations->occurs(row, i)) return true;
                           }
                           return false;
                         },
                         [&](const auto& rows, const auto& unknowns, const Vector& y) {
                           Vector others = y;
                           for (const std::size_t i : unknowns) others[i] = 0;
                           return std::make_unique<InOtherCoordinates>(
                               p.on_accelerations->enclosed(rows, all_indices(p.n_), p.inputs_with(T * y)), T, unknowns,
                               T * others);
                         }});
  const ZeroSet::Nearest nearest = set.nearest(free, all_indices(p.n_), false, ZeroSet::Others::wanted);
  if (nearest.found.empty()) {
    throw Error(ErrorCode::inconsistent_constraints,
                nearest.none_exists || p.is_never_met(system)
                    ? "no accelerations satisfy the constraints on them at this state"
                    : "no accelerations were found that satisfy the constraints on them at this state");
  }
  if (nearest.equally_near) {
    throw Error(ErrorCode::no_branch,
                "two accelerations that satisfy the constraints are equally near the free one in Gauss's sense");
  }
  const Vector a = T * nearest.found.front().x;
  p.at(a, no_mu);
  return {a, p.multipliers(a), nearest.found.size() - 1};
}

SecondOrderSolution solve_second_order(const System& system, const Terms& terms, const State& state) {
  SecondOrderSolution result = solve_least_constraint(system, terms, state);
  AccelerationProblem p(system, terms, state);
  const std::size_t n = p.n_, k = p.k_;
  Vector& a = result.a;
  Vector& mu = result.multipliers;
  p.at(a, mu);
  const double forces = length(p.b) + length(p.H * a);
  // rows that are zero but for what the accelerations are known by carry nothing
  p.drop_vanishing_rows(a);
  Vector uncarried = p.reaction(a);
  subtract_transposed_product(p.J, p.multipliers(a), uncarried);
  if (length(uncarried) > uncarried_reaction * forces) {
    throw Error(ErrorCode::rank_lost,
                "the derivatives of the constraints by the accelerations vanish where they hold, as with a squared "
                "equation: no multipliers make up the reaction");
  }
  for (int iteration = 0; iteration < 20; ++iteration) {
    // K (Δa, Δμ) = −(H a − b − Jᵀμ, G)
    p.at(a, mu);
    Vector f = p.reaction(a);
    subtract_transposed_product(p.J, mu, f);
    f.insert(f.end(), p.g.begin(), p.g.end());
    const Vector step = LeastNorm(p.derivatives(), std::nullopt).solve(f);
    for (std::size_t i = 0; i < n; ++i) a[i] -= step[i];
    for (std::size_t i = 0; i < k; ++i) mu[i] -= step[n + i];
    if (length(step) <= 1e-15 * (1 + length(a) + length(mu))) break;
  }
  p.at(a, mu);
  mu = p.multipliers(a);
  return result;
}

std::optional<PreciseAccelerations> solve_second_order(const System& system, const Terms& terms, const State& state,
                                                       std::span<const Ball> inputs) {
  const SecondOrderSolution rough = solve_second_order(system, terms, state);
  AccelerationProblem p(system, terms, state);
  p.at(rough.a, rough.multipliers);
  std::vector<Ball> values(inputs.begin(), inputs.end());
  std::vector<std::size_t> unknowns = all_indices(p.n_ + p.k_);
  for (std::size_t& place : unknowns) place += values.size();
  for (const double a : rough.a) values.push_back(Ball::from_double(a));
  for (const double mu : rough.multipliers) values.push_back(Ball::from_double(mu));
  const DenseMatrix K = p.derivatives();
  // equations of motion are compared with the forces, constraints with what the accelerations make of their rows
  const double forces = length(p.b) + length(p.H * rough.a);
  std::vector<double> sizes(p.n_, forces > 0 ? forces : 1);
  for (std::size_t r = 0; r < p.k_; ++r) {
    const double size = row_length(p.J, r) * (1 + length(rough.a));
    sizes.push_back(size > 0 ? size : 1);
  }
  const Program equations(p.equations, p.symbols);
  if (!refine_in_balls({equations, all_indices(p.n_ + p.k_), unknowns, K, sizes}, values)) return std::nullopt;
  const auto a = values.begin() + static_cast<std::ptrdiff_t>(inputs.size());
  const auto mu = a + static_cast<std::ptrdiff_t>(p.n_);
  return PreciseAccelerations{{a, mu}, {mu, values.end()}, rough.others};
}

}  // namespace cetaev
