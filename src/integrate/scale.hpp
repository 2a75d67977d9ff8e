// What "relative to the size of the state" means, the same for every method.
//
// The size of y_i is the largest |y_i| met so far: a coordinate that passes through zero keeps the size it had before. A
// variable that has been small all the time is measured by a small part of the largest one; that part grows when a method
// finds that the rounding errors of the right-hand side, which come from the large variables, are all it sees.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "accuracy.hpp"

namespace cetaev {

class StateScale {
 public:
  explicit StateScale(std::size_t size) : magnitude_(size, 0.0) {}

  void reset() {
    std::fill(magnitude_.begin(), magnitude_.end(), 0.0);
    largest_ = 0;
    reference_ = 1;
    fresh_ = true;
    part_ = accuracy::least_part;
  }
  void update(std::span<const double> y) {
    for (std::size_t i = 0; i < magnitude_.size(); ++i) {
      const double size = std::abs(y[i]);
      if (!(size > magnitude_[i])) continue;
      magnitude_[i] = size;
      largest_ = std::max(largest_, size);
    }
    if (fresh_) reference_ = largest_ > 0 ? 0 : 1;
    fresh_ = false;
  }

  // Positive, also while everything has been zero so far.
  // A motion that begins at zero is measured by 1 as long as it is smaller.
  double scale(std::size_t i) const { return std::max(magnitude_[i], part_ * std::max(largest_, reference_)); }
  // The same if y_i were met next.
  double scale(std::size_t i, double y) const { return std::max(scale(i), std::abs(y)); }

  // Smaller steps did not make the errors smaller as they should. False when this is as coarse as it gets.
  bool coarsen() {
    const bool finer = part_ < accuracy::greatest_part;
    part_ = std::min(10 * part_, accuracy::greatest_part);
    return finer;
  }

 private:
  std::vector<double> magnitude_;
  double largest_ = 0, reference_ = 1;
  bool fresh_ = true;
  double part_ = accuracy::least_part;
};

}  // namespace cetaev
