// What is constant about the motions of a system: made once, shared by all runs.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cetaev/integrate/motion.hpp"
#include "equations.hpp"
#include "events.hpp"
#include "field.hpp"
#include "fold.hpp"
#include "observer.hpp"
#include "projection.hpp"
#include "regularity.hpp"
#include "time_terms.hpp"

namespace cetaev {

// The equations for one choice of rows and dependent velocities, with everything that belongs to them.
struct PreparedMotion {
  PreparedMotion(const System& system, const Terms& terms, Admissible& admissible, const AdmissibleState& at,
                 const MotionOptions& options);
  // What follows the equations refers to them.
  PreparedMotion(const PreparedMotion&) = delete;
  PreparedMotion& operator=(const PreparedMotion&) = delete;

  MotionEquations equations;
  std::unique_ptr<const Multipliers> reaction;
  std::unique_ptr<const ProjectionPlan> projection;  // null where nothing can leave the constraints
  RegularityPlan regularity;
  std::optional<FoldPlan> fold;  // of another form, in whose place these equations are followed for a while
  Program events;
  TimeTerms time_terms;
  std::unique_ptr<const MotionCode> code;
  double seconds = 0;  // that all this took
};

// What one motion along these equations has for itself, whoever takes its steps: its values of the parameters, its way back to
// the constraints, and what is watched on the way. The equations must outlive it.
struct MotionWatches {
  explicit MotionWatches(const PreparedMotion& prepared) : MotionWatches(prepared, prepared.equations.parameters()) {}
  MotionWatches(const PreparedMotion& prepared, std::span<const double> parameters);

  void start(double t, std::span<const double> y);
  // Has a state drifted so far off the constraints that it should be put back? Close to a singular set, where a projection could
  // carry it across, only for gross errors.
  bool off_constraints(double residual, double tolerance) const;

  std::optional<ManifoldProjection> projection;  // where something can leave the constraints
  RegularityWatch regularity;
  std::optional<FoldWatch> fold;
  EventWatch events;
};

class MotionPlan {
 public:
  MotionPlan(Groundwork work, const MotionOptions& options);

  // As it was given, and in a scratch copy for the plan.
  const System& model() const { return work_.model(); }
  const System& system() const { return work_.system(); }
  const MotionOptions& options() const { return options_; }
  const State& initial() const { return initial_.state; }
  // The initial multipliers of the vakonomic equations at a state; the same at other values of the parameters.
  std::vector<double> lambda(const State& at) const;
  std::vector<double> lambda(const State& at, std::span<const double> parameters) const;

  // Throws non-finite where the equations of motion have no values. Slow, for those who have met a problem.
  void require_finite(const State& at) const;

  // The equations made for the initial state; for another one, where these serve badly.
  const std::shared_ptr<const PreparedMotion>& prepared() const { return prepared_; }
  std::shared_ptr<const PreparedMotion> prepare(const AdmissibleState& at) const;
  // Equations of the same motion without dependent velocities, for where those of a form serve badly; with an eye on the folds of these
  // equations, where some are given.
  std::shared_ptr<const PreparedMotion> prepare_instead(const AdmissibleState& at, const PreparedMotion* of) const;

 private:
  std::shared_ptr<PreparedMotion> prepare(const AdmissibleState& at, const MotionOptions& options,
                                          const PreparedMotion* instead_of) const;

  mutable Groundwork work_;  // by one thread at a time
  MotionOptions options_;
  AdmissibleState initial_;
  std::shared_ptr<const PreparedMotion> prepared_;
};

}  // namespace cetaev
