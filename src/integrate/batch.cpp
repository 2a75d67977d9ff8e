#include "cetaev/integrate/batch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "cetaev/detail/codegen/native.hpp"
#include "other_parameters.hpp"
#include "plan.hpp"
#include "progress.hpp"
#include "recording.hpp"
#include "run.hpp"

namespace cetaev {

struct BatchMotion::Data {
  Data(const CompiledMotion& of, unsigned count)
      : motion(of),
        plan(of.plan()),
        prepared(plan.prepared()),
        lanes(count),
        code(prepared->code->lanes(count, plan.options().cache)) {}

  const CompiledMotion& motion;
  const MotionPlan& plan;
  std::shared_ptr<const PreparedMotion> prepared;
  unsigned lanes;
  std::unique_ptr<const MotionLanes> code;
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
  BatchRun(const MotionPlan& plan, const PreparedMotion& prepared, const MotionLanes& code, unsigned lanes,
           const BatchStarts& starts, std::size_t samples)
      : plan_(plan),
        prepared_(prepared),
        equations_(prepared.equations),
        options_(plan.options()),
        t_end_(options_.t_end),
        starts_(plan, starts),
        steps_(code.taylor()),
        limits_(lanes),
        statuses_(lanes) {
    options_.keep_going = nullptr;  // that is a question of a single motion
    result_.coordinates = equations_.system()->size();
    result_.samples_each = samples;
    result_.ends.resize(starts_.size());
    result_.last.resize(starts_.size() * 2 * result_.coordinates);
    result_.samples.assign(starts_.size() * samples * result_.columns(), not_a_number);
    lanes_.reserve(lanes);
    for (unsigned lane = 0; lane < lanes; ++lane) lanes_.emplace_back(equations_, steps_->lane(lane));
  }

  BatchResult operator()() {
    for (unsigned lane = 0; lane < lanes_.size(); ++lane) next(lane);
    while (busy_ > 0) {
      steps_->step(limits_, statuses_);
      for (unsigned lane = 0; lane < lanes_.size(); ++lane) {
        if (lanes_[lane].motion != nobody) look(lane);
      }
    }
    for (const std::size_t motion : alone_) run_alone(motion);
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
    // an idle lane stands where it is
    limits_[number] = steps_->lane(number).time();
    if (idle_state_.empty()) return;
    set_parameters(number, idle_parameters_);
    steps_->begin(number, idle_time_, idle_state_, idle_time_);
    limits_[number] = idle_time_;
  }

  bool begin(unsigned number, std::size_t motion) {
    starts_.read(motion, start_);
    if (start_.t == t_end_ || !equations_.jumps().empty()) return false;
    Lane& lane = lanes_[number];
    const std::span<const double> parameters = starts_.parameters(motion);
    try {
      std::vector<double> y = equations_.state(start_, plan_.lambda(start_, parameters), parameters);
      if (starts_.has_own_parameters(motion)) {
        if (!others_) others_.emplace(plan_);
        if (!others_->served(parameters, start_, y)) return false;
      }
      set_parameters(number, parameters);
      // what has been seen of another motion does not matter to this one
      lane.watch = std::make_unique<MotionWatches>(prepared_, parameters);
      MotionWatches& watch = *lane.watch;
      if (watch.projection && watch.projection->place(start_.t, y) == ManifoldProjection::Placed::nowhere) return false;
      watch.start(start_.t, y);
      if (watch.regularity.serves_badly()) return false;
      const MotionPoint& first = lane.view.at(start_.t, y, false);
      lane.E_start = first.E;
      if (result_.samples_each > 0) begin_samples(lane, motion, first);
      lane.progress = Progress(start_.t);
      steps_->begin(number, start_.t, y, t_end_);
      lane.stops = StopsAhead(prepared_.time_terms.empty()
                                  ? std::vector<double>()
                                  : prepared_.time_terms.stops(parameters, start_.t, t_end_, options_.tolerance).times);
      limits_[number] = lane.stops.limit(start_.t, t_end_);
      idle_state_ = std::move(y);
      idle_time_ = start_.t;
      idle_parameters_.assign(parameters.begin(), parameters.end());
      return true;
    } catch (const Error&) {
      return false;
    }
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
    lane.recording.emplace(options_, result_.samples_each, lane.recorder, lane.summary, first.t);
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
        stands_still(lane, step.time())) {
      leave_alone(number);
      return;
    }
    if (!watch.events.empty()) {
      for (const Crossing& crossing : watch.events.find(step)) {
        if (!equations_.system()->events[crossing.event].stop) continue;
        if (!take_samples(number, crossing.t)) return;
        step.interpolate(crossing.t, lane.y);
        finish(number, MotionStatus::event, crossing.t, lane.y);
        return;
      }
    }
    if (!take_samples(number, step.time())) return;
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

  // What a motion does that does not go on as expected is found out alone.
  void leave_alone(unsigned number) {
    alone_.push_back(lanes_[number].motion);
    next(number);
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
    end.alone = true;
    starts_.read(motion, start_);
    RowRecorder recorder;
    if (result_.samples_each > 0) {
      double* const rows = rows_of(motion);
      std::fill(rows, rows + result_.samples_each * result_.columns(), not_a_number);
      recorder = RowRecorder(rows, result_.samples_each);
    }
    try {
      const std::size_t samples = result_.samples_each > 0 ? result_.samples_each : options_.samples;
      const MotionSummary summary = Run(plan_for(motion), MotionStart{.state = start_}, recorder, samples)();
      end.status = summary.status;
      end.diagnosis = summary.diagnosis;
      end.t = summary.last.t;
      end.samples = result_.samples_each > 0 ? summary.samples : 0;
      end.steps = summary.steps;
      end.residual = summary.max_residual;
      end.energy_drift = summary.energy_drift;
      write_last(motion, summary.last.q, summary.last.v);
    } catch (const Error& error) {
      // no motion can be started here
      end.status = MotionStatus::failed;
      end.diagnosis = error;
      end.t = start_.t;
      write_last(motion, start_.q, start_.v);
    }
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
  MotionOptions options_;
  double t_end_;
  Starts starts_;
  BatchResult result_;
  std::unique_ptr<TaylorLanes> steps_;
  std::vector<double> limits_;
  std::vector<StepStatus> statuses_;
  std::vector<Lane> lanes_;
  std::size_t waiting_ = 0, busy_ = 0;
  std::vector<std::size_t> alone_;
  State start_;
  // made when a motion has parameters of its own
  std::optional<OtherParameters> others_;
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

BatchMotion::BatchMotion(const CompiledMotion& motion, unsigned lanes) {
  if (motion.options().method != Method::taylor)
    throw Error(ErrorCode::bad_model, "motions side by side are computed by the method taylor");
  if (!motion.options().variations.empty())
    throw Error(ErrorCode::bad_model, "motions side by side have no variations: run them one by one");
  if (lanes == 0) lanes = natural_lanes();
  if (lanes != 2 && lanes != 4 && lanes != 8)
    throw Error(ErrorCode::bad_model, "motions go side by side in 2, 4 or 8 lanes, not " + std::to_string(lanes));
  data_ = std::make_unique<const Data>(motion, lanes);
}

BatchMotion::~BatchMotion() = default;
unsigned BatchMotion::lanes() const { return data_->lanes; }

BatchResult BatchMotion::run(const BatchStarts& starts, std::size_t samples) const {
  return BatchRun(data_->plan, *data_->prepared, *data_->code, data_->lanes, starts, samples)();
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
