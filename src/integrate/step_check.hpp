// Whether a step of Taylor's method holds what its series promised.
//
// The coefficients of a series tell nothing of what is below rounding where the step begins: a wall that repels like exp(−200 x)
// does not exist a metre above it, a jump of atan2 never. So the polynomial is put into the equations at the end of the step
// and between: |f(p(s)) − p'(s)|, over the length of the step, is an error that it would make.
//
// Equations of sums, products, quotients, roots, sines and cosines alone show what they contain: there only steps much longer
// than the one before are looked at, which may come from terms that vanish by symmetry.
#pragma once

#include <vector>

#include "accuracy.hpp"
#include "cetaev/detail/integrate/stepper.hpp"
#include "cetaev/detail/series/series.hpp"

namespace cetaev {

// One trajectory of several side by side: c_k of variable i at c[(k * size + i) * stride].
struct StepPolynomial {
  const double* c;
  std::size_t size, stride;
  unsigned order;

  // y and y' at this time from the start of the step.
  void at(double h, double* y, double* dy) const;
};

class StepCheck {
 public:
  StepCheck(const SeriesProgram& series, double tolerance);

  // Whether a step is to be looked at; `usual` is the length of the step before, or zero.
  bool wants(double length, double usual) const { return (hides_ || length > accuracy::unusual * usual) && length > 0; }
  // The length of a step from t, not above `length`, up to which the polynomial solves the equations, given here again apart from
  // their series. `weight` is one over the size of each variable.
  double verified(Field& field, double t, double direction, double length, double usual,
                  const StepPolynomial& polynomial, const double* weight);
  // The last step was cut to what time can resolve, so as to cross a jump of the equations.
  bool crossed() const { return crossed_; }

 private:
  double defect(double t, double h, double length, const StepPolynomial& polynomial, const double* weight);
  double first_failure(double t, double direction, double length, int points, const StepPolynomial& polynomial,
                       const double* weight);

  Field* field_ = nullptr;  // of the step that is looked at
  bool hides_;
  double limit_;
  double allowed_ = 0;  // at this step
  double turn_ = 0;     // which point between the ends is looked at
  bool crossed_ = false;
  std::vector<double> y_, slope_, rates_;
};

}  // namespace cetaev
