// Does a motion get on?
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>

#include "accuracy.hpp"

namespace cetaev {

// A motion that would take for ever at this pace, in thousands of steps which change nothing, stands still. One that has far to
// go only does not.
class Progress {
 public:
  explicit Progress(double t) : mark_(t), creep_mark_(t) {}

  // Of the next step: is anything asked? Where nothing is, it may pass.
  bool asks_next() const { return (steps_ + 1) % (many / 4) == 0; }
  void pass() { ++steps_; }
  // After a step that led to t. Asked once in many steps: zero() for the time at which a singular set is to be reached, if one
  // is near; length() for the time that the motion is to last, or in which the state changes.
  template <class Zero, class Length>
  bool made(double t, const Zero& zero, const Length& length) {
    if (++steps_ % (many / 4) != 0) return true;
    const std::optional<double> ahead = zero();
    creeps_ =
        moved_since(creep_mark_, t, ahead ? accuracy::creeping_to_a_set * std::abs(*ahead - t) : 0) ? 0 : creeps_ + 1;
    if (creeps_ > 1) return false;
    if (steps_ < many) return true;
    steps_ = 0;
    return moved_since(mark_, t, accuracy::creeping * length());
  }

 private:
  static constexpr std::size_t many = 4096;  // steps

  static bool moved_since(double& mark, double t, double length) {
    const bool moved = std::abs(t - mark) > length;
    mark = t;
    return moved;
  }

  double mark_, creep_mark_;
  std::size_t steps_ = 0, creeps_ = 0;
};

}  // namespace cetaev
