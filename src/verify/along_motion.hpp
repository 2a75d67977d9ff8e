#pragma once

#include "cetaev/output/samples.hpp"
#include "cetaev/verify/model.hpp"

namespace cetaev::verify {

// The computed motion of a model, for what is claimed along it.
struct ComputedMotion {
  explicit ComputedMotion(const System& system);

  std::string form;  // of which principle the motion is: "multipliers" for all of d'Alembert–Lagrange
  SampleRecorder recorder;
  std::optional<MotionSummary> summary;
  std::optional<Error> error;  // why there is none

  const Samples& samples() const { return recorder.samples(); }
};

// That it went as far as it was to go, stayed on the constraints and balanced its energy.
VerifiedItem verify_motion(const System& system, const ComputedMotion& motion);
// [closed_form]: put into the equations of motion in balls at random times, and beside the computed motion.
std::vector<VerifiedItem> verify_closed_forms(const System& system, const ComputedMotion& motion);
// The largest departure of an integral from its first value along the motion, beside its size. Nothing without a motion.
std::optional<double> departure(const System& system, Expr integral, const ComputedMotion& motion);

}  // namespace cetaev::verify
