// Programs that are asked once or twice in every step: what is watched along a motion.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cetaev/detail/codegen/native.hpp"
#include "cetaev/integrate/motion.hpp"
#include "equations.hpp"

namespace cetaev {

// Machine code for one that is asked so often in a step, where the motion is long enough for it.
std::optional<NativeProgram> code_for_looks(const Program& program, double looks_into_a_step,
                                            const MotionEquations& equations, const MotionOptions& options);

// Runs it by that, or by the interpreter. Both must outlive it.
class Look {
 public:
  Look(const Program& program, const std::optional<NativeProgram>& code)
      : run_(program), code_(code ? &*code : nullptr), workspace_(code ? code->workspace_size() : 0) {}
  int operator()(const std::vector<double>& inputs, std::span<double> outputs) {
    return code_ != nullptr ? (*code_)(inputs.data(), outputs.data(), workspace_.data()) : run_(inputs, outputs);
  }

 private:
  Interpreter run_;
  const NativeProgram* code_;
  std::vector<double> workspace_;
};

}  // namespace cetaev
