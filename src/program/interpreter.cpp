#include <algorithm>
#include <cmath>

#include "cetaev/expr/evaluate.hpp"
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
}

void Interpreter::operator()(std::span<const double> inputs, std::span<double> outputs) {
  double* const r = registers_.data();
  double* out = r + program_->constants().size();
  out = std::copy(inputs.begin(), inputs.end(), out);
  for (const Instruction& i : program_->instructions()) {
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
      case Operation::arctangent2: *out = std::atan2(a, r[i.b]); break;
      case Operation::function: *out = function_value(static_cast<Function>(i.b), a); break;
    }
    ++out;
  }
  const std::span<const std::uint32_t> places = program_->outputs();
  for (std::size_t i = 0; i < places.size(); ++i) outputs[i] = r[places[i]];
}

}  // namespace cetaev
