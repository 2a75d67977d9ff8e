// What steps cost, counted in nanoseconds of a usual processor: no clock is asked, and every machine counts the same.
#pragma once

#include "cetaev/detail/series/series.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

// One evaluation of a program in machine code.
double cost_of_program(const Program& program);
// One step of the method taylor to a tolerance, and one of dop853.
double cost_of_series(const SeriesProgram& series, double tolerance);
double cost_of_dop853(const Program& rates);
// One step of bdf with so many evaluations, for a state of this size: Newton's iteration, and a new matrix now and then.
double cost_of_bdf(const Program& rates, double evaluations, std::size_t size);

}  // namespace cetaev
