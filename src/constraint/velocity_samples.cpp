#include "velocity_samples.hpp"

#include <algorithm>
#include <cmath>

#include "brackets.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "enclosed.hpp"
#include "state_map.hpp"
#include "zero_set.hpp"

namespace cetaev {

namespace {

constexpr int most_starts = 60;
// How many velocities that depend on the others, but for rounding, are looked at in balls.
constexpr int checks = 3;

// A walk has so many steps, each cut in two up to so many times where the set bends.
constexpr int steps_of_walk = 16, halvings = 6;

// The velocities of one state that satisfy the constraints, and ways on them.
class AdmissibleVelocities {
 public:
  AdmissibleVelocities(const System& system, const ConstraintSet& constraints, const State& at)
      : map_(system, constraints.phi, constraints.jacobian, constraints.velocity_rows),
        inputs_(state_values(at, parameter_values(system))),
        set_(map_.rows(), system->size(),
             [this, n = system->size()](const auto& v, auto& f, auto& j) {
               std::copy(v.begin(), v.end(), inputs_.begin() + static_cast<std::ptrdiff_t>(n));
               map_.evaluate(inputs_, f, j);
             }),
        every_(all_indices(system->size())) {
    inputs_.resize(inputs_.size() + system->size(), 0.0);
    scales_ = set_.row_scales(at.v);
  }

  std::optional<std::vector<double>> near(const std::vector<double>& start) {
    ZeroSet::Solution solution = set_.solve(start, every_, scales_);
    if (!solution.found) return std::nullopt;
    return std::move(solution.x);
  }

  // Does it shrink to rest on the set? There the sheets of a cone meet, and a motion may go from one to another.
  bool leads_to_rest(const std::vector<double>& v) {
    for (const double part : {0.7, 0.3, 0.1, 0.0}) {
      std::vector<double> slower = v;
      for (double& component : slower) component *= part;
      if (!set_.contains(slower, scales_)) return false;
    }
    return true;
  }

  // Where steps in one direction lead to along the sheet, as far as that goes.
  std::vector<double> walk(std::vector<double> v, const std::vector<double>& direction) {
    for (int step = 0; step < steps_of_walk; ++step) {
      double left = 1.0 / steps_of_walk, length = left;
      for (int cuts = 0; cuts <= halvings && left > 0;) {
        if (std::optional<std::vector<double>> there = step_from(v, direction, length)) {
          v = std::move(*there);
          left -= length;
        } else {
          length /= 2;
          ++cuts;
        }
      }
      if (left > 0) break;
    }
    return v;
  }

 private:
  // Tangent to the set and back to it. Nothing where the way back is long beside the step, or where the gradients turn: there may be
  // another sheet.
  std::optional<std::vector<double>> step_from(const std::vector<double>& v, const std::vector<double>& direction,
                                               double length) {
    if (!set_.evaluate(v)) return std::nullopt;
    const DenseMatrix before = set_.jacobian();
    const std::vector<double> normal = LeastNorm(before, rank_tolerance).solve(before * direction);
    std::vector<double> ahead = v;
    for (std::size_t i = 0; i < v.size(); ++i) ahead[i] += length * (direction[i] - normal[i]);
    std::optional<std::vector<double>> there = near(ahead);
    // 1/4 and 60°: a smooth set is as straight as that in a step that is short enough
    if (!there || distance(*there, ahead) > 0.25 * distance(ahead, v) || !set_.evaluate(*there)) return std::nullopt;
    const DenseMatrix& after = set_.jacobian();
    for (std::size_t i = 0; i < before.rows(); ++i) {
      double product = 0;
      for (std::size_t j = 0; j < before.columns(); ++j) product += before(i, j) * after(i, j);
      if (product < 0.5 * row_length(before, i) * row_length(after, i)) return std::nullopt;
    }
    return there;
  }

  StateMap map_;
  std::vector<double> inputs_;
  ZeroSet set_;
  std::vector<std::size_t> every_;
  std::vector<double> scales_;
};

}  // namespace

VelocitySamples sample_velocities(OnSet& set, const PreciseState& at) {
  const std::size_t n = set.system()->size();
  VelocitySamples result;
  Echelon<Precise> span(Precise::zero);
  Echelon<Quick> rough(1e-7);
  int left = checks;
  // In balls, where it does not depend on the others but for rounding.
  const auto fresh = [&](const std::vector<double>& v) -> std::optional<PreciseState> {
    std::vector<Quick> guess(n + 1);
    const double size = std::max(1.0, largest_magnitude(v));
    for (std::size_t i = 0; i < n; ++i) guess[i].set(v[i]);
    guess[n].set(1L);
    if (rough.add(std::move(guess), size) != Echelon<Quick>::Result::fresh && left-- <= 0) return std::nullopt;
    State state = at.rounded;
    state.v = v;
    std::optional<PreciseState> precise = set.refine(state);
    // singular points of the velocities say nothing about those nearby
    if (!precise || precise->rows.size() < at.rows.size()) return std::nullopt;
    std::vector<Precise> direction;
    for (std::size_t i = 0; i < n; ++i) direction.emplace_back(precise->values[n + i].second);
    direction.emplace_back();
    direction.back().set(1L);
    if (span.add(std::move(direction), size) != Echelon<Precise>::Result::fresh) return std::nullopt;
    return precise;
  };

  AdmissibleVelocities velocities(set.system(), set.admissible().constraints(), at.rounded);
  const double size = std::max(1.0, largest_magnitude(at.rounded.v));
  Random random(11);
  const auto anywhere = [&](int start) {
    const double reach = size * (start % 3 == 0 ? 0.7 : start % 3 == 1 ? 2.0 : 6.0);
    std::vector<double> v(n);
    for (double& component : v) component = random.uniform(-reach, reach);
    return v;
  };
  if (std::optional<PreciseState> first = fresh(at.rounded.v)) result.states.push_back(std::move(*first));
  for (int start = 0; start < most_starts && span.rank() <= n; ++start) {
    if (auto state = fresh(velocities.walk(at.rounded.v, anywhere(start)))) result.states.push_back(std::move(*state));
  }
  left = checks;
  const bool meet = velocities.leads_to_rest(at.rounded.v);
  for (int start = 0; start < most_starts && span.rank() <= n && !result.others; ++start) {
    const std::optional<std::vector<double>> v = velocities.near(anywhere(start));
    std::optional<PreciseState> state = v ? fresh(*v) : std::nullopt;
    if (!state) continue;
    if (meet && velocities.leads_to_rest(*v)) {
      result.states.push_back(std::move(*state));
    } else {
      result.others = true;
    }
  }
  return result;
}

}  // namespace cetaev
