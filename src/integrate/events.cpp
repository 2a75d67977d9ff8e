#include "events.hpp"

#include <algorithm>
#include <cmath>

namespace cetaev {

namespace {

// Values within a step at which signs are compared: an event that happens twice between two of them goes unnoticed.
constexpr int looks_per_step = 16;
constexpr double tiny = 1e-300;

int sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

}  // namespace

Program event_program(const MotionEquations& equations) {
  std::vector<Expr> outputs;
  for (const Event& event : equations.system()->events) outputs.push_back(event.when);
  return equations.observing(outputs);
}

EventWatch::EventWatch(const MotionEquations& equations, const Program& program, std::span<const double> parameters)
    : events_(equations.system()->events),
      run_(program),
      inputs_(equations, parameters),
      y_(equations.size()),
      before_(events_.size()),
      after_(events_.size()),
      last_(events_.size()) {}

void EventWatch::values(double t, std::span<const double> y, std::vector<double>& into) {
  run_(inputs_.at(t, y), into);
}

double EventWatch::value(std::size_t event, double t, const LastStep& stepper) {
  stepper.interpolate(t, y_);
  values(t, y_, after_);
  return after_[event];
}

void EventWatch::start(double t, std::span<const double> y) {
  if (!events_.empty()) values(t, y, last_);
}

const std::vector<Crossing>& EventWatch::find(const LastStep& stepper) {
  found_.clear();
  const double begin = stepper.previous_time(), end = stepper.time();
  before_ = last_;
  double t0 = begin;
  for (int part = 1; part <= looks_per_step; ++part) {
    const double t1 = part == looks_per_step ? end : begin + (end - begin) * part / looks_per_step;
    stepper.interpolate(t1, y_);
    values(t1, part == looks_per_step ? stepper.state() : std::span<const double>(y_), last_);
    for (std::size_t i = 0; i < events_.size(); ++i) {
      // A zero at the very start of the motion is no crossing; one met exactly counts when it is left or reached.
      const int from = sign(before_[i]), to = sign(last_[i]);
      if (from == 0 || to == from) continue;
      if (events_[i].direction != 0 && events_[i].direction != -from) continue;
      double a = t0, b = t1, fa = before_[i], fb = last_[i];
      if (std::isnan(fb)) continue;  // 0/0 where it jumps: the next look tells
      // bisection with a secant now and then: to rounding, whatever the function
      for (int step = 0; fb != 0 && step < 200; ++step) {
        double t = step % 3 == 2 ? a + (b - a) / 2 : a + (b - a) * (fa / (fa - fb));
        if (!(t > std::min(a, b) && t < std::max(a, b))) t = a + (b - a) / 2;
        if (t == a || t == b) break;
        const double f = value(i, t, stepper);
        if (sign(f) == from) {
          a = t;
          fa = f;
        } else {
          b = t;
          fb = f;
        }
      }
      // At a pole both sides grow like one over the distance between them; at a zero they shrink, and at a jump they stay.
      const double of_a = std::abs(before_[i]) == tiny ? 1 : std::abs(fa / before_[i]);  // left at an exact zero
      const double growth = of_a * std::abs(fb / last_[i]);
      const double narrowed = std::abs(t1 - t0) / std::abs(b - a);
      if (fb != 0 && growth > std::sqrt(narrowed)) continue;
      found_.push_back({i, b});
    }
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (std::isnan(last_[i])) continue;
      // exactly zero has been counted: it belongs to the other side from now on
      before_[i] = last_[i] != 0 || before_[i] == 0 ? last_[i] : std::copysign(tiny, -before_[i]);
    }
    t0 = t1;
  }
  last_ = before_;
  const double direction = end < begin ? -1 : 1;
  std::stable_sort(found_.begin(), found_.end(),
                   [&](const Crossing& x, const Crossing& y) { return direction * x.t < direction * y.t; });
  return found_;
}

}  // namespace cetaev
