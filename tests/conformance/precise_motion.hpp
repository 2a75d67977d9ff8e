// The motion of a system to some 16 digits, computed otherwise than the program does it: H a = b + Jᵀλ, J a = c by Gaussian
// elimination with complete pivoting at every state, in long doubles, and extrapolated midpoint steps (Gragg, Bulirsch and
// Stoer). Nothing is projected, and no series is expanded.
#pragma once

#include <optional>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/formulation/terms.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev::conformance {

class PreciseMotion {
 public:
  using Real = long double;

  // Constraints of any order that are linear in the accelerations.
  PreciseMotion(const System& system, const Terms& terms);

  struct Outcome {
    bool reached = false;      // t_end; else a step became too short, or something was not finite
    double t = 0;              // where it ended
    std::vector<double> q, v;  // there
    double regularity = 1;     // the smallest pivot met beside the largest at its state
  };
  Outcome run(const State& from, double t_end);

 private:
  std::vector<Real> rates(Real t, const std::vector<Real>& y);
  std::vector<Real> midpoint_steps(Real t, const std::vector<Real>& y, Real length, int count);

  Program program_;
  std::vector<double> parameters_;
  std::size_t n_, k_;
  double regularity_ = 1;
};

}  // namespace cetaev::conformance
