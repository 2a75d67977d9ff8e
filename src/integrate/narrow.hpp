// Terms of the equations that are large only near some place of the state, and whether a step has passed such a place.
//
// A brake exp(−10³ (x − 5)²) is zero to every digit where a long step begins and where it ends, and the poles of 1/(1 + 10⁶ x²) are further
// from there than the step is long. But the exponent −10³ (x − 5)² and the divisor 1 + 10⁶ x² change slowly along a step, so that their
// extrema are found on it. Where a divisor falls to less than a quarter of what it was and rises again within a step, or an exponential
// rises by that, the step is taken again up to the flank, where there is half of the peak: from there the method sees it. What is under a root, high
// powers and the arguments of steps are such terms, too.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cetaev/detail/integrate/stepper.hpp"
#include "equations.hpp"
#include "inputs.hpp"
#include "looks.hpp"

namespace cetaev {

// Constant, shared by threads. The equations must outlive it.
class NarrowPlan {
 public:
  // Makes expressions: to be called by one thread at a time.
  NarrowPlan(const MotionEquations& equations, const Terms& terms, const MotionOptions& options);
  bool empty() const { return exponent_.empty(); }
  // The terms, and then their derivatives along the motion, from y, t, parameters; and which of them are exponents.
  const Program& program() const { return program_; }
  const std::vector<bool>& exponents() const { return exponent_; }

 private:
  friend class NarrowWatch;
  const MotionEquations& equations_;
  Program program_;  // what is watched, and then its derivatives along the motion
  std::optional<NativeProgram> code_;
  std::vector<bool> exponent_;
};

// Along one motion, with its values of the parameters. The plan must outlive it.
class NarrowWatch {
 public:
  NarrowWatch(const NarrowPlan& plan, std::span<const double> parameters);

  void start(double t, std::span<const double> y);
  // The time within the last step at which it should have ended, before it passed a narrow place.
  std::optional<double> flank(const LastStep& step);

 private:
  // One of the terms at one time: ln of its divisor or of one over its exponential, up to a constant, and the sign of its slope.
  struct Depth {
    double height;
    int slope;
  };
  void look(double t, std::span<const double> y, std::vector<Depth>& into);
  Depth at(std::size_t term, double t, const LastStep& step);
  std::optional<double> flank_of(std::size_t term, double falls, double rises, double highest, double begin,
                                 const LastStep& step);

  const NarrowPlan& plan_;
  std::size_t count_;
  Look run_;
  MotionInputs inputs_;
  std::vector<double> values_, y_;
  std::vector<Depth> last_, now_, one_;
  std::vector<double> highest_;
  double usual_ = 0;
};

}  // namespace cetaev
