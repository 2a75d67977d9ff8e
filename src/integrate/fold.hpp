// A fold: where the constraints determine the velocities that a form has solved them for no longer, though they keep their rank.
//
//   det ∂φ/∂v_dep = 0
//
// |v| = 1 solved for y' = ±√(1 − x'²) has one at y' = 0. The motion goes through; the form, on its branch of the root, does not. Nor does it where
// quasi-velocities of the model do not determine the velocities. Watched along other equations of the same motion, which do not have it.
#pragma once

#include <optional>
#include <span>

#include "cetaev/detail/integrate/stepper.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "equations.hpp"
#include "given_velocities.hpp"
#include "inputs.hpp"

namespace cetaev {

// Of the rows and dependent velocities of `form`, or of its quasi-velocities; constant, shared by threads.
struct FoldPlan {
  FoldPlan(const MotionEquations& along, const Terms& terms, const FirstOrderSystem& form);

  const MotionEquations& along;
  std::size_t n, k;
  std::vector<std::size_t> rows, dependent;
  std::optional<GivenVelocities> given;
  Program jacobian;  // of the constraints, then of these
  Error diagnosis;
};

// Along one motion. The plan must outlive it.
class FoldWatch {
 public:
  FoldWatch(const FoldPlan& plan, std::span<const double> parameters);

  void start(double t, std::span<const double> y);
  // As in GivenQuality; null without quasi-velocities of the model.
  const GivenQuality* of_given() const { return of_given_ ? &*of_given_ : nullptr; }
  void begin_given_as(const GivenQuality& other);
  // The first fold within the last step.
  std::optional<double> find(const LastStep& step);
  // The form serves well again where the last step has led.
  bool serves() const;
  const Error& diagnosis() const { return plan_.diagnosis; }

 private:
  double look(double t, std::span<const double> y);
  double measured();

  const FoldPlan& plan_;
  Interpreter run_;
  MotionInputs inputs_;
  std::vector<double> values_, y_;
  DenseMatrix chosen_;
  PivotedQr best_, own_;
  std::optional<GivenQuality> of_given_;
  double last_ = 0, quality_ = 0;
};

}  // namespace cetaev
