// What is seen of a motion: samples, events, and what the summary says about all of it.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "cetaev/detail/integrate/stepper.hpp"
#include "cetaev/integrate/motion.hpp"
#include "events.hpp"
#include "observer.hpp"

namespace cetaev {

// The states of the last step of a stepper, as seen from outside.
class MotionView {
 public:
  MotionView(std::unique_ptr<Observer> observer, const LastStep& step, std::size_t size)
      : observer_(std::move(observer)), step_(&step), y_(size) {}

  void set_parameters(std::span<const double> parameters) { observer_->set_parameters(parameters); }
  // Between two times next to each other, of which the second is beyond a jump, there are no values: those of the second serve, for positions and
  // velocities as they are at a time, and with the work that has been done at the second.
  void leave_out(double before, double beyond) { before_ = before, beyond_ = beyond; }

  // Within the last step; the point lives until the next call.
  const MotionPoint& at(double t, bool with_multipliers = true);
  // The same, without multipliers where there are none: an event may happen on a singular set that the motion goes through.
  const MotionPoint& at_event(double t);
  // With t, q and v alone.
  const MotionPoint& state_at(double t);
  // Of any state.
  const MotionPoint& at(double t, std::span<const double> y, bool with_multipliers = true);
  // Of d'Alembert–Lagrange at the last point, where it had multipliers that are reactions.
  std::span<const double> accelerations() { return observer_->accelerations(); }
  // And what they are the rest of, where forces and reactions cancel.
  double size_of_their_terms() const { return observer_->size_of_their_terms(); }
  // ∫ balance dt at the last point, and the point as a state.
  double work() const { return work_; }
  State state() const { return observer_->state(); }
  // The time of the last question, answered or not.
  double asked() const { return asked_; }

 private:
  bool is_left_out(double t) const { return (t - before_) * (t - beyond_) < 0; }

  std::unique_ptr<Observer> observer_;
  const LastStep* step_;
  std::vector<double> y_;
  double work_ = 0, asked_ = 0;
  double before_ = 0, beyond_ = 0;  // where it is left out
};

class Recording {
 public:
  // To an end and with so many samples as need not be those of the options.
  Recording(const MotionOptions& options, double t_end, std::size_t samples, Recorder& recorder, MotionSummary& summary,
            double t_start);

  double t_start() const { return t_start_; }
  double E_reference() const { return E_reference_; }
  // Of a Lagrangian that jumps in time.
  void energy_jumps(double by) { E_reference_ += by; }
  // The state of the beginning, and the sample that stands there.
  void begin(const MotionPoint& first);
  // Samples not beyond `end`. False when the recorder's owner wants to stop; `stopped_at` is then the time of the last one.
  bool samples(MotionView& view, double end);
  double stopped_at() const { return last_seen_.t; }
  // The next sample: is it not beyond `end`? The last one may be taken a little earlier than it should.
  double next_time() const { return next_time_; }
  bool due(double end) const { return next_ < count_ && direction_ * next_time_ <= direction_ * end; }
  void sample_at(MotionView& view, double t);
  void event(MotionView& view, const Crossing& crossing);
  // A point that is no sample.
  void note(const MotionPoint& point, double work);
  // |E − E₀ − ∫ balance dt| at the last point of the view.
  double drift(const MotionPoint& point, double work) const;
  const State& last_seen() const { return last_seen_; }

 private:
  void sample(const MotionPoint& point);
  bool is_noted(std::size_t i) const;
  double sample_time(std::size_t i) const;

  const MotionOptions& options_;
  double t_end_;
  Recorder& recorder_;
  MotionSummary& summary_;
  double t_start_, direction_;
  double E_reference_ = 0;
  std::size_t count_, next_ = 0;
  double next_time_;
  std::size_t since_question_ = 0;
  bool states_alone_;
  bool stopped_ = false;
  State last_seen_;
};

}  // namespace cetaev
