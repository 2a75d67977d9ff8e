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

// What depends on numbers and on the inputs behind the first `moving` ones alone.
struct Statics {
  std::vector<bool> is;               // by register
  std::vector<std::uint32_t> wanted;  // those of them that anything else uses, or that are outputs
};

inline Statics find_statics(const Program& program, std::size_t moving) {
  Statics result{std::vector<bool>(program.register_count()), {}};
  const std::size_t constants = program.constants().size();
  for (std::size_t r = 0; r < constants + program.input_count(); ++r) {
    result.is[r] = r < constants || r >= constants + moving;
  }
  std::vector<bool> used(program.register_count());
  std::size_t next = constants + program.input_count();
  for (const Instruction& i : program.instructions()) {
    bool all = true;
    for_each_operand(program, i, [&](std::uint32_t r) { all = all && result.is[r]; });
    if (!all) for_each_operand(program, i, [&](std::uint32_t r) { used[r] = true; });
    for (std::uint32_t w = 0; w < width(program, i); ++w) result.is[next++] = all;
  }
  for (const std::uint32_t r : program.outputs()) used[r] = true;
  for (std::uint32_t r = 0; r < program.register_count(); ++r) {
    if (used[r] && result.is[r]) result.wanted.push_back(r);
  }
  return result;
}

}  // namespace cetaev
