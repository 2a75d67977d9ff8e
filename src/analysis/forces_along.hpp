// What a motion asks of the equations where positions, velocities and accelerations are all known: nothing is integrated.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/formulation/terms.hpp"
#include "cetaev/model/system.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

// One instant of a motion. `v_error` is what differentiation may have done to v; empty where v is known.
struct MotionInstant {
  State state;
  std::vector<double> a, v_error;
};

// H a − b, J and φ at instants of a motion, and whether it stays on the constraints.
class ForcesAlong {
 public:
  ForcesAlong(const ForcesAlong&) = delete;  // run_ points to program_
  ForcesAlong& operator=(const ForcesAlong&) = delete;
  // Throws not-applicable where there are constraints on accelerations.
  ForcesAlong(const System& system, double tolerance);

  // Throws non-finite, with the time. Remembers the instant that is the furthest off the constraints.
  void at(const MotionInstant& instant);

  // Of the last instant.
  std::span<const double> needed() const { return part(0, n_); }  // H a − b
  std::span<const double> jacobian() const { return part(n_, k_ * n_); }
  std::span<const double> residuals() const { return part(n_ + k_ * n_, k_); }
  double energy() const { return values_.back(); }
  std::size_t constraints() const { return k_; }
  // λ of least norm with Jᵀ λ nearest to H a − b.
  std::vector<double> multipliers() const;

  // Throws inconsistent-initial-state where an instant was off the constraints by more than states of this tolerance are known to.
  void require_on_constraints(const std::string& motion) const;

 private:
  std::span<const double> part(std::size_t first, std::size_t count) const {
    return std::span<const double>(values_).subspan(first, count);
  }
  void look(const MotionInstant& instant);

  const System& system_;
  std::size_t n_, k_;
  double known_;
  std::vector<double> parameters_;
  Program program_;
  Interpreter run_;
  std::vector<double> values_;
  struct Worst {
    double relative = 0, off = 0, t = 0;
    std::size_t row = 0;
  };
  Worst worst_;

  ForcesAlong(const System& system, const Terms& terms, double tolerance);
};

}  // namespace cetaev
