#include "costs.hpp"

#include "accuracy.hpp"
#include "cetaev/detail/series/series.hpp"

namespace cetaev {

namespace {

// Measured on programs of a few to a few thousand instructions, on x86-64 and in machine code: within a factor of two.
constexpr double of_operation = 1, of_division = 4, of_function = 15, of_elimination = 0.5;
// A term of a sum of products, with what stands around it.
constexpr double of_term = 0.5;

double cost_of_elimination(std::size_t n, std::size_t sides) {
  const auto size = static_cast<double>(n);
  return of_elimination * size * size * (2 * size / 3 + 2 * static_cast<double>(sides));
}

// One evaluation in machine code.
double cost_of_program(const Program& program) {
  double cost = 0;
  for (const Instruction& i : program.instructions()) {
    switch (i.operation) {
      case Operation::divide:
      case Operation::square_root: cost += of_division; break;
      case Operation::power:
      case Operation::function_of_two:
      case Operation::function: cost += of_function; break;
      case Operation::solve: {
        const Program::System& system = program.systems()[i.a];
        cost += cost_of_elimination(system.size, system.right_hand_sides);
        break;
      }
      default: cost += of_operation;
    }
  }
  return cost;
}

double cost_of_series(const SeriesProgram& series, double tolerance) {
  const double terms = accuracy::taylor_terms(accuracy::taylor_step(tolerance));
  double cost = of_term * static_cast<double>(series.cost()) * terms * terms / 2;
  for (const Program::System& system : series.systems()) cost += cost_of_elimination(system.size, system.size);
  return cost;
}

double cost_of_dop853(const Program& rates) {
  constexpr double stages = 12, dense = 3;
  return (stages + dense) * cost_of_program(rates);
}

}  // namespace

double cost_of_one_step(Method method, const Program& rates, std::size_t states, double tolerance) {
  return method == Method::taylor ? cost_of_series(SeriesProgram(rates, states), tolerance) : cost_of_dop853(rates);
}

double cost_of_bdf(const Program& rates, double evaluations, std::size_t size) {
  constexpr double steps_of_a_matrix = 20;  // CVODE keeps it as long
  const double one = cost_of_program(rates), n = static_cast<double>(size);
  return evaluations * (one + n * n) + (n * one + cost_of_elimination(size, 0)) / steps_of_a_matrix;
}

}  // namespace cetaev
