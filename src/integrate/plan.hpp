// What is constant about the motions of a system: made once, shared by all runs.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cetaev/integrate/motion.hpp"
#include "equations.hpp"
#include "events.hpp"
#include "field.hpp"
#include "fold.hpp"
#include "narrow.hpp"
#include "observer.hpp"
#include "projection.hpp"
#include "regularity.hpp"
#include "time_terms.hpp"
#include "witness.hpp"

namespace cetaev {

// What is done to equations before they are followed.
enum class Algebra { as_is_worth, none, all, everywhere };  // the last: none, in a basis that serves everywhere
struct Effort {
  Effort(Algebra a = Algebra::as_is_worth) : algebra(a) {}  // NOLINT(google-explicit-constructor)
  // As many steps are worth, of which a motion on its way knows better than its first pace.
  static Effort worth(double steps) {
    Effort effort;
    effort.steps = steps;
    return effort;
  }
  Algebra algebra;
  std::optional<double> steps;
};

// The equations for one choice of rows and dependent velocities, with everything that belongs to them.
struct PreparedMotion {
  PreparedMotion(const System& system, const Terms& terms, Admissible& admissible, const AdmissibleState& at,
                 const MotionOptions& options, std::span<const Expr> jumps_at, const Effort& effort = {});
  // What follows the equations refers to them.
  PreparedMotion(const PreparedMotion&) = delete;
  PreparedMotion& operator=(const PreparedMotion&) = delete;

  // Does anybody else know the accelerations along these equations? Of principles that are not d'Alembert–Lagrange, for the model's own values.
  bool has_witness(std::span<const double> parameters) const {
    return reaction || (own_steps && std::ranges::equal(parameters, equations.parameters()));
  }

  MotionEquations equations;
  std::unique_ptr<const Multipliers> reaction;
  std::unique_ptr<const OwnSteps> own_steps;         // of another principle
  bool branches;                                     // as have_branches() says
  std::unique_ptr<const ProjectionPlan> projection;  // null where nothing can leave the constraints
  RegularityPlan regularity;
  std::optional<FoldPlan> fold;  // of another form, in whose place these equations are followed for a while
  Program events;
  std::vector<Event> jumps;  // zeros of what vanishes where the equations jump
  Program at_jumps, across_jumps;
  Program jumps_varied;  // by what varies, times w
  // Where there are events that stop and something varies: the events by what varies, times w; events and velocities with their rates.
  Program stops_varied, across_stops;
  NarrowPlan narrow;
  TimeTerms time_terms;
  Program lagrangian_and_momenta;  // where there may be jumps
  Method method;                   // given, or the one that takes least
  std::unique_ptr<const MotionCode> code;
  std::unique_ptr<const ObserverCode> observing;  // null where the interpreter will do
  double seconds = 0;                             // that all this took
};

// What one motion along these equations has for itself, whoever takes its steps: its values of the parameters, its way back to
// the constraints, and what is watched on the way. The equations must outlive it.
struct MotionWatches {
  explicit MotionWatches(const PreparedMotion& prepared) : MotionWatches(prepared, prepared.equations.parameters()) {}
  MotionWatches(const PreparedMotion& prepared, std::span<const double> parameters);

  void start(double t, std::span<const double> y);
  // What those of the same motion have seen before, by other equations.
  void inherit(const MotionWatches& before);
  // Has a state drifted so far off the constraints that it should be put back? Close to a singular set, where a projection could
  // carry it across, only for gross errors.
  bool off_constraints(double residual, double tolerance) const;

  std::optional<ManifoldProjection> projection;  // where something can leave the constraints
  RegularityWatch regularity;
  std::optional<FoldWatch> fold;
  EventWatch events;
  std::optional<EventWatch> jumps;    // where there are any
  std::optional<NarrowWatch> narrow;  // likewise

 private:
  std::vector<double> sides_;  // of the jumps
};

class MotionPlan {
 public:
  MotionPlan(Groundwork work, const MotionOptions& options);

  // As it was given, and in a scratch copy for the plan, with the sides of jumps behind its parameters.
  const System& model() const { return model_; }
  const System& system() const { return work_.system(); }
  // With the method that was chosen, where none was given.
  const MotionOptions& options() const { return options_; }
  bool chooses_method() const { return chooses_method_; }
  const State& initial() const { return initial_.state; }
  // How it varies: δq and δv, one variation of the options after the other.
  const std::vector<double>& initial_changes() const { return initial_changes_; }
  // The initial multipliers of the vakonomic equations at a state; the same at other values of the parameters.
  std::vector<double> lambda(const State& at) const;
  std::vector<double> lambda(const State& at, std::span<const double> parameters) const;

  // Throws non-finite where the equations of motion have no values. Slow, for those who have met a problem.
  void require_finite(const State& at) const;
  // What d'Alembert–Lagrange has against a state: nothing where there are accelerations.
  std::optional<Error> problem_at(const State& at) const;

  // The equations made for the initial state; for another one, where these serve badly.
  const std::shared_ptr<const PreparedMotion>& prepared() const { return prepared_; }
  std::shared_ptr<const PreparedMotion> prepare(const AdmissibleState& at, std::span<const double> sides) const;
  // Never those of before: without the algebra that makes them shorter, for where numbers in them become too large; with all of it; or with what
  // the rest of the motion is worth.
  std::shared_ptr<const PreparedMotion> prepare_anew(const AdmissibleState& at, std::span<const double> sides,
                                                     const Effort& effort) const;
  // In multipliers and for Taylor's method, whichever the motion goes by.
  std::shared_ptr<const PreparedMotion> prepare_series(const AdmissibleState& at, std::span<const double> sides) const;
  // Equations of the same motion without dependent velocities, for where those of a form serve badly; with an eye on the folds of these
  // equations, where some are given.
  std::shared_ptr<const PreparedMotion> prepare_instead(const AdmissibleState& at, std::span<const double> sides,
                                                        const PreparedMotion* of) const;

 private:
  void separate_jumps();
  Groundwork& work_on(std::span<const double> sides) const;
  std::shared_ptr<PreparedMotion> make(const AdmissibleState& at, std::span<const double> sides,
                                       const MotionOptions& options, const Effort& effort) const;
  std::shared_ptr<const PreparedMotion> prepare(const AdmissibleState& at, std::span<const double> sides,
                                                const MotionOptions& options, const PreparedMotion* instead_of) const;

  System model_;
  // by one thread at a time
  mutable Groundwork work_;
  mutable std::vector<std::pair<std::vector<double>, Groundwork>> on_other_sides_;
  // Equations made before: motions come back to the same choice of rows and dependent velocities.
  struct Made {
    std::vector<double> sides;
    std::optional<Form> form;
    std::shared_ptr<const PreparedMotion> prepared;
  };
  std::shared_ptr<const PreparedMotion> made_before(const AdmissibleState& at, std::span<const double> sides,
                                                    const MotionOptions& options, Groundwork& work) const;
  static bool serves(const PreparedMotion& prepared, const Setting& setting, const State& at);
  mutable std::vector<Made> made_;
  std::vector<Expr> jumps_;    // what vanishes where the equations jump
  std::vector<double> sides_;  // of the initial state
  MotionOptions options_;
  bool chooses_method_;
  AdmissibleState initial_;
  std::vector<double> initial_changes_;
  std::shared_ptr<const PreparedMotion> prepared_;
};

}  // namespace cetaev
