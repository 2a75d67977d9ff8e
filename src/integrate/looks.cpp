#include "looks.hpp"

namespace cetaev {

std::optional<NativeProgram> code_for_looks(const Program& program, double looks_into_a_step,
                                            const MotionEquations& equations, const MotionOptions& options) {
  // An operation takes about 10 µs to write, and 2 to 3 ns less each time. What is written is kept in the cache.
  constexpr std::size_t looks_that_pay = 3000;
  if (program.instructions().empty() || options.backend != Backend::jit ||
      looks_into_a_step * equations.steps() < static_cast<double>(looks_that_pay))
    return std::nullopt;
  return NativeProgram(program, NativeOptions{.lanes = 1, .cache = options.cache});
}

}  // namespace cetaev
