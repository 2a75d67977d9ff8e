// States at which the matrices of a kernel are looked at when it is written: the first one of the model, and others near it.
#pragma once

#include <string>
#include <vector>

#include "../integrate/plan.hpp"
#include "lines.hpp"

namespace cetaev::gpu {

// Throws bad-model: a processor can do it.
[[noreturn]] void leave_to_processor(const std::string& why);

class Examples {
 public:
  explicit Examples(const MotionPlan& plan);

  // Pivots of every linear system of a program whose inputs are y, t and what belongs to it: the parameters, or what `statics` makes of
  // them. Refuses where none serve.
  std::vector<PivotOrder> orders_of(const Program& program, const Program* statics) const;

  // As many rows as [H Aᵀ; A 0] is regular with, at the state of the model. `texts` says what is zero everywhere.
  struct Independent {
    std::vector<std::size_t> rows;
    PivotOrder order;
  };
  Independent independent_rows(const ProjectionPlan::Rows& rows, const Lines::Values& texts) const;

  // What rounding may leave of each row: powers of two, which are the same for many parameters.
  std::vector<double> rounding_in(const ProjectionPlan::Rows& rows, bool single) const;

 private:
  // q, v, t, parameters.
  std::vector<double> inputs_of_rows(const std::vector<double>& y) const;

  const MotionPlan& plan_;
  const MotionEquations& equations_;
  std::size_t size_, n_;                     // of y, with the work and without it
  std::vector<std::vector<double>> states_;  // y
};

}  // namespace cetaev::gpu
