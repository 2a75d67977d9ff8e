#include "state_search.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/detail/numeric/rank.hpp"

namespace cetaev {

namespace {

constexpr int most_steps = 40;
// log10 of what F may be beside its size: more is not solved, and less than the second cannot be asked of balls of 100 digits.
constexpr double solved_below = -85, best_possible = -92;

}  // namespace

State random_start(const System& system, std::uint64_t seed, Random& random, Domain& domain, Reach reach) {
  const bool around_initial = seed % 2 == 0;
  State state = given_state(system);
  const auto near = [&](double given, double close, double far) {
    return around_initial ? given + random.uniform(-close, close) : random.uniform(-far, far);
  };
  for (double& q : state.q) q = near(q, 0.5, reach.positions);
  for (double& v : state.v) v = near(v, 1, reach.velocities);
  state.t += random.uniform(0, 1);
  domain.enter(state, random);
  return state;
}

bool refine_in_balls(NearZero at, std::span<Ball> inputs) {
  if (at.rows.empty()) return true;
  if (!all_finite(at.jacobian.entries())) return false;
  for (std::size_t i = 0; i < at.rows.size(); ++i) at.jacobian.scale_row(i, 1 / at.sizes[i]);
  const LeastNorm inverse(at.jacobian, rank_tolerance);
  std::vector<Ball> found;
  std::vector<double> f(at.rows.size());
  double before = HUGE_VAL;
  for (int step = 0; step < most_steps; ++step) {
    run_in_balls(at.equations, inputs, found, Ball::working_bits);
    double largest = -HUGE_VAL;  // log10, in units of the sizes
    for (std::size_t i = 0; i < f.size(); ++i) {
      const Ball& value = found[at.rows[i]];
      if (!value.is_finite()) return false;
      f[i] = value.midpoint() / at.sizes[i];
      largest = std::max(largest, value.magnitude_log10() - std::log10(at.sizes[i]));
    }
    const bool solved = largest <= solved_below, stalled = largest > before - 1;
    if (!solved && stalled) return false;
    before = largest;
    const std::vector<double> correction = inverse.solve(f);
    for (std::size_t i = 0; i < at.unknowns.size(); ++i) {
      Ball& unknown = inputs[at.unknowns[i]];
      unknown = (unknown - Ball::from_double(correction[i])).center();
    }
    if (largest <= best_possible || (solved && stalled)) return true;
  }
  return false;
}

}  // namespace cetaev
