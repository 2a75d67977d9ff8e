#include "cetaev/integrate/batch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <string>

#include "accuracy.hpp"
#include "cetaev/detail/codegen/native.hpp"
#include "cetaev/interruption.hpp"
#include "other_parameters.hpp"
#include "plan.hpp"
#include "progress.hpp"
#include "recording.hpp"
#include "run.hpp"

namespace cetaev {

struct BatchMotion::Data {
  Data(const CompiledMotion& of, unsigned count, unsigned most)
      : plan(of.plan()),
        prepared(plan.prepared()),
        lanes(count),
        busy(most),
        code(count == 1 ? nullptr : prepared->code->lanes(count, plan.options().cache)),
        askers(plan) {}

  BatchResult run(const BatchStarts& starts, std::size_t samples, BatchListener* listener) const;

  const MotionPlan& plan;
  std::shared_ptr<const PreparedMotion> prepared;
  unsigned lanes, busy;
  std::unique_ptr<const MotionLanes> code;  // none where there is one lane
  Askers askers;
};

namespace {

// Writes samples where they belong in the result.
class RowRecorder final : public Recorder {
 public:
  RowRecorder() = default;
  RowRecorder(double* rows, std::size_t limit) : next_(rows), left_(limit) {}
  void sample(const MotionPoint& point) override {
    if (left_ == 0) return;
    --left_;
    *next_++ = point.t;
    next_ = std::copy(point.q.begin(), point.q.end(), next_);
    next_ = std::copy(point.v.begin(), point.v.end(), next_);
    *next_++ = point.E;
  }
  bool wants_samples() const override { return next_ != nullptr; }

 private:
  double* next_ = nullptr;
  std::size_t left_ = 0;
};

void require_numbers(std::span<const double> values, const char* what) {
  if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
    throw Error(ErrorCode::bad_model, std::string("among the ") + what + " is one that is not a finite number");
}

// The starts, one by one.
class Starts {
 public:
  Starts(const MotionPlan& plan, const BatchStarts& given)
      : given_(given),
        n_(plan.system()->size()),
        parameter_count_(plan.model()->parameters.size()),
        size_(given.states.size() / (2 * n_)),
        time_(plan.initial().t),
        parameters_(std::span(plan.prepared()->equations.parameters()).first(parameter_count_)) {
    if (given.states.size() != size_ * 2 * n_)
      refuse("the states", given.states.size(), "a multiple of twice the coordinates, " + std::to_string(2 * n_));
    if (!given.times.empty() && given.times.size() != size_)
      refuse("the times", given.times.size(), "one for each of " + std::to_string(size_) + " motions");
    if (!given.parameters.empty() && given.parameters.size() != size_ * parameter_count_)
      refuse("the parameters", given.parameters.size(),
             std::to_string(parameter_count_) + " for each of " + std::to_string(size_) + " motions");
    require_numbers(given.states, "states");
    require_numbers(given.times, "times");
    require_numbers(given.parameters, "parameters");
  }

  std::size_t size() const { return size_; }
  double time(std::size_t motion) const { return given_.times.empty() ? time_ : given_.times[motion]; }
  std::span<const double> parameters(std::size_t motion) const {
    return given_.parameters.empty() ? parameters_
                                     : given_.parameters.subspan(motion * parameter_count_, parameter_count_);
  }
  void read(std::size_t motion, State& state) const {
    const double* const from = given_.states.data() + motion * 2 * n_;
    state.t = time(motion);
    state.q.assign(from, from + n_);
    state.v.assign(from + n_, from + 2 * n_);
  }
  // Of the model?
  bool has_own_parameters(std::size_t motion) const { return !std::ranges::equal(parameters(motion), parameters_); }

 private:
  [[noreturn]] static void refuse(const std::string& what, std::size_t count, const std::string& wanted) {
    throw Error(ErrorCode::bad_model, what + " of the batch are " + std::to_string(count) + " numbers, not " + wanted);
  }

  BatchStarts given_;
  std::size_t n_, parameter_count_, size_;
  double time_;
  std::span<const double> parameters_;
};

// One run of a batch.
class BatchRun {
 public:
  BatchRun(const MotionPlan& plan, const PreparedMotion& prepared, const Askers& askers, const BatchStarts& starts,
           std::size_t samples, BatchListener* listener)
      : plan_(plan),
        prepared_(prepared),
        equations_(prepared.equations),
        askers_(askers),
        options_(plan.options()),
        t_end_(options_.t_end),
        starts_(plan, starts),
        listener_(listener) {
    options_.keep_going = nullptr;  // that is a question of a single motion
    result_.coordinates = equations_.system()->size();
    result_.samples_each = samples;
    result_.ends.resize(starts_.size());
    result_.last.resize(starts_.size() * 2 * result_.coordinates);
    result_.samples.assign(starts_.size() * samples * result_.columns(), not_a_number);
  }
  ~BatchRun() {
    if (others_) askers_.give_back(std::move(others_));
  }
  BatchRun(const BatchRun&) = delete;
  BatchRun& operator=(const BatchRun&) = delete;

  BatchResult one_by_one() {
    for (std::size_t motion = 0; motion < starts_.size(); ++motion)
      if (!run_served(motion)) run_alone(motion);
    return std::move(result_);
  }

  BatchResult side_by_side(const MotionLanes& code, unsigned lanes, unsigned busy) {
    steps_ = code.taylor();
    limits_.resize(lanes);
    statuses_.resize(lanes);
    lanes_.reserve(lanes);
    for (unsigned lane = 0; lane < lanes; ++lane) lanes_.emplace_back(equations_, steps_->lane(lane));
    for (unsigned lane = 0; lane < busy; ++lane) next(lane);
    for (unsigned lane = busy; lane < lanes; ++lane) stand_still(lane);
    while (busy_ > 0) {
      may_end_here(units_of_a_step);
      steps_->step(limits_, statuses_);
      for (unsigned lane = 0; lane < lanes_.size(); ++lane) {
        if (lanes_[lane].motion != nobody) look(lane);
      }
    }
    for (const std::size_t motion : alone_) {
      if (!run_served(motion)) run_alone(motion);
      result_.ends[motion].alone = true;
    }
    return std::move(result_);
  }

 private:
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);
  static constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

  struct Lane {
    Lane(const MotionEquations& equations, const LastStep& step)
        : view(std::make_unique<Observer>(equations, nullptr), step, equations.size()),
          parameters(equations.parameters()),
          y(equations.size()) {}

    std::size_t motion = nobody;
    std::unique_ptr<MotionWatches> watch;
    Progress progress{0};
    StopsAhead stops;
    MotionView view;
    std::vector<double> parameters, y;
    double E_start = 0;
    struct Witnessed {
      MotionView view;
      Witness witness;
    };
    std::unique_ptr<Witnessed> witnessed;  // one motion of many, or each where there are branches
    // where there are listeners
    Recorder* listening = nullptr;
    Recorder::DenseStep dense;
    // where there are samples
    MotionSummary summary;
    RowRecorder recorder;
    std::optional<Recording> recording;
  };

  // The next motion into a lane, or none.
  void next(unsigned number) {
    Lane& lane = lanes_[number];
    if (lane.motion != nobody) --busy_;
    lane.motion = nobody;
    while (waiting_ < starts_.size()) {
      const std::size_t motion = waiting_++;
      if (!begin(number, motion)) {
        alone_.push_back(motion);
        continue;
      }
      lane.motion = motion;
      ++busy_;
      return;
    }
    stand_still(number);
  }

  // A lane without a motion.
  void stand_still(unsigned number) {
    limits_[number] = steps_->lane(number).time();
    if (idle_state_.empty()) return;
    set_parameters(number, idle_parameters_);
    steps_->begin(number, idle_time_, idle_state_, idle_time_);
    limits_[number] = idle_time_;
  }

  bool begin(unsigned number, std::size_t motion) {
    starts_.read(motion, start_);
    if (start_.t == t_end_ || !equations_.jumps().empty() || formulas_are_wrong_) return false;
    Lane& lane = lanes_[number];
    const std::span<const double> parameters = starts_.parameters(motion);
    try {
      std::vector<double> y = equations_.state(start_, plan_.lambda(start_, parameters), parameters);
      if (!served(motion, y)) return false;
      set_parameters(number, parameters);
      // what has been seen of another motion does not matter to this one
      lane.watch = std::make_unique<MotionWatches>(prepared_, parameters);
      MotionWatches& watch = *lane.watch;
      if (watch.projection && watch.projection->place(start_.t, y) == ManifoldProjection::Placed::nowhere) return false;
      watch.start(start_.t, y);
      if (watch.regularity.serves_badly()) return false;
      call_witness(number, motion, parameters);
      const MotionPoint& first = lane.view.at(start_.t, y, false);
      lane.E_start = first.E;
      if (result_.samples_each > 0) begin_samples(lane, motion, first);
      if (listener_ != nullptr) lane.listening = &listener_->begin(motion);
      lane.progress = Progress(start_.t);
      steps_->begin(number, start_.t, y, t_end_);
      TimeTerms::Stops stops;
      if (!prepared_.time_terms.empty())
        stops = prepared_.time_terms.stops(parameters, start_.t, t_end_, options_.tolerance);
      if (!stops.jumps.empty()) return false;
      lane.stops = StopsAhead(std::move(stops.times));
      limits_[number] = lane.stops.limit(start_.t, t_end_);
      idle_state_ = std::move(y);
      idle_time_ = start_.t;
      idle_parameters_.assign(parameters.begin(), parameters.end());
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  // Formulas that are wrong are so for every motion; a branch is lost by one.
  void call_witness(unsigned number, std::size_t motion, std::span<const double> parameters) {
    constexpr std::size_t one_of_motions = 4096;
    std::unique_ptr<Lane::Witnessed>& witnessed = lanes_[number].witnessed;
    witnessed.reset();
    if (!prepared_.has_witness(parameters) || !(prepared_.branches || motion % one_of_motions == 0)) return;
    witnessed.reset(
        new Lane::Witnessed{{std::make_unique<Observer>(equations_, prepared_.reaction.get(), options_.tolerance),
                             steps_->lane(number), equations_.size()},
                            {equations_, prepared_.own_steps.get(), prepared_.branches, options_.form.has_value(),
                             parameters, options_.tolerance}});
    witnessed->view.set_parameters(parameters);
  }
  // As of a motion alone, which tells why it ends.
  bool is_another_motion(Lane& lane, const LastStep& step) {
    if (!lane.witnessed || !lane.witnessed->witness.wants() || lane.watch->regularity.in_the_neighbourhood())
      return false;
    if (!lane.witnessed->witness.contradicts(lane.witnessed->view, step, step.time())) return false;
    formulas_are_wrong_ = !prepared_.branches;
    return true;
  }

  // Of start_.
  bool served(std::size_t motion, std::span<const double> y) {
    if (!starts_.has_own_parameters(motion)) return true;
    if (!others_) others_ = askers_.lend();
    return others_->served(starts_.parameters(motion), start_, y);
  }

  void set_parameters(unsigned number, std::span<const double> parameters) {
    Lane& lane = lanes_[number];
    if (std::ranges::equal(parameters, lane.parameters)) return;
    steps_->set_parameters(number, parameters, prepared_.code->field(parameters));
    lane.view.set_parameters(parameters);
    lane.parameters.assign(parameters.begin(), parameters.end());
  }

  double* rows_of(std::size_t motion) {
    return result_.samples.data() + motion * result_.samples_each * result_.columns();
  }

  void begin_samples(Lane& lane, std::size_t motion, const MotionPoint& first) {
    lane.summary = MotionSummary();
    lane.recorder = RowRecorder(rows_of(motion), result_.samples_each);
    lane.recording.emplace(options_, t_end_, result_.samples_each, lane.recorder, lane.summary, first.t);
    lane.recording->begin(first);
  }

  void look(unsigned number) {
    Lane& lane = lanes_[number];
    MotionWatches& watch = *lane.watch;
    const LastStep& step = steps_->lane(number);
    const auto flank = statuses_[number] == StepStatus::done && watch.narrow ? watch.narrow->flank(step) : std::nullopt;
    if (flank) {
      lane.stops.add(*flank);
      take_again(number);
      return;
    }
    if (statuses_[number] != StepStatus::done || watch.regularity.worn_at(step) || watch.regularity.find(step) ||
        loses_energy(lane, step) || formulas_are_wrong_ || is_another_motion(lane, step) ||
        stands_still(lane, step.time())) {
      leave_alone(number);
      return;
    }
    if (!watch.events.empty()) {
      for (const Crossing& crossing : watch.events.find(step)) {
        const bool stops = equations_.system()->events[crossing.event].stop;
        if (!tell(number, crossing, stops)) return;
        if (!stops) continue;
        if (!take_samples(number, crossing.t)) return;
        step.interpolate(crossing.t, lane.y);
        finish(number, MotionStatus::event, crossing.t, lane.y);
        return;
      }
    }
    if (!take_samples(number, step.time()) || !tell_step(number, step.time())) return;
    if (watch.projection) {
      const double residual = watch.projection->relative_residual(step.time(), step.state());
      if (watch.off_constraints(residual, options_.tolerance)) {
        std::copy(step.state().begin(), step.state().end(), lane.y.begin());
        if (!watch.projection->project(step.time(), lane.y)) {
          leave_alone(number);
          return;
        }
        steps_->restart(number, step.time(), lane.y, t_end_);
      }
    }
    limits_[number] = lane.stops.limit(step.time(), t_end_);
    if (step.time() == t_end_) finish(number, MotionStatus::finished, t_end_, step.state());
  }

  // The last step, which had passed a narrow place.
  void take_again(unsigned number) {
    Lane& lane = lanes_[number];
    const LastStep& step = steps_->lane(number);
    const double t = step.previous_time();
    step.interpolate(t, lane.y);
    steps_->restart(number, t, lane.y, t_end_);
    lane.watch->narrow->start(t, lane.y);
    limits_[number] = lane.stops.limit(t, t_end_);
  }

  // Those up to `end`; false where a state cannot be observed and the motion has left the lane.
  bool take_samples(unsigned number, double end) {
    Lane& lane = lanes_[number];
    if (!lane.recording) return true;
    try {
      lane.recording->samples(lane.view, end);
      return true;
    } catch (const Error&) {
      leave_alone(number);
      return false;
    }
  }

  // An event to whoever listens, and the step up to it where it ends there; false as above.
  bool tell(unsigned number, const Crossing& crossing, bool stops) {
    Lane& lane = lanes_[number];
    if (lane.listening == nullptr) return true;
    try {
      lane.listening->event(crossing.event, lane.view.at(crossing.t, false));
    } catch (const Error&) {
      leave_alone(number);
      return false;
    }
    return !stops || tell_step(number, crossing.t);
  }
  bool tell_step(unsigned number, double end) {
    Lane& lane = lanes_[number];
    if (lane.listening == nullptr || !lane.listening->wants_steps()) return true;
    if (!lane.dense)
      lane.dense = [&lane](double t) -> const MotionPoint& {
        return lane.listening->wants_states_alone() ? lane.view.state_at(t) : lane.view.at(t, false);
      };
    try {
      lane.listening->step(steps_->lane(number).previous_time(), end, lane.dense);
      return true;
    } catch (const Error&) {
      leave_alone(number);
      return false;
    }
  }

  // What a motion does that does not go on as expected is found out alone.
  void leave_alone(unsigned number) {
    alone_.push_back(lanes_[number].motion);
    next(number);
  }

  // Near a singular set, more than a motion alone would be allowed to.
  bool loses_energy(Lane& lane, const LastStep& step) const {
    if (!lane.watch->regularity.close_to_zero()) return false;
    try {
      const MotionPoint& here = lane.view.at(step.time(), step.state(), false);
      const double lost = std::abs(here.E - lane.E_start - lane.view.work());
      const double size = std::max({1.0, std::abs(lane.E_start), std::abs(here.E)});
      return !(lost <= accuracy::gross_error(options_.tolerance) * size);
    } catch (const Error&) {
      return true;
    }
  }

  bool stands_still(Lane& lane, double t) const {
    return !lane.progress.made(
        t, [] { return std::optional<double>(); }, [&] { return std::abs(t_end_ - starts_.time(lane.motion)); });
  }

  void write_last(std::size_t motion, std::span<const double> q, std::span<const double> v) {
    double* const into = result_.last.data() + motion * 2 * result_.coordinates;
    std::copy(v.begin(), v.end(), std::copy(q.begin(), q.end(), into));
  }

  void finish(unsigned number, MotionStatus status, double t, std::span<const double> y) {
    Lane& lane = lanes_[number];
    try {
      const MotionPoint& point = lane.view.at(t, y, false);
      BatchEnd& end = result_.ends[lane.motion];
      end.status = status;
      end.t = t;
      end.steps = steps_->counts(number).steps;
      end.residual = point.residual;
      end.energy_drift = std::abs(point.E - lane.E_start - lane.view.work());
      write_last(lane.motion, point.q, point.v);
      if (lane.recording) {
        lane.recording->note(point, lane.view.work());
        end.samples = lane.summary.samples;
        end.residual = lane.summary.max_residual;
        end.energy_drift = lane.summary.energy_drift;
      }
    } catch (const Error&) {
      alone_.push_back(lane.motion);
    }
    next(number);
  }

  void run_alone(std::size_t motion) {
    BatchEnd& end = result_.ends[motion];
    end = BatchEnd();
    starts_.read(motion, start_);
    try {
      const MotionPlan& own = plan_for(motion);
      RowRecorder rows;
      write_end(motion, Run(own, MotionStart{.state = start_}, recorder_of(motion, rows), samples_alone())());
    } catch (const Error& error) {
      // no motion can be started here
      end.status = MotionStatus::failed;
      end.diagnosis = error;
      end.t = start_.t;
      write_last(motion, start_.q, start_.v);
    }
  }

  // Alone with the equations of the plan; false where these do not serve its parameters all the way.
  bool run_served(std::size_t motion) {
    if (!starts_.has_own_parameters(motion)) return false;
    starts_.read(motion, start_);
    const std::span<const double> parameters = starts_.parameters(motion);
    if (!equations_.jumps().empty()) return false;
    bool asked = true;
    try {
      if (!served(motion, equations_.state(start_, plan_.lambda(start_, parameters), parameters))) return false;
      RowRecorder rows;
      Run run(plan_, MotionStart{.state = start_}, recorder_of(motion, rows), samples_alone(), parameters);
      const MotionSummary summary = run();
      asked = run.asked_the_plan();
      if (!asked) write_end(motion, summary);
    } catch (const Error&) {  // where it cannot be started the diagnosis is that of a plan of its own
    }
    return !asked;
  }

  std::size_t samples_alone() const { return result_.samples_each > 0 ? result_.samples_each : options_.samples; }

  Recorder& recorder_of(std::size_t motion, RowRecorder& rows) {
    if (listener_ != nullptr) return listener_->begin(motion);
    if (result_.samples_each > 0) {
      double* const first = rows_of(motion);
      std::fill(first, first + result_.samples_each * result_.columns(), not_a_number);
      rows = RowRecorder(first, result_.samples_each);
    }
    return rows;
  }

  void write_end(std::size_t motion, const MotionSummary& summary) {
    BatchEnd& end = result_.ends[motion];
    end.status = summary.status;
    end.diagnosis = summary.diagnosis;
    end.t = summary.last.t;
    end.samples = result_.samples_each > 0 ? summary.samples : 0;
    end.steps = summary.steps;
    end.residual = summary.max_residual;
    end.energy_drift = summary.energy_drift;
    write_last(motion, summary.last.q, summary.last.v);
  }

  // One of its own for parameters of its own, kept for those that follow with the same.
  const MotionPlan& plan_for(std::size_t motion) {
    if (!starts_.has_own_parameters(motion)) return plan_;
    const std::span<const double> parameters = starts_.parameters(motion);
    if (own_plan_ && std::ranges::equal(parameters, own_parameters_)) return *own_plan_;
    own_plan_.emplace(Groundwork::apart(with_parameters(plan_.model(), parameters)), plan_.options());
    own_parameters_.assign(parameters.begin(), parameters.end());
    return *own_plan_;
  }

  const MotionPlan& plan_;
  const PreparedMotion& prepared_;
  const MotionEquations& equations_;
  const Askers& askers_;
  MotionOptions options_;
  double t_end_;
  Starts starts_;
  BatchListener* listener_;
  BatchResult result_;
  std::unique_ptr<TaylorLanes> steps_;
  std::vector<double> limits_;
  std::vector<StepStatus> statuses_;
  std::vector<Lane> lanes_;
  std::size_t waiting_ = 0, busy_ = 0;
  bool formulas_are_wrong_ = false;  // by the second witness
  std::vector<std::size_t> alone_;
  State start_;
  // made when a motion has parameters of its own
  std::unique_ptr<OtherParameters> others_;
  std::optional<MotionPlan> own_plan_;
  std::vector<double> own_parameters_;
  // some regular state, for lanes without a motion
  std::vector<double> idle_state_, idle_parameters_;
  double idle_time_ = 0;
};

}  // namespace

State BatchResult::last_state(std::size_t motion) const {
  const double* const from = last.data() + motion * 2 * coordinates;
  return {ends[motion].t, {from, from + coordinates}, {from + coordinates, from + 2 * coordinates}};
}

BatchResult BatchMotion::Data::run(const BatchStarts& starts, std::size_t samples, BatchListener* listener) const {
  BatchRun run(plan, *prepared, askers, starts, samples, listener);
  return code ? run.side_by_side(*code, lanes, busy) : run.one_by_one();
}

BatchMotion::BatchMotion(const CompiledMotion& motion, unsigned lanes, unsigned busy) {
  if (!motion.options().variations.empty())
    throw Error(ErrorCode::bad_model, "motions side by side have no variations: run them one by one");
  if (lanes == 0) lanes = natural_lanes();
  if (lanes != 2 && lanes != 4 && lanes != 8)
    throw Error(ErrorCode::bad_model, "motions go side by side in 2, 4 or 8 lanes, not " + std::to_string(lanes));
  if (motion.options().method != Method::taylor) lanes = 1;
  data_ = std::make_unique<const Data>(motion, lanes, busy == 0 ? lanes : std::min(busy, lanes));
}

BatchMotion::~BatchMotion() = default;
unsigned BatchMotion::lanes() const { return data_->lanes; }

BatchResult BatchMotion::run(const BatchStarts& starts, std::size_t samples) const {
  return data_->run(starts, samples, nullptr);
}
BatchResult BatchMotion::run(const BatchStarts& starts, BatchListener& listener) const {
  return data_->run(starts, 0, &listener);
}

BatchResult BatchMotion::run(std::span<const State> starts, std::size_t samples) const {
  const std::size_t n = data_->plan.system()->size();
  std::vector<double> states, times;
  states.reserve(starts.size() * 2 * n);
  for (const State& start : starts) {
    if (start.q.size() != n || start.v.size() != n)
      throw Error(ErrorCode::bad_model, "a state has as many positions and velocities as the system has coordinates");
    states.insert(states.end(), start.q.begin(), start.q.end());
    states.insert(states.end(), start.v.begin(), start.v.end());
    times.push_back(start.t);
  }
  return run({states, times, {}}, samples);
}

}  // namespace cetaev
