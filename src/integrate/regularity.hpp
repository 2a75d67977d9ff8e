// Where the mathematics of a motion ends: the quantities that must not vanish are watched along the steps.
//
//   J on the velocities:   the constraints lose rank
//   H on ker J:            the accelerations are not determined
//   √ of an expression:    no derivative where it vanishes (Appell and Hamel's particle at rest)
//
// each relative to the largest value it has had. A zero is located on the dense output.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/detail/integrate/stepper.hpp"
#include "cetaev/integrate/motion.hpp"
#include "equations.hpp"
#include "given_velocities.hpp"

namespace cetaev {

// What is to be watched, found out once; constant, shared by threads. The equations must outlive it.
class RegularityPlan {
 public:
  // What comes nearer to zero than the tolerance can tell has vanished.
  RegularityPlan(const MotionEquations& equations, const Terms& terms, double tolerance);
  ~RegularityPlan();
  // Guards are asked twice a step: in machine code, where motions are long enough for it.
  void write_guards(const MotionOptions& options);
  bool empty() const;
  // Quasi-velocities of the model may cease to determine the velocities.
  bool watches_given_velocities() const;
  // The constraints may lose rank.
  bool has_rank_to_lose() const;
  // What stands under roots and may vanish, from y, t, parameters.
  Program under_roots() const;
  // Numbers, from y, t, parameters, that are not near zero as long as nothing vanishes; null where there are none for all that is watched.
  const Program* guards() const;
  // What was found to need no watching at the parameters of the model needs none at these either, and the rows and velocities that
  // the form has chosen serve there.
  bool holds_for(std::span<const double> parameters) const;

 private:
  friend class RegularityWatch;
  struct Data;
  std::unique_ptr<Data> data_;
};

// Along one motion, with its values of the parameters. The plan must outlive it.
class RegularityWatch {
 public:
  RegularityWatch(const RegularityPlan& plan, std::span<const double> parameters);
  ~RegularityWatch();

  // Nothing can vanish, by the structure of the equations.
  bool empty() const;
  void start(double t, std::span<const double> y);
  // The largest values that the watch of the same motion has seen before.
  void inherit(const RegularityWatch& before);
  // How well quasi-velocities of the model serve; null where there are none to be watched.
  const GivenQuality* of_given() const;
  void begin_given_as(const GivenQuality& other);
  // The time within the last step at which one of the quantities vanishes.
  std::optional<double> find(const LastStep& stepper);
  // After a step that failed: are the equations about to end, and when? The last step is continued beyond its end.
  std::optional<double> near_end(const LastStep& stepper);
  // A quantity has fallen to a small part of what it was, at the last state that was looked at; and to which part.
  bool in_the_neighbourhood() const;
  double nearness() const;
  // When a quantity that has fallen so far will vanish, by the way it has fallen so far.
  std::optional<double> zero_ahead() const;
  // Is a state as near to everything that may vanish as the last one that was looked at?
  bool is_as_near(double t, std::span<const double> y);
  // So near to a zero that a projection could carry the state across it, or that a part of J is no good to divide by.
  bool close_to_zero() const;
  // So far from there that it does not come back at once.
  bool well_away() const;
  // So little is left of a quantity that no accelerations can be told; the diagnosis is about it.
  bool nearly_lost();
  // Is the set that was met or nearly lost last one where the constraints lose rank?
  bool is_of_rank() const;
  // Is it J that is losing rank, and not the inertia, where something has fallen to a small part?
  bool rank_falls() const;
  // The time within the last step from which the rows or dependent velocities in use serve badly while others would do. Beyond it
  // there may be a fold, where the constraints determine these velocities no longer, and beyond the fold a form that has solved for them is
  // on the wrong branch: nothing of the step counts from there on.
  std::optional<double> worn_at(const LastStep& stepper);
  // The same where a quantity vanishes at a time within the last step: a part of J serves badly before it.
  std::optional<double> worn_before(const LastStep& stepper, double t);
  // The same at the state of the start, where the choice was made for another state.
  bool serves_badly() const;
  // At a state where others were asked for: the quasi-velocities of the model do, and there are no others of them.
  bool given_serve_badly(double t, std::span<const double> y);
  // What the dependent velocities are solved with is as good as singular at what was measured last.
  bool lost_the_choice() const;
  // Is anything under a root that may vanish; did that vanish, where the last answer was a time, and stands it in no constraint?
  bool has_roots() const;
  bool is_a_root_beside_the_constraints() const;
  // From now on, or no longer: nobody asks about roots.
  void let_roots_vanish(bool let);
  // After a step that failed: something that divides has fallen to next to nothing at this state. Says what.
  std::optional<Error> lost_divisor(double t, std::span<const double> y);
  // What vanished, where the last answer was a time.
  Error diagnosis() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace cetaev
