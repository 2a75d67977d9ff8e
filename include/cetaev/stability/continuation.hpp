// Periodic motions along a parameter: a branch of them, followed round its folds.
//
// The unknowns are where a motion begins, on the constraints, its period and the value that is varied; they are followed by their length
// (pseudo-arclength), so that the value may turn back. What happens on the way is found and named: folds, multipliers that pass −1 (from
// there motions of twice the period branch off), branch points, pairs of multipliers that cross the unit circle.
#pragma once

#include <complex>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cetaev/stability/linearize.hpp"
#include "cetaev/stability/periodic.hpp"

namespace cetaev {

struct PeriodicBranch {
  enum class Kind {
    fold,             // the value turns back: two motions meet and are gone beyond it
    period_doubling,  // a multiplier passes −1
    branch_point,     // a multiplier passes 1 and the value goes on: another branch crosses
    neimark_sacker,   // a pair of multipliers passes the unit circle
    collision,        // two pairs meet on the unit circle and leave it
    steady            // the motion shrinks to a steady one: a Hopf point, where the branch ends
  };
  struct Point {
    double value = 0;  // of what is varied
    PeriodicMotion motion;
    double E = 0;                        // energy at its beginning
    std::vector<double> least, largest;  // of every coordinate along the motion
    std::optional<Kind> kind;            // where something happens
    std::complex<double> multiplier;     // that does, of a kind that has one
  };
  std::string name;
  std::vector<std::string> held;
  std::vector<Point> points;  // in their order along the branch
  bool closed = false;        // it comes back to its first point
  bool interrupted = false;
  // Why it has no more points before the first and behind the last: "the range ends", or what was met.
  std::string begins, ends;
  // What was seen on the way and not found: something happens between two points, and where could not be told.
  std::vector<std::string> notes;
};
std::string_view to_string(PeriodicBranch::Kind kind);

struct BranchOptions {
  MotionOptions motion;
  // A time near the period, or the period itself where time stands in the equations: an expression of parameters, as "2*pi/W", for it may
  // follow what is varied.
  std::string period;
  // What does not change along the branch: E, period, or initial values. Where quantities are conserved periodic motions come in families;
  // then as many are held as leave one motion to every value.
  std::vector<std::string> hold;
  // Told how many points there are and the value of the last; false ends the branch there.
  std::function<bool(std::size_t points, double value)> progress;
};

// Of motions with the values of `along` between its ends, from that one on which find_periodic finds at the model's own value, or at the end of the range next to it: both
// ways. There is a point at each of its values that the branch reaches, as often as it does. The name is a parameter, an initial value, E or
// period. What changes its sign by no more than its rounding has no name. Throws what find_periodic throws; unknown-name; bad-model where the motions
// form a family to each value: it says what to hold; not-applicable where there is one motion alone, which does not change with the name.
PeriodicBranch follow_periodic(const System& system, const Along& along, const BranchOptions& options);

// The value of an expression of the model's parameters, as "2*pi/W". Throws bad-model where it has none, parse-error, unknown-name.
double period_of(const System& system, const std::string& expression);

}  // namespace cetaev
