#include "costs.hpp"

#include <limits>

#include "accuracy.hpp"
#include "cetaev/detail/codegen/native.hpp"
#include "cetaev/detail/series/series.hpp"
#include "taylor.hpp"

namespace cetaev {

namespace {

// Measured on programs of a few to a few thousand instructions, on x86-64 and in machine code: within a factor of two.
constexpr double of_operation = 1, of_division = 4, of_function = 15, of_elimination = 0.5;
// An operation of a series, order² for each convolution: written out, in code for several rounds, and in loops over tables; the last two with vectors of
// four, by free bodies, rattlebacks and carts with pendulums beside what their evaluations take.
constexpr double of_term = 0.3, of_term_rolled = 0.2, of_term_in_tables = 0.45;

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

// One step of a series.
struct StepOfSeries {
  double operations, systems;
};
StepOfSeries step_of_series(const SeriesProgram& series, double tolerance) {
  const double order = taylor_order(series, accuracy::taylor_step(tolerance));
  StepOfSeries step{static_cast<double>(series.cost()) * order * order, 0};
  for (const Program::System& system : series.systems()) step.systems += cost_of_elimination(system.size, system.size);
  return step;
}
double cost_of(const StepOfSeries& step, SeriesCode code) {
  const double of_one = code == SeriesCode::tables   ? of_term_in_tables
                        : code == SeriesCode::rolled ? of_term_rolled
                                                     : of_term;
  return of_one * step.operations + step.systems;
}
// What is written is kept: half of it.
double cost_to_write(const StepOfSeries& step, SeriesCode code) {
  if (code == SeriesCode::tables) return 0;
  return step.operations * (code == SeriesCode::rolled ? runs_to_write_rolled : runs_to_write) / 2;
}

double cost_of_dop853(const Program& rates) { return evaluations_of_dop853 * cost_of_program(rates); }

}  // namespace

double cost_of_one_step(Method method, const Program& rates, std::size_t states, double tolerance, double steps) {
  if (method != Method::taylor) return cost_of_dop853(rates);
  const StepOfSeries step = step_of_series(SeriesProgram(rates, states), tolerance);
  return cost_of(step, best_series_code(step.operations, steps));
}

double cost_of_motion(Method method, const Program& rates, std::size_t states, double tolerance, double steps) {
  if (method != Method::taylor)
    return steps * cost_of_dop853(rates) + static_cast<double>(rates.instructions().size()) * runs_to_write_program / 2;
  const StepOfSeries step = step_of_series(SeriesProgram(rates, states), tolerance);
  const SeriesCode code = best_series_code(step.operations, steps);
  return steps * cost_of(step, code) + cost_to_write(step, code);
}

bool series_would_be_written_out(const Program& rates, std::size_t states, double tolerance) {
  constexpr double often = std::numeric_limits<double>::infinity();
  const SeriesProgram series(rates, states);
  const unsigned order = taylor_order(series, accuracy::taylor_step(tolerance));
  return best_series_code(series_length(series, order), often) == SeriesCode::written_out;
}

double cost_of_bdf(const Program& rates, double evaluations, std::size_t size) {
  constexpr double steps_of_a_matrix = 20;  // CVODE keeps it as long
  const double one = cost_of_program(rates), n = static_cast<double>(size);
  return evaluations * (one + n * n) + (n * one + cost_of_elimination(size, 0)) / steps_of_a_matrix;
}

}  // namespace cetaev
