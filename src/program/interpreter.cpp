#include <algorithm>
#include <cmath>

#include "cetaev/detail/program/elimination.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "cetaev/interruption.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

namespace {

double integer_power(double base, std::uint32_t n) {
  double result = 1;
  for (; n != 0; n >>= 1) {
    if (n & 1) result *= base;
    base *= base;
  }
  return result;
}

}  // namespace

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
  double* out = r + program_->constants().size();
  out = std::copy(inputs.begin(), inputs.end(), out);
  for (const Instruction& i : program_->instructions()) {
    if (i.operation == Operation::solve) {
      const Program::System& system = program_->systems()[i.a];
      if (!solve(system, determinants_[i.a])) return static_cast<int>(i.a);
      out += static_cast<std::ptrdiff_t>(system.size) * system.right_hand_sides;
      continue;
    }
    const double a = r[i.a];
    switch (i.operation) {
      case Operation::add: *out = a + r[i.b]; break;
      case Operation::subtract: *out = a - r[i.b]; break;
      case Operation::multiply: *out = a * r[i.b]; break;
      case Operation::divide: *out = a / r[i.b]; break;
      case Operation::negate: *out = -a; break;
      case Operation::multiply_add: *out = a * r[i.b] + r[i.c]; break;
      case Operation::square: *out = a * a; break;
      case Operation::square_root: *out = std::sqrt(a); break;
      case Operation::integer_power: *out = integer_power(a, i.b); break;
      case Operation::power: *out = std::pow(a, r[i.b]); break;
      case Operation::function: *out = function_value(static_cast<Function>(i.b), a); break;
      case Operation::function_of_two: *out = function_value(static_cast<Function>(i.c), a, r[i.b]); break;
      case Operation::solve: break;
    }
    ++out;
  }
  const std::span<const std::uint32_t> places = program_->outputs();
  for (std::size_t i = 0; i < places.size(); ++i) outputs[i] = r[places[i]];
  return -1;
}

}  // namespace cetaev
