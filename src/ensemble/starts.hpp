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

// One object per thread.
class Starts {
 public:
  // `base` is with_values() of some row: only what is written in it matters, not what value it has.
  Starts(const System& base, const std::vector<std::string>& names);

  // The admissible state of a motion; its parameters stand in parameters() until the next call. Throws what Admissible::initial()
  // throws, and what require_values() does.
  State find(std::span<const double> values);
  // Throws non-finite where the model has no values here, and bad-model where a mass or a length is none.
  void require_values(std::span<const double> values);
  std::span<const double> parameters() const { return std::span(outputs_).first(parameter_count_); }

 private:
  System system_;
  std::size_t parameter_count_;
  Program program_;  // parameters, q, v and t from what varies, and the numbers of the conditions
  Interpreter run_;
  std::vector<double> outputs_;
  Admissible admissible_;
};

}  // namespace cetaev::ensemble
