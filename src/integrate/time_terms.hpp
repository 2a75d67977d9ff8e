// Terms of the equations in t alone, and where they vary so fast that a step could miss it.
//
// A pulse exp(−10⁴ (t − 5)²) is zero to every digit where a long step begins and where it ends. But what depends on t alone is known
// before the motion, and it is searched in balls: the time of the motion is cut until each such term is bounded closely in every part.
// Steps end where parts begin that are much shorter than others.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cetaev/program/program.hpp"
#include "equations.hpp"

namespace cetaev {

class TimeTerms {
 public:
  // Makes expressions: to be called by one thread at a time.
  explicit TimeTerms(const MotionEquations& equations);

  bool empty() const { return terms_.empty(); }

  // The last time before a term jumps and the first one beyond, as near to each other as times are told apart. A pole looks the same.
  // Where something has a cusp in time, as √|t − 1| has, and nothing jumps, only the power has a pole, and so have variations; these times are further
  // apart, so that these can be followed up to them.
  struct Jump {
    double before, beyond;
    bool of_constraints, cusp, pole;  // a term grows without bound
    // On the way to a pole: where rounding of time is still little beside the distance from it, and where what the rates add up to from there on is
    // little beside the state.
    double far = 0, near = 0;
    double middle() const { return before + (beyond - before) / 2; }
  };
  struct Stops {
    std::vector<double> times;  // in the order of the motion, none at its start
    std::vector<Jump> jumps;    // likewise
    bool searched = true;       // to the end, with what is allowed to the search
  };
  // Of a motion to this relative tolerance.
  Stops stops(std::span<const double> parameters, double t_start, double t_end, double tolerance) const;

 private:
  struct Term {
    Program program;  // g, g' from t, parameters
    bool of_constraints;
  };
  std::vector<Term> terms_;
  bool has_poles_ = false;  // at cusps: the Lagrangian depends on time, or something varies
};

// Where the steps of a motion end, as it goes on.
class StopsAhead {
 public:
  StopsAhead() = default;
  explicit StopsAhead(std::vector<double> times) : times_(std::move(times)) {}
  // The first one beyond t on the way to t_end, or t_end.
  double limit(double t, double t_end) {
    const bool back = t_end < t;
    while (next_ < times_.size() && (back ? times_[next_] >= t : times_[next_] <= t)) ++next_;
    const double stop = next_ < times_.size() ? times_[next_] : t_end;
    if (!once_ || (back ? *once_ >= t : *once_ <= t)) return stop;
    return back ? std::max(*once_, stop) : std::min(*once_, stop);
  }
  // Another one, until the next of these.
  void add(double t) { once_ = t; }

 private:
  std::vector<double> times_;
  std::size_t next_ = 0;
  std::optional<double> once_;
};

}  // namespace cetaev
