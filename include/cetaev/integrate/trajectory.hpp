// A motion as a function of time: any state of it, not only the samples.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cetaev/integrate/motion.hpp"

namespace cetaev {

class CompiledMotion;

// Positions and velocities by polynomials, to the accuracy of the integration. A value: it needs neither the system nor the
// integrator any more, and any number of threads may read it.
class Trajectory {
 public:
  double t_begin() const { return t_begin_; }
  double t_end() const { return t_end_; }
  // Between the two; throws bad-model for a time beyond them.
  State at(double t) const;
  // The same without a vector of its own: positions, then velocities.
  void at(double t, std::span<double> q_and_v) const;
  std::size_t coordinates() const { return coordinates_; }
  // How the motion went; on `singular`, `event` and `failed` it ends before the time that was asked for.
  const MotionSummary& summary() const { return summary_; }
  std::size_t pieces() const { return ends_.size(); }

 private:
  friend class TrajectoryRecorder;
  friend Trajectory compute_trajectory(const System& system, const MotionOptions& options);
  friend Trajectory compute_trajectory(const CompiledMotion& motion, const State& from);

  double t_begin_ = 0, t_end_ = 0;
  std::size_t coordinates_ = 0;
  std::vector<double> begins_, ends_;  // of the pieces
  std::vector<double> values_;         // of q and v at the nodes of each piece, node by node
  std::vector<double> first_;          // q and v at the beginning
  MotionSummary summary_;
};

// As run_motion; the samples of the options do not matter.
Trajectory compute_trajectory(const System& system, const MotionOptions& options);
// Of a motion that is made ready, from another state.
Trajectory compute_trajectory(const CompiledMotion& motion, const State& from);

}  // namespace cetaev
