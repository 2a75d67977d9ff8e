// A motion of all coordinates that is given by functions of time: coordinate = f(t).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cetaev/model/system.hpp"
#include "forces_along.hpp"

namespace cetaev {

class PrescribedMotion {
 public:
  PrescribedMotion(const PrescribedMotion&) = delete;  // run_ points to program_
  PrescribedMotion& operator=(const PrescribedMotion&) = delete;

  // Of a system that was read with ModelChanges::along. Nothing where a coordinate is left to move by itself, where a function bends or jumps,
  // or where something else has a say in the motion: an event that stops it, a constraint on accelerations.
  static std::unique_ptr<PrescribedMotion> of(const System& system, double width);

  // f, f' and f'' at a time; their limits where they are 0/0. Throws non-finite.
  MotionInstant at(double t);

 private:
  PrescribedMotion(const System& system, std::vector<std::string> texts, std::vector<Expr> functions, double width);

  std::vector<double> values(double t);
  // Of the i-th output.
  std::optional<double> limit(double t, std::size_t i);

  std::vector<std::string> texts_;  // of the equations
  double width_;                    // how far apart the points are, at most, by which a limit is found
  std::vector<double> inputs_;      // t, then the parameters
  Program program_;
  Interpreter run_;
};

}  // namespace cetaev
