// The equations of four problems as one writes them by hand after reducing them by hand, in two Runge–Kutta methods.
// handwritten.cpp is compiled with -O3 -march=native.
#pragma once

#include <chrono>
#include <cstddef>
#include <ctime>
#include <vector>

namespace motion {

// Time of this thread on a processor: what others do on the machine is not in it.
struct Clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Clock>;
  static constexpr bool is_steady = true;
  static time_point now() {
    std::timespec spent{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return time_point(std::chrono::seconds(spent.tv_sec) + std::chrono::nanoseconds(spent.tv_nsec));
  }
};

struct Timed {
  double seconds = 0;         // best of several runs
  std::vector<double> state;  // at the end
  std::size_t steps = 0;
};

struct Problem {
  const char* name;
  double t_end;
  const char* model;        // the file, from the root of the source tree, or a name of the gallery
  std::size_t coordinates;  // so many variables come first in the state, and are compared

  Timed (*dop853)(double t_end, double tolerance, double budget);
  Timed (*rkf78)(double t_end, double tolerance, double budget);  // null where Boost is not installed
  std::vector<double> (*reference)(double t_end);
  double (*rates)(double budget);         // seconds of one right-hand side, inlined
  double (*called_rates)(double budget);  // and called
};

const std::vector<Problem>& problems();
// Of five and more degrees of freedom, or with an expensive right-hand side.
const std::vector<Problem>& larger_problems();

}  // namespace motion
