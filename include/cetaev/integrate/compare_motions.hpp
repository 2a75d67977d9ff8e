// Two principles along the motion from the same start: do they part, and when?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/integrate/motion.hpp"

namespace cetaev {

// Largest |difference| of positions, or of velocities, and where.
struct MotionDifference {
  double largest = 0;
  double t = 0;
  std::size_t coordinate = 0;
};

// The largest difference of two states relative to the size of both (or to 1); what is larger than before goes into `position` and `velocity`, with
// the time, where these are wanted.
double difference_of(const State& first, const State& second, MotionDifference* position = nullptr,
                     MotionDifference* velocity = nullptr);

struct MotionComparison {
  Form first = Form::multipliers, second = Form::multipliers;
  double threshold = 0;  // relative to the size of the state (or to 1)
  double t_end = 0;      // up to which both have a motion
  MotionDifference position, velocity;
  // The time at which the relative difference of positions or velocities first passes the threshold.
  std::optional<double> part_at;
  MotionSummary first_summary, second_summary;
  bool agree() const { return !part_at; }
};

// Each of the options but `form`; the differences are looked for at `samples` times. Throws as run_motion.
MotionComparison compare_motions(const System& system, Form first, Form second, const MotionOptions& options,
                                 double threshold = 1e-8);

}  // namespace cetaev
