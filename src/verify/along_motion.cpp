#include "along_motion.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "../report/layout.hpp"
#include "cetaev/formulation/formulation.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev::verify {

namespace {

// Residuals of the constraints along the motion.
constexpr double on_constraints = 1e-10;
constexpr std::size_t recorded = 201;

double scale_of_energy(const Samples& s) {
  double scale = 1;
  for (const double E : s.E) scale = std::max(scale, std::abs(E));
  return scale;
}

}  // namespace

void MotionRecorder::step(double from, double to, const DenseStep& at) {
  constexpr std::size_t most = 2000;
  for (int i = 0; i < 3 && between_.size() < most; ++i) between_.add(at(from + random_.uniform(0, 1) * (to - from)));
}

ComputedMotion::ComputedMotion(const Workbench& bench) : recorder(bench.system()) {
  MotionOptions options = default_options(bench.system());
  if (options.form && !(*options.form)->dalembert_lagrange) form = *options.form;
  options.samples = recorded;
  // Compiling a model takes longer than these few samples, and many models are verified at once.
  options.backend = Backend::interpreter;
  try {
    summary = bench.run(options, recorder);
  } catch (const Error& problem) {
    error = problem;
  }
}

VerifiedItem verify_motion(const System& system, const ComputedMotion& motion) {
  VerifiedItem item{VerifiedItem::Kind::motion, "from the initial state", VerifiedItem::Outcome::holds, "",
                    std::nullopt};
  if (motion.error) {
    item.outcome = motion.error->code() == ErrorCode::not_applicable ? VerifiedItem::Outcome::does_not_apply
                                                                     : VerifiedItem::Outcome::fails;
    const auto singular = std::find_if(system->expectations.begin(), system->expectations.end(), [&](const auto& e) {
      return e.path == "/state" && e.value.text == to_string(motion.error->code());
    });
    if (singular != system->expectations.end()) item.outcome = VerifiedItem::Outcome::does_not_apply;
    item.evidence = motion.error->message();
    return item;
  }
  const MotionSummary& s = *motion.summary;
  const double drift = s.energy_drift / scale_of_energy(motion.samples());
  item.evidence =
      fmt::format("{} at t = {:.6g} after {} of {} in the form {}; constraints kept to {:.1e}, energy to {:.1e}",
                  to_string(s.status), s.last.t, count(s.steps, "step", "steps"), to_string(s.method), s.form.name(),
                  s.max_residual, drift);
  // A motion that escapes, or comes to where the equations end, contradicts nothing. On the way there, as beside a singular set,
  // accelerations have no bound and no integration keeps its digits.
  const bool escapes = s.diagnosis && s.diagnosis->code() == ErrorCode::finite_escape;
  const bool ends =
      s.status == MotionStatus::singular || escapes || (s.diagnosis && s.diagnosis->code() == ErrorCode::non_finite);
  const bool failed = s.status == MotionStatus::failed && !ends;
  if (failed || !(s.max_residual <= on_constraints || escapes) || !(drift <= kept || ends))
    item.outcome = VerifiedItem::Outcome::fails;
  if (s.status == MotionStatus::failed && s.diagnosis) item.evidence += "; " + s.diagnosis->message();
  return item;
}

std::optional<double> departure(const System& system, Expr integral, const ComputedMotion& motion) {
  // An integral that amplifies errors of the state, as atanh does near 1, is given as much of them as 1e-11 becomes.
  constexpr double of_state = 1e-11 / kept;
  const Samples& s = motion.samples();
  if (s.size() == 0) return std::nullopt;
  const std::vector<double> parameters = parameter_values(system);
  std::vector<Expr> outputs = {integral};
  for (const Expr slope : gradient(integral, system->motion.q)) outputs.push_back(slope);
  for (const Expr slope : gradient(integral, system->motion.v)) outputs.push_back(slope);
  const Program program(outputs, state_symbols(system));
  Interpreter interpreter(program);
  std::vector<double> values(outputs.size());
  double first = 0, scale = 1, largest = 0;
  for (std::size_t k = 0; k < s.size(); ++k) {
    const State state = s.state(k);
    interpreter(state_values(state, parameters), values);
    if (k == 0) first = values[0];
    scale = std::max(scale, std::abs(values[0]));
    double sensitivity = 0;
    for (std::size_t i = 0; i < system->size(); ++i) {
      sensitivity += std::abs(values[1 + i]) * std::max(1.0, std::abs(state.q[i]));
      sensitivity += std::abs(values[1 + system->size() + i]) * std::max(1.0, std::abs(state.v[i]));
    }
    // a value that is not finite is the largest departure of all
    const double away =
        std::abs(values[0] - first) / (scale + of_state * (std::isfinite(sensitivity) ? sensitivity : 0));
    largest = std::isfinite(away) ? std::max(largest, away) : HUGE_VAL;
  }
  return largest;
}

}  // namespace cetaev::verify
