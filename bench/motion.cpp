// Motions from model files beside equations written by hand; README.md says what the figures show.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "motion/handwritten.hpp"

namespace {

double error(const std::vector<double>& state, const std::vector<double>& reference, std::size_t count) {
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i)
    worst = std::max(worst, std::abs(state[i] - reference[i]) / std::max(1.0, std::abs(reference[i])));
  return worst;
}

void row(const motion::Problem& problem, const char* method, const motion::Timed& timed, double error,
         double baseline) {
  std::printf("%-16s %6g   %-34s %10.4f ms %8zu %10.1e %8.2f\n", problem.name, problem.t_end, method,
              1e3 * timed.seconds, timed.steps, error, baseline / timed.seconds);
}

}  // namespace

int main() {
  std::printf("%-16s %6s   %-34s %13s %8s %10s %8s\n", "problem", "t", "method", "time", "steps", "error", "speed");
  for (const motion::Problem& problem : motion::problems()) {
    const std::vector<double> reference = problem.reference(problem.t_end);
    const std::size_t count = problem.state.size();
    const motion::Timed dop853 = problem.dop853(problem.t_end, 1e-14, 0.3);
    row(problem, "by hand, DOP853 at 1e-14", dop853, error(dop853.state, reference, count), dop853.seconds);
    if (problem.rkf78) {
      const motion::Timed rkf78 = problem.rkf78(problem.t_end, 1e-14, 0.3);
      row(problem, "by hand, Boost RKF78 at 1e-14", rkf78, error(rkf78.state, reference, count), dop853.seconds);
    }
  }
}
