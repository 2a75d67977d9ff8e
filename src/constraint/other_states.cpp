// Equations that bend have other zeros: states beside a given one, on what may be another sheet of the set.
#include <cmath>
#include <utility>

#include "admissible_implementation.hpp"
#include "cetaev/algebra/degree.hpp"

namespace cetaev {

namespace {

// How far from the given state zeros are looked for, in units of the unknowns. Each search finds the zero nearest to where it starts.
constexpr double spread[] = {1, -1, 8, -8, 64, -64};

// Of second degree at most: two zeros, on either side of what random states start from.
bool quadratic(const Matrix& jacobian, const std::vector<std::size_t>& rows, std::span<const Expr> unknowns) {
  return std::ranges::all_of(rows, [&](std::size_t i) {
    const auto row = std::span(jacobian.entries).subspan(i * jacobian.columns, jacobian.columns);
    return std::ranges::all_of(row, [&](Expr e) { return !depends_on(e, unknowns) || affine_in(e, unknowns); });
  });
}

// Zeros that share with x whatever the equations do not determine there.
std::vector<std::vector<double>> other_zeros(ZeroSet set, const std::vector<double>& x) {
  std::vector<std::vector<double>> found;
  if (set.equations() == 0 || !set.evaluate(x)) return found;
  const std::vector<double> scales = set.row_scales(x);
  const std::vector<std::size_t> movable = pivots(set.jacobian(), set.row_errors(x), {all_indices(x.size())}).columns;
  Random random(5);
  for (const double far : spread) {
    std::vector<double> start = x;
    for (const std::size_t i : movable)
      start[i] += far * (1 + std::fabs(x[i])) * (movable.size() == 1 ? 1 : random.uniform(-1, 1));
    std::vector<ZeroSet::Solution> zeros;
    if (movable.size() == 1) {
      zeros = set.nearest(start, movable, false).found;
    } else {
      zeros.push_back(set.solve(start, movable, scales));
    }
    if (zeros.empty() || !zeros.front().found) continue;
    const auto same = [&](const std::vector<double>& other) { return same_zero(zeros.front().x, other, start); };
    if (!same(x) && std::ranges::none_of(found, same)) found.push_back(std::move(zeros.front().x));
  }
  return found;
}

}  // namespace

std::vector<State> Admissible::Implementation::others(const State& at) {
  std::vector<State> result;
  if (!quadratic(by_position, set.position_rows, system->motion.q)) {
    for (std::vector<double>& q : other_zeros(position_set(at), at.q)) {
      State other = at;
      other.q = std::move(q);
      if (velocity_set(other).reach(other.v)) result.push_back(std::move(other));
    }
  }
  if (!quadratic(set.jacobian, set.velocity_rows, system->motion.v)) {
    for (std::vector<double>& v : other_zeros(velocity_set(at), at.v)) {
      result.push_back(at);
      result.back().v = std::move(v);
    }
  }
  return result;
}

std::vector<State> Admissible::others_on(std::size_t part, const State& at) {
  Implementation& inside = *implementation_;
  std::vector<State> states = inside.of_part(part).others(at);
  std::erase_if(states, [&](const State& state) { return !inside.holds(state); });
  return states;
}

}  // namespace cetaev
