#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

// Expressions of the state with their Jacobian by some of its symbols, as one program.
class StateMap {
 public:
  StateMap(const System& system, std::span<const Expr> values, const Matrix& jacobian,
           std::span<const std::size_t> rows)
      : rows_(rows.size()), columns_(system->size()) {
    std::vector<Expr> outputs;
    for (const std::size_t i : rows) outputs.push_back(values[i]);
    for (const std::size_t i : rows) {
      for (std::size_t j = 0; j < columns_; ++j) outputs.push_back(jacobian(i, j));
    }
    std::vector<Expr> inputs = state_symbols(system);
    inputs.insert(inputs.end(), system->motion.a.begin(), system->motion.a.end());
    program_ = std::make_unique<Program>(outputs, inputs);
    interpreter_ = std::make_unique<Interpreter>(*program_);
    outputs_.resize(outputs.size());
  }

  std::size_t rows() const { return rows_; }

  void evaluate(std::span<const double> inputs, std::vector<double>& f, DenseMatrix& jacobian) {
    (*interpreter_)(inputs, outputs_);
    std::copy_n(outputs_.begin(), rows_, f.begin());
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t j = 0; j < columns_; ++j) jacobian(i, j) = outputs_[rows_ + i * columns_ + j];
    }
  }

 private:
  std::size_t rows_, columns_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<Interpreter> interpreter_;
  std::vector<double> outputs_;
};

}  // namespace cetaev
