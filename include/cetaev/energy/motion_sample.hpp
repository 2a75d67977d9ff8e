// Accelerations and multipliers at random admissible states, in balls.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cetaev/constraint/on_set.hpp"
#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

// The motion that a principle gives at the states of an OnSet. The OnSet and the terms must outlive it.
class MotionSample {
 public:
  // The dependent velocities are the given ones, if they are as many as the rank, else those the states suggest. Of so many states at most.
  MotionSample(OnSet& set, const Terms& terms, Form form = Form::multipliers,
               const std::vector<std::size_t>& preferred = {},
               std::size_t most = std::numeric_limits<std::size_t>::max());

  struct Motion {
    const PreciseState* state;
    std::size_t setting;            // which of `settings` it belongs to
    std::vector<Ball> a;            // accelerations
    std::vector<Ball> multipliers;  // one per constraint of the model, zero for those that depend on others
    // Its accelerations lie on the branch of its state. Those of least constraint may be on another.
    bool on_its_branch = true;
    // The values of state_symbols(), a and the multipliers, as programs about motions take them.
    std::vector<Ball> inputs() const;
  };

  const std::vector<std::unique_ptr<Setting>>& settings() const { return settings_; }
  const std::vector<Motion>& motions() const { return motions_; }
  // Why there is none, when there is none.
  const std::optional<Error>& obstacle() const { return obstacle_; }

  // How many more accelerations constraints that are nonlinear in them admit beside those of least constraint, at most.
  std::size_t other_solutions() const { return other_solutions_; }

  // Is e(q, v, t, a) zero along these motions? Dₜ I for a constant of the motion I.
  Finding vanishes(Expr e) const;

 private:
  bool satisfies_all(std::span<const Expr> conditions, const Motion& motion);
  static std::vector<BallValue> with_accelerations(const Motion& motion);
  // Where constraints are nonlinear in the accelerations.
  void add_of_least_constraint(const Terms& terms, const PreciseState& state, std::size_t setting);

  OnSet& set_;
  std::vector<std::unique_ptr<Setting>> settings_;
  std::vector<Motion> motions_;
  std::optional<Error> obstacle_;
  std::size_t other_solutions_ = 0;
};

}  // namespace cetaev
