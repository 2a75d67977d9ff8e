// Taylor's method: the series of the solution at the start of each step, to an order that follows from the tolerance.
//
// The step is the longest for which the last terms kept are below the tolerance, relative to the size of each variable
// (À. Jorba, M. Zou, "A software package for the numerical integration of ODEs by means of high-order Taylor methods",
// Experimental Mathematics 14 (2005) 99–117, with variables weighed one by one). Dense output is the polynomial itself.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/integrate/stepper.hpp"
#include "cetaev/program/series.hpp"

namespace cetaev {

// What computes the coefficients; one object per thread.
class SeriesRunner {
 public:
  virtual ~SeriesRunner() = default;
  // As SeriesInterpreter.
  virtual int coefficients(double t, const double* y, double* coefficients) = 0;
};

unsigned taylor_order(const SeriesProgram& series, double tolerance);

// The series program must outlive the stepper.
std::unique_ptr<Stepper> make_taylor(const SeriesProgram& series, std::unique_ptr<SeriesRunner> runner, unsigned order,
                                     double tolerance);

}  // namespace cetaev
