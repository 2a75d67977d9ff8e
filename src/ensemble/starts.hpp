// From the inputs of a motion to its parameters and its first state.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev::ensemble {

// The system in which these names have these values, as if they were set from outside: an initial value is then written.
System with_values(const System& system, const std::vector<std::string>& names, std::span<const double> values);

// The parameters and the initial state that a row gives a model, before anything is put on constraints. One object per thread.
class RowValues {
 public:
  // `base` is with_values() of some row: only what is written in it matters, not what value it has.
  RowValues(const System& base, const std::vector<std::string>& names);

  // Throws non-finite where the model has no values here, and bad-model where a mass or a length is none.
  void take(std::span<const double> values);
  // Of the last row.
  std::span<const double> parameters() const { return std::span(outputs_).first(system_->parameters.size()); }
  State state() const;

 private:
  System system_;
  Program program_;  // parameters, q, v and t from what varies, and the numbers of the conditions
  Interpreter run_;
  std::vector<double> outputs_;
};

// One object per thread.
class Starts {
 public:
  Starts(const System& base, const std::vector<std::string>& names) : row_(base, names), admissible_(base) {}

  // The admissible state of a motion; its parameters stand in parameters() until the next call. Throws what Admissible::initial()
  // and RowValues::take() throw.
  State find(std::span<const double> values);
  std::span<const double> parameters() const { return row_.parameters(); }

 private:
  RowValues row_;
  Admissible admissible_;
};

}  // namespace cetaev::ensemble
