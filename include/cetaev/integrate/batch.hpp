// Many motions of one model, side by side in the lanes of the vector unit.
//
// Each lane has its own time and takes its own steps: only the Taylor coefficients are computed together, so that every motion
// is the one it would be alone. A lane that has come to its end takes the next motion. What cannot go on in a lane, because it
// meets a singular set, needs other dependent velocities or fails, is run again alone, where it gets its diagnosis.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cetaev/integrate/compiled_motion.hpp"

namespace cetaev {

// How one of the motions ended.
struct BatchEnd {
  MotionStatus status = MotionStatus::finished;
  std::optional<Error> diagnosis;
  State last;
  std::size_t steps = 0;
  double residual = 0;      // of the constraints, at the end
  double energy_drift = 0;  // |E − E₀ − ∫ balance dt|, at the end
  bool alone = false;       // it was run again outside the lanes
};

// Constant after construction; threads share it.
class BatchMotion {
 public:
  // 2, 4 or 8 lanes; with 0 as many as a vector of this processor holds doubles. The motion must outlive the batch and be one
  // of the method taylor (bad-model otherwise).
  explicit BatchMotion(const CompiledMotion& motion, unsigned lanes = 0);
  ~BatchMotion();
  unsigned lanes() const;

  // From each state to the end of the motion's options; events that stop a motion are heeded, samples are not taken.
  std::vector<BatchEnd> run(std::span<const State> starts) const;

 private:
  struct Data;
  std::unique_ptr<const Data> data_;
};

}  // namespace cetaev
