#include "plan.hpp"

#include <chrono>
#include <cmath>

#include "accuracy.hpp"

namespace cetaev {

namespace {

const MotionOptions& validated(const MotionOptions& options) {
  if (!std::isfinite(options.t_end)) throw Error(ErrorCode::bad_model, "the end of the motion must be a finite time");
  if (!(options.tolerance > 0) || !(options.tolerance < 1))
    throw Error(ErrorCode::bad_model, "the tolerance must lie between 0 and 1");
  if (options.samples < 1) throw Error(ErrorCode::bad_model, "at least one sample is needed");
  return options;
}

// Methods other than taylor evaluate the equations by the thousand.
std::optional<OneMotion> only_motion(const MotionOptions& options) {
  if (!options.once || options.method != Method::taylor) return std::nullopt;
  return OneMotion{options.t_end, options.tolerance};
}

}  // namespace

PreparedMotion::PreparedMotion(const System& system, const Terms& terms, Admissible& admissible,
                               const AdmissibleState& at, const MotionOptions& options)
    : equations(system, terms, admissible, at, options.form, only_motion(options)),
      reaction(reactions_of(equations, terms)),
      projection(equations.stays_on_constraints() ? nullptr : std::make_unique<const ProjectionPlan>(equations, terms)),
      regularity(equations, terms, options.tolerance),
      events(event_program(equations)),
      time_terms(equations),
      code(make_code(equations,
                     {options.backend, options.cache, options.method == Method::taylor, options.tolerance})) {}

MotionWatches::MotionWatches(const PreparedMotion& prepared, std::span<const double> parameters)
    : regularity(prepared.regularity, parameters), events(prepared.equations, prepared.events, parameters) {
  if (prepared.projection) projection.emplace(*prepared.projection, parameters);
  if (prepared.fold) fold.emplace(*prepared.fold, parameters);
}

void MotionWatches::start(double t, std::span<const double> y) {
  regularity.start(t, y);
  if (fold) fold->start(t, y);
  events.start(t, y);
}

// Not a number is off, too.
bool MotionWatches::off_constraints(double residual, double tolerance) const {
  if (residual <= accuracy::drift_off(tolerance)) return false;
  return !(residual <= accuracy::gross_error(tolerance) && regularity.close_to_zero());
}

MotionPlan::MotionPlan(Groundwork work, const MotionOptions& options)
    : work_(std::move(work)), options_(validated(options)), initial_(work_.initial()), prepared_(prepare(initial_)) {}

std::vector<double> MotionPlan::lambda(const State& at) const { return initial_lambda(system(), at); }
std::vector<double> MotionPlan::lambda(const State& at, std::span<const double> parameters) const {
  return initial_lambda(system(), at, parameters);
}

void MotionPlan::require_finite(const State& at) const {
  const std::lock_guard lock(system()->context->mutex());
  try {
    Multipliers(system(), work_.terms()).evaluate(at);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::non_finite) throw;
  }
}

std::shared_ptr<const PreparedMotion> MotionPlan::prepare(const AdmissibleState& at) const {
  return prepare(at, options_, nullptr);
}

std::shared_ptr<const PreparedMotion> MotionPlan::prepare_instead(const AdmissibleState& at,
                                                                  const PreparedMotion* of) const {
  MotionOptions options = options_;
  options.form = Form::multipliers;
  return prepare(at, options, of);
}

std::shared_ptr<PreparedMotion> MotionPlan::prepare(const AdmissibleState& at, const MotionOptions& options,
                                                    const PreparedMotion* instead_of) const {
  const std::lock_guard lock(system()->context->mutex());
  const auto start = std::chrono::steady_clock::now();
  auto made = std::make_shared<PreparedMotion>(system(), work_.terms(), work_.admissible(), at, options);
  if (instead_of != nullptr) made->fold.emplace(made->equations, work_.terms(), instead_of->equations.form());
  made->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return made;
}

}  // namespace cetaev
