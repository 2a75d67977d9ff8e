#include "cetaev/analysis/inverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "cetaev/detail/algebra/divisors.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/rank.hpp"
#include "cetaev/detail/numeric/sampled.hpp"
#include "cetaev/detail/text/closest.hpp"
#include "cetaev/formulation/formulation.hpp"
#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/formulation/principle.hpp"

namespace cetaev {

namespace {

// "q1" of "q1 = sin(t)"; with .x of a vector.
std::string left_side(const Constraint& constraint) {
  std::string name = constraint.text.substr(0, constraint.text.find('='));
  while (!name.empty() && name.back() == ' ') name.pop_back();
  while (!name.empty() && name.front() == ' ') name.erase(0, 1);
  return constraint.component < 0 ? name : name + "." + "xyz"[constraint.component];
}

// ∂f/∂q·v of the driven constraints at a state.
class DrivenRows {
 public:
  explicit DrivenRows(const System& system)
      : program_(rates_of(system), state_symbols(system)), run_(program_), parameters_(parameter_values(system)) {}

  std::vector<double> rates(const State& state) {
    std::vector<double> values(program_.output_count());
    (void)run_(state_values(state, parameters_), values);
    return values;
  }

 private:
  static std::vector<Expr> rates_of(const System& system) {
    std::vector<Expr> list;
    for (std::size_t i = system->constraints.size() - system->driven; i < system->constraints.size(); ++i) {
      std::vector<Expr> terms = gradient(system->constraints[i].expression, system->motion.q);
      for (std::size_t j = 0; j < terms.size(); ++j) terms[j] = terms[j] * system->motion.v[j];
      list.push_back(system->context->sum(terms));
    }
    return list;
  }

  Program program_;
  Interpreter run_;
  std::vector<double> parameters_;
};

// The first zero of g with a change of its sign; one in every thousandth of the way at most.
template <typename Function>
std::optional<double> first_zero(Function g, double from, double to) {
  constexpr int parts = 1000, halvings = 60;
  for (int part = 0; part < parts; ++part) {
    double before = from + (to - from) * part / parts, after = from + (to - from) * (part + 1) / parts;
    const bool sign = g(before) < 0;
    if ((g(after) < 0) == sign) continue;
    for (int halving = 0; halving < halvings; ++halving) {
      const double middle = before + (after - before) / 2;
      ((g(middle) < 0) == sign ? before : after) = middle;
    }
    return after;
  }
  return std::nullopt;
}

// Throws non-finite where a motion to be followed has a pole on the way from the state to the time.
void require_finite(const System& system, const State& state, double to) {
  const std::vector<Expr> symbols = state_symbols(system);
  const std::vector<double> numbers = state_values(state, parameter_values(system));
  std::vector<Value> values;
  for (std::size_t i = 0; i < symbols.size(); ++i) values.emplace_back(symbols[i], numbers[i]);
  const auto at = [&](Expr e, double t) {
    values[2 * system->size()].second = t;
    return evaluate(e, values);
  };
  // A pole is a hundred times larger at 1e-9 of the way from it than at 1e-6, whatever its order.
  const double near = 1e-9 * (to - state.t), further = 1e-6 * (to - state.t);
  for (std::size_t i = system->constraints.size() - system->driven; i < system->constraints.size(); ++i) {
    const Constraint& row = system->constraints[i];
    for (const Expr divisor : divisors_in(std::array{row.expression}, std::array{system->motion.t})) {
      if (depends_on(divisor, system->motion.q)) continue;
      const auto zero = first_zero([&](double t) { return at(divisor, t); }, state.t, to);
      if (!zero || std::abs(at(row.expression, *zero + near)) < 100 * std::abs(at(row.expression, *zero + further)))
        continue;
      throw Error(ErrorCode::non_finite,
                  fmt::format("the motion to be followed, {}, is not finite at t = {:.15g}, where {} vanishes; end "
                              "before that, with --t-end",
                              row.text, *zero, to_string(divisor)));
    }
  }
}

// The samples of a motion, and ∫ λ ∂f/∂q·v dt of every driven constraint over all of its steps, however far apart the samples are.
class WorkRecorder : public SampleRecorder {
 public:
  WorkRecorder(const System& model, const System& scratch)
      : SampleRecorder(model), rows_(scratch), driven_(model->driven), work_(model->driven, 0.0) {}

  const std::vector<double>& work() const { return work_; }
  DrivenRows& rows() { return rows_; }

  bool wants_steps() const override { return true; }
  void step(double from, double to, const DenseStep& at) override {
    const std::vector<double> part = integral(
        [&](double t) {
          const MotionPoint& point = at(t);
          std::vector<double> power =
              rows_.rates({t, {point.q.begin(), point.q.end()}, {point.v.begin(), point.v.end()}});
          const std::span<const double> forces = point.multipliers.last(driven_);
          for (std::size_t d = 0; d < driven_; ++d) power[d] *= forces[d];
          return power;
        },
        from, to);
    for (std::size_t d = 0; d < driven_; ++d) work_[d] += part[d];
  }

 private:
  DrivenRows rows_;
  std::size_t driven_;
  std::vector<double> work_;
};

}  // namespace

InverseDynamics inverse_dynamics(const System& model, const MotionOptions& options) {
  if (model->driven == 0)
    throw Error(ErrorCode::bad_model, "nothing is to be followed: give a motion, as in --along \"x = sin(t)\"");
  MotionOptions motion = options;
  if (motion.form && !(*motion.form)->dalembert_lagrange) motion.form.reset();
  Groundwork work(model);
  const std::size_t rank = work.setting_at(work.initial()).rank();
  const std::size_t k = model->constraints.size(), first = k - model->driven;
  if (motion.t_end == work.initial().state.t)
    throw Error(ErrorCode::bad_model,
                "the motion ends when it begins: forces are told along a stretch of time, to --t-end");
  const System system = model.scratch();
  require_finite(system, work.initial().state, motion.t_end);
  WorkRecorder recorder(model, system);
  MotionSummary summary = run_motion(std::move(work), motion, recorder);
  InverseDynamics found{recorder.samples(), {}, std::move(summary), {}};
  found.notes = found.summary.notes;
  if (rank < k)
    found.notes.push_back(
        fmt::format("{} of {} constraints and motions depend on the others: the forces are those of least norm, "
                    "reactions of the model's own constraints included",
                    k - rank, k));

  for (std::size_t i = first; i < k; ++i) {
    const Constraint& constraint = system->constraints[i];
    found.drives.push_back({left_side(constraint), constraint.text, found.samples.multipliers[i], {}});
  }
  for (std::size_t s = 0; s < found.samples.size(); ++s) {
    const std::vector<double> rates = recorder.rows().rates(found.samples.state(s));
    for (std::size_t d = 0; d < found.drives.size(); ++d)
      found.drives[d].power.push_back(found.drives[d].force[s] * rates[d]);
  }
  for (std::size_t d = 0; d < found.drives.size(); ++d) found.drives[d].work = recorder.work()[d];
  return found;
}

namespace {

// Of q, v at the samples of a file, and of a by differentiation.
struct GivenMotion {
  std::vector<double> t;
  std::vector<std::vector<double>> q, v, a;
  std::vector<std::vector<double>> v_error;  // what differentiation may have done to v; zero where the file gives it
};

GivenMotion given_motion(const System& system, const MotionTable& table, const std::string& file) {
  const auto refuse = [&](const std::string& why, const std::string& suggestion = {}) {
    Error error(ErrorCode::bad_model, why);
    error.at({file, 1, 1, ""});
    if (!suggestion.empty()) error.suggest(suggestion);
    throw error;
  };
  const auto column = [&](const std::string& name) -> const std::vector<double>* {
    const auto found = std::find(table.names.begin(), table.names.end(), name);
    return found == table.names.end() ? nullptr : &table.columns[static_cast<std::size_t>(found - table.names.begin())];
  };
  const auto needed = [&](const std::string& name) {
    const std::vector<double>* found = column(name);
    if (found == nullptr)
      refuse("the file has no column '" + name + "'; a motion to be followed gives t and every coordinate",
             text::closest(name, table.names));
    if (!all_finite(*found)) refuse("the column '" + name + "' has a cell without a number");
    return *found;
  };
  GivenMotion motion;
  motion.t = needed("t");
  for (const std::string& x : system->coordinates) motion.q.push_back(needed(x));
  // The polynomials whose second derivatives are taken: of degree 9 with velocities, 8 without them.
  constexpr std::size_t with_slopes = 5, without = 9;
  if (motion.t.size() < with_slopes)
    refuse(fmt::format("a motion of {} {} says too little about accelerations; it needs {}", motion.t.size(),
                       motion.t.size() == 1 ? "sample" : "samples", with_slopes));
  for (std::size_t i = 0; i + 1 < motion.t.size(); ++i)
    if (!(motion.t[i] < motion.t[i + 1]))
      refuse(fmt::format("the times of a motion increase; t = {:.15g} stands before {:.15g}", motion.t[i],
                         motion.t[i + 1]));
  for (std::size_t i = 0; i < system->size(); ++i) {
    const std::vector<double>& q = motion.q[i];
    const std::vector<double>* rate = column(system->coordinates[i] + "'");
    if (rate != nullptr && !all_finite(*rate)) rate = nullptr;
    std::vector<double> v, a, error;
    for (std::size_t s = 0; s < motion.t.size(); ++s) {
      const DerivativesAt here = rate != nullptr ? derivatives_at(motion.t, q, *rate, s, with_slopes)
                                                 : derivatives_at(motion.t, q, {}, s, without);
      v.push_back(rate != nullptr ? (*rate)[s] : here.first);
      a.push_back(here.second);
      // another polynomial through two samples less tells how good the derivative is
      error.push_back(rate != nullptr ? 0
                                      : std::abs(here.first - derivatives_at(motion.t, q, {}, s, without - 2).first));
    }
    motion.v.push_back(std::move(v));
    motion.a.push_back(std::move(a));
    motion.v_error.push_back(std::move(error));
  }
  return motion;
}

// Do the states of a file lie on the constraints? By the sizes of ∂φ/∂q and ∂φ/∂v, and how well positions and velocities are known.
class OnConstraints {
 public:
  OnConstraints(const System& system, const Terms& terms, const GivenMotion& motion, double tolerance)
      : system_(system), motion_(motion), k_(terms.constraints.size()), n_(system->size()), known_(known(tolerance)) {
    for (const auto* list : {&system->motion.q, &system->motion.v}) {
      const Matrix rows = jacobian(terms.constraints.residual, *list);
      slopes.insert(slopes.end(), rows.entries.begin(), rows.entries.end());
    }
  }

  std::vector<Expr> slopes;  // ∂φ/∂q, row by row, then ∂φ/∂v

  // Remembers the sample that is the furthest off.
  void look(std::size_t sample, std::span<const double> residual, std::span<const double> values) {
    const double q = largest(motion_.q, sample), v = largest(motion_.v, sample);
    for (std::size_t i = 0; i < k_; ++i) {
      double size = 0, derived = 0;
      for (std::size_t j = 0; j < n_; ++j) {
        const double by_v = std::abs(values[(k_ + i) * n_ + j]);
        size += std::abs(values[i * n_ + j]) * q + by_v * v;
        derived += by_v * motion_.v_error[j][sample];
      }
      const double off = std::abs(residual[i]), relative = off <= derived ? 0 : (off - derived) / size;
      if (relative > worst_.relative) worst_ = {relative, off, sample, i};
    }
  }

  // Throws inconsistent-initial-state where one was off by more than states are known.
  void require(const std::string& file) const {
    if (!(worst_.relative > known_)) return;
    const double tolerance = std::pow(10, std::ceil(std::log10(worst_.relative / steps_by_the_hundred)));
    throw Error(
        ErrorCode::inconsistent_initial_state,
        fmt::format("the motion in {} leaves constraint {} ({}), by {:.2g} at t = {:.15g}", file, worst_.row + 1,
                    system_->constraints[worst_.row].label(), worst_.off, motion_.t[worst_.sample]) +
            (tolerance < 1e-2
                 ? fmt::format("; where it is known to so few digits, --tolerance {:.0g} says so", tolerance)
                 : ""));
  }

 private:
  // As along a motion of this tolerance: steps by the hundred add up what is allowed to each, and ten digits are the most that some methods hold.
  static constexpr double steps_by_the_hundred = 100;
  static double known(double tolerance) { return std::max(1e-10, steps_by_the_hundred * tolerance); }

  static double largest(const std::vector<std::vector<double>>& columns, std::size_t sample) {
    double most = 0;
    for (const auto& column : columns) most = std::max(most, std::abs(column[sample]));
    return most;
  }

  const System& system_;
  const GivenMotion& motion_;
  std::size_t k_, n_;
  double known_;
  struct Worst {
    double relative = 0, off = 0;
    std::size_t sample = 0, row = 0;
  };
  Worst worst_;
};

}  // namespace

// τ + Jᵀλ = H a − b. Of all τ the least: reactions take what they can, and what is left does not push against them.
InverseDynamics inverse_dynamics(const System& model, const MotionTable& table, const std::string& file,
                                 double tolerance) {
  if (!(tolerance > 0) || !(tolerance < 1)) throw Error(ErrorCode::bad_model, "the tolerance must lie between 0 and 1");
  const GivenMotion motion = given_motion(model, table, file);
  const System system = model.scratch();
  const Terms terms(system);
  const std::size_t n = system->size(), k = terms.constraints.size();
  if (std::any_of(terms.constraints.order.begin(), terms.constraints.order.end(), [](int order) { return order == 2; }))
    throw Error(ErrorCode::not_applicable, "inverse dynamics along a file takes no constraints on accelerations");
  std::vector<Expr> outputs;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Expr> sum = {-terms.bias[i]};
    for (std::size_t j = 0; j < n; ++j) sum.push_back(terms.mass(i, j) * system->motion.a[j]);
    outputs.push_back(system->context->sum(sum));
  }
  outputs.insert(outputs.end(), terms.constraints.jacobian.entries.begin(), terms.constraints.jacobian.entries.end());
  outputs.insert(outputs.end(), terms.constraints.residual.begin(), terms.constraints.residual.end());
  OnConstraints on_constraints(system, terms, motion, tolerance);
  outputs.insert(outputs.end(), on_constraints.slopes.begin(), on_constraints.slopes.end());
  std::vector<Expr> inputs = state_symbols(system);
  inputs.insert(inputs.end(), system->motion.a.begin(), system->motion.a.end());
  const Program program(outputs, inputs);
  Interpreter run(program);
  const std::vector<double> parameters = parameter_values(system);
  std::vector<double> values(outputs.size());

  InverseDynamics found{Samples(model), {}, {}, {}};
  for (const std::string& x : system->coordinates) found.drives.push_back({x, file, {}, {}});
  double worst = 0;
  for (std::size_t s = 0; s < motion.t.size(); ++s) {
    State state{motion.t[s], {}, {}};
    for (std::size_t i = 0; i < n; ++i) {
      state.q.push_back(motion.q[i][s]);
      state.v.push_back(motion.v[i][s]);
    }
    std::vector<double> at = state_values(state, parameters);
    for (std::size_t i = 0; i < n; ++i) at.push_back(motion.a[i][s]);
    if (run(at, values) >= 0 || !all_finite(values))
      throw Error(ErrorCode::non_finite, fmt::format("the forces are not finite at t = {:.15g}", state.t));
    std::vector<double> tau(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n)), lambda;
    double residual = 0;
    if (k > 0) {
      const DenseView transposed = transposed_view(values.data() + n, k, n);
      lambda = LeastNorm(transposed, rank_tolerance).solve(tau);
      const std::vector<double> reaction = DenseMatrix(transposed) * std::span<const double>(lambda);
      for (std::size_t i = 0; i < n; ++i) tau[i] -= reaction[i];
      const std::span<const double> residuals = std::span<const double>(values).subspan(n + k * n, k);
      on_constraints.look(s, residuals, std::span<const double>(values).subspan(n + k * n + k));
      residual = largest_magnitude(residuals);
    }
    worst = std::max(worst, residual);
    found.samples.add({state.t, state.q, state.v, lambda, std::nan(""), residual, {}, {}});
    for (std::size_t i = 0; i < n; ++i) {
      found.drives[i].force.push_back(tau[i]);
      found.drives[i].power.push_back(tau[i] * state.v[i]);
    }
    if (s + 1 == motion.t.size()) found.summary.last = state;
  }
  on_constraints.require(file);
  found.summary.samples = motion.t.size();
  found.summary.max_residual = worst;
  if (k > 0)
    found.notes.emplace_back(
        "the constraints of the model take what they can: the forces are the least that are left to give");
  for (Drive& drive : found.drives) drive.work = running_integral(motion.t, drive.power).back();
  return found;
}

}  // namespace cetaev
