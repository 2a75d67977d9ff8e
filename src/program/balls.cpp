// A program run in Arb balls: the same instructions, every result an enclosure.
#include <arb.h>
#include <arb_mat.h>

#include "../expr/ball_data.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

namespace {

class Registers {
 public:
  explicit Registers(std::size_t count) : balls_(_arb_vec_init(static_cast<slong>(count))), count_(count) {}
  ~Registers() { _arb_vec_clear(balls_, static_cast<slong>(count_)); }
  Registers(const Registers&) = delete;
  Registers& operator=(const Registers&) = delete;
  arb_ptr operator[](std::size_t i) const { return balls_ + i; }

 private:
  arb_ptr balls_;
  std::size_t count_;
};

bool solve(const Program::System& system, const Registers& r, slong bits) {
  arb_mat_t a, x;
  arb_mat_init(a, system.size, system.size);
  arb_mat_init(x, system.size, system.right_hand_sides);
  for (std::uint32_t i = 0; i < system.size; ++i) {
    for (std::uint32_t j = 0; j < system.size; ++j)
      arb_set(arb_mat_entry(a, i, j), r[system.matrix[i * system.size + j]]);
    for (std::uint32_t j = 0; j < system.right_hand_sides; ++j) {
      arb_set(arb_mat_entry(x, i, j), r[system.right[i * system.right_hand_sides + j]]);
    }
  }
  const bool regular = arb_mat_solve(x, a, x, bits) != 0;
  for (std::uint32_t i = 0; regular && i < system.size; ++i) {
    for (std::uint32_t j = 0; j < system.right_hand_sides; ++j) {
      arb_set(r[system.solution + i * system.right_hand_sides + j], arb_mat_entry(x, i, j));
    }
  }
  arb_mat_clear(a);
  arb_mat_clear(x);
  return regular;
}

}  // namespace

int run_in_balls(const Program& program, std::span<const Ball> inputs, std::vector<Ball>& outputs, long bits) {
  const Registers r(program.register_count());
  std::size_t next = 0;
  for (const auto& exact : program.exact_constants()) {
    if (exact) {
      set_rational(r[next++], *exact, bits);
    } else {
      arb_const_pi(r[next++], bits);
    }
  }
  for (const Ball& input : inputs) arb_set(r[next++], input.data().value);
  for (const Instruction& i : program.instructions()) {
    if (i.operation == Operation::solve) {
      const Program::System& system = program.systems()[i.a];
      if (!solve(system, r, bits)) return static_cast<int>(i.a);
      next += std::size_t{system.size} * system.right_hand_sides;
      continue;
    }
    const arb_ptr out = r[next++];
    const arb_ptr a = r[i.a];
    switch (i.operation) {
      case Operation::add: arb_add(out, a, r[i.b], bits); break;
      case Operation::subtract: arb_sub(out, a, r[i.b], bits); break;
      case Operation::multiply: arb_mul(out, a, r[i.b], bits); break;
      case Operation::divide: arb_div(out, a, r[i.b], bits); break;
      case Operation::negate: arb_neg(out, a); break;
      case Operation::multiply_add:
        arb_mul(out, a, r[i.b], bits);
        arb_add(out, out, r[i.c], bits);
        break;
      case Operation::square: arb_sqr(out, a, bits); break;
      case Operation::square_root: arb_sqrt(out, a, bits); break;
      case Operation::integer_power: arb_pow_ui(out, a, i.b, bits); break;
      case Operation::power: arb_pow(out, a, r[i.b], bits); break;
      case Operation::arctangent2: arb_atan2(out, a, r[i.b], bits); break;
      case Operation::function: apply_in_balls(out, static_cast<Function>(i.b), a, bits); break;
      case Operation::solve: break;
    }
  }
  outputs.resize(program.output_count());
  for (std::size_t i = 0; i < outputs.size(); ++i) arb_set(outputs[i].data().value, r[program.outputs()[i]]);
  return -1;
}

}  // namespace cetaev
