// Programs that are run many times while some of their inputs stay.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "cetaev/program/program.hpp"

namespace cetaev {

// An interpreter that finds out: once the inputs behind the first `moving` ones have stayed for many runs, what these determine alone is
// computed when they change, and not in every run. The same operations on the same numbers: the results are those of Interpreter to
// the last bit. The program must outlive it.
class SteadyInterpreter {
 public:
  SteadyInterpreter(const Program& program, std::size_t moving);
  ~SteadyInterpreter();
  SteadyInterpreter(SteadyInterpreter&&) noexcept;

  // False where a linear system is singular here; then the outputs are not set.
  bool operator()(std::span<const double> inputs, std::span<double> outputs);

 private:
  struct Apart;

  const Program* program_;
  std::size_t moving_, runs_ = 0;
  Interpreter whole_;
  std::vector<double> steady_;    // those that stayed
  std::unique_ptr<Apart> apart_;  // once it is worth while
};

}  // namespace cetaev
