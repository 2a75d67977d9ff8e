// Expressions lowered to straight-line code.
//
// A program computes a list of outputs from a list of inputs by a sequence of instructions, each writing one new
// register, operands before users; common subexpressions are computed once because the graph has them once. It is
// constant after it is made: threads share it, each with a workspace of its own. Interpreters, machine code and source
// code for other languages all start from it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

enum class Operation : std::uint8_t {
  add,           // a + b
  subtract,      // a − b
  multiply,      // a · b
  divide,        // a / b
  negate,        // −a
  multiply_add,  // a · b + c
  square,        // a²
  square_root,   // √a
  integer_power, // a^n, n in b as a signed number
  power,         // a^b
  arctangent2,   // atan2(a, b)
  function,      // the Function in b, of a
};

struct Instruction {
  Operation operation;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
};

class Program {
 public:
  Program() = default;
  // The inputs are symbols; every symbol that occurs in an output must be among them (std::invalid_argument otherwise).
  Program(std::span<const Expr> outputs, std::span<const Expr> inputs);

  // Registers: constants first, then inputs, then one per instruction.
  std::size_t input_count() const { return input_count_; }
  std::size_t output_count() const { return outputs_.size(); }
  std::size_t register_count() const { return constants_.size() + input_count_ + instructions_.size(); }
  std::span<const double> constants() const { return constants_; }
  std::span<const Instruction> instructions() const { return instructions_; }
  // The register of every output.
  std::span<const std::uint32_t> outputs() const { return outputs_; }

 private:
  std::size_t input_count_ = 0;
  std::vector<double> constants_;
  std::vector<Instruction> instructions_;
  std::vector<std::uint32_t> outputs_;
};

// Runs a program in doubles. Holds the registers; allocates nothing after construction. The program must outlive it.
class Interpreter {
 public:
  explicit Interpreter(const Program& program);
  void operator()(std::span<const double> inputs, std::span<double> outputs);

 private:
  const Program* program_;
  std::vector<double> registers_;
};

}  // namespace cetaev
