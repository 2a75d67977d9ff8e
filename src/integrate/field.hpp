// y' = f(t, y) of the equations of motion, run by the interpreter or as machine code.
#pragma once

#include <memory>

#include "cetaev/detail/integrate/stepper.hpp"
#include "cetaev/integrate/choices.hpp"
#include "equations.hpp"
#include "taylor.hpp"

namespace cetaev {

// Code for several motions side by side; constant, shared by threads. Every lane begins with the parameters of the model.
class MotionLanes {
 public:
  virtual ~MotionLanes() = default;
  virtual std::unique_ptr<TaylorLanes> taylor() const = 0;
};

// What a backend makes of the equations, with no values of parameters in it; constant, shared by threads. The equations must
// outlive it.
class MotionCode {
 public:
  virtual ~MotionCode() = default;
  // With the parameters of the model, or with others. Throws singular-mass-matrix where these leave a linear system of their own
  // without a solution.
  virtual std::unique_ptr<Field> field() const = 0;
  virtual std::unique_ptr<Field> field(std::span<const double> parameters) const = 0;
  virtual std::unique_ptr<Stepper> taylor(std::span<const double> parameters) const = 0;
  // For 2, 4 or 8 motions; of machine code whatever the backend. This object must outlive it.
  virtual std::unique_ptr<MotionLanes> lanes(unsigned count, bool cache) const = 0;
  // Is its machine code from the cache, or has it been written anew? Neither where there is none.
  virtual bool from_cache() const { return false; }
  virtual bool written_anew() const { return false; }
  // Are its series loops over tables?
  virtual bool in_tables() const { return false; }
  // Why the cache of machine code was not used though it is there, or nothing.
  virtual std::string cache_refusal() const { return {}; }
};

struct MotionCodeOptions {
  Backend backend = Backend::jit;
  bool cache = true;
  bool taylor = true;  // series are wanted, to this tolerance
  double tolerance = 1e-14;
};

// How many steps of a method lead from t to t_end at the pace of the first ones, of dop853 for all but taylor; infinitely many where these fail.
double steps_at_first_pace(Method method, const Program& rates, double t, std::span<const double> y, double t_end,
                           double tolerance, std::span<const double> parameters);

std::unique_ptr<MotionCode> make_code(const MotionEquations& equations, const MotionCodeOptions& options);

}  // namespace cetaev
