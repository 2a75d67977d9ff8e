// What steps cost, counted in nanoseconds of a usual processor: no clock is asked, and every machine counts the same.
#pragma once

#include "cetaev/integrate/choices.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

// One step to a tolerance by the method taylor, of so many; by dop853 for all others.
double cost_of_one_step(Method method, const Program& rates, std::size_t states, double tolerance, double steps);
// A motion of so many steps likewise, with its machine code where it is worth some.
double cost_of_motion(Method method, const Program& rates, std::size_t states, double tolerance, double steps);
// Is a series of these equations machine code for every round, as one that runs often is where it is not too long?
bool series_would_be_written_out(const Program& rates, std::size_t states, double tolerance);
// One step of bdf with so many evaluations, for a state of this size: Newton's iteration, and a new matrix now and then.
double cost_of_bdf(const Program& rates, double evaluations, std::size_t size);

}  // namespace cetaev
