// Motions kept in memory, and recorders that pass on what they get.
#pragma once

#include <cstddef>
#include <vector>

#include "cetaev/integrate/motion.hpp"

namespace cetaev {

// Points of a motion, column by column.
struct Samples {
  std::vector<double> t, E, residual;
  std::vector<std::vector<double>> q, v, multipliers;  // one column for each coordinate or scalar constraint
  std::vector<std::vector<double>> outputs;            // and for each component of the outputs of the model

  explicit Samples(const System& system);
  void add(const MotionPoint& point);
  std::size_t size() const { return t.size(); }
  State state(std::size_t i) const;
};

// Every sample of a motion.
class SampleRecorder : public Recorder {
 public:
  explicit SampleRecorder(const System& system) : samples_(system) {}
  void sample(const MotionPoint& point) override { samples_.add(point); }
  const Samples& samples() const { return samples_; }

 private:
  Samples samples_;
};

// When each event came first and last.
class EventLog : public Recorder {
 public:
  struct Span {
    double first = 0, last = 0;
    std::size_t count = 0;
  };

  explicit EventLog(const System& system) : spans_(system->events.size()) {}
  void sample(const MotionPoint&) override {}
  bool wants_samples() const override { return false; }
  void event(std::size_t number, const MotionPoint& point) override;
  const std::vector<Span>& spans() const { return spans_; }

 private:
  std::vector<Span> spans_;
};

// Hands everything to several others. They must outlive it.
class Recorders : public Recorder {
 public:
  void add(Recorder& recorder) { recorders_.push_back(&recorder); }
  void sample(const MotionPoint& point) override;
  bool wants_samples() const override;
  void event(std::size_t number, const MotionPoint& point) override;
  bool wants_steps() const override;
  void step(double from, double to, const DenseStep& at) override;

 private:
  std::vector<Recorder*> recorders_;
};

// A Poincaré section: the points of one event as the samples of another recorder, which must outlive it.
class Section : public Recorder {
 public:
  Section(std::size_t event, Recorder& to) : event_(event), to_(&to) {}
  void sample(const MotionPoint&) override {}
  bool wants_samples() const override { return false; }
  void event(std::size_t number, const MotionPoint& point) override {
    if (number == event_) to_->sample(point);
  }

 private:
  std::size_t event_;
  Recorder* to_;
};

}  // namespace cetaev
