// y' = f(t, y) of the equations of motion, run by the interpreter or as machine code.
#pragma once

#include <memory>

#include "cetaev/integrate/stepper.hpp"
#include "equations.hpp"
#include "taylor.hpp"

namespace cetaev {

// What a backend makes of the equations; constant, shared by threads. The equations must outlive it.
class MotionCode {
 public:
  virtual ~MotionCode() = default;
  virtual std::unique_ptr<Field> field() const = 0;
  virtual std::unique_ptr<Stepper> taylor() const = 0;
  virtual bool from_cache() const { return false; }
};

struct MotionCodeOptions {
  std::string backend = "jit";
  bool cache = true;
  bool taylor = true;  // series are wanted, to this tolerance
  double tolerance = 1e-14;
};

std::unique_ptr<MotionCode> make_code(const MotionEquations& equations, const MotionCodeOptions& options);

}  // namespace cetaev
