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
#include <string>
#include <vector>

#include "cetaev/integrate/stepper.hpp"
#include "equations.hpp"

namespace cetaev {

class RegularityWatch {
 public:
  // What comes nearer to zero than the tolerance can tell has vanished.
  RegularityWatch(const MotionEquations& equations, const Terms& terms, double tolerance);
  ~RegularityWatch();

  // Nothing can vanish, by the structure of the equations.
  bool empty() const;
  void start(double t, std::span<const double> y);
  // The largest values that the watch of the same motion has seen before.
  void inherit(const RegularityWatch& before);
  // The time within the last step at which one of the quantities vanishes.
  std::optional<double> find(const Stepper& stepper);
  // After a step that failed: are the equations about to end, and when? The last step is continued beyond its end.
  std::optional<double> near_end(const Stepper& stepper);
  // So near to a zero that a projection could carry the state across it.
  bool close_to_zero() const;
  // The rows or dependent velocities in use serve badly here while others would do.
  bool wants_other_choice() const;
  // What vanished, where the last answer was a time.
  Error diagnosis() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace cetaev
