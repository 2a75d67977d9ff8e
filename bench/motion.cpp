// Motions from model files beside equations written by hand; README.md says what the figures show.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "cetaev/integrate/motion.hpp"
#include "cetaev/model/read.hpp"
#include "motion/handwritten.hpp"

namespace {

using cetaev::MotionOptions;
using cetaev::MotionPoint;
using cetaev::MotionSummary;
using Clock = std::chrono::steady_clock;

constexpr double budget = 0.3;  // seconds for each figure

// The largest error of a coordinate, of large ones the relative one.
double error(const std::vector<double>& state, const std::vector<double>& reference, std::size_t count) {
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i)
    worst = std::max(worst, std::abs(state[i] - reference[i]) / std::max(1.0, std::abs(reference[i])));
  return worst;
}

// Two samples: the time between them is that of the motion alone, without what makes it ready.
class Ends final : public cetaev::Recorder {
 public:
  void sample(const MotionPoint& point) override {
    const auto now = Clock::now();
    seconds = std::chrono::duration<double>(now - last_).count();
    q.assign(point.q.begin(), point.q.end());
    last_ = Clock::now();
  }
  double seconds = 0;
  std::vector<double> q;

 private:
  Clock::time_point last_;
};

struct Motion {
  motion::Timed timed;
  MotionSummary summary;
};

Motion best_motion(const cetaev::System& system, const MotionOptions& options) {
  Motion best;
  best.timed.seconds = 1e300;
  const auto start = Clock::now();
  for (int i = 0; i < 3 || std::chrono::duration<double>(Clock::now() - start).count() < 3 * budget; ++i) {
    Ends ends;
    MotionSummary summary = cetaev::run_motion(system, options, ends);
    if (!(ends.seconds < best.timed.seconds)) continue;
    best.timed = {ends.seconds, ends.q, summary.steps};
    best.summary = std::move(summary);
  }
  return best;
}

void heading() {
  std::printf("%-16s %6s   %-40s %13s %8s %10s %8s\n", "problem", "t", "method", "time", "steps", "error", "speed");
}
void row(const motion::Problem& problem, const std::string& method, const motion::Timed& timed,
         const std::vector<double>& reference, double baseline) {
  std::printf("%-16s %6g   %-40s %10.4f ms %8zu %10.1e %8.2f\n", problem.name, problem.t_end, method.c_str(),
              1e3 * timed.seconds, timed.steps, error(timed.state, reference, problem.coordinates),
              baseline / timed.seconds);
  std::fflush(stdout);
}

void compare(const motion::Problem& problem) {
  const std::vector<double> reference = problem.reference(problem.t_end);
  const motion::Timed dop853 = problem.dop853(problem.t_end, 1e-14, budget);
  row(problem, "by hand, DOP853 at 1e-14", dop853, reference, dop853.seconds);
  if (problem.rkf78)
    row(problem, "by hand, Boost RKF78 at 1e-14", problem.rkf78(problem.t_end, 1e-14, budget), reference,
        dop853.seconds);

  const cetaev::System system = cetaev::read_model_file(std::string(CETAEV_SOURCE_DIR "/") + problem.model);
  for (const auto& [method, tolerance] : {std::pair{"taylor", 1e-16}, {"dop853", 1e-14}}) {
    MotionOptions options;
    options.method = method;
    options.tolerance = tolerance;
    options.t_end = problem.t_end;
    options.samples = 2;
    const Motion motion = best_motion(system, options);
    char label[80];
    std::snprintf(label, sizeof label, "%s at %g (%s, %s)", method, tolerance, motion.summary.form.c_str(),
                  motion.summary.backend.c_str());
    row(problem, label, motion.timed, reference, dop853.seconds);
    if (motion.summary.status != cetaev::MotionStatus::finished)
      std::printf("  ended: %s\n", to_string(motion.summary.status).c_str());
  }
}

}  // namespace

int main() {
  heading();
  for (const motion::Problem& problem : motion::problems()) compare(problem);
}
