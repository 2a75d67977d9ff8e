// A program run in balls: the same instructions, every result an enclosure.
#include "cetaev/interruption.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

namespace {

using Registers = std::vector<Ball>;

bool solve_registers(const Program::System& system, Registers& r, long bits) {
  std::vector<Ball> matrix, x;
  for (const std::uint32_t i : system.matrix) matrix.push_back(r[i]);
  for (const std::uint32_t i : system.right) x.push_back(r[i]);
  if (!solve_in_balls(matrix, x, system.size, system.right_hand_sides, bits)) return false;
  std::move(x.begin(), x.end(), r.begin() + system.solution);
  return true;
}

}  // namespace

int run_in_balls(const Program& program, std::span<const Ball> inputs, std::vector<Ball>& outputs, long bits) {
  may_end_here(static_cast<double>(program.register_count()));
  Registers r(program.register_count());
  std::size_t next = 0;
  for (const auto& exact : program.exact_constants()) {
    if (exact) {
      r[next++].set(*exact, bits);
    } else {
      r[next++].set_pi(bits);
    }
  }
  for (const Ball& input : inputs) r[next++] = input;
  for (const Instruction& i : program.instructions()) {
    if (i.operation == Operation::solve) {
      const Program::System& system = program.systems()[i.a];
      if (!solve_registers(system, r, bits)) return static_cast<int>(i.a);
      next += std::size_t{system.size} * system.right_hand_sides;
      continue;
    }
    Ball& out = r[next++];
    const Ball& a = r[i.a];
    switch (i.operation) {
      case Operation::add: out.set_sum(a, r[i.b], bits); break;
      case Operation::subtract: out.set_difference(a, r[i.b], bits); break;
      case Operation::multiply: out.set_product(a, r[i.b], bits); break;
      case Operation::divide: out.set_quotient(a, r[i.b], bits); break;
      case Operation::negate: out.set_negative(a); break;
      case Operation::multiply_add:
        out.set_product(a, r[i.b], bits);
        out.set_sum(out, r[i.c], bits);
        break;
      case Operation::square: out.set_power(a, Rational(2), bits); break;
      case Operation::square_root: out.set_power(a, Rational(1, 2), bits); break;
      case Operation::integer_power: out.set_power(a, Rational(static_cast<long>(i.b)), bits); break;
      case Operation::power: out.set_power(a, r[i.b], bits); break;
      case Operation::function: out.set_function(static_cast<Function>(i.b), a, bits); break;
      case Operation::function_of_two: out.set_function(static_cast<Function>(i.c), a, r[i.b], bits); break;
      case Operation::solve: break;
    }
  }
  outputs.clear();
  for (const std::uint32_t i : program.outputs()) outputs.push_back(r[i]);
  return -1;
}

}  // namespace cetaev
