// Taylor series of the solution of y' = f(y, t), coefficient by coefficient.
//
// A program for f becomes a list of instructions about power series in the time from the start of a step. In round k every
// instruction gives the next coefficient of one register from coefficients known already; the state follows by
// y_k = f_{k−1} / k. Linear systems M x = F are factored once, in round 0, and each order costs one substitution:
//
//   M₀ x_k = F_k − Σ_{j=1}^{k} M_j x_{k−j}
//
// A function of a series is the integral of its derivative: sin a = ∫ a' cos a, exp a = ∫ a' exp a, log a = ∫ a'/a. Registers
// that hold derivatives and what is made of them are one order behind the others ("late"): round k gives their
// coefficient k − 1.
//
// The recurrences stand in series_coefficients.hpp, once for the interpreter and for machine code.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cetaev/expr/expr.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

enum class SeriesOperation : std::uint8_t {
  add,           // a + b
  subtract,      // a − b
  negate,        // −a
  multiply,      // a b
  multiply_add,  // a b + c
  square,        // a²
  divide,        // a / b
  square_root,   // √a
  derivative,    // a', late
  integral,      // ±∫ a of a late register a, which may be written later in the program; see `start`
  magnitude,     // |a|, with the sign that a has at the start of the step
  solve,         // the linear system number a; writes all its unknowns
};

struct SeriesInstruction {
  SeriesOperation operation = SeriesOperation::add;
  std::uint32_t out = 0;  // the register written; of a solve the first
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  // Of an integral: its value at the start of the step is `function` of b₀, or of b₀ and c₀, or b₀^c₀.
  Operation start = Operation::function;
  Function function = Function::sin;
  bool negative = false;  // −∫ a
};

class SeriesProgram {
 public:
  // No bound, as the degree of a series; −1 is the degree of zero.
  static constexpr std::int32_t unbounded = std::numeric_limits<std::int32_t>::max();

  SeriesProgram() = default;
  // `program` computes f, then whatever else is wanted as series, from the inputs y, t, parameters.
  SeriesProgram(const Program& program, std::size_t state_count);

  // Registers: first those that are constant in time whatever the state (numbers, parameters and what is made of them
  // alone), then y, then t, then those of the instructions.
  std::size_t static_count() const { return statics_.output_count(); }
  std::size_t state_count() const { return state_count_; }
  std::uint32_t state(std::size_t i) const { return static_cast<std::uint32_t>(static_count() + i); }
  std::uint32_t time() const { return static_cast<std::uint32_t>(static_count() + state_count_); }
  std::size_t register_count() const { return degree_.size(); }

  std::span<const SeriesInstruction> instructions() const { return instructions_; }
  std::span<const Program::System> systems() const { return systems_; }
  // The series in each register is a polynomial of at most this degree: 0 for what the equations show to be constant, 1 for
  // what grows uniformly with time, …
  std::int32_t degree(std::uint32_t r) const { return degree_[r]; }
  bool late(std::uint32_t r) const { return late_[r]; }
  // The registers of f; of the further outputs of the program and then of the arguments of magnitudes, where one of which
  // changes sign the series ends.
  std::span<const std::uint32_t> rates() const { return {outputs_.data(), state_count_}; }
  std::span<const std::uint32_t> further() const { return std::span(outputs_).subspan(state_count_); }
  std::size_t switch_count() const { return switch_count_; }

  // The states that occur only under sines and cosines, alone or in sums and differences: multiples of 2π do not matter to
  // the others.
  std::vector<std::size_t> angles() const;
  // The solution is given by integrals of entire functions one after the other: no variable comes back to its own rate, and
  // nothing divides. It has no singularity at a finite time.
  bool entire() const;
  // There are functions among the equations whose effect may be below rounding at the start of a step and not at its end, such
  // as exp(−200 x), or that jump, as atan2 does: anything but sums, products, quotients, roots, sines and cosines.
  bool may_hide() const;
  // Convolutions for each order: what a step costs, roughly.
  std::size_t cost() const;

  // The static registers, from the inputs of the program; those before the parameters do not matter.
  const Program& statics() const { return statics_; }
  std::vector<double> static_values(std::span<const double> parameters) const;

 private:
  friend class SeriesLowering;
  std::size_t state_count_ = 0;
  Program statics_;
  std::vector<SeriesInstruction> instructions_;
  std::vector<Program::System> systems_;
  std::vector<std::int32_t> degree_;
  std::vector<bool> late_;
  std::vector<std::uint32_t> outputs_;
  std::size_t switch_count_ = 0;
};

// Computes the coefficients of one trajectory in doubles. Allocates nothing after construction. The program must outlive it.
class SeriesInterpreter {
 public:
  SeriesInterpreter(const SeriesProgram& program, unsigned order, std::span<const double> parameters);

  // Fills coefficients[k * state_count + i], k = 0 … order, with those of y_i, and then, behind all of them,
  // [k * further + i] with those of the further outputs, one order less being known of these: k = 0 … order − 1. Returns the
  // number of the first linear system that is singular at the start of the step, or −1.
  int operator()(double t, std::span<const double> y, std::span<double> coefficients);

 private:
  friend struct SeriesInterpreterBackend;
  const SeriesProgram* program_;
  unsigned order_;
  std::vector<double> registers_;    // [register][order]
  std::vector<double> reciprocals_;  // of the values at the start of the step, by register
  std::vector<std::vector<double>> inverses_;
  std::vector<double> scratch_;
  int singular_ = -1;
};

}  // namespace cetaev
