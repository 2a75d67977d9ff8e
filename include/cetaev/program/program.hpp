// Expressions lowered to straight-line code.
//
// Linear systems are solved as steps of the program, not by symbolic inverses.
//
// A program computes a list of outputs from a list of inputs by a sequence of instructions, each writing one new
// register, operands before users; common subexpressions are computed once because the graph has them once. It is
// constant after it is made: threads share it, each with a workspace of its own. Interpreters, machine code and source
// code for other languages all start from it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cetaev/expr/derivative.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "cetaev/expr/expr.hpp"

namespace cetaev {

enum class Operation : std::uint8_t {
  add,              // a + b
  subtract,         // a − b
  multiply,         // a · b
  divide,           // a / b
  negate,           // −a
  multiply_add,     // a · b + c
  square,           // a²
  square_root,      // √a
  integer_power,    // a^n, n in b as a signed number
  power,            // a^b
  function,         // the Function in b, of a
  function_of_two,  // the Function in c, of a and b
  solve,            // the linear system number a; writes all its unknowns
};

struct Instruction {
  Operation operation;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
};

// M X = F with one or more right-hand sides. The unknowns are symbols, row by row as in X (unknowns × right-hand sides);
// what comes later in the program may contain them.
struct LinearBlock {
  Matrix matrix;
  Matrix right;
  std::vector<Expr> unknowns;
  Expr unknown(std::size_t i, std::size_t j = 0) const { return unknowns[i * right.columns + j]; }
};

class Program {
 public:
  Program() = default;
  // The inputs are symbols; every symbol that occurs in an output or a block must be among them or an unknown of an
  // earlier block (unknown-name otherwise).
  Program(std::span<const Expr> outputs, std::span<const Expr> inputs, std::span<const LinearBlock> blocks = {});

  // A linear block, lowered: the registers of its entries, and the first of those of its solution.
  struct System {
    std::uint32_t size = 0;
    std::uint32_t right_hand_sides = 0;
    std::vector<std::uint32_t> matrix;  // row by row
    std::vector<std::uint32_t> right;   // row by row
    std::uint32_t solution = 0;
  };

  // Registers: constants first, then inputs, then one per instruction (as many as it has unknowns for a solve).
  std::size_t input_count() const { return input_count_; }
  std::size_t output_count() const { return outputs_.size(); }
  std::size_t register_count() const { return register_count_; }
  std::span<const double> constants() const { return constants_; }
  // The same exactly; the one without a value is π.
  std::span<const std::optional<Rational>> exact_constants() const { return exact_constants_; }
  std::span<const Instruction> instructions() const { return instructions_; }
  // The register of every output.
  std::span<const std::uint32_t> outputs() const { return outputs_; }
  std::span<const System> systems() const { return systems_; }

  // The program that computes these registers from the same inputs, with the instructions it needs and no others.
  Program restricted_to(std::span<const std::uint32_t> registers) const;

  // What the inputs behind the first `moving` ones determine alone, to be computed once; and the rest, whose inputs are the
  // moving ones and the outputs of `statics`. Linear systems of the parameters alone are not among those of the rest.
  struct Hoisted;
  Hoisted hoisted(std::size_t moving) const;

  // The same outputs to rounding, from fewer instructions about what moves: factors that the inputs behind the first
  // `moving` ones determine alone are multiplied with each other first. The linear systems keep their numbers.
  Program with_static_factors(std::size_t moving) const;

  // Outputs and their derivatives. In a direction inputs change by what outputs say, by their numbers; wanted are outputs, or their derivatives
  // in a direction. Every linear system of the source is followed by that of its derivatives, where these are not zero. Nothing where the program
  // contains what has no rule here.
  using Direction = std::vector<std::pair<std::size_t, std::size_t>>;
  struct Wanted {
    std::size_t output;
    std::optional<std::size_t> direction;
  };
  struct WithTangents;
  std::optional<WithTangents> with_tangents(std::span<const Direction> directions,
                                            std::span<const Wanted> outputs) const;

 private:
  friend class ProgramTangents;
  friend class StaticFactors;
  std::size_t input_count_ = 0;
  std::size_t register_count_ = 0;
  std::vector<double> constants_;
  std::vector<std::optional<Rational>> exact_constants_;
  std::vector<Instruction> instructions_;
  std::vector<std::uint32_t> outputs_;
  std::vector<System> systems_;

  Instruction moved(Instruction i, const std::vector<std::uint32_t>& place, std::vector<System>& systems) const;
};

struct Program::Hoisted {
  Program statics, rest;
};

struct Program::WithTangents {
  Program program;
  std::vector<std::size_t> systems;  // those of the source that its linear systems come from
};

// Runs a program in doubles. Holds the registers; allocates nothing after construction. The program must outlive it.
class Interpreter {
 public:
  explicit Interpreter(const Program& program);
  // Returns the number of the first linear system that is singular here (then the outputs are not set), or −1.
  int operator()(std::span<const double> inputs, std::span<double> outputs);
  // Of the matrix of a linear system, at the last run; zero where it was singular.
  double determinant(std::size_t system) const { return determinants_[system]; }

 private:
  bool solve(const Program::System& system, double& determinant);

  const Program* program_;
  std::vector<double> registers_;
  std::vector<double> matrix_;  // of the system being solved
  std::vector<double> determinants_;
};

// The same in balls of this many bits; the result encloses the true values. −1 or the first singular system, as above.
int run_in_balls(const Program& program, std::span<const Ball> inputs, std::vector<Ball>& outputs, long bits);

}  // namespace cetaev
