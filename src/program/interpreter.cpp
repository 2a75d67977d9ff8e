#include <algorithm>

#include "cetaev/detail/program/elimination.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "cetaev/interruption.hpp"
#include "cetaev/program/program.hpp"
#include "instructions.hpp"

namespace cetaev {

Interpreter::Interpreter(const Program& program) : program_(&program), registers_(program.register_count()) {
  std::copy(program.constants().begin(), program.constants().end(), registers_.begin());
  std::size_t largest = 0;
  for (const Program::System& system : program.systems()) largest = std::max<std::size_t>(largest, system.size);
  matrix_.resize(largest * largest);
  determinants_.resize(program.systems().size());
}

// On the right-hand sides where their solution will stand.
bool Interpreter::solve(const Program::System& system, double& determinant) {
  const std::size_t n = system.size;
  const std::size_t m = system.right_hand_sides;
  double* const r = registers_.data();
  double* const x = r + system.solution;
  for (std::size_t i = 0; i < n * n; ++i) matrix_[i] = r[system.matrix[i]];
  for (std::size_t i = 0; i < n * m; ++i) x[i] = r[system.right[i]];
  determinant = eliminate(n, m, matrix_.data(), x);
  return determinant != 0;
}

int Interpreter::operator()(std::span<const double> inputs, std::span<double> outputs) {
  constexpr double instructions_of_a_node = 16;  // that cost as much as to make one
  may_end_here(static_cast<double>(program_->instructions().size()) / instructions_of_a_node);
  double* const r = registers_.data();
  std::copy(inputs.begin(), inputs.end(), r + program_->constants().size());
  const int singular = run_instructions(
      *program_, r, [&](std::uint32_t i) { return solve(program_->systems()[i], determinants_[i]); },
      [](Function f, double x) { return function_value(f, x); },
      [](Function f, double x, double y) { return function_value(f, x, y); });
  if (singular >= 0) return singular;
  const std::span<const std::uint32_t> places = program_->outputs();
  for (std::size_t i = 0; i < places.size(); ++i) outputs[i] = r[places[i]];
  return -1;
}

}  // namespace cetaev
