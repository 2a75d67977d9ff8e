// The instructions of a program in the numbers of the processor, of whatever length.
#pragma once

#include <cmath>
#include <cstdint>

#include "cetaev/program/program.hpp"

namespace cetaev {

template <class Number>
Number integer_power(Number base, std::uint32_t n) {
  Number result = 1;
  for (; n != 0; n >>= 1) {
    if (n & 1) result *= base;
    base *= base;
  }
  return result;
}

// From the registers of constants and inputs on. `solve(system)` solves a linear system in place; `of_one` and `of_two` know the functions. Returns
// the number of the first system that is not solved, or −1.
template <class Number, class Solve, class OfOne, class OfTwo>
int run_instructions(const Program& program, Number* r, const Solve& solve, const OfOne& of_one, const OfTwo& of_two) {
  Number* out = r + program.constants().size() + program.input_count();
  for (const Instruction& i : program.instructions()) {
    if (i.operation == Operation::solve) {
      const Program::System& system = program.systems()[i.a];
      if (!solve(i.a)) return static_cast<int>(i.a);
      out += static_cast<std::ptrdiff_t>(system.size) * system.right_hand_sides;
      continue;
    }
    const Number a = r[i.a];
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
      case Operation::function: *out = of_one(static_cast<Function>(i.b), a); break;
      case Operation::function_of_two: *out = of_two(static_cast<Function>(i.c), a, r[i.b]); break;
      case Operation::solve: break;
    }
    ++out;
  }
  return -1;
}

}  // namespace cetaev
