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

#include "cetaev/detail/integrate/stepper.hpp"
#include "cetaev/detail/series/series.hpp"

namespace cetaev {

// What computes the coefficients, of one trajectory or of several side by side; one object per thread.
class SeriesRunner {
 public:
  virtual ~SeriesRunner() = default;
  // As NativeSeries: t[lane], y[state][lane], coefficients[order][state][lane] and then those of the further outputs.
  virtual int coefficients(const double* t, const double* y, double* coefficients) = 0;
  // Where there are several lanes: the parameters of one of them; and the same with the parameters of one in all.
  virtual void set_parameters(unsigned lane, std::span<const double> parameters) { (void)lane, (void)parameters; }
  virtual int with_parameters_of(unsigned lane, const double* t, const double* y, double* coefficients) {
    return (void)lane, this->coefficients(t, y, coefficients);
  }
};

// The series, and the equations themselves, of every lane: steps are checked with them.
struct SeriesRunners {
  std::unique_ptr<SeriesRunner> series;
  std::vector<std::unique_ptr<Field>> fields;
};

unsigned taylor_order(const SeriesProgram& series, double tolerance);

// The series program must outlive the stepper.
std::unique_ptr<Stepper> make_taylor(const SeriesProgram& series, SeriesRunners runners, unsigned order,
                                     double tolerance);

// Trajectories side by side, each at its own time and with its own steps: only the coefficients are computed together.
class TaylorLanes {
 public:
  virtual ~TaylorLanes() = default;
  // What a lane goes by from now on: the parameters, and the equations with them.
  virtual void set_parameters(unsigned lane, std::span<const double> parameters, std::unique_ptr<Field> field) = 0;
  // Begins a trajectory, whatever the lane did before.
  virtual void begin(unsigned lane, double t, std::span<const double> y, double t_end) = 0;
  // Goes on from another state, near the one it has reached.
  virtual void restart(unsigned lane, double t, std::span<const double> y, double t_end) = 0;
  // One step of every lane, not beyond its limit. A lane that stands at its limit takes none and is done. After anything
  // else than `done` the state of the lane is the last good one.
  virtual void step(std::span<const double> limits, std::span<StepStatus> statuses) = 0;
  virtual const LastStep& lane(unsigned lane) const = 0;
  virtual const StepCounts& counts(unsigned lane) const = 0;
  virtual int singular_system(unsigned lane) const = 0;
};

// The runner has as many lanes: 2, 4 or 8.
std::unique_ptr<TaylorLanes> make_taylor_lanes(const SeriesProgram& series, SeriesRunners runners, unsigned lanes,
                                               unsigned order, double tolerance);

}  // namespace cetaev
