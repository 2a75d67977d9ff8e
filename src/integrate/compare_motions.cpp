#include "cetaev/integrate/compare_motions.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/detail/numeric/bisection.hpp"
#include "cetaev/integrate/trajectory.hpp"

namespace cetaev {

double difference_of(const State& first, const State& second, MotionDifference* position, MotionDifference* velocity) {
  double size = 1, largest = 0;
  for (std::size_t i = 0; i < first.q.size(); ++i) {
    size =
        std::max({size, std::fabs(first.q[i]), std::fabs(first.v[i]), std::fabs(second.q[i]), std::fabs(second.v[i])});
    const double q = std::fabs(first.q[i] - second.q[i]), v = std::fabs(first.v[i] - second.v[i]);
    largest = std::max({largest, q, v});
    if (position != nullptr && q > position->largest) *position = {q, first.t, i};
    if (velocity != nullptr && v > velocity->largest) *velocity = {v, first.t, i};
  }
  return largest / size;
}

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

  double before = begin;
  const std::size_t samples = std::max<std::size_t>(options.samples, 2);
  for (std::size_t i = 0; i < samples; ++i) {
    const double t = i + 1 == samples
                         ? result.t_end
                         : begin + (result.t_end - begin) * (static_cast<double>(i) / static_cast<double>(samples - 1));
    const double difference = difference_of(a.at(t), b.at(t), &result.position, &result.velocity);
    if (!result.part_at && difference > threshold)
      result.part_at =
          first_beyond(before, t, [&](double at) { return difference_of(a.at(at), b.at(at)) > threshold; });
    before = t;
  }
  return result;
}

}  // namespace cetaev
