// Zeros of the model's events along a step, located on the dense output.
#pragma once

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

  bool empty() const { return events_.empty(); }
  // The values at a state from which the motion begins, or begins anew.
  void start(double t, std::span<const double> y);
  // Those of the last step of the stepper, in the order of time; the vector lives until the next call.
  const std::vector<Crossing>& find(const LastStep& stepper);

 private:
  void values(double t, std::span<const double> y, std::vector<double>& into);
  double value(std::size_t event, double t, const LastStep& stepper);

  const std::vector<Event>& events_;
  Interpreter run_;
  MotionInputs inputs_;
  std::vector<double> y_, before_, after_, last_;
  std::vector<Crossing> found_;
};

}  // namespace cetaev
