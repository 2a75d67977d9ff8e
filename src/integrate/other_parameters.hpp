// Equations that were made with the parameters of the model, at other values of these.
//
// There are no values in the equations, but some were looked at when they were made: which rows are independent, what cannot
// vanish, whether doubles will do. At values where one of these answers is another one, a motion needs equations of its own.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "cetaev/detail/formulation/rounding.hpp"
#include "cetaev/detail/numeric/dense.hpp"
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
  // The inertia is regular at values of its parameters where it is so at those of the model: algebra may have divided by a mass.
  bool has_inertia(std::span<const double> parameters, double t, std::span<const double> y);

  std::vector<std::size_t> in_jacobian_;  // parameters that J depends on
  std::vector<std::size_t> in_inertia_;   // and ∂²L/∂v∂v
  Program inertia_;                       // from y, t, parameters; empty where none of them is in it
  std::vector<double> entries_, inputs_;
  CompleteLu lu_;
  std::optional<RoundingErrors> rounding_;  // where they may lose digits
  // the last ones that were asked about, and the answer as far as it does not depend on the state
  std::vector<double> last_;
  bool last_holds_ = true;
};

// Those who ask about other parameters, kept from one run to the next: to make one takes longer than many motions.
class Askers {
 public:
  explicit Askers(const MotionPlan& plan) : plan_(plan) {}

  std::unique_ptr<OtherParameters> lend() const {
    {
      const std::lock_guard lock(mutex_);
      if (!waiting_.empty()) {
        std::unique_ptr<OtherParameters> one = std::move(waiting_.back());
        waiting_.pop_back();
        return one;
      }
    }
    return std::make_unique<OtherParameters>(plan_);
  }
  void give_back(std::unique_ptr<OtherParameters> one) const {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(one));
  }

 private:
  const MotionPlan& plan_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<OtherParameters>> waiting_;
};

}  // namespace cetaev
