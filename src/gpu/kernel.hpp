// The source of a kernel in which every thread follows one motion: by dop853, or by steps of equal length of the classical Runge–Kutta method.
//
// A motion on the GPU is one on which nothing happens. Pivots, what stands under roots and the stopping events of the model are looked at after
// every step; where one of them comes near to zero or changes its sign, where a state cannot be put back on the constraints, or where the
// steps get too small, the motion is left alone: somebody who can tell what happens there follows it from its beginning.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "../integrate/plan.hpp"
#include "cetaev/detail/gpu/motions.hpp"

namespace cetaev::gpu {

// What becomes of a motion; from `left` on, why it was left alone, in the order of LeftAlone.
enum MotionCode : int { fresh = 0, on_its_way = 1, finished = 2, left = 3 };
constexpr int code_of(LeftAlone why) { return left + static_cast<int>(why); }

struct Kernel {
  std::string source;  // CUDA C++, of which the function is `follow`

  // Data of a motion: `fields` doubles, field f of motion m at [f * stride + m]. First the variables, then the time and the number of
  // steps, then its parameters where every motion has its own; the rest is the kernel's.
  std::size_t variables = 0, parameters = 0, fields = 0;
  std::size_t results() const { return variables + 2; }

  // Where all motions have the parameters of the model: these, and what is computed from them alone, are to be put into the variables
  // `uniform_parameters` and `uniform_statics`.
  bool own_parameters = false;
  Program statics;  // from y, t, parameters
};

struct KernelOptions {
  bool own_parameters = false;  // every motion has parameters of its own
  bool fixed_steps = false;
  bool single = false;  // in floats; with fixed steps only
};

// Throws bad-model where the motions of these equations have to be watched more closely than a kernel can. The motion's initial state is
// one of the states by which the order of pivots is chosen.
Kernel write_kernel(const MotionPlan& plan, const KernelOptions& options);

}  // namespace cetaev::gpu
