// Zeros of the model's events along a step, located on the dense output.
//
// An event that touches zero happens once, at its extremum, where it is zero for all that a state can be known by, ten digits at whatever tolerance;
// zeros between which it is everywhere within twice of that are one touch, or one crossing. Touching is no crossing: events with a direction do not happen there.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "cetaev/detail/integrate/stepper.hpp"
#include "equations.hpp"
#include "inputs.hpp"

namespace cetaev {

struct Crossing {
  std::size_t event;
  double t;
};

// The values of the model's events from y, t, parameters.
Program event_program(const MotionEquations& equations);

// Along one motion. The equations and the program must outlive it.
class EventWatch {
 public:
  EventWatch(const MotionEquations& equations, const Program& program, std::span<const double> parameters);
  // Of other events than those of the model, which the program computes; without those that touch.
  EventWatch(const std::vector<Event>& events, const MotionEquations& equations, const Program& program,
             std::span<const double> parameters);

  bool empty() const { return events_.empty(); }
  // The values at a state from which the motion begins, or begins anew.
  void start(double t, std::span<const double> y);
  // From there on as the watch that has come to this state: what it has counted is not counted again.
  void inherit(const EventWatch& before) {
    last_ = before.last_;
    near_ = before.near_;
  }
  // The state lies on these sides of zero, whatever rounding says: ±1 each.
  void start_beside(double t, std::span<const double> y, std::span<const double> sides);
  // Those of the last step of the stepper, in the order of time; the vector lives until the next call.
  const std::vector<Crossing>& find(const LastStep& stepper);

 private:
  // Values of one event at 0, 1/4, …, 1 of a piece of the step.
  using Samples = std::array<double, 5>;

  void values(double t, std::span<const double> y, std::vector<double>& into);
  double value(std::size_t event, double t, const LastStep& stepper);
  // Halves a piece until the event happens once in it at most.
  void walk(std::size_t event, double t0, double t1, const Samples& f, int halvings, const LastStep& stepper,
            std::optional<double> known_elsewhere = {});
  void compare_ends(std::size_t event, double t0, double t1, double f1, const LastStep& stepper);
  // Of the zeros that were met those that happen, and those that touch.
  void settle(std::size_t event, const LastStep& stepper);
  void settle_near_zero(std::size_t event, const LastStep& stepper);
  void find_touch(std::size_t event, double from, double to, double nothing, const LastStep& stepper);
  std::pair<std::size_t, std::size_t> zeros_between(double from, double to) const;
  double lowest(std::size_t event, double from, double to, const LastStep& stepper);
  double rounding_of(std::size_t event, double t);
  double explained(std::size_t event, double t, const LastStep& stepper);

  // Which side of zero an event was on when it was last known to be on one, and whether something has been counted since.
  struct Near {
    int side = 0;
    bool counted = true;
    bool reached = false;  // zero, for all that is known
    double away = 0;       // the largest value since then, which may be on a side or not
  };
  static Near beyond(double f) { return {f > 0 ? 1 : f < 0 ? -1 : 0, false, false, std::isnan(f) ? 0 : f}; }
  struct Look {
    double t, f;
  };
  struct Zero {
    double t;
    int from;  // the sign before it
  };

  const std::vector<Event>& events_;
  const Program& program_;
  Interpreter run_;
  MotionInputs inputs_;
  bool may_touch_ = false;
  std::vector<double> y_, after_;
  std::vector<double> last_;                    // at the end of what was looked at, not zero where a zero was counted
  std::vector<std::vector<double>> looks_;      // at equal parts of the step
  std::vector<std::vector<double>> elsewhere_;  // once more in each piece
  double size_ = 0;                             // of the event at hand, in the step
  int looks_left_ = 0;
  std::vector<Zero> met_;    // of the event at hand
  std::vector<Look> trail_;  // all looks at it in the step, but those elsewhere
  std::vector<Near> near_;   // at the end of what was looked at
  std::vector<Crossing> found_;
};

}  // namespace cetaev
