// What an instruction reads and writes.
#pragma once

#include "cetaev/program/program.hpp"

namespace cetaev {

// How many of a, b, c are registers, in this order; a solve has lists of its own.
constexpr int operand_count(const Instruction& i) {
  switch (i.operation) {
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::power:
    case Operation::function_of_two: return 2;
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

// The registers among a, b, c, to be read or, where the instruction is not const, changed. Of instructions about series, too.
template <class AnyInstruction, class Visit>
void for_each_register(AnyInstruction& i, Visit visit) {
  const int operands = operand_count(i);
  if (operands > 0) visit(i.a);
  if (operands > 1) visit(i.b);
  if (operands > 2) visit(i.c);
}

// The entries of a linear system, in the same way.
template <class AnySystem, class Visit>
void for_each_entry(AnySystem& system, Visit visit) {
  for (auto& r : system.matrix) visit(r);
  for (auto& r : system.right) visit(r);
}

inline std::uint32_t unknown_count(const Program::System& system) { return system.size * system.right_hand_sides; }

// The number of registers written.
inline std::uint32_t width(const Program& program, const Instruction& i) {
  return i.operation == Operation::solve ? unknown_count(program.systems()[i.a]) : 1;
}

// All that an instruction reads.
template <class Visit>
void for_each_operand(const Program& program, const Instruction& i, Visit visit) {
  if (i.operation == Operation::solve) {
    for_each_entry(program.systems()[i.a], visit);
  } else {
    for_each_register(i, visit);
  }
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
