// The work that exact algebra may spend before it gives up and leaves the question to rigorous numbers.
#pragma once

#include <stdexcept>

#include "cetaev/interruption.hpp"

namespace cetaev::algebra {

// Exact algebra would become too large. Never leaves the stage.
struct Exhausted : std::runtime_error {
  Exhausted() : std::runtime_error("the expression is too large for exact algebra") {}
};

// What other work costs beside a product of two terms, measured over the formulas of the gallery.
inline constexpr double node_units = 10;   // to make or visit a node of an expression
inline constexpr double lookup_units = 2;  // to look for a term by its monomial

// One unit is about one product of two terms. Counted rather than timed: the answer is the same on every machine.
class Budget {
 public:
  explicit Budget(double units) : units_(units), left_(units) {}
  // Before the work: what cannot be paid for is not begun.
  void charge(double units) {
    if (units > left_) throw Exhausted();
    may_end_here(1 + units / node_units);
    left_ -= units;
  }
  double left() const { return left_; }
  double spent() const { return units_ - left_; }

 private:
  double units_, left_;
};

inline constexpr double zero_test_units = 4e6;
inline constexpr double normal_form_units = 4e7;

}  // namespace cetaev::algebra
