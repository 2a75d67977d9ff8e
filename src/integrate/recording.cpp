#include "recording.hpp"

#include <algorithm>
#include <cmath>

namespace cetaev {

namespace {

constexpr std::size_t samples_between_questions = 4096;
// Samples for the figures of the summary only.
constexpr std::size_t enough = 10'001;
// Where states alone are wanted, one in so many has the figures of the summary: they take ten times as long as a state.
constexpr std::size_t samples_between_figures = 64;

}  // namespace

const MotionPoint& MotionView::at(double t, bool with_multipliers) {
  if (t == step_->time()) return at(t, step_->state(), with_multipliers);
  step_->interpolate(t, y_);
  const MotionPoint& point = at(t, y_, with_multipliers);
  if (is_left_out(t)) {
    step_->interpolate(beyond_, y_);
    work_ = observer_->work(y_);
  }
  return point;
}

const MotionPoint& MotionView::at_event(double t) {
  const Observer::LackingReactions on_singular_sets(*observer_);
  return at(t);
}

const MotionPoint& MotionView::state_at(double t) {
  if (t == step_->time() || is_left_out(t)) return at(t, false);
  asked_ = t;
  step_->interpolate(t, y_);
  return observer_->state_at(t, y_);
}

const MotionPoint& MotionView::at(double t, std::span<const double> y, bool with_multipliers) {
  asked_ = t;
  work_ = observer_->work(y);
  if (!is_left_out(t)) return observer_->at(t, y, with_multipliers);
  observer_->at(beyond_, y, with_multipliers);
  return observer_->told_as(t);
}

Recording::Recording(const MotionOptions& options, double t_end, std::size_t samples, Recorder& recorder,
                     MotionSummary& summary, double t_start)
    : options_(options),
      t_end_(t_end),
      recorder_(recorder),
      summary_(summary),
      t_start_(t_start),
      direction_(t_end < t_start ? -1 : 1),
      count_(recorder.wants_samples() ? samples : std::min(samples, enough)),
      next_time_(sample_time(0)),
      states_alone_(recorder.wants_states_alone() && recorder.wants_samples()) {}

double Recording::sample_time(std::size_t i) const {
  if (count_ == 1 || i + 1 == count_) return t_end_;
  // Multiplied before it is divided: the seventh of a hundred parts of 10 is 0.7 and not its neighbour.
  const double parts = static_cast<double>(count_ - 1), all = (t_end_ - t_start_) * static_cast<double>(i);
  return t_start_ + (std::isfinite(all) ? all / parts : (t_end_ - t_start_) * (static_cast<double>(i) / parts));
}

void Recording::begin(const MotionPoint& first) {
  summary_.E_start = E_reference_ = first.E;
  note(first, 0);
  // a motion of no length has all its samples here
  while (next_ < count_ && next_time_ == t_start_) sample(first);
}

void Recording::sample(const MotionPoint& point) {
  last_seen_.t = point.t;
  last_seen_.q.resize(point.q.size());
  last_seen_.v.resize(point.v.size());
  std::ranges::copy(point.q, last_seen_.q.begin());
  std::ranges::copy(point.v, last_seen_.v.begin());
  recorder_.sample(point);
  ++summary_.samples;
  next_time_ = sample_time(++next_);
}

// Do the figures of the summary have this sample?
bool Recording::is_noted(std::size_t i) const {
  return !states_alone_ || i % samples_between_figures == 0 || i + 1 == count_;
}

void Recording::sample_at(MotionView& view, double t) {
  if (!is_noted(next_)) return sample(view.state_at(t));
  const MotionPoint& point = view.at(t);
  note(point, view.work());
  sample(point);
}

bool Recording::samples(MotionView& view, double end) {
  if (stopped_) return false;
  while (due(end)) {
    const double t = next_time_;
    sample_at(view, t);
    if (++since_question_ < samples_between_questions) continue;
    since_question_ = 0;
    stopped_ = options_.keep_going && !options_.keep_going(t);
    if (stopped_) return false;
  }
  return true;
}

void Recording::event(MotionView& view, const Crossing& crossing) {
  ++summary_.event_counts[crossing.event];
  const MotionPoint& point = view.at_event(crossing.t);
  note(point, view.work());
  recorder_.event(crossing.event, point);
}

double Recording::drift(const MotionPoint& point, double work) const { return std::abs(point.E - E_reference_ - work); }

void Recording::note(const MotionPoint& point, double work) {
  summary_.max_residual = std::max(summary_.max_residual, point.residual);
  summary_.energy_drift = std::max(summary_.energy_drift, drift(point, work));
  summary_.E_end = point.E;
}

}  // namespace cetaev
