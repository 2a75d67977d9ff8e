#include "velocity_samples.hpp"

#include <algorithm>
#include <cmath>

#include "brackets.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "enclosed.hpp"
#include "state_map.hpp"
#include "zero_set.hpp"

namespace cetaev {

namespace {

constexpr std::size_t most_starts = 60;
// How many velocities that depend on the others, but for rounding, are looked at in balls.
constexpr int checks = 3;

}  // namespace

VelocitySamples sample_velocities(OnSet& set, const PreciseState& at) {
  const System& system = set.system();
  const ConstraintSet& constraints = set.admissible().constraints();
  const std::size_t n = system->size();
  StateMap map(system, constraints.phi, constraints.jacobian, constraints.velocity_rows);
  std::vector<double> values = state_values(at.rounded, parameter_values(system));
  values.resize(values.size() + n, 0.0);
  ZeroSet velocities(map.rows(), n, [&](const auto& x, auto& f, auto& j) {
    std::copy(x.begin(), x.end(), values.begin() + static_cast<std::ptrdiff_t>(n));
    map.evaluate(values, f, j);
  });
  std::vector<std::size_t> every(n);
  for (std::size_t i = 0; i < n; ++i) every[i] = i;

  VelocitySamples result;
  Echelon<Precise> span(Precise::zero);
  Echelon<Quick> rough(1e-7);
  int left = checks;
  const auto take = [&](const State& state) {
    std::vector<Quick> guess(n + 1);
    double size = 1;
    for (std::size_t i = 0; i < n; ++i) {
      guess[i].set(state.v[i]);
      size = std::max(size, std::fabs(state.v[i]));
    }
    guess[n].set(1L);
    if (rough.add(std::move(guess), size) != Echelon<Quick>::Result::fresh && left-- <= 0) return;
    std::optional<PreciseState> precise = set.refine(state);
    // singular points of the velocities say nothing about those nearby
    if (!precise || precise->rows.size() < at.rows.size()) return;
    std::vector<Precise> direction;
    for (std::size_t i = 0; i < n; ++i) direction.emplace_back(precise->values[n + i].second);
    direction.emplace_back();
    direction.back().set(1L);
    if (span.add(std::move(direction), size) == Echelon<Precise>::Result::fresh) {
      result.states.push_back(std::move(*precise));
    }
  };

  take(at.rounded);
  double size = 1;
  for (const double v : at.rounded.v) size = std::max(size, std::fabs(v));
  Random random(11);
  const std::vector<double> scales = velocities.row_scales(at.rounded.v);
  for (; result.starts < most_starts && span.rank() <= n; ++result.starts) {
    const double reach = size * (result.starts % 3 == 0 ? 0.7 : result.starts % 3 == 1 ? 2.0 : 6.0);
    std::vector<double> start(n);
    for (double& v : start) v = random.uniform(-reach, reach);
    ZeroSet::Solution solution = velocities.solve(start, every, scales);
    if (!solution.found) continue;
    State state = at.rounded;
    state.v = std::move(solution.x);
    take(state);
  }
  return result;
}

}  // namespace cetaev
