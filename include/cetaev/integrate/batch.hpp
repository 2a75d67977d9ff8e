// Many motions of one model, side by side in the lanes of the vector unit.
//
// Those of the method taylor: other methods have one motion after the other.
//
// Each lane has its own time and parameters and takes its own steps: only the Taylor coefficients are computed together, so that
// every motion is the one it would be alone, but for how sums are rounded. A lane that has come to its end takes the next motion.
// What cannot go on in a lane, because it meets a singular set, needs other equations or fails, is run again alone, where it gets
// its diagnosis.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cetaev/integrate/compiled_motion.hpp"

namespace cetaev {

// Where n motions begin, in flat arrays, one motion after the other.
struct BatchStarts {
  std::span<const double> states;  // n × 2·coordinates: positions, then velocities
  // n; where there are none, all begin at the time of the model's initial state.
  std::span<const double> times = {};
  // n × parameters, all of them in the order of the model, also those that it defines by others; where there are none, they have the
  // values of the model.
  std::span<const double> parameters = {};
};

// How one of the motions ended.
struct BatchEnd {
  MotionStatus status = MotionStatus::finished;
  std::optional<Error> diagnosis;  // on `singular` and `failed`
  double t = 0;                    // of the last state
  std::size_t samples = 0;         // that were taken
  std::size_t steps = 0;
  double residual = 0;      // of the constraints: at the end, or the largest where there are samples
  double energy_drift = 0;  // |E − E₀ − ∫ balance dt|, likewise
  bool alone = false;       // it was run again outside the lanes
};

// Flat arrays again.
struct BatchResult {
  std::size_t coordinates = 0;
  std::size_t samples_each = 0;  // that were asked for
  std::vector<BatchEnd> ends;    // n
  std::vector<double> last;      // n × 2·coordinates: positions and velocities of the last states reached
  // n × samples_each × columns(): t, positions, velocities, energy. Not numbers where a motion ended before.
  std::vector<double> samples;

  std::size_t size() const { return ends.size(); }
  std::size_t columns() const { return 2 * coordinates + 2; }
  // Of one motion.
  State last_state(std::size_t motion) const;
  std::span<const double> samples_of(std::size_t motion) const {
    return std::span(samples).subspan(motion * samples_each * columns(), ends[motion].samples * columns());
  }
};

// Who wants to see more of the motions than their ends.
class BatchListener {
 public:
  virtual ~BatchListener() = default;
  // The recorder of a motion from its beginning on; asked again where the motion has to begin anew, alone. There are no samples and no
  // multipliers in it: steps and events only.
  virtual Recorder& begin(std::size_t motion) = 0;
};

// Constant after construction; threads share it.
class BatchMotion {
 public:
  // 2, 4 or 8 lanes; with 0 as many as a vector of this processor holds doubles. At most `busy` of them have a motion at a time, which
  // changes no bit of any. The motion must outlive the batch.
  explicit BatchMotion(const CompiledMotion& motion, unsigned lanes = 0, unsigned busy = 0);
  ~BatchMotion();
  unsigned lanes() const;  // 1 where the method has none

  // From each start to the end of the motion's options, with so many samples of each at equal times; events that stop a motion are
  // heeded. Equations and machine code are those of the model for all values of the parameters; where these are such that they do
  // not serve, as where constraints become dependent, the motion is prepared anew and run alone. Nothing is allocated for a step or
  // a sample. Throws bad-model where the arrays do not fit each other or the model, or hold what is no finite number.
  BatchResult run(const BatchStarts& starts, std::size_t samples = 0) const;
  BatchResult run(std::span<const State> starts, std::size_t samples = 0) const;
  BatchResult run(const BatchStarts& starts, BatchListener& listener) const;

 private:
  struct Data;
  std::unique_ptr<const Data> data_;
};

}  // namespace cetaev
