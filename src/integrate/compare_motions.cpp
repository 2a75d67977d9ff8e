#include "cetaev/integrate/compare_motions.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/detail/numeric/bisection.hpp"
#include "cetaev/integrate/trajectory.hpp"

namespace cetaev {

namespace {

class Pair {
 public:
  Pair(const Trajectory& first, const Trajectory& second) : first_(first), second_(second) {}

  // The largest difference relative to the size of the states; differences as such go into `result`.
  double difference(double t, MotionComparison* result = nullptr) const {
    const State a = first_.at(t), b = second_.at(t);
    double size = 1, largest = 0;
    for (std::size_t i = 0; i < a.q.size(); ++i) {
      size = std::max({size, std::fabs(a.q[i]), std::fabs(a.v[i]), std::fabs(b.q[i]), std::fabs(b.v[i])});
      const double q = std::fabs(a.q[i] - b.q[i]), v = std::fabs(a.v[i] - b.v[i]);
      largest = std::max({largest, q, v});
      if (result == nullptr) continue;
      if (q > result->position.largest) result->position = {q, t, i};
      if (v > result->velocity.largest) result->velocity = {v, t, i};
    }
    return largest / size;
  }

 private:
  const Trajectory &first_, &second_;
};

}  // namespace

MotionComparison compare_motions(const System& system, Form first, Form second, const MotionOptions& options,
                                 double threshold) {
  MotionOptions one = options, other = options;
  one.form = first;
  other.form = second;
  const Trajectory a = compute_trajectory(system, one), b = compute_trajectory(system, other);
  MotionComparison result;
  result.first = first;
  result.second = second;
  result.threshold = threshold;
  result.first_summary = a.summary();
  result.second_summary = b.summary();
  const double begin = a.t_begin(), direction = options.t_end < begin ? -1 : 1;
  result.t_end = direction * std::min(direction * a.t_end(), direction * b.t_end());

  const Pair pair(a, b);
  double before = begin;
  const std::size_t samples = std::max<std::size_t>(options.samples, 2);
  for (std::size_t i = 0; i < samples; ++i) {
    const double t = i + 1 == samples
                         ? result.t_end
                         : begin + (result.t_end - begin) * (static_cast<double>(i) / static_cast<double>(samples - 1));
    const double difference = pair.difference(t, &result);
    if (!result.part_at && difference > threshold)
      result.part_at = first_beyond(before, t, [&](double at) { return pair.difference(at) > threshold; });
    before = t;
  }
  return result;
}

}  // namespace cetaev
