#pragma once

#include "cetaev/analysis/workbench.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/output/samples.hpp"
#include "cetaev/verify/model.hpp"

namespace cetaev::verify {

// The constants of the motion and its energy are kept to this, beside their size.
constexpr double kept = 1e-9;

// The samples of a motion, and a few states between them at random times: what is wrong only between equal times shows there.
class MotionRecorder : public SampleRecorder {
 public:
  explicit MotionRecorder(const System& system) : SampleRecorder(system), between_(system) {}
  bool wants_steps() const override { return true; }
  void step(double from, double to, const DenseStep& at) override;
  const Samples& between() const { return between_; }

 private:
  Samples between_;
  Random random_{1};
};

// The computed motion of a model, for what is claimed along it.
struct ComputedMotion {
  explicit ComputedMotion(const Workbench& bench);

  cetaev::Form form =
      cetaev::Form::multipliers;  // of which principle the motion is: `multipliers` for all of d'Alembert–Lagrange
  MotionRecorder recorder;
  std::optional<MotionSummary> summary;
  std::optional<Error> error;  // why there is none

  const Samples& samples() const { return recorder.samples(); }
  const Samples& between() const { return recorder.between(); }
};

// That it went as far as it was to go, stayed on the constraints and balanced its energy.
VerifiedItem verify_motion(const System& system, const ComputedMotion& motion);
// [closed_form]: put into the equations of motion in balls at random times, and beside the computed motion.
std::vector<VerifiedItem> verify_closed_forms(const System& system, const ComputedMotion& motion);
// The largest departure of an integral from its first value along the motion, beside its size; infinite where it has no
// value. Nothing without a motion.
std::optional<double> departure(const System& system, Expr integral, const ComputedMotion& motion);

}  // namespace cetaev::verify
