// Motions together with what lies beside them: directions that the constraints allow, carried along.
#pragma once

#include <memory>

#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/integrate/compiled_motion.hpp"

namespace cetaev {

class TangentFlow {
 public:
  TangentFlow(const System& system, MotionOptions options);

  const State& initial() const { return initial_; }
  // Of the set of admissible states, near the initial one.
  std::size_t dimension() const { return dimension_; }
  // An orthonormal basis of the directions (δq, δv) that the constraints allow at a state.
  DenseMatrix tangents(const State& at) const;

  struct Advanced {
    State from, to;  // the first one put on the constraints
    DenseMatrix directions;
    std::size_t steps = 0;
    bool interrupted = false;
  };
  // Throws the diagnosis of a motion that ends before. `also` sees the steps.
  Advanced advance(const State& from, const DenseMatrix& directions, double t_end, Recorder* also = nullptr) const;

 private:
  std::size_t n_;
  std::vector<double> parameters_;
  Program rows_;  // of the constraints on positions, then on velocities: derivatives by q and v
  std::size_t row_count_ = 0;
  State initial_;
  std::size_t dimension_ = 0;
  std::unique_ptr<const CompiledMotion> motion_;
};

// v and a at a state: how q and v change.
std::vector<double> rates_of(const Groundwork& work, const State& at);

}  // namespace cetaev
