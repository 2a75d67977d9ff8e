// The work that exact algebra may spend before it gives up and leaves the question to rigorous numbers.
#pragma once

#include <stdexcept>

namespace cetaev::algebra {

// Exact algebra would become too large. Never leaves the stage.
struct Exhausted : std::runtime_error {
  Exhausted() : std::runtime_error("the expression is too large for exact algebra") {}
};

// One unit is about one product of two terms. Counted rather than timed: the answer is the same on every machine.
class Budget {
 public:
  explicit Budget(double units) : left_(units) {}
  void charge(double units) {
    left_ -= units;
    if (left_ < 0) throw Exhausted();
  }

 private:
  double left_;
};

inline constexpr double zero_test_units = 4e6;
inline constexpr double normal_form_units = 4e7;

}  // namespace cetaev::algebra
