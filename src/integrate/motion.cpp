#include "cetaev/integrate/motion.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "equations.hpp"
#include "events.hpp"
#include "field.hpp"
#include "observer.hpp"
#include "projection.hpp"
#include "regularity.hpp"
#include "stiffness.hpp"

namespace cetaev {

namespace {

constexpr std::array methods = {"taylor", "dop853", "adams", "bdf"};
constexpr std::array backends = {"jit", "interpreter"};

// Steps between two questions whether to go on.
constexpr std::size_t steps_between_questions = 64;
// Of energy, relative, in going through a singular set: more is another motion.
constexpr double allowed_loss = 1e-6;
constexpr std::size_t samples_between_questions = 4096;
// A motion whose state has grown by this much when no step works any more has escaped.
constexpr double escaped = 1e6;

template <std::size_t count>
void require_one_of(const std::string& value, const std::array<const char*, count>& names, const std::string& what) {
  std::string list;
  for (const char* name : names) {
    if (value == name) return;
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  throw Error(ErrorCode::bad_model, "there is no " + what + " '" + value + "'; there are " + list);
}

void validate(const MotionOptions& options) {
  require_one_of(options.method, methods, "method");
  require_one_of(options.backend, backends, "backend");
  if (options.form != "auto" && find_principle(options.form) == nullptr)
    throw Error(ErrorCode::bad_model, "there is no form '" + options.form + "'");
  if (!std::isfinite(options.t_end)) throw Error(ErrorCode::bad_model, "the end of the motion must be a finite time");
  if (!(options.tolerance > 0) || !(options.tolerance < 1))
    throw Error(ErrorCode::bad_model, "the tolerance must lie between 0 and 1");
  if (options.samples < 1) throw Error(ErrorCode::bad_model, "at least one sample is needed");
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double largest_magnitude(std::span<const double> y) {
  double largest = 0;
  for (const double value : y) largest = std::max(largest, std::abs(value));
  return largest;
}

class Run {
 public:
  Run(const System& system, const MotionOptions& options, Recorder& recorder)
      : system_(system), options_(options), recorder_(recorder), terms_(system), admissible_(system) {
    summary_.method = options.method;
    summary_.backend = options.backend;
    summary_.event_counts.assign(system.events.size(), 0);
    for (const Expr force : system.forces) has_forces_ = has_forces_ || !force.is_zero();
  }

  MotionSummary operator()() {
    AdmissibleState at = admissible_.initial();
    t_start_ = reached_ = at.state.t;
    lambda_ = initial_lambda(system_, at.state);
    direction_ = options_.t_end < t_start_ ? -1 : 1;
    prepare(at);
    const MotionPoint& first = observer_->at(t_start_, y_);
    summary_.E_start = E_reference_ = first.E;
    note(first);
    record_samples(t_start_, true);
    while (next_ == Next::go_on) {
      segment();
      if (next_ == Next::prepare) choose_anew();
    }
    finish();
    return std::move(summary_);
  }

 private:
  enum class Next { go_on, prepare, stop };

  // Other rows or dependent velocities; the motion does not notice.
  void choose_anew() {
    next_ = Next::go_on;
    const double t = stepper_->time();
    std::copy(stepper_->state().begin(), stepper_->state().end(), y_.begin());
    const MotionPoint& here = observer_->at(t, y_, false);
    if (!equations_->form().lambda.empty()) lambda_.assign(here.multipliers.begin(), here.multipliers.end());
    const State here_now = observer_->state();
    // what has been seen so far decides what is near zero
    const std::unique_ptr<RegularityWatch> before = std::move(regularity_);
    try {
      prepare({here_now, false, {}});
      regularity_->inherit(*before);
      ++summary_.reselections;
    } catch (const Error&) {
      may_choose_ = false;  // no other choice serves the form: on with this one
      prepare({here_now, false, first_choice_});
      regularity_->inherit(*before);
    }
  }

  // Equations, code and stepper at a state; the work done so far is kept.
  void prepare(const AdmissibleState& at) {
    const auto start = std::chrono::steady_clock::now();
    const double work = y_.empty() ? 0 : observer_->work(y_);
    equations_ = std::make_unique<MotionEquations>(system_, terms_, admissible_, at, options_.form);
    summary_.form = equations_->form().form;
    first_choice_ = equations_->form().chosen;
    // other principles than d'Alembert–Lagrange are different equations for different dependent velocities
    may_choose_ = may_choose_ && equations_->dalembert_lagrange();
    y_ = equations_->state(at.state, lambda_);
    if (equations_->has_work()) y_.back() = work;
    observer_ = std::make_unique<Observer>(*equations_, terms_);
    projection_.reset();
    if (!equations_->stays_on_constraints()) projection_ = std::make_unique<ManifoldProjection>(*equations_, terms_);
    regularity_ = std::make_unique<RegularityWatch>(*equations_, terms_, options_.tolerance);
    events_ = std::make_unique<EventWatch>(*equations_);
    interpolated_.resize(y_.size());
    make_stepper();
    stepper_->start(at.state.t, y_, options_.t_end);
    regularity_->start(at.state.t, y_);
    events_->start(at.state.t, y_);
    size_at_start_ = std::max(size_at_start_, largest_magnitude(y_));
    summary_.compile_seconds += seconds_since(start);
  }

  void make_stepper() {
    MotionCodeOptions code_options{options_.backend, options_.cache, options_.method == "taylor", options_.tolerance};
    field_.reset();
    code_ = make_code(*equations_, code_options);
    summary_.from_cache = code_->from_cache();
    if (options_.method == "taylor") {
      stepper_ = code_->taylor();
      return;
    }
    field_ = code_->field();
    if (options_.method == "dop853") stepper_ = make_dop853(*field_, options_.tolerance);
    if (options_.method == "adams") stepper_ = make_adams(*field_, options_.tolerance);
    if (options_.method == "bdf") stepper_ = make_bdf(*field_, options_.tolerance, projection_.get());
  }

  // Steps until the motion ends or other equations are needed.
  void segment() {
    const auto start = std::chrono::steady_clock::now();
    if (stepper_->time() == options_.t_end) next_ = Next::stop;
    std::size_t since_question = 0;
    while (next_ == Next::go_on) {
      const StepStatus status = stepper_->step(options_.t_end);
      if (status != StepStatus::done) {
        end_at_failure(status);
        if (next_ == Next::stop) break;
        continue;
      }
      watch_stiffness();
      double end = stepper_->time();
      if (const auto singular = regularity_->find(*stepper_); singular && !goes_through(*singular)) {
        end_as_singular(*singular, regularity_->diagnosis());
        end = *singular;
      }
      try {
        if (!events_->empty()) end = record_events(end);
        record_samples(end, false);
        if (summary_.status == MotionStatus::interrupted) break;
        if (recorder_.wants_steps()) recorder_.step(stepper_->previous_time(), end, dense_);
        reached_ = end;
      } catch (const Error& error) {
        // the state is there, but not what belongs to it
        if (error.code() == ErrorCode::cannot_write) throw;
        end_at_state(error);
      }
      if (next_ == Next::stop) break;
      if (projection_ && options_.method != "bdf" && !project_safely()) break;
      if (went_through_ && lost_energy()) {
        summary_.notes.emplace_back(
            "the energy is lost beyond the singular set: the continuation is no motion of the system");
        end_as_singular(*went_through_, regularity_->diagnosis());
        break;
      }
      if (!makes_progress()) {
        end_at_failure(StepStatus::too_small);
        break;
      }
      if (stepper_->time() == options_.t_end) next_ = Next::stop;
      if (next_ == Next::go_on && may_choose_ && regularity_->wants_other_choice()) next_ = Next::prepare;
      if (++since_question >= steps_between_questions) {
        since_question = 0;
        if (options_.keep_going && !options_.keep_going(stepper_->time())) interrupt();
      }
    }
    add_counts();
    summary_.integration_seconds += seconds_since(start);
  }

  void add_counts() {
    const StepCounts& counts = stepper_->counts();
    summary_.steps += counts.steps;
    summary_.rejected += counts.rejected;
    summary_.rhs_evaluations += counts.rhs_evaluations;
  }

  void interrupt() {
    summary_.status = MotionStatus::interrupted;
    next_ = Next::stop;
  }

  bool project_safely() {
    try {
      project();
      return true;
    } catch (const Error& error) {
      end_at_state(error);
      return false;
    }
  }

  bool lost_energy() {
    try {
      const double E = observer_->at(stepper_->time(), stepper_->state(), false).E;
      const double drift = std::abs(E - E_reference_ - observer_->work(stepper_->state()));
      return !(drift <= allowed_loss * (1 + std::abs(E_reference_)));
    } catch (const Error&) {
      return true;
    }
  }

  // A motion that would take for ever at this pace stands still.
  bool makes_progress() {
    constexpr std::size_t steps = 4096;
    constexpr double least = 1e-8;  // of the time asked for
    if (++steps_since_mark_ < steps) return true;
    steps_since_mark_ = 0;
    const double t = stepper_->time();
    const bool moved = std::abs(t - progress_mark_) > least * std::abs(options_.t_end - t_start_);
    progress_mark_ = t;
    return moved;
  }

  // The residual has passed the tolerance: back to the constraints, and the energy that takes is written down.
  void project() {
    const double t = stepper_->time();
    if (regularity_->close_to_zero()) return;
    if (!(projection_->relative_residual(t, stepper_->state()) > options_.tolerance)) return;
    std::copy(stepper_->state().begin(), stepper_->state().end(), y_.begin());
    const double before = observer_->at(t, y_, false).E;
    if (!projection_->project(t, y_)) return;
    const double change = observer_->at(t, y_, false).E - before;
    account(change);
    stepper_->start(t, y_, options_.t_end);
  }

  const MotionPoint& point_at(double t, bool with_multipliers = true) {
    if (t == stepper_->time()) return observer_->at(t, stepper_->state(), with_multipliers);
    stepper_->interpolate(t, interpolated_);
    return observer_->at(t, interpolated_, with_multipliers);
  }

  // What the summary says about the whole motion.
  void note(const MotionPoint& point) {
    summary_.max_residual = std::max(summary_.max_residual, point.residual);
    const std::span<const double> y = point.t == stepper_->time() ? stepper_->state() : interpolated_;
    const double drift = std::abs(point.E - E_reference_ - observer_->work(y));
    summary_.energy_drift = std::max(summary_.energy_drift, drift);
    summary_.E_end = point.E;
  }

  double sample_time(std::size_t i) const {
    if (options_.samples == 1 || i + 1 == options_.samples) return options_.t_end;
    // Multiplied before it is divided: the seventh of a hundred parts of 10 is 0.7 and not its neighbour.
    const double parts = static_cast<double>(options_.samples - 1),
                 all = (options_.t_end - t_start_) * static_cast<double>(i);
    return t_start_ +
           (std::isfinite(all) ? all / parts : (options_.t_end - t_start_) * (static_cast<double>(i) / parts));
  }

  // Those not beyond `end`; at the start only the one that stands there.
  void record_samples(double end, bool at_start) {
    for (; next_sample_ < options_.samples; ++next_sample_) {
      const double t = sample_time(next_sample_);
      if (direction_ * t > direction_ * end || (at_start && t != t_start_)) return;
      const MotionPoint& point = at_start ? observer_->at(t, y_) : point_at(t);
      note(point);
      last_seen_.t = point.t;
      last_seen_.q.assign(point.q.begin(), point.q.end());
      last_seen_.v.assign(point.v.begin(), point.v.end());
      recorder_.sample(point);
      ++summary_.samples;
      if (++samples_since_question_ >= samples_between_questions) {
        samples_since_question_ = 0;
        if (options_.keep_going && !options_.keep_going(t)) {
          interrupt();
          reached_ = t;
          ++next_sample_;
          return;
        }
      }
    }
  }

  // Events of the last step that come before `end`; returns the time of one that stops the motion, or `end`.
  double record_events(double end) {
    for (const Crossing& crossing : events_->find(*stepper_)) {
      if (direction_ * crossing.t > direction_ * end) break;
      record_samples(crossing.t, false);
      ++summary_.event_counts[crossing.event];
      const MotionPoint& point = point_at(crossing.t);
      note(point);
      recorder_.event(crossing.event, point);
      if (!system_.events[crossing.event].stop) continue;
      summary_.status = MotionStatus::event;
      summary_.stopping_event = crossing.event;
      summary_.diagnosis.reset();
      summary_.singular_at.reset();
      next_ = Next::stop;
      return crossing.t;
    }
    return end;
  }

  void end_at_failure(StepStatus status) {
    next_ = Next::stop;
    reached_ = stepper_->time();
    const double t = stepper_->time();
    if (const auto end = regularity_->near_end(*stepper_)) {
      const Error diagnosis = regularity_->diagnosis();
      if (goes_through(*end) && leap_over(*end)) {
        next_ = Next::go_on;
        return;
      }
      end_as_singular(*end, diagnosis);
      return;
    }
    if (status == StepStatus::singular) {
      end_as_singular(t, equations_->diagnosis(stepper_->singular_system()));
      return;
    }
    summary_.status = MotionStatus::failed;
    const std::string where = " at t = " + std::to_string(t);
    if (largest_magnitude(stepper_->state()) > escaped * (1 + size_at_start_)) {
      summary_.diagnosis = Error(ErrorCode::finite_escape, "the motion leaves every bound" + where);
    } else if (status == StepStatus::non_finite) {
      summary_.diagnosis = Error(ErrorCode::non_finite, "the equations of motion are not finite" + where);
    } else {
      std::string message = "no step that time can resolve meets the tolerance" + where;
      if (status == StepStatus::failed) message = std::string(stepper_->message()) + where;
      summary_.diagnosis = Error(ErrorCode::step_too_small, message);
    }
  }

  void end_as_singular(double t, const Error& diagnosis) {
    summary_.status = MotionStatus::singular;
    summary_.singular_at = t;
    summary_.diagnosis = diagnosis;
    next_ = Next::stop;
  }

  // Is the motion to be carried on beyond a singular set? Not when it comes back to the set at once.
  bool goes_through(double t) {
    if (!options_.through_singular) return false;
    const double span = std::abs(options_.t_end - t_start_);
    if (went_through_ && std::abs(t - *went_through_) < 1e-6 * span) {
      summary_.notes.emplace_back("beyond the singular set the motion returns to it at once: it cannot be carried on");
      return false;
    }
    went_through_ = t;
    summary_.notes.push_back("went through a singular set at t = " + std::to_string(t) + ": " +
                             regularity_->diagnosis().message() +
                             "; the motion beyond it is the smooth continuation, put on the constraints again");
    return true;
  }

  // The last step continued as far beyond the set as it ended before it, and at least to where the equations are regular.
  bool leap_over(double t) {
    const double last = stepper_->time(), length = std::abs(last - stepper_->previous_time());
    double beyond = std::max(std::abs(t - last), length / 4);
    if (direction_ * (t + direction_ * beyond) > direction_ * options_.t_end) return false;
    beyond = t + direction_ * beyond;
    stepper_->interpolate(beyond, y_);
    const double before = observer_->at(beyond, y_, false).E;
    if (projection_ && !projection_->project(beyond, y_)) return false;
    const double after = observer_->at(beyond, y_, false).E;
    if (std::abs(after - E_reference_ - observer_->work(y_)) > allowed_loss * (1 + std::abs(E_reference_)))
      return false;
    account(after - before);
    record_samples(beyond, false);
    stepper_->start(beyond, y_, options_.t_end);
    regularity_->start(beyond, y_);
    events_->start(beyond, y_);
    return true;
  }

  void account(double energy) {
    ++summary_.projections;
    summary_.projection_energy += energy;
    summary_.projection_energy_absolute += std::abs(energy);
  }

  // Looked at less and less often, as long as nothing is seen. Without forces nothing decays fast.
  void watch_stiffness() {
    if (options_.method != "taylor" || summary_stiff_ || !has_forces_ || ++steps_seen_ < next_look_) return;
    if (!field_) field_ = code_->field();
    const double h = stepper_->time() - stepper_->previous_time();
    if (looks_stiff(*field_, stepper_->time(), stepper_->state(), h)) {
      summary_stiff_ = ++stiff_looks_ >= 3;
      next_look_ = steps_seen_ + 20;
    } else {
      stiff_looks_ = 0;
      next_look_ = 2 * steps_seen_;
    }
  }

  // At the last sample or event that could be observed.
  void end_at_state(const Error& error) {
    next_ = Next::stop;
    if (summary_.diagnosis) return;
    summary_.status = error.code() == ErrorCode::non_finite ? MotionStatus::failed : MotionStatus::singular;
    if (summary_.status == MotionStatus::singular) summary_.singular_at = stepper_->time();
    summary_.diagnosis = error;
  }

  void finish() {
    try {
      const MotionPoint& last = point_at(reached_, false);
      note(last);
      summary_.last = observer_->state();
      if (!equations_->form().lambda.empty()) summary_.lambda.assign(last.multipliers.begin(), last.multipliers.end());
    } catch (const Error&) {
      summary_.last = last_seen_;  // the last state that could be observed
    }
    if (stepper_->stiff() || summary_stiff_)
      summary_.notes.emplace_back(
          "the steps were held down by stability, not by accuracy: the equations are stiff here; `--method bdf` is "
          "made "
          "for that");
    for (const std::string& text : equations_->form().notes) summary_.notes.push_back(text);
  }

  const System& system_;
  const MotionOptions& options_;
  Recorder& recorder_;
  Terms terms_;
  Admissible admissible_;
  std::vector<double> lambda_;
  std::unique_ptr<MotionEquations> equations_;
  std::unique_ptr<Observer> observer_;
  std::unique_ptr<ManifoldProjection> projection_;
  std::unique_ptr<RegularityWatch> regularity_;
  std::unique_ptr<EventWatch> events_;
  std::unique_ptr<MotionCode> code_;
  std::unique_ptr<Field> field_;
  std::unique_ptr<Stepper> stepper_;
  std::vector<double> y_, interpolated_;
  const Recorder::DenseStep dense_ = [this](double t) -> const MotionPoint& { return point_at(t); };
  double t_start_ = 0, direction_ = 1, reached_ = 0;
  double E_reference_ = 0, size_at_start_ = 0;
  std::size_t next_sample_ = 0;
  Next next_ = Next::go_on;
  std::optional<double> went_through_;
  std::size_t steps_seen_ = 0, next_look_ = 500, stiff_looks_ = 0;
  bool has_forces_ = false, summary_stiff_ = false, may_choose_ = true;
  std::vector<std::size_t> first_choice_;
  double progress_mark_ = 0;
  std::size_t steps_since_mark_ = 0;
  std::size_t samples_since_question_ = 0;
  State last_seen_;
  MotionSummary summary_;
};

}  // namespace

MotionOptions default_options(const System& system) {
  MotionOptions options;
  const SimulationDefaults& given = system.simulation;
  if (given.form) options.form = *given.form;
  if (given.method) options.method = *given.method;
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

MotionSummary run_motion(const System& system, const MotionOptions& options, Recorder& recorder) {
  validate(options);
  const auto start = std::chrono::steady_clock::now();
  MotionSummary summary = Run(system, options, recorder)();
  summary.wall_seconds = seconds_since(start);
  return summary;
}

}  // namespace cetaev
