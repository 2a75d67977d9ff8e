// What is looked at along a periodic motion, and how a place on a branch is found where something vanishes.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "cetaev/integrate/motion.hpp"

namespace cetaev {

constexpr int most_refinements = 80;
// Newton's method has come as far as doubles go when a correction is this small, in parts of the sizes.
constexpr double no_more_correction = 1e-12;

// Extremes of coordinates along a motion, found where their velocities vanish; and how far velocities reach, looked at.
class Extremes : public Recorder {
 public:
  explicit Extremes(std::size_t n) : least(2 * n, INFINITY), largest(2 * n, -INFINITY) {}
  void sample(const MotionPoint&) override {}
  bool wants_samples() const override { return false; }
  bool wants_steps() const override { return true; }
  void step(double from, double to, const DenseStep& at) override {
    constexpr int looks = 8;
    std::vector<double> v = look(at(from));
    double before = from;
    for (int k = 1; k <= looks; ++k) {
      const double t = k == looks ? to : from + (to - from) * k / looks;
      std::vector<double> next = look(at(t));
      for (std::size_t i = 0; i < v.size(); ++i)
        if (v[i] * next[i] < 0) refine(at, i, before, t, v[i]);
      v = std::move(next);
      before = t;
    }
  }

  std::vector<double> least, largest;

 private:
  std::vector<double> look(const MotionPoint& point) {
    const std::size_t n = point.q.size();
    for (std::size_t i = 0; i < n; ++i) take(i, point.q[i]), take(n + i, point.v[i]);
    return {point.v.begin(), point.v.end()};
  }
  void take(std::size_t i, double value) {
    least[i] = std::min(least[i], value);
    largest[i] = std::max(largest[i], value);
  }
  // The extreme is flat: half of the digits of its time do.
  void refine(const DenseStep& at, std::size_t i, double a, double b, double v_at_a) {
    for (int halving = 0; halving < 30; ++halving) {
      const double middle = a + (b - a) / 2;
      (at(middle).v[i] * v_at_a > 0 ? a : b) = middle;
    }
    take(i, at(b).q[i]);
  }
};

// Regula falsi with halving, for a function that may have no value: then nothing.
template <class Function>
std::optional<double> zero_between(double a, double at_a, double b, double at_b, const Function& f) {
  double weight_a = at_a, weight_b = at_b;
  int side = 0;
  for (int step = 0; step < most_refinements; ++step) {
    double middle = (a * weight_b - b * weight_a) / (weight_b - weight_a);
    if (!(middle > std::min(a, b) && middle < std::max(a, b))) middle = a + (b - a) / 2;
    if (middle == a || middle == b) break;
    const std::optional<double> here = f(middle);
    if (!here) return std::nullopt;
    if (*here == 0 || std::abs(b - a) <= no_more_correction) return middle;
    const bool like_b = (*here > 0) == (at_b > 0);
    (like_b ? b : a) = middle;
    (like_b ? at_b : at_a) = *here;
    weight_a = like_b ? (side == 1 ? weight_a / 2 : weight_a) : *here;
    weight_b = like_b ? *here : (side == -1 ? weight_b / 2 : weight_b);
    side = like_b ? 1 : -1;
  }
  return std::abs(at_a) < std::abs(at_b) ? a : b;
}

}  // namespace cetaev
