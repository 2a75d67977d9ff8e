// A motion made ready once, to be run any number of times and by any number of threads.
//
// What is constant is here: equations, machine code, what is watched and how states are put back on the constraints. What a run
// changes it has for itself.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/integrate/motion.hpp"

namespace cetaev {

class MotionPlan;
class Askers;

// Another beginning, and perhaps another end, than the model and the options give.
struct MotionStart {
  State state;                    // its time included
  std::optional<double> t_end{};  // where not that of the options
  // δq and δv of each of the variations; where there are none, those of the model's initial state.
  std::vector<double> changes{};
};

class CompiledMotion {
 public:
  // Throws as run_motion.
  CompiledMotion(const System& system, const MotionOptions& options);
  CompiledMotion(Groundwork work, const MotionOptions& options);  // where that is there already
  ~CompiledMotion();
  CompiledMotion(CompiledMotion&&) noexcept;
  CompiledMotion& operator=(CompiledMotion&&) noexcept;

  const MotionOptions& options() const;
  // The admissible state that the model begins with.
  const State& initial() const;

  // As run_motion. Threads may call these at the same time, each with a recorder of its own; `keep_going` of the options is
  // then asked by all of them.
  MotionSummary run(Recorder& recorder) const;
  // From another state, its time included. Independent velocities are kept, or everything is put on the constraints by the
  // shortest way, as the form has it. Throws inconsistent-initial-state where that fails.
  MotionSummary run(const State& initial, Recorder& recorder) const;
  MotionSummary run(const MotionStart& start, Recorder& recorder) const;
  // With other values of the parameters, one for each in file order. Nothing where the equations made for the model's own do not serve there: a
  // motion with these is then to be made ready for itself. The recorder may have seen a part of it.
  std::optional<MotionSummary> run_with(std::span<const double> parameters, const MotionStart& start,
                                        Recorder& recorder) const;

  const MotionPlan& plan() const { return *plan_; }

 private:
  void require_fitting(const MotionStart& start) const;

  std::unique_ptr<const MotionPlan> plan_;
  std::unique_ptr<const Askers> askers_;  // about other parameters
};

}  // namespace cetaev
