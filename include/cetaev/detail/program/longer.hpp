// Programs in numbers longer than doubles, as the processor has them: what a program loses to rounding shows in the difference.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "cetaev/program/program.hpp"

namespace cetaev {

class LongerInterpreter {
 public:
  // Digits enough to tell, and a longer number for every function of the program?
  static bool serves(const Program& program);

  explicit LongerInterpreter(const Program& program);
  // As Interpreter.
  int operator()(std::span<const double> inputs, std::span<long double> outputs);

 private:
  bool solve(const Program::System& system);

  const Program* program_;
  std::vector<long double> registers_, matrix_;
};

}  // namespace cetaev
