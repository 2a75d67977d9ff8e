// What the programs of a motion take: y, t, and behind them numbers that stay.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "equations.hpp"

namespace cetaev {

class MotionInputs {
 public:
  MotionInputs(const MotionEquations& equations, std::span<const double> constants)
      : size_(equations.size()), values_(size_ + 1) {
    values_.insert(values_.end(), constants.begin(), constants.end());
  }

  // Others, as many.
  void set_constants(std::span<const double> constants) {
    std::copy(constants.begin(), constants.end(), values_.begin() + static_cast<std::ptrdiff_t>(size_) + 1);
  }

  const std::vector<double>& at(double t, std::span<const double> y) {
    std::copy(y.begin(), y.end(), values_.begin());
    values_[size_] = t;
    return values_;
  }
  const std::vector<double>& at(double t, const double* y) { return at(t, std::span(y, size_)); }

 private:
  std::size_t size_;
  std::vector<double> values_;
};

}  // namespace cetaev
