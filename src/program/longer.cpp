#include "cetaev/detail/program/longer.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/detail/expr/elementary.hpp"
#include "cetaev/detail/program/elimination.hpp"
#include "cetaev/interruption.hpp"
#include "instructions.hpp"

namespace cetaev {

bool LongerInterpreter::serves(const Program& program) {
  constexpr int further_digits = 11;
  if (std::numeric_limits<long double>::digits < std::numeric_limits<double>::digits + further_digits) return false;
  return std::ranges::none_of(program.instructions(), [](const Instruction& i) {
    return i.operation == Operation::function_of_two && static_cast<Function>(i.c) != Function::atan2;
  });
}

LongerInterpreter::LongerInterpreter(const Program& program)
    : program_(&program), registers_(program.register_count()) {
  constexpr long bits = 128;
  std::size_t next = 0;
  for (const auto& exact : program.exact_constants()) {
    Ball value;
    if (exact) {
      value.set(*exact, bits);
    } else {
      value.set_pi(bits);
    }
    // in two parts
    const double high = value.midpoint();
    Ball rest;
    rest.set_difference(value, Ball::from_double(high), bits);
    registers_[next++] = static_cast<long double>(high) + rest.midpoint();
  }
  std::size_t largest = 0;
  for (const Program::System& system : program.systems()) largest = std::max<std::size_t>(largest, system.size);
  matrix_.resize(largest * largest);
}

bool LongerInterpreter::solve(const Program::System& system) {
  const std::size_t n = system.size, m = system.right_hand_sides;
  long double* const x = registers_.data() + system.solution;
  for (std::size_t i = 0; i < n * n; ++i) matrix_[i] = registers_[system.matrix[i]];
  for (std::size_t i = 0; i < n * m; ++i) x[i] = registers_[system.right[i]];
  return eliminate(n, m, matrix_.data(), x) != 0;
}

int LongerInterpreter::operator()(std::span<const double> inputs, std::span<long double> outputs) {
  may_end_here(static_cast<double>(program_->register_count()));
  std::ranges::copy(inputs, registers_.begin() + static_cast<std::ptrdiff_t>(program_->constants().size()));
  const int singular = run_instructions(
      *program_, registers_.data(), [&](std::uint32_t system) { return solve(program_->systems()[system]); },
      elementary<long double>, [](Function, long double y, long double x) { return std::atan2(y, x); });
  if (singular >= 0) return singular;
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = registers_[program_->outputs()[i]];
  return -1;
}

}  // namespace cetaev
