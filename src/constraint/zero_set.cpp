#include "zero_set.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/detail/numeric/rank.hpp"

namespace cetaev {

namespace {

// Relative size below which a residual counts as solved.
constexpr double residual_tolerance = 1e-12;

// What counts as size where a point is at the origin.
constexpr double smallest_size = 1e-3;

// Derivatives smaller than this beside the usual size of their row are rounding: following them leads to 1e16, nowhere.
constexpr double smallest_derivative = 1e-11;

// Beyond this many unknowns other branches are looked for at random only.
constexpr std::size_t largest_axis_search = 12;

// Rows in units of their scales.
void divide_rows(DenseMatrix& m, const std::vector<double>& scales) {
  for (std::size_t i = 0; i < m.rows(); ++i) m.scale_row(i, 1 / scales[i]);
}

std::vector<double> quotients(std::vector<double> x, const std::vector<double>& scales) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] /= scales[i];
  return x;
}

void move_by(std::vector<double>& x, const std::vector<std::size_t>& movable, double factor,
             std::span<const double> step) {
  for (std::size_t k = 0; k < movable.size(); ++k) x[movable[k]] += factor * step[k];
}

// goal − x in the movable unknowns
std::vector<double> pull_towards(const std::vector<double>& goal, const std::vector<double>& x,
                                 const std::vector<std::size_t>& movable) {
  std::vector<double> pull;
  for (const std::size_t i : movable) pull.push_back(goal[i] - x[i]);
  return pull;
}

}  // namespace

ZeroSet::ZeroSet(std::size_t equations, std::size_t unknowns, Map map)
    : equations_(equations), unknowns_(unknowns), map_(std::move(map)), f_(equations), jacobian_(equations, unknowns) {}

bool ZeroSet::evaluate(const Vector& x) {
  map_(x, f_, jacobian_);
  return all_finite(f_) && all_finite(jacobian_.entries());
}

ZeroSet::Vector ZeroSet::row_scales(const Vector& x) {
  Vector scales(equations_, 0.0);
  Random random(1);
  const double spread = 0.5 * (1 + largest_magnitude(x));
  for (int trial = 0; trial < 6; ++trial) {
    Vector nearby = x;
    if (trial > 0) {
      for (double& component : nearby) component += random.uniform(-spread, spread);
    }
    if (!evaluate(nearby)) continue;
    for (std::size_t i = 0; i < equations_; ++i) scales[i] = std::max(scales[i], row_length(jacobian_, i));
  }
  for (double& s : scales) {
    if (s == 0) s = 1;
  }
  return scales;
}

double ZeroSet::scaled_residual(const Vector& x, const Vector& scales) const {
  if (equations_ == 0) return 0;
  return largest_magnitude(quotients(f_, scales)) / (smallest_size + largest_magnitude(x));
}

bool ZeroSet::contains(const Vector& x, const Vector& scales) {
  map_(x, f_, jacobian_);
  return all_finite(f_) && scaled_residual(x, scales) <= residual_tolerance;
}

ZeroSet::Solution ZeroSet::solve(const Vector& start, const std::vector<std::size_t>& movable, const Vector& scales) {
  Solution solution{start, false, 0};
  if (!evaluate(start)) {
    solution.residual = HUGE_VAL;
    return solution;
  }
  solution.residual = scaled_residual(start, scales);
  LeastNorm decomposition(rank_tolerance);
  for (int iteration = 0; iteration < 200 && solution.residual > 0; ++iteration) {
    // x ← x − J⁺F, halved while that does not help. Near multiple zeros convergence is linear: go on until it stalls.
    DenseMatrix scaled = jacobian_.select_columns(movable);
    divide_rows(scaled, scales);
    if (largest_magnitude(scaled.entries()) < smallest_derivative) break;
    decomposition.compute(scaled);
    const Vector step = decomposition.solve(quotients(f_, scales));
    double factor = 1;
    bool improved = false;
    for (int halving = 0; halving < 40 && !improved; ++halving, factor /= 2) {
      Vector next = solution.x;
      move_by(next, movable, -factor, step);
      if (!all_finite(next) || !evaluate(next)) continue;
      const double residual = scaled_residual(next, scales);
      if (residual < solution.residual) {
        solution.x = next;
        solution.residual = residual;
        improved = true;
      }
    }
    if (!improved) break;
  }
  evaluate(solution.x);
  solution.found = solution.residual <= residual_tolerance;
  return solution;
}

bool ZeroSet::reach(Vector& x) {
  if (equations_ == 0) return true;
  std::vector<std::size_t> every(unknowns_);
  std::iota(every.begin(), every.end(), std::size_t{0});
  Solution solution = solve(x, every, row_scales(x));
  x = std::move(solution.x);
  return solution.found;
}

ZeroSet::Solution ZeroSet::slide(Solution from, const Vector& goal, const std::vector<std::size_t>& movable,
                                 const Vector& scales) {
  // Gradient steps in the tangent space, each followed by a return to the set; the step adapts to the curvature.
  double factor = 1;
  for (int iteration = 0; iteration < 500; ++iteration) {
    if (!evaluate(from.x)) break;
    DenseMatrix j = jacobian_.select_columns(movable);
    Vector tangent = pull_towards(goal, from.x, movable);
    Vector along = j * tangent;
    for (std::size_t i = 0; i < along.size(); ++i) along[i] *= 1 / scales[i];
    divide_rows(j, scales);
    const Vector normal_part = LeastNorm(j, rank_tolerance).solve(along);
    for (std::size_t i = 0; i < tangent.size(); ++i) tangent[i] -= normal_part[i];
    if (length(tangent) <= 1e-15 * (length(from.x) + length(goal))) break;
    bool moved = false;
    for (; factor > 1e-6 && !moved; factor /= 2) {
      Vector start = from.x;
      move_by(start, movable, factor, tangent);
      const Solution next = solve(start, movable, scales);
      if (next.found && distance(next.x, goal) < distance(from.x, goal)) {
        from = next;
        moved = true;
      }
    }
    if (!moved) break;
    factor = std::min(1.0, 4 * factor);
  }
  return from;
}

ZeroSet::Solution ZeroSet::polish(const Solution& from, const Vector& goal, const std::vector<std::size_t>& movable,
                                  const Vector& scales) {
  const std::size_t m = movable.size(), k = equations_;
  Solution now = from;
  LeastNorm decomposition(rank_tolerance);
  const auto scaled_jacobian = [&] {
    DenseMatrix j = jacobian_.select_columns(movable);
    divide_rows(j, scales);
    return j;
  };
  for (int iteration = 0; iteration < 8; ++iteration) {
    if (!evaluate(now.x)) return from;
    const DenseMatrix j = scaled_jacobian();
    const Vector f = quotients(f_, scales);
    const Vector pull = pull_towards(goal, now.x, movable);
    decomposition.compute(transposed(j));
    const Vector mu = decomposition.solve(pull);
    // [1 + Σ μ F'', Jᵀ; J, 0] (Δx, Δμ) = (goal − x − Jᵀμ, −F)
    DenseMatrix K(m + k, m + k);
    Vector right = pull;
    subtract_transposed_product(j, mu, right);
    for (std::size_t i = 0; i < m; ++i) {
      K(i, i) = 1;
      for (std::size_t r = 0; r < k; ++r) K(i, m + r) = K(m + r, i) = j(r, i);
    }
    for (const double value : f) right.push_back(-value);
    const double h = 1e-6 * (smallest_size + largest_magnitude(now.x));
    for (std::size_t i = 0; i < m; ++i) {
      Vector shifted = now.x;
      shifted[movable[i]] += h;
      if (!evaluate(shifted)) return from;
      DenseMatrix change = scaled_jacobian();
      for (std::size_t e = 0; e < change.entries().size(); ++e) change.entries()[e] -= j.entries()[e];
      const Vector second = transposed_times(change, mu);
      for (std::size_t r = 0; r < m; ++r) K(r, i) += second[r] / h;
    }
    decomposition.compute(K);
    const Vector step = decomposition.solve(right);
    move_by(now.x, movable, 1, step);
    if (length(std::span(step).first(m)) <= 1e-15 * length(now.x)) break;
  }
  now = solve(now.x, movable, scales);
  // Newton's method finds stationary points; only one that is not further away is better.
  const bool better = now.found && distance(now.x, goal) <= distance(from.x, goal) * (1 + 1e-12);
  return better ? now : from;
}

std::vector<ZeroSet::Solution> ZeroSet::nearest(const Vector& goal, const std::vector<std::size_t>& movable,
                                                bool affine, Solution& best) {
  const Vector scales = row_scales(goal);
  const double size = 1 + largest_magnitude(goal);
  Random random(2);
  std::vector<Solution> found;
  best = Solution{goal, false, HUGE_VAL};

  const auto try_from = [&](const Vector& start) {
    Solution s = solve(start, movable, scales);
    if (s.residual < best.residual) best = s;
    if (!s.found) return;
    if (movable.size() > 1) s = polish(slide(s, goal, movable, scales), goal, movable, scales);
    const bool known = std::any_of(found.begin(), found.end(),
                                   [&](const Solution& other) { return distance(other.x, s.x) <= 1e-6 * length(s.x); });
    if (!known) found.push_back(s);
  };

  try_from(goal);
  if (affine) return found;
  // ± along each unknown, then at random: other branches, and a way out of points where the Jacobian vanishes
  for (const double distance : {0.3 * size, 3.0 * size}) {
    for (const std::size_t k : movable) {
      if (movable.size() > largest_axis_search) break;
      for (const double sign : {1.0, -1.0}) {
        Vector start = goal;
        start[k] += sign * distance;
        try_from(start);
      }
    }
    for (int trial = 0; trial < 8; ++trial) {
      Vector start = goal;
      for (const std::size_t k : movable) start[k] += random.uniform(-distance, distance);
      try_from(start);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](const Solution& a, const Solution& b) { return distance(a.x, goal) < distance(b.x, goal); });
  return found;
}

Pivots pivots(DenseMatrix jacobian, const std::vector<double>& scales,
              const std::vector<std::vector<std::size_t>>& column_classes) {
  Pivots result;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < jacobian.rows(); ++i) {
    const double norm = row_length(jacobian, i);
    if (norm <= rank_tolerance * scales[i]) {
      result.vanishing_rows.push_back(i);
    } else {
      for (std::size_t j = 0; j < jacobian.columns(); ++j) jacobian(i, j) /= norm;
      rows.push_back(i);
    }
  }
  for (const std::vector<std::size_t>& columns : column_classes) {
    std::vector<std::size_t> open = columns;
    while (!rows.empty() && !open.empty()) {
      std::size_t best_row = 0;
      std::size_t best_column = 0;
      double best = 0;
      for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t c = 0; c < open.size(); ++c) {
          const double entry = std::fabs(jacobian(rows[r], open[c]));
          // the first of nearly equal ones, so that rounding does not decide
          if (entry > best * (1 + 1e-9)) {
            best = entry;
            best_row = r;
            best_column = c;
          }
        }
      }
      if (best <= rank_tolerance) break;
      const std::size_t row = rows[best_row];
      const std::size_t column = open[best_column];
      result.rows.push_back(row);
      result.columns.push_back(column);
      rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(best_row));
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(best_column));
      for (const std::size_t i : rows) {
        const double factor = jacobian(i, column) / jacobian(row, column);
        for (std::size_t j = 0; j < jacobian.columns(); ++j) jacobian(i, j) -= factor * jacobian(row, j);
        jacobian(i, column) = 0;
      }
    }
  }
  return result;
}

}  // namespace cetaev
