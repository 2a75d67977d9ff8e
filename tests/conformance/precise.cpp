#include "precise.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cetaev::conformance {

namespace {

// As many columns as there are rows, on which the matrix is regular: those of a full pivoting.
std::vector<std::size_t> pivot_columns(const std::vector<double>& entries, std::size_t rows, std::size_t columns) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const RowMajor matrix =
      Eigen::Map<const RowMajor>(entries.data(), static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  const auto order = Eigen::FullPivLU<Eigen::MatrixXd>(matrix).permutationQ().indices();
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < rows; ++i)
    result.push_back(static_cast<std::size_t>(order[static_cast<Eigen::Index>(i)]));
  return result;
}

// Newton for equations = 0 in some of the unknowns, which stand at `offset` among the inputs.
void newton(const System& system, const std::vector<Expr>& equations, const std::vector<Expr>& unknowns,
            std::size_t offset, std::vector<Ball>& inputs, long bits) {
  if (equations.empty()) return;
  const std::vector<Expr> symbols = state_symbols(system);
  const Matrix by_unknown = jacobian(equations, unknowns);
  std::vector<Value> rough;
  for (std::size_t i = 0; i < symbols.size(); ++i) rough.emplace_back(symbols[i], inputs[i].midpoint());
  const std::vector<std::size_t> columns =
      pivot_columns(evaluate(by_unknown.entries, rough), equations.size(), unknowns.size());

  const std::size_t k = equations.size();
  LinearBlock step{Matrix{k, k, {}}, Matrix{k, 1, equations}, {}};
  std::vector<Expr> outputs;
  for (std::size_t i = 0; i < k; ++i) {
    for (const std::size_t j : columns) step.matrix.entries.push_back(by_unknown(i, j));
    step.unknowns.push_back(system->context->symbol("$newton_" + std::to_string(i)));
    outputs.push_back(unknowns[columns[i]] - step.unknowns[i]);
  }
  outputs.insert(outputs.end(), step.unknowns.begin(), step.unknowns.end());
  const Program program(outputs, symbols, std::vector<LinearBlock>{step});
  std::vector<Ball> found;
  for (int iteration = 0; iteration < 20; ++iteration) {
    if (run_in_balls(program, inputs, found, bits) >= 0) break;
    double correction = -HUGE_VAL;
    for (std::size_t i = 0; i < k; ++i) {
      inputs[offset + columns[i]] = found[i].center();
      correction = std::max(correction, found[k + i].magnitude_log10());
    }
    if (correction < -0.9 * static_cast<double>(bits) * std::log10(2.0)) return;
  }
  throw std::runtime_error("Newton's method does not converge to an admissible state");
}

}  // namespace

std::vector<Ball> refine(const Setting& setting, const State& state, long bits) {
  const System& system = setting.system;
  const ConstraintSet& set = setting.terms.constraints;
  std::vector<Ball> inputs;
  for (const auto* list : {&state.q, &state.v}) {
    for (const double x : *list) inputs.push_back(Ball::from_double(x));
  }
  inputs.push_back(Ball::from_double(state.t));
  for (const Ball& parameter : parameter_balls(system, bits)) inputs.push_back(parameter);

  std::vector<Expr> positions, velocities;
  for (const std::size_t i : setting.rows) {
    if (set.order[i] == 0) positions.push_back(set.residual[i]);
    if (set.order[i] <= 1) velocities.push_back(set.phi[i]);
  }
  newton(system, positions, system->motion.q, 0, inputs, bits);
  newton(system, velocities, system->motion.v, system->size(), inputs, bits);
  return inputs;
}

double difference_log10(Context& context, std::span<const Ball> x, std::span<const Ball> y, long bits) {
  const Expr first = context.symbol("$first"), second = context.symbol("$second");
  double largest = -HUGE_VAL;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::vector<BallValue> values = {{first, x[i]}, {second, y[i]}};
    largest = std::max(largest, evaluate_ball(first - second, values, bits).magnitude_log10());
  }
  return largest;
}

double precise_difference_log10(const AtState& at, std::string_view form, std::span<const Ball> refined, long bits) {
  const auto a = at["multipliers"].derived->form->evaluate(refined, bits).a;
  const auto b = at[form].derived->form->evaluate(refined, bits).a;
  return difference_log10(at.derived->setting.context(), a, b, bits);
}

namespace {

// Values of expressions along the path q + vτ + ½aτ², v + aτ, t + τ, with one velocity or position displaced.
class Path {
 public:
  Path(const Setting& setting, std::span<const Ball> state, std::span<const Ball> a, long bits)
      : system_(setting.system),
        context_(*system_->context),
        bits_(bits),
        tau_(context_.symbol("$tau")),
        shift_(context_.symbol("$shift")) {
    const std::vector<Expr> symbols = state_symbols(system_);
    for (std::size_t i = 0; i < symbols.size(); ++i) values_.emplace_back(symbols[i], state[i]);
    for (std::size_t i = 0; i < a.size(); ++i) values_.emplace_back(system_->motion.a[i], a[i]);
    const Motion& motion = system_->motion;
    for (std::size_t i = 0; i < system_->size(); ++i) {
      path_.emplace_back(motion.q[i], motion.q[i] + motion.v[i] * tau_ + Rational(1, 2) * (motion.a[i] * tau_ * tau_));
      path_.emplace_back(motion.v[i], motion.v[i] + motion.a[i] * tau_);
    }
    path_.emplace_back(motion.t, motion.t + tau_);
  }

  // Another quantity that moves along: its symbol, value and rate.
  void add(Expr symbol, const Ball& value, const Ball& rate) {
    const Expr rate_symbol = context_.symbol("$rate_of_" + std::string(symbol.name()));
    values_.emplace_back(symbol, value);
    values_.emplace_back(rate_symbol, rate);
    path_.emplace_back(symbol, symbol + rate_symbol * tau_);
  }

  // e at τ = i·h, after `symbol` (a position or velocity; none if empty) has been displaced by j·h on the path
  Ball at(Expr e, long i, Expr symbol = {}, long j = 0) {
    std::vector<Replacement> path = path_;
    if (symbol) {
      for (Replacement& r : path) {
        if (r.first == symbol) r.second = r.second + shift_;
      }
    }
    std::vector<BallValue> values = values_;
    values.emplace_back(tau_, Ball(Rational(i) * step(), bits_));
    values.emplace_back(shift_, Ball(Rational(j) * step(), bits_));
    return evaluate_ball(substitute(e, path), values, bits_);
  }

  // Σ coefficient·ball / h^power
  Ball quotient(const std::vector<std::pair<long, Ball>>& terms, int power) {
    Expr sum = context_.zero();
    std::vector<BallValue> values;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const Expr symbol = context_.symbol("$term_" + std::to_string(i));
      sum = sum + Rational(terms[i].first) * symbol;
      values.emplace_back(symbol, terms[i].second);
    }
    for (int i = 0; i < power; ++i) sum = (Rational(1) / step()) * sum;
    return evaluate_ball(sum, values, bits_);
  }

  // d/dτ ∂e/∂v_j (twice over: factor 4 h²) and ∂e/∂q_j (factor 2 h), central
  Ball lagrangian_derivative_of(Expr e, std::size_t j) {
    const Expr v = system_->motion.v[j], q = system_->motion.q[j];
    const Ball rate =
        quotient({{1, at(e, 1, v, 1)}, {-1, at(e, 1, v, -1)}, {-1, at(e, -1, v, 1)}, {1, at(e, -1, v, -1)}}, 2);
    const Ball slope = quotient({{1, at(e, 0, q, 1)}, {-1, at(e, 0, q, -1)}}, 1);
    const Expr x = context_.symbol("$x"), y = context_.symbol("$y");
    return evaluate_ball(Rational(1, 4) * x - Rational(1, 2) * y, std::vector<BallValue>{{x, rate}, {y, slope}}, bits_);
  }

 private:
  // small enough that h² is beyond the digits asked for, large enough that 1/h² does not eat them all
  Rational step() const {
    Rational h(1);
    for (long i = 0; i < bits_ / 4; ++i) h = h * Rational(1, 2);
    return h;
  }

  System system_;
  Context& context_;
  long bits_;
  Expr tau_, shift_;
  std::vector<BallValue> values_;
  std::vector<Replacement> path_;
};

}  // namespace

double dalembert_residual_log10(const Setting& setting, std::span<const Ball> state, std::span<const Ball> a,
                                long bits) {
  const System& system = setting.system;
  Context& context = *system->context;
  const std::size_t n = system->size(), k = setting.rank(), m = setting.independent.size();
  Path path(setting, state, a, bits);
  double largest = -HUGE_VAL;

  // The constraints stay satisfied; J by differences.
  std::vector<Ball> J;
  for (const std::size_t row : setting.rows) {
    const Constraint& c = system->constraints[row];
    const Ball rate =
        c.order == 0
            ? path.quotient(
                  {{1, path.at(c.expression, 1)}, {-2, path.at(c.expression, 0)}, {1, path.at(c.expression, -1)}}, 2)
            : path.quotient({{1, path.at(c.expression, 1)}, {-1, path.at(c.expression, -1)}}, 1);
    largest = std::max(largest, rate.magnitude_log10());
    for (std::size_t j = 0; j < n; ++j) {
      const Expr symbol = c.order == 0 ? system->motion.q[j] : system->motion.v[j];
      J.push_back(
          path.quotient({{1, path.at(c.expression, 0, symbol, 1)}, {-1, path.at(c.expression, 0, symbol, -1)}}, 1));
    }
  }
  std::vector<Ball> lost;
  for (std::size_t j = 0; j < n; ++j) {
    const Expr x = context.symbol("$x"), y = context.symbol("$y");
    lost.push_back(evaluate_ball(x - y,
                                 std::vector<BallValue>{{x, path.lagrangian_derivative_of(system->lagrangian, j)},
                                                        {y, path.at(system->forces[j], 0)}},
                                 bits));
  }

  // δq_dep = −J_dep⁻¹ J_ind δq_ind in balls; then the virtual work of the lost forces for each independent displacement
  std::vector<Expr> inputs, outputs;
  for (std::size_t i = 0; i < k * n; ++i) inputs.push_back(context.symbol("$J_" + std::to_string(i)));
  for (std::size_t j = 0; j < n; ++j) inputs.push_back(context.symbol("$lost_" + std::to_string(j)));
  LinearBlock block{Matrix{k, k, {}}, Matrix{k, m, {}}, {}};
  for (std::size_t i = 0; i < k; ++i) {
    for (const std::size_t j : setting.dependent) block.matrix.entries.push_back(inputs[i * n + j]);
    for (const std::size_t j : setting.independent) block.right.entries.push_back(-inputs[i * n + j]);
  }
  for (std::size_t i = 0; i < k * m; ++i) block.unknowns.push_back(context.symbol("$delta_" + std::to_string(i)));
  for (std::size_t r = 0; r < m; ++r) {
    Expr work = inputs[k * n + setting.independent[r]];
    for (std::size_t v = 0; v < k; ++v) work = work + block.unknown(v, r) * inputs[k * n + setting.dependent[v]];
    outputs.push_back(work);
  }
  std::vector<LinearBlock> blocks;
  if (k > 0 && m > 0) blocks.push_back(block);
  std::vector<Ball> numbers = J;
  numbers.insert(numbers.end(), lost.begin(), lost.end());
  std::vector<Ball> work;
  if (run_in_balls(Program(outputs, inputs, blocks), numbers, work, bits) >= 0) return HUGE_VAL;
  for (const Ball& w : work) largest = std::max(largest, w.magnitude_log10());
  return largest;
}

double hamilton_residual_log10(const Setting& setting, const CompiledForm& form, std::span<const Ball> inputs,
                               const Matrix& relations, long bits) {
  const System& system = setting.system;
  const std::size_t n = system->size();
  const std::vector<Expr>& lambda = form.form().lambda;
  const std::span<const Ball> state = inputs.first(inputs.size() - lambda.size());
  const CompiledForm::BallValues values = form.evaluate(inputs, bits);
  Path path(setting, state, values.a, bits);
  Expr extended = system->lagrangian;
  const std::vector<Expr> phi = setting.phi();
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    path.add(lambda[i], inputs[state.size() + i], values.lambda_dot[i]);
    extended = extended - lambda[i] * phi[i];
  }
  for (std::size_t j = 0; j < system->initial.lambda0.size() && !relations.entries.empty(); ++j)
    extended = extended - system->initial.lambda0[j] * system->auxiliary[j];
  double largest = -HUGE_VAL;
  for (std::size_t j = 0; j < n; ++j) {
    Ball rest = path.lagrangian_derivative_of(extended, j) - path.at(system->forces[j], 0);
    for (std::size_t k = 0; k < n && !relations.entries.empty(); ++k) {
      const Expr v = system->motion.v[k];
      const Ball slope = path.quotient({{1, path.at(extended, 0, v, 1)}, {-1, path.at(extended, 0, v, -1)}}, 1);
      rest = rest - path.at(relations(k, j), 0) * slope * Ball(Rational(1, 2), bits);
    }
    largest = std::max(largest, rest.magnitude_log10());
  }
  return largest;
}

}  // namespace cetaev::conformance
