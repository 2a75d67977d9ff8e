#include "cetaev/analysis/inverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "cetaev/detail/algebra/divisors.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/sampled.hpp"
#include "cetaev/detail/text/closest.hpp"
#include "cetaev/formulation/formulation.hpp"
#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/formulation/principle.hpp"
#include "forces_along.hpp"
#include "prescribed.hpp"

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
      const bool bounded =
          std::abs(at(row.expression, *zero - near)) < 100 * std::abs(at(row.expression, *zero - further));
      throw Error(ErrorCode::non_finite,
                  fmt::format("{}the motion to be followed, {}, is not finite at t = {:.15g}, where {} vanishes; end "
                              "before that, with --t-end",
                              bounded ? "the rate of " : "", row.text, *zero, to_string(divisor)));
    }
  }
}

// The samples of a motion, and ∫ λ ∂f/∂q·v dt of every driven constraint over all of its steps, however far apart the samples are.
class WorkRecorder : public SampleRecorder {
 public:
  WorkRecorder(const System& model, DrivenRows& rows)
      : SampleRecorder(model), rows_(rows), driven_(model->driven), work_(model->driven, 0.0) {}

  const std::vector<double>& work() const { return work_; }

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
  DrivenRows& rows_;
  std::size_t driven_;
  std::vector<double> work_;
};

// Samples and summary where the motion of all coordinates is prescribed: nothing is left to integrate but the work.
std::vector<double> follow(const System& system, PrescribedMotion& prescribed, DrivenRows& rows,
                           const MotionOptions& options, double from, InverseDynamics& found) {
  if (!(options.tolerance > 0) || !(options.tolerance < 1))
    throw Error(ErrorCode::bad_model, "the tolerance must lie between 0 and 1");
  const std::size_t driven = system->driven;
  ForcesAlong forces(system, options.tolerance);
  for (std::size_t s = 0; s < options.samples; ++s) {
    const bool last = s + 1 == options.samples;
    const double part = static_cast<double>(s) / static_cast<double>(options.samples - 1);
    const MotionInstant instant = prescribed.at(last ? options.t_end : from + (options.t_end - from) * part);
    forces.at(instant);
    const State& state = instant.state;
    const double residual = largest_magnitude(forces.residuals());
    found.samples.add({state.t, state.q, state.v, forces.multipliers(), forces.energy(), residual, {}, {}});
    found.summary.max_residual = std::max(found.summary.max_residual, residual);
    found.summary.last = state;
    if (options.keep_going && !options.keep_going(state.t)) {
      found.summary.status = MotionStatus::interrupted;
      break;
    }
  }
  found.summary.samples = found.samples.size();
  found.summary.E_start = found.samples.E.front();
  found.summary.E_end = found.samples.E.back();
  // powers, and velocities and accelerations, whose integrals are known
  const Quadrature work = controlled_integral(
      [&](double t) {
        const MotionInstant instant = prescribed.at(t);
        forces.at(instant);
        std::vector<double> list = rows.rates(instant.state);
        const std::vector<double> lambda = forces.multipliers();
        for (std::size_t d = 0; d < driven; ++d) list[d] *= lambda[lambda.size() - driven + d];
        list.insert(list.end(), instant.state.v.begin(), instant.state.v.end());
        list.insert(list.end(), instant.a.begin(), instant.a.end());
        return list;
      },
      [&](double t) {
        const MotionInstant instant = prescribed.at(t);
        std::vector<double> list = instant.state.q;
        list.insert(list.end(), instant.state.v.begin(), instant.state.v.end());
        return list;
      },
      from, found.summary.last.t, std::max(options.tolerance, 1e-13));
  forces.require_on_constraints("the motion to be followed");
  double exchanged = 0;  // of energy, between the start and any sample
  for (const double E : found.samples.E) exchanged = std::max(exchanged, std::abs(E - found.summary.E_start));
  for (std::size_t d = 0; d < driven; ++d) {
    const double off = work.error[d] + std::numeric_limits<double>::epsilon() * work.size[d];
    // nine digits, nearly all of those that a table shows
    if (off > 1e-9 * (std::abs(work.value[d]) + exchanged))
      found.notes.push_back(
          fmt::format("the work along {} is known to about {:.1g} only, of {:.1g} that goes to and fro",
                      left_side(system->constraints[system->constraints.size() - driven + d]), off, work.size[d]));
  }
  return {work.value.begin(), work.value.begin() + static_cast<std::ptrdiff_t>(driven)};
}

}  // namespace

InverseDynamics inverse_dynamics(const System& model, const MotionOptions& options) {
  if (model->driven == 0)
    throw Error(ErrorCode::bad_model, "nothing is to be followed: give a motion, as in --along \"x = sin(t)\"");
  MotionOptions motion = options;
  if (motion.form && !(*motion.form)->dalembert_lagrange) motion.form.reset();
  const State given = given_state(model);
  if (motion.t_end == given.t)
    throw Error(ErrorCode::bad_model,
                "the motion ends when it begins: forces are told along a stretch of time, to --t-end");
  const System system = model.scratch();
  const std::size_t k = system->constraints.size(), first = k - system->driven;
  InverseDynamics found{Samples(model), {}, {}, {}};
  std::vector<double> works;
  std::size_t rank = system->size();
  DrivenRows rows(system);
  if (const auto prescribed = PrescribedMotion::of(system, std::abs(motion.t_end - given.t))) {
    require_finite(system, given, motion.t_end);
    works = follow(system, *prescribed, rows, motion, given.t, found);
  } else {
    Groundwork work(model);
    rank = work.setting_at(work.initial()).rank();
    require_finite(system, work.initial().state, motion.t_end);
    WorkRecorder recorder(model, rows);
    found.summary = run_motion(std::move(work), motion, recorder);
    found.samples = recorder.samples();
    found.notes = found.summary.notes;
    works = recorder.work();
  }
  if (rank < k)
    found.notes.push_back(fmt::format(
        "{} of {} constraints and motions depend on the others: what they leave open of the forces is of least norm, "
        "reactions of the model's own constraints included",
        k - rank, k));

  for (std::size_t i = first; i < k; ++i) {
    const Constraint& constraint = system->constraints[i];
    found.drives.push_back({left_side(constraint), constraint.text, found.samples.multipliers[i], {}});
  }
  for (std::size_t s = 0; s < found.samples.size(); ++s) {
    const std::vector<double> rates = rows.rates(found.samples.state(s));
    for (std::size_t d = 0; d < found.drives.size(); ++d)
      found.drives[d].power.push_back(found.drives[d].force[s] * rates[d]);
  }
  for (std::size_t d = 0; d < found.drives.size(); ++d) found.drives[d].work = works[d];
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

}  // namespace

// τ + Jᵀλ = H a − b. Of all τ the least: reactions take what they can, and what is left does not push against them.
InverseDynamics inverse_dynamics(const System& model, const MotionTable& table, const std::string& file,
                                 double tolerance) {
  if (!(tolerance > 0) || !(tolerance < 1)) throw Error(ErrorCode::bad_model, "the tolerance must lie between 0 and 1");
  const GivenMotion motion = given_motion(model, table, file);
  const System system = model.scratch();
  ForcesAlong forces(system, tolerance);
  const std::size_t n = system->size(), k = forces.constraints();
  InverseDynamics found{Samples(model), {}, {}, {}};
  for (const std::string& x : system->coordinates) found.drives.push_back({x, file, {}, {}});
  double worst = 0;
  for (std::size_t s = 0; s < motion.t.size(); ++s) {
    MotionInstant instant{{motion.t[s], {}, {}}, {}, {}};
    for (std::size_t i = 0; i < n; ++i) {
      instant.state.q.push_back(motion.q[i][s]);
      instant.state.v.push_back(motion.v[i][s]);
      instant.a.push_back(motion.a[i][s]);
      instant.v_error.push_back(motion.v_error[i][s]);
    }
    forces.at(instant);
    const State& state = instant.state;
    std::vector<double> tau(forces.needed().begin(), forces.needed().end());
    const std::vector<double> lambda = forces.multipliers();
    const double residual = largest_magnitude(forces.residuals());
    if (k > 0) {
      const std::vector<double> reaction =
          DenseMatrix(transposed_view(forces.jacobian().data(), k, n)) * std::span<const double>(lambda);
      for (std::size_t i = 0; i < n; ++i) tau[i] -= reaction[i];
    }
    worst = std::max(worst, residual);
    found.samples.add({state.t, state.q, state.v, lambda, forces.energy(), residual, {}, {}});
    for (std::size_t i = 0; i < n; ++i) {
      found.drives[i].force.push_back(tau[i]);
      found.drives[i].power.push_back(tau[i] * state.v[i]);
    }
    if (s + 1 == motion.t.size()) found.summary.last = state;
  }
  forces.require_on_constraints("the motion in " + file);
  found.summary.samples = motion.t.size();
  found.summary.max_residual = worst;
  if (k > 0)
    found.notes.emplace_back(
        "the constraints of the model take what they can: the forces are the least that are left to give");
  for (Drive& drive : found.drives) drive.work = running_integral(motion.t, drive.power).back();
  return found;
}

}  // namespace cetaev
