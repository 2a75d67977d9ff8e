#include "plan.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "accuracy.hpp"
#include "cetaev/constraint/initial_variation.hpp"
#include "cetaev/expr/derivative.hpp"
#include "costs.hpp"
#include "sides.hpp"

namespace cetaev {

namespace {

const MotionOptions& validated(const MotionOptions& options) {
  if (!std::isfinite(options.t_end)) throw Error(ErrorCode::bad_model, "the end of the motion must be a finite time");
  if (!(options.tolerance > 0) || !(options.tolerance < 1))
    throw Error(ErrorCode::bad_model, "the tolerance must lie between 0 and 1");
  if (options.samples < 1) throw Error(ErrorCode::bad_model, "at least one sample is needed");
  for (auto name = options.variations.begin(); name != options.variations.end(); ++name) {
    if (!name->empty() && std::find(options.variations.begin(), name, *name) != name)
      throw Error(ErrorCode::bad_model, "'" + *name + "' is varied twice");
  }
  if (options.through_singular && !options.variations.empty())
    throw Error(ErrorCode::bad_model,
                "variations are not carried through singular sets: leave out one of `--through-singular` and "
                "`--variations`");
  return options;
}

std::optional<OneMotion> only_motion(const MotionOptions& options, const Effort& effort) {
  if (!options.once) return std::nullopt;
  return OneMotion{options.t_end,
                   options.tolerance,
                   options.method,
                   effort.algebra == Algebra::all,
                   effort.algebra == Algebra::everywhere,
                   effort.steps};
}

// Is a motion stopped by events, and varied?
bool varies_at_events(const System& system, const MotionOptions& options) {
  return !options.variations.empty() && std::ranges::any_of(system->events, &Event::stop);
}

std::vector<Expr> events_of(const System& system) {
  std::vector<Expr> all;
  for (const Event& event : system->events) all.push_back(event.when);
  return all;
}

std::vector<Expr> events_and_velocities_of(const System& system) {
  std::vector<Expr> all = events_of(system);
  all.insert(all.end(), system->motion.v.begin(), system->motion.v.end());
  return all;
}

// Nothing where none of it can jump: not at a place, and not in time, on which it does not depend.
std::vector<Expr> lagrangian_and_momenta_of(const System& system, bool at_places) {
  if (!at_places && !depends_on(system->lagrangian, std::array{system->motion.t})) return {};
  std::vector<Expr> all = {system->lagrangian};
  for (const Expr v : system->motion.v) all.push_back(derivative(system->lagrangian, v));
  return all;
}

// Of one motion what takes least. Of many taylor where its series are written out, for then several of them go side by side; else what takes least for the
// first of them, whose code is written once.
Method method_for(const MotionEquations& equations, const AdmissibleState& at, const MotionOptions& options) {
  if (options.method) return *options.method;
  const Program& rates = equations.rates();
  if (options.once || equations.has_accelerations() || !equations.form().lambda.empty() ||
      !options.variations.empty() || series_would_be_written_out(rates, equations.size(), options.tolerance))
    return equations.method();
  try {
    const std::vector<double> y = equations.state(at.state, {});
    constexpr double often = std::numeric_limits<double>::infinity();
    const Program::Hoisted hoisted = rates.hoisted(y.size() + 1);  // what parameters determine is computed once
    const auto cost = [&](Method method) {
      return steps_at_first_pace(method, rates, at.state.t, y, options.t_end, options.tolerance,
                                 equations.parameters()) *
             cost_of_one_step(method, method == Method::taylor ? rates : hoisted.rest, y.size(), options.tolerance,
                              often);
    };
    return cost(Method::dop853) < cost(Method::taylor) ? Method::dop853 : Method::taylor;
  } catch (const Error&) {
    return equations.method();  // singular here: another question
  }
}

}  // namespace

PreparedMotion::PreparedMotion(const System& system, const Terms& terms, Admissible& admissible,
                               const AdmissibleState& at, const MotionOptions& options, std::span<const Expr> jumps_at,
                               const Effort& effort)
    : equations(system, terms, admissible, at, options.form, only_motion(options, effort), jumps_at,
                effort.algebra == Algebra::none, options.variations),
      reaction(reactions_of(equations, terms)),
      own_steps(cetaev::own_steps(equations, terms, admissible, at)),
      branches(have_branches(equations, terms)),
      projection(equations.stays_on_constraints() ? nullptr : std::make_unique<const ProjectionPlan>(equations, terms)),
      regularity(equations, terms, options.tolerance),
      events(event_program(equations)),
      jumps(jumps_at.size()),
      at_jumps(equations.observing(jumps_at)),
      across_jumps(equations.with_rates_of(jumps_at)),
      jumps_varied(jumps_at.empty() || options.variations.empty() ? Program() : equations.changes_of(jumps_at)),
      stops_varied(varies_at_events(system, options) ? equations.changes_of(events_of(system)) : Program()),
      across_stops(varies_at_events(system, options) ? equations.with_rates_of(events_and_velocities_of(system))
                                                     : Program()),
      narrow(equations, terms, options),
      time_terms(equations),
      lagrangian_and_momenta(equations.observing(lagrangian_and_momenta_of(system, !jumps_at.empty()))),
      method(method_for(equations, at, options)),
      code(make_code(equations, {options.backend, options.cache, method == Method::taylor, options.tolerance})),
      observing(code_for_samples(equations, reaction.get(), options)) {
  regularity.write_guards(options);
}

MotionWatches::MotionWatches(const PreparedMotion& prepared, std::span<const double> parameters)
    : regularity(prepared.regularity, parameters),
      events(prepared.equations, prepared.events, parameters),
      sides_(parameters.end() - static_cast<std::ptrdiff_t>(prepared.jumps.size()), parameters.end()) {
  if (prepared.projection) projection.emplace(*prepared.projection, parameters);
  if (prepared.fold) fold.emplace(*prepared.fold, parameters);
  if (!prepared.jumps.empty()) jumps.emplace(prepared.jumps, prepared.equations, prepared.at_jumps, parameters);
  if (!prepared.narrow.empty()) narrow.emplace(prepared.narrow, parameters);
}

void MotionWatches::start(double t, std::span<const double> y) {
  regularity.start(t, y);
  if (fold) fold->start(t, y);
  events.start(t, y);
  if (jumps) jumps->start_beside(t, y, sides_);
  if (narrow) narrow->start(t, y);
}

void MotionWatches::inherit(const MotionWatches& before) {
  regularity.inherit(before.regularity);
  if (projection && before.projection) projection->has_been(*before.projection);
  const GivenQuality* given = before.fold ? before.fold->of_given() : before.regularity.of_given();
  if (given == nullptr) return;
  regularity.begin_given_as(*given);
  if (fold) fold->begin_given_as(*given);
}

// Not a number is off, too.
bool MotionWatches::off_constraints(double residual, double tolerance) const {
  if (residual <= accuracy::drift_off(tolerance)) return false;
  return !(residual <= accuracy::gross_error(tolerance) && regularity.close_to_zero());
}

MotionPlan::MotionPlan(Groundwork work, const MotionOptions& options)
    : model_(work.model()),
      work_(std::move(work)),
      options_(validated(options)),
      chooses_method_(!options.method),
      initial_(work_.initial()) {
  for (const std::string& name : options_.variations) {
    const InitialChange change = initial_change(work_.system(), work_.admissible(), initial_, name);
    initial_changes_.insert(initial_changes_.end(), change.q.begin(), change.q.end());
    initial_changes_.insert(initial_changes_.end(), change.v.begin(), change.v.end());
  }
  separate_jumps();
  prepared_ = prepare(initial_, sides_);
  options_.method = prepared_->method;
}

void MotionPlan::separate_jumps() {
  const std::lock_guard lock(system()->context->mutex());
  SidedSystem sided = separate_sides(system(), work_.terms(), !options_.variations.empty());
  if (sided.where.empty()) return;
  jumps_ = std::move(sided.where);
  sides_.resize(jumps_.size());
  const Program at_jumps(jumps_, state_symbols(sided.system));
  Interpreter run(at_jumps);
  run(state_values(initial_.state, parameter_values(sided.system)), sides_);
  for (double& side : sides_) side = std::copysign(1.0, side);
  work_ = Groundwork(on_sides(sided.system, sides_));
}

// Ranks and choices at a state are those of its side.
Groundwork& MotionPlan::work_on(std::span<const double> sides) const {
  if (std::ranges::equal(sides, sides_)) return work_;
  for (auto& [others, work] : on_other_sides_)
    if (std::ranges::equal(sides, others)) return work;
  return on_other_sides_.emplace_back(std::vector(sides.begin(), sides.end()), Groundwork(on_sides(system(), sides)))
      .second;
}

std::vector<double> MotionPlan::lambda(const State& at) const { return initial_lambda(system(), at); }
std::vector<double> MotionPlan::lambda(const State& at, std::span<const double> parameters) const {
  return initial_lambda(system(), at, parameters);
}

void MotionPlan::require_finite(const State& at) const {
  if (const auto problem = problem_at(at); problem && problem->code() == ErrorCode::non_finite) throw Error(*problem);
}

std::optional<Error> MotionPlan::problem_at(const State& at) const {
  const std::lock_guard lock(system()->context->mutex());
  try {
    Multipliers(system(), work_.terms()).evaluate(at);
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  }
}

std::shared_ptr<const PreparedMotion> MotionPlan::prepare(const AdmissibleState& at,
                                                          std::span<const double> sides) const {
  return prepare(at, sides, options_, nullptr);
}

std::shared_ptr<const PreparedMotion> MotionPlan::prepare_instead(const AdmissibleState& at,
                                                                  std::span<const double> sides,
                                                                  const PreparedMotion* of) const {
  MotionOptions options = options_;
  options.form = Form::multipliers;
  return prepare(at, sides, options, of);
}

std::shared_ptr<PreparedMotion> MotionPlan::make(const AdmissibleState& at, std::span<const double> sides,
                                                 const MotionOptions& options, const Effort& effort) const {
  const auto start = std::chrono::steady_clock::now();
  Groundwork& work = work_on(sides);
  auto made =
      std::make_shared<PreparedMotion>(work.system(), work.terms(), work.admissible(), at, options, jumps_, effort);
  made->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return made;
}

std::shared_ptr<const PreparedMotion> MotionPlan::prepare_anew(const AdmissibleState& at, std::span<const double> sides,
                                                               const Effort& effort) const {
  const std::lock_guard lock(system()->context->mutex());
  return make(at, sides, options_, effort);
}

std::shared_ptr<const PreparedMotion> MotionPlan::prepare_series(const AdmissibleState& at,
                                                                 std::span<const double> sides) const {
  constexpr int few = 16;  // steps
  const std::lock_guard lock(system()->context->mutex());
  MotionOptions options = options_;
  options.form = Form::multipliers;
  options.method = Method::taylor;
  options.backend = Backend::interpreter;
  options.once = true;
  return make(at, sides, options, Effort::worth(few));
}

// The same rows and dependent velocities, and the branch on which the state lies.
bool MotionPlan::serves(const PreparedMotion& prepared, const Setting& setting, const State& at) {
  const MotionEquations& equations = prepared.equations;
  const FirstOrderSystem& form = equations.form();
  if (form.rows != setting.rows || (!form.chosen.empty() && form.chosen != setting.dependent)) return false;
  if (!form.lambda.empty() || equations.has_accelerations()) return false;
  try {
    const std::vector<double> y = equations.state(at, {});
    Observer observer(equations, nullptr);
    const MotionPoint& there = observer.at(at.t, y, false);
    double size = 0, apart = 0;
    for (std::size_t i = 0; i < at.v.size(); ++i) {
      size = std::max(size, std::abs(at.v[i]));
      apart = std::max(apart, std::abs(there.v[i] - at.v[i]));
    }
    return apart <= accuracy::half_the_digits * size;  // another branch is further away
  } catch (const Error&) {
    return false;
  }
}

std::shared_ptr<const PreparedMotion> MotionPlan::made_before(const AdmissibleState& at, std::span<const double> sides,
                                                              const MotionOptions& options, Groundwork& work) const {
  if (made_.empty() || made_.front().prepared->equations.has_accelerations()) return nullptr;
  const Setting setting = work.setting_at(at);
  for (const Made& made : made_) {
    if (std::ranges::equal(sides, made.sides) && options.form == made.form && serves(*made.prepared, setting, at.state))
      return made.prepared;
  }
  return nullptr;
}

std::shared_ptr<const PreparedMotion> MotionPlan::prepare(const AdmissibleState& at, std::span<const double> sides,
                                                          const MotionOptions& options,
                                                          const PreparedMotion* instead_of) const {
  constexpr std::size_t most = 16;  // choices that a motion goes through again and again
  const std::lock_guard lock(system()->context->mutex());
  Groundwork& work = work_on(sides);
  if (instead_of == nullptr) {
    if (auto known = made_before(at, sides, options, work)) return known;
  }
  const std::shared_ptr<PreparedMotion> made = make(at, sides, options, Algebra::as_is_worth);
  if (instead_of != nullptr) made->fold.emplace(made->equations, work.terms(), instead_of->equations.form());
  if (instead_of == nullptr && made_.size() < most)
    made_.push_back({std::vector(sides.begin(), sides.end()), options.form, made});
  return made;
}

}  // namespace cetaev
