// One step of a motion after another: what every method of integration offers.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace cetaev {

// y' = f(t, y), ready to run; one object per thread.
class Field {
 public:
  virtual ~Field() = default;
  virtual std::size_t size() const = 0;
  // −1, or the number of the first linear system that is singular here (then `dy` is not set).
  virtual int rates(double t, const double* y, double* dy) = 0;
  // ∂f/∂y, column by column; the same answer.
  virtual int jacobian(double t, const double* y, double* entries) = 0;
};

enum class StepStatus {
  done,
  singular,    // a linear system of the equations has no solution here
  non_finite,  // the equations gave no finite value
  too_small,   // no step that time can resolve meets the tolerance
  failed,      // the method gave up for another reason; message() says which
};

struct StepCounts {
  std::size_t steps = 0;
  std::size_t rejected = 0;
  std::size_t rhs_evaluations = 0;  // of f; for taylor, of whole series
};

// The last step of a motion, to be looked into.
class LastStep {
 public:
  virtual ~LastStep() = default;
  // The ends of the last step, and the state at the later one. Times are held more precisely than a double tells.
  virtual double previous_time() const = 0;
  virtual double time() const = 0;
  virtual std::span<const double> state() const = 0;
  // The state anywhere within the last step.
  virtual void interpolate(double t, std::span<double> y) const = 0;
  // The same to a part in a thousand of what the step changes: enough to see what is far away.
  virtual void glance(double t, std::span<double> y) const { interpolate(t, y); }
};

// A step up to a time within it.
class PartOfStep final : public LastStep {
 public:
  PartOfStep(const LastStep& step, double end, std::vector<double>& room) : step_(step), end_(end) {
    if (end == step.time()) {
      state_ = step.state();
      return;
    }
    room.resize(step.state().size());
    step.interpolate(end, room);
    state_ = room;
  }
  double previous_time() const override { return step_.previous_time(); }
  double time() const override { return end_; }
  std::span<const double> state() const override { return state_; }
  void interpolate(double t, std::span<double> y) const override { step_.interpolate(t, y); }
  void glance(double t, std::span<double> y) const override { step_.glance(t, y); }

 private:
  const LastStep& step_;
  double end_;
  std::span<const double> state_;
};

class Stepper : public LastStep {
 public:
  // Begins, or begins anew after the state was changed from outside, towards t_end (forwards or backwards).
  virtual void start(double t, std::span<const double> y, double t_end) = 0;
  // After a start: variables have been as large as this before, and are measured by it. Series, to which digits cost little, have no use for it.
  virtual void has_been(std::span<const double> /*sizes*/) {}
  // One accepted step, not beyond `limit` (between here and t_end). After anything but `done` the state is the last good one.
  virtual StepStatus step(double limit) = 0;

  virtual const StepCounts& counts() const = 0;
  // The number of the linear system that was singular.
  virtual int singular_system() const { return -1; }
  virtual const char* message() const { return ""; }
  // Rounding errors hold the steps down: a coarser tolerance from now on. False where there is none that would be worth anything.
  virtual bool ask_for_less() { return false; }
  // The tolerance in use where rounding errors forced a coarser one than was asked for; else 0.
  virtual double loosened() const { return 0; }
  // The steps are held down by stability and not by accuracy: the problem is stiff for this method.
  virtual bool stiff() const { return false; }
};

// Each takes a tolerance relative to the size of the state. The field must outlive the stepper.
// `forgives_rounding`: errors of the field, told from those of the method, are not held against a step up to ten times the tolerance. Where what they do is
// put right from outside, as on constraints, they are.
std::unique_ptr<Stepper> make_dop853(Field& field, double tolerance, bool forgives_rounding = false);
std::unique_ptr<Stepper> make_adams(Field& field, double tolerance);

// Puts y on the constraints again; returns false when it cannot.
class Projection {
 public:
  virtual ~Projection() = default;
  virtual bool project(double t, std::span<double> y) = 0;
};
// CVODE's BDF; with `projection` it projects inside the method.
std::unique_ptr<Stepper> make_bdf(Field& field, double tolerance, Projection* projection = nullptr);

}  // namespace cetaev
