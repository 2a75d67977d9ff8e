#include "costs.hpp"

#include <limits>

#include "accuracy.hpp"
#include "cetaev/detail/codegen/native.hpp"
#include "cetaev/detail/series/series.hpp"
#include "taylor.hpp"

namespace cetaev {

namespace {

// Measured in machine code on x86-64, on 32 models of three to three thousand operations: 30 of them within a factor of 1.6.
constexpr double of_operation = 0.3, of_division = 1, of_function = 5.5, of_other_function = 15, of_elimination = 0.85;
// An operation of a series, order² for each convolution, on the same models: written out, in code for several rounds, and in loops over tables.
constexpr double of_term = 0.16, of_term_rolled = 0.25, of_term_in_tables = 0.6;

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
      case Operation::function_of_two: cost += of_other_function; break;
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
double of_term_in(SeriesCode code) {
  switch (code) {
    case SeriesCode::written_out: return of_term;
    case SeriesCode::rolled: return of_term_rolled;
    case SeriesCode::tables: break;
  }
  return of_term_in_tables;
}
double cost_of(const StepOfSeries& step, SeriesCode code) { return of_term_in(code) * step.operations + step.systems; }
// What it saves in as many runs as make it worth writing.
double cost_to_write(const StepOfSeries& step, SeriesCode code) {
  const double runs = code == SeriesCode::rolled ? runs_to_write_rolled : runs_to_write / 2;
  return step.operations * (of_term_in_tables - of_term_in(code)) * runs;
}

// Twelve stages and what is watched on the way, which takes as much as nine more; and sums and sizes of each variable. Beside the evaluations that were measured it is
// within a factor of 1.7 on 30 of the 32 models; where states are put back to constraints at every step, it takes up to twice as long.
double cost_of_dop853(const Program& rates, std::size_t states) {
  constexpr double evaluations = 21, of_variable = 115;
  return evaluations * cost_of_program(rates) + of_variable * static_cast<double>(states);
}

}  // namespace

double cost_of_one_step(Method method, const Program& rates, std::size_t states, double tolerance, double steps) {
  if (method != Method::taylor) return cost_of_dop853(rates, states);
  const StepOfSeries step = step_of_series(SeriesProgram(rates, states), tolerance);
  return cost_of(step, best_series_code(step.operations, steps));
}

double cost_of_motion(Method method, const Program& rates, std::size_t states, double tolerance, double steps) {
  if (method != Method::taylor)
    return steps * cost_of_dop853(rates, states) +
           static_cast<double>(rates.instructions().size()) * runs_to_write_program / 2;
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
