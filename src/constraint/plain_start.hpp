// The admissible state near given data where it takes no search: a state that is admissible as it is given, or one whose velocities follow
// from linear equations that are far from singular.
#pragma once

#include <span>
#include <vector>

#include "cetaev/constraint/set.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/rank.hpp"

namespace cetaev {

// One object per thread.
class PlainStart {
 public:
  PlainStart(const System& system, const ConstraintSet& set, bool affine_in_velocities);

  // Moves the state to where the search (initial_state.cpp) puts it, but for rounding. False where that has more to decide; the state is then
  // as it was. Only what [initial] has written matters of the system's own values.
  bool find(State& state, std::span<const double> parameters);

 private:
  bool evaluate(const State& state, std::span<const double> parameters);
  double entry(std::size_t row, std::size_t column) const { return outputs_[rows_ + row * n_ + column]; }
  // By how much a row changes within what the positions (velocities) are known to.
  double known(std::size_t row, std::span<const double> of) const;
  bool choose_unknowns();
  double residual() const;  // of the velocity rows, in units of their lengths
  bool solve(State& state, std::span<const double> parameters);

  std::size_t n_, position_rows_, rows_;  // the velocity rows are those behind
  Kinds kinds_;
  bool plain_, linear_;
  std::vector<std::vector<std::size_t>> classes_;  // of velocities that may follow
  bool named_;                                     // by the model
  Program program_;                                // rows, then their Jacobian by q or v, row by row
  Interpreter run_;
  std::vector<double> inputs_, outputs_, lengths_, right_, step_;
  std::vector<std::size_t> unknowns_;
  DenseMatrix matrix_;
  PivotedQr decomposition_;
};

}  // namespace cetaev
