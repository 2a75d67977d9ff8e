// Equations that were made with the parameters of the model, at other values of these.
//
// There are no values in the equations, but some were looked at when they were made: which rows are independent, what cannot
// vanish, whether doubles will do. At values where one of these answers is another one, a motion needs equations of its own.
#pragma once

#include <span>
#include <vector>

#include "plan.hpp"

namespace cetaev {

// One object per thread. The plan must outlive it.
class OtherParameters {
 public:
  explicit OtherParameters(const MotionPlan& plan);

  // Do the prepared equations of the plan serve a motion with these parameters from this state, y in the equations, on?
  bool served(std::span<const double> parameters, const State& start, std::span<const double> y);

 private:
  const PreparedMotion& prepared_;
  Admissible admissible_;
  std::vector<std::size_t> in_jacobian_;  // parameters that J depends on
  bool may_lose_digits_;
  // the last ones that were asked about, and the answer as far as it does not depend on the state
  std::vector<double> last_;
  bool last_holds_ = true;
};

}  // namespace cetaev
