#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "box_search.hpp"
#include "cetaev/constraint/state.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/program/program.hpp"
#include "zero_set.hpp"

namespace cetaev {

// Expressions of the state with their Jacobian by some of its symbols, as one program.
class StateMap {
 public:
  // The inputs are q, v, t, parameters and a; the columns of the Jacobian belong to those from `first` on.
  StateMap(const System& system, std::span<const Expr> values, const Matrix& jacobian,
           std::span<const std::size_t> rows, std::size_t first = 0);

  std::size_t rows() const { return values_.size(); }
  std::size_t columns() const { return columns_; }
  std::size_t first() const { return first_; }
  const Kinds& kinds() const { return kinds_; }

  void evaluate(std::span<const double> inputs, std::vector<double>& f, DenseMatrix& jacobian);

  // By how much the rows of the Jacobian are off where the inputs are these.
  std::vector<double> jacobian_errors(std::span<const Ball> inputs) const;

  // Does the symbol of this column occur in this row?
  bool occurs(std::size_t row, std::size_t column) const { return occurs_[row * columns_ + column]; }

  // These rows over boxes of these columns' symbols. The other inputs are at the given values but for their last bits: numbers that
  // were computed are not known better.
  std::unique_ptr<EnclosedEquations> enclosed(const std::vector<std::size_t>& rows,
                                              const std::vector<std::size_t>& columns, std::span<const double> inputs);

 private:
  class Enclosed;
  struct Restricted {
    Program values,
        derivatives;    // the latter with the arguments of every atan2 behind, and what is nowhere negative
    Program exponents;  // of the exponentials in the values
    std::size_t branch_cuts = 0;
  };

  std::vector<Expr> values_, jacobian_, inputs_;
  std::size_t columns_, first_;
  std::vector<bool> occurs_;
  Kinds kinds_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<Interpreter> interpreter_;
  std::vector<double> outputs_;
  std::map<std::pair<std::vector<std::size_t>, std::vector<std::size_t>>, Restricted> restricted_;
};

// The expressions of a map as functions of those of its symbols that the columns of its Jacobian belong to, the others at these values.
// It refers to the map.
ZeroSet zero_set_of(StateMap& map, std::vector<double> inputs);

}  // namespace cetaev
