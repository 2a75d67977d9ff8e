// When a positive quantity that falls along a motion will be zero.
//
// Near a singular set it goes like C (T − t)^p, whatever p: linearly, or as a square root where the forces drive it. Three of
// its values give T. One that falls for ever, like an exponential or a negative power of time, has no T.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

namespace cetaev {

class Approach {
 public:
  void clear() { count_ = 0; }
  // The value met at a time; those before it that were lower are forgotten: it has risen since.
  void note(double t, double value);
  // T, in the direction of the motion beyond the last value noted.
  std::optional<double> zero() const;

 private:
  struct Mark {
    double t, value;
  };
  static constexpr std::size_t most = 16;
  // Each at most half of the one before; the last one is where the quantity is now.
  std::array<Mark, most> marks_{};
  std::size_t count_ = 0;
  Mark now_{};
};

}  // namespace cetaev
