// A motion that was computed, for Python.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "cetaev/integrate/trajectory.hpp"
#include "cetaev/output/samples.hpp"
#include "cetaev/report/motion.hpp"

namespace cetaev::python {

// Times at which each event came, all of them.
class EventTimes : public Recorder {
 public:
  explicit EventTimes(const System& system) : times(system->events.size()) {}
  void sample(const MotionPoint&) override {}
  bool wants_samples() const override { return false; }
  void event(std::size_t number, const MotionPoint& point) override { times[number].push_back(point.t); }
  std::vector<std::vector<double>> times;
};

// How the samples change with what the motion is varied by: for each of these a column for each position, then for each velocity.
class VariationColumns : public Recorder {
 public:
  void sample(const MotionPoint& point) override {
    if (columns.empty()) columns.resize(point.variations.size());
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i].push_back(point.variations[i]);
  }
  bool wants_samples() const override { return false; }
  std::vector<std::vector<double>> columns;
};

// Arrays of it are its own memory, which they keep.
struct Motion {
  System system;
  MotionOptions options;
  SampleRecorder kept;
  EventLog log;
  EventTimes events;
  VariationColumns variations;
  std::string section;  // the event whose states are the samples; empty where they come at equal times
  std::string out;      // the file that was written
  MotionSummary summary;

  explicit Motion(const System& model) : system(model), kept(model), log(model), events(model) {}
  const Samples& samples() const { return kept.samples(); }
  MotionRecord record() const;
  // Computed when somebody first asks between the samples: the same motion again, as polynomials. Any thread may ask.
  const Trajectory& trajectory();

 private:
  std::once_flag once_;
  std::optional<Trajectory> dense_;
};

}  // namespace cetaev::python
