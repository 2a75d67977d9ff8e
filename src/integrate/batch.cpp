#include "cetaev/integrate/batch.hpp"

#include <cmath>
#include <string>

#include "cetaev/detail/codegen/native.hpp"
#include "plan.hpp"
#include "progress.hpp"

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

class Silent final : public Recorder {
 public:
  void sample(const MotionPoint&) override {}
  bool wants_samples() const override { return false; }
};

// One run of a batch.
class BatchRun {
 public:
  BatchRun(const CompiledMotion& motion, const PreparedMotion& prepared, const MotionLanes& code, unsigned lanes,
           std::span<const State> starts)
      : motion_(motion),
        prepared_(prepared),
        equations_(prepared.equations),
        t_end_(motion.options().t_end),
        starts_(starts),
        ends_(starts.size()),
        observer_(equations_, nullptr),
        steps_(code.taylor()),
        limits_(lanes),
        statuses_(lanes),
        lanes_(lanes) {}

  std::vector<BatchEnd> operator()() {
    for (unsigned lane = 0; lane < lanes_.size(); ++lane) next(lane);
    while (busy_ > 0) {
      steps_->step(limits_, statuses_);
      for (unsigned lane = 0; lane < lanes_.size(); ++lane) {
        if (lanes_[lane].motion != nobody) look(lane);
      }
    }
    for (const std::size_t motion : alone_) run_alone(motion);
    return std::move(ends_);
  }

 private:
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

  struct Lane {
    std::size_t motion = nobody;
    std::unique_ptr<MotionWatches> watch;
    Progress progress{0};
    double E_start = 0;
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
    steps_->begin(number, idle_time_, idle_state_, idle_time_);
    limits_[number] = idle_time_;
  }

  bool begin(unsigned number, std::size_t motion) {
    const State& start = starts_[motion];
    const std::size_t n = equations_.system()->size();
    if (start.q.size() != n || start.v.size() != n)
      throw Error(ErrorCode::bad_model, "a state has as many positions and velocities as the system has coordinates");
    if (start.t == t_end_) return false;
    Lane& lane = lanes_[number];
    try {
      std::vector<double> y = equations_.state(start, motion_.plan().lambda(start));
      // what has been seen of another motion does not matter to this one
      lane.watch = std::make_unique<MotionWatches>(prepared_);
      MotionWatches& watch = *lane.watch;
      if (watch.projection && watch.projection->place(start.t, y) == ManifoldProjection::Placed::nowhere) return false;
      watch.start(start.t, y);
      if (watch.regularity.serves_badly()) return false;
      lane.E_start = observer_.at(start.t, y, false).E;
      lane.progress = Progress(start.t);
      steps_->begin(number, start.t, y, t_end_);
      limits_[number] = t_end_;
      idle_state_ = std::move(y);
      idle_time_ = start.t;
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  void look(unsigned number) {
    Lane& lane = lanes_[number];
    MotionWatches& watch = *lane.watch;
    const LastStep& step = steps_->lane(number);
    if (statuses_[number] != StepStatus::done || watch.regularity.find(step) || watch.regularity.wants_other_choice() ||
        stands_still(lane, step.time())) {
      leave_alone(number);
      return;
    }
    if (!watch.events.empty()) {
      for (const Crossing& crossing : watch.events.find(step)) {
        if (!equations_.system()->events[crossing.event].stop) continue;
        std::vector<double> y(equations_.size());
        step.interpolate(crossing.t, y);
        finish(number, MotionStatus::event, crossing.t, y);
        return;
      }
    }
    if (watch.projection) {
      const double residual = watch.projection->relative_residual(step.time(), step.state());
      if (watch.off_constraints(residual, motion_.options().tolerance)) {
        std::vector<double> y(step.state().begin(), step.state().end());
        if (!watch.projection->project(step.time(), y)) {
          leave_alone(number);
          return;
        }
        steps_->restart(number, step.time(), y, t_end_);
      }
    }
    if (step.time() == t_end_) finish(number, MotionStatus::finished, t_end_, step.state());
  }

  // What a motion does that does not go on as expected is found out alone.
  void leave_alone(unsigned number) {
    alone_.push_back(lanes_[number].motion);
    next(number);
  }

  bool stands_still(Lane& lane, double t) const {
    return !lane.progress.made(
        t, [] { return std::optional<double>(); }, [&] { return std::abs(t_end_ - starts_[lane.motion].t); });
  }

  void finish(unsigned number, MotionStatus status, double t, std::span<const double> y) {
    Lane& lane = lanes_[number];
    try {
      const MotionPoint& point = observer_.at(t, y, false);
      BatchEnd& end = ends_[lane.motion];
      end.status = status;
      end.last = observer_.state();
      end.steps = steps_->counts(number).steps;
      end.residual = point.residual;
      end.energy_drift = std::abs(point.E - lane.E_start - observer_.work(y));
    } catch (const Error&) {
      alone_.push_back(lane.motion);
    }
    next(number);
  }

  void run_alone(std::size_t motion) {
    BatchEnd& end = ends_[motion];
    end.alone = true;
    Silent silent;
    try {
      MotionSummary summary = motion_.run(starts_[motion], silent);
      end.status = summary.status;
      end.diagnosis = summary.diagnosis;
      end.last = summary.last;
      end.steps = summary.steps;
      end.residual = summary.max_residual;
      end.energy_drift = summary.energy_drift;
    } catch (const Error& error) {
      // no motion can be started here
      end.status = MotionStatus::failed;
      end.diagnosis = error;
      end.last = starts_[motion];
    }
  }

  const CompiledMotion& motion_;
  const PreparedMotion& prepared_;
  const MotionEquations& equations_;
  double t_end_;
  std::span<const State> starts_;
  std::vector<BatchEnd> ends_;
  Observer observer_;
  std::unique_ptr<TaylorLanes> steps_;
  std::vector<double> limits_;
  std::vector<StepStatus> statuses_;
  std::vector<Lane> lanes_;
  std::size_t waiting_ = 0, busy_ = 0;
  std::vector<std::size_t> alone_;
  // some regular state, for lanes without a motion
  std::vector<double> idle_state_;
  double idle_time_ = 0;
};

}  // namespace

BatchMotion::BatchMotion(const CompiledMotion& motion, unsigned lanes) {
  if (motion.options().method != Method::taylor)
    throw Error(ErrorCode::bad_model, "motions side by side are computed by the method taylor");
  if (lanes == 0) lanes = natural_lanes();
  if (lanes != 2 && lanes != 4 && lanes != 8)
    throw Error(ErrorCode::bad_model, "motions go side by side in 2, 4 or 8 lanes, not " + std::to_string(lanes));
  data_ = std::make_unique<const Data>(motion, lanes);
}

BatchMotion::~BatchMotion() = default;
unsigned BatchMotion::lanes() const { return data_->lanes; }

std::vector<BatchEnd> BatchMotion::run(std::span<const State> starts) const {
  return BatchRun(data_->motion, *data_->prepared, *data_->code, data_->lanes, starts)();
}

}  // namespace cetaev
