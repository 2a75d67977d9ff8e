// What an instruction reads and writes.
#pragma once

#include "cetaev/program/program.hpp"

namespace cetaev {

// Registers among a, b, c; a solve has its own list.
inline int operand_count(Operation operation) {
  switch (operation) {
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::power:
    case Operation::arctangent2: return 2;
    case Operation::multiply_add: return 3;
    case Operation::negate:
    case Operation::square:
    case Operation::square_root:
    case Operation::integer_power:
    case Operation::function: return 1;
    case Operation::solve: return 0;
  }
  return 0;
}

// The number of registers written.
inline std::uint32_t width(const Program& program, const Instruction& i) {
  if (i.operation != Operation::solve) return 1;
  const Program::System& system = program.systems()[i.a];
  return system.size * system.right_hand_sides;
}

template <class Visit>
void for_each_operand(const Program& program, const Instruction& i, Visit visit) {
  if (i.operation == Operation::solve) {
    const Program::System& system = program.systems()[i.a];
    for (const std::uint32_t r : system.matrix) visit(r);
    for (const std::uint32_t r : system.right) visit(r);
    return;
  }
  const int operands = operand_count(i.operation);
  visit(i.a);
  if (operands > 1) visit(i.b);
  if (operands > 2) visit(i.c);
}

}  // namespace cetaev
