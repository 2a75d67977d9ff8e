#include "cetaev/integrate/motion.hpp"

#include <chrono>

#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/integrate/compiled_motion.hpp"
#include "other_parameters.hpp"
#include "run.hpp"

namespace cetaev {

namespace {

// What the model names, or the complaint at the place where it does.
template <class Value>
Value chosen_in_model(const SimulationDefaults::Choice& choice, Value (*parse)(std::string_view)) {
  try {
    return parse(choice.name);
  } catch (Error& error) {
    throw error.at(choice.position);
  }
}

}  // namespace

MotionOptions default_options(const System& system) {
  MotionOptions options;
  const SimulationDefaults& given = system->simulation;
  if (given.method) options.method = chosen_in_model(*given.method, parse_method);
  if (given.form) options.form = chosen_in_model(*given.form, parse_form);
  if (given.t_end) options.t_end = *given.t_end;
  if (given.samples) options.samples = static_cast<std::size_t>(*given.samples);
  if (given.tolerance) options.tolerance = *given.tolerance;
  return options;
}

std::string to_string(MotionStatus status) {
  switch (status) {
    case MotionStatus::finished: return "finished";
    case MotionStatus::singular: return "singular";
    case MotionStatus::event: return "event";
    case MotionStatus::failed: return "failed";
    case MotionStatus::interrupted: return "interrupted";
  }
  return "failed";
}

CompiledMotion::CompiledMotion(const System& system, const MotionOptions& options)
    : CompiledMotion(Groundwork::apart(system), options) {}
CompiledMotion::CompiledMotion(Groundwork work, const MotionOptions& options)
    : plan_(std::make_unique<const MotionPlan>(std::move(work), options)),
      askers_(std::make_unique<const Askers>(*plan_)) {}
CompiledMotion::~CompiledMotion() = default;
CompiledMotion::CompiledMotion(CompiledMotion&&) noexcept = default;
CompiledMotion& CompiledMotion::operator=(CompiledMotion&&) noexcept = default;

const MotionOptions& CompiledMotion::options() const { return plan_->options(); }
const State& CompiledMotion::initial() const { return plan_->initial(); }

MotionSummary CompiledMotion::run(Recorder& recorder) const { return run(initial(), recorder); }

MotionSummary CompiledMotion::run(const State& initial, Recorder& recorder) const {
  return run(MotionStart{.state = initial}, recorder);
}

MotionSummary CompiledMotion::run(const MotionStart& from, Recorder& recorder) const {
  const auto start = std::chrono::steady_clock::now();
  require_fitting(from);
  MotionSummary summary = Run(*plan_, from, recorder, plan_->options().samples)();
  summary.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return summary;
}

std::optional<MotionSummary> CompiledMotion::run_with(std::span<const double> parameters, const MotionStart& from,
                                                      Recorder& recorder) const {
  const auto start = std::chrono::steady_clock::now();
  require_fitting(from);
  if (parameters.size() != plan_->model()->parameters.size() || !all_finite(parameters))
    throw Error(ErrorCode::bad_model, "there is one finite value for each parameter of the model");
  const MotionEquations& equations = plan_->prepared()->equations;
  if (!equations.jumps().empty()) return std::nullopt;
  std::vector<double> y = equations.state(from.state, plan_->lambda(from.state, parameters), parameters);
  if (!from.changes.empty() && equations.variational() != nullptr)
    equations.vary(from.state, parameters, from.changes, y);
  std::unique_ptr<OtherParameters> asker = askers_->lend();
  const bool served = asker->served(parameters, from.state, y);
  askers_->give_back(std::move(asker));
  if (!served) return std::nullopt;
  Run run(*plan_, from, recorder, plan_->options().samples, parameters);
  std::optional<MotionSummary> summary = run();
  if (run.asked_the_plan()) return std::nullopt;
  summary->wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return summary;
}

void CompiledMotion::require_fitting(const MotionStart& from) const {
  const std::size_t n = plan_->system()->size();
  if (from.state.q.size() != n || from.state.v.size() != n)
    throw Error(ErrorCode::bad_model, "a state has as many positions and velocities as the system has coordinates");
  if (!from.changes.empty() && from.changes.size() != plan_->initial_changes().size())
    throw Error(ErrorCode::bad_model, "a variation has as many positions and velocities as the system has coordinates");
}

MotionSummary run_motion(const System& system, const MotionOptions& options, Recorder& recorder) {
  return run_motion(Groundwork::apart(system), options, recorder);
}

MotionSummary run_motion(Groundwork work, const MotionOptions& options, Recorder& recorder) {
  const auto start = std::chrono::steady_clock::now();
  MotionSummary summary = CompiledMotion(std::move(work), options).run(recorder);
  summary.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return summary;
}

}  // namespace cetaev
