#include "zero_set.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cetaev {

namespace {

// Relative size below which a pivot counts as zero, and a residual as solved. Admissible states are computed to
// rounding, so true dependencies show at 1e-15 times a moderate condition number.
constexpr double rank_tolerance = 1e-10;
constexpr double residual_tolerance = 1e-12;

// What counts as size where a point is at the origin.
constexpr double smallest_size = 1e-3;

// Derivatives smaller than this beside the usual size of their row are rounding: following them leads to 1e16, nowhere.
constexpr double smallest_derivative = 1e-11;

// Beyond this many unknowns other branches are looked for at random only.
constexpr std::size_t largest_axis_search = 12;

double length(const Eigen::VectorXd& x) { return x.size() == 0 ? 0.0 : x.norm(); }

Eigen::MatrixXd columns_of(const Eigen::MatrixXd& m, const std::vector<std::size_t>& columns) {
  Eigen::MatrixXd result(m.rows(), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    result.col(static_cast<Eigen::Index>(k)) = m.col(static_cast<Eigen::Index>(columns[k]));
  }
  return result;
}

}  // namespace

std::uint64_t Random::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

double Random::uniform(double low, double high) {
  return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1.0p-53);
}

ZeroSet::ZeroSet(std::size_t equations, std::size_t unknowns, Map map)
    : equations_(equations),
      unknowns_(unknowns),
      map_(std::move(map)),
      f_(static_cast<Eigen::Index>(equations)),
      jacobian_(static_cast<Eigen::Index>(equations), static_cast<Eigen::Index>(unknowns)) {}

bool ZeroSet::evaluate(const Eigen::VectorXd& x) {
  map_(x, f_, jacobian_);
  return f_.allFinite() && jacobian_.allFinite();
}

Eigen::VectorXd ZeroSet::row_scales(const Eigen::VectorXd& x) {
  Eigen::VectorXd scales = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(equations_));
  Random random(1);
  const double spread = 0.5 * (1 + (x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0.0));
  for (int trial = 0; trial < 6; ++trial) {
    Eigen::VectorXd nearby = x;
    if (trial > 0) {
      for (double& component : nearby) component += random.uniform(-spread, spread);
    }
    if (!evaluate(nearby)) continue;
    scales = scales.cwiseMax(jacobian_.rowwise().norm());
  }
  for (double& s : scales) {
    if (s == 0) s = 1;
  }
  return scales;
}

double ZeroSet::scaled_residual(const Eigen::VectorXd& x, const Eigen::VectorXd& scales) const {
  if (equations_ == 0) return 0;
  const double size = smallest_size + (x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0.0);
  return f_.cwiseQuotient(scales).lpNorm<Eigen::Infinity>() / size;
}

bool ZeroSet::contains(const Eigen::VectorXd& x, const Eigen::VectorXd& scales) {
  map_(x, f_, jacobian_);
  return f_.allFinite() && scaled_residual(x, scales) <= residual_tolerance;
}

ZeroSet::Solution ZeroSet::solve(const Eigen::VectorXd& start, const std::vector<std::size_t>& movable,
                                 const Eigen::VectorXd& scales) {
  Solution solution{start, false, 0};
  if (!evaluate(start)) {
    solution.residual = HUGE_VAL;
    return solution;
  }
  solution.residual = scaled_residual(start, scales);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(rank_tolerance);
  for (int iteration = 0; iteration < 200 && solution.residual > 0; ++iteration) {
    // x ← x − J⁺F, halved while that does not help. Near multiple zeros convergence is linear: go on until it stalls.
    const Eigen::MatrixXd scaled = scales.cwiseInverse().asDiagonal() * columns_of(jacobian_, movable);
    if (scaled.size() == 0 || scaled.cwiseAbs().maxCoeff() < smallest_derivative) break;
    decomposition.compute(scaled);
    const Eigen::VectorXd step = decomposition.solve(f_.cwiseQuotient(scales));
    double factor = 1;
    bool improved = false;
    for (int halving = 0; halving < 40 && !improved; ++halving, factor /= 2) {
      Eigen::VectorXd next = solution.x;
      for (std::size_t k = 0; k < movable.size(); ++k) {
        next[static_cast<Eigen::Index>(movable[k])] -= factor * step[static_cast<Eigen::Index>(k)];
      }
      if (!next.allFinite() || !evaluate(next)) continue;
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

ZeroSet::Solution ZeroSet::slide(Solution from, const Eigen::VectorXd& goal, const std::vector<std::size_t>& movable,
                                 const Eigen::VectorXd& scales) {
  // Gradient steps in the tangent space, each followed by a return to the set; the step adapts to the curvature.
  double factor = 1;
  for (int iteration = 0; iteration < 500; ++iteration) {
    if (!evaluate(from.x)) break;
    const Eigen::MatrixXd j = columns_of(jacobian_, movable);
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
    decomposition.setThreshold(rank_tolerance);
    decomposition.compute(scales.cwiseInverse().asDiagonal() * j);
    Eigen::VectorXd pull(static_cast<Eigen::Index>(movable.size()));
    for (std::size_t k = 0; k < movable.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(movable[k]);
      pull[static_cast<Eigen::Index>(k)] = goal[i] - from.x[i];
    }
    const Eigen::VectorXd normal_part = decomposition.solve(scales.cwiseInverse().asDiagonal() * (j * pull));
    const Eigen::VectorXd tangent = pull - normal_part;
    if (length(tangent) <= 1e-15 * (length(from.x) + length(goal))) break;
    bool moved = false;
    for (; factor > 1e-6 && !moved; factor /= 2) {
      Eigen::VectorXd start = from.x;
      for (std::size_t k = 0; k < movable.size(); ++k) {
        start[static_cast<Eigen::Index>(movable[k])] += factor * tangent[static_cast<Eigen::Index>(k)];
      }
      const Solution next = solve(start, movable, scales);
      if (next.found && length(next.x - goal) < length(from.x - goal)) {
        from = next;
        moved = true;
      }
    }
    if (!moved) break;
    factor = std::min(1.0, 4 * factor);
  }
  return from;
}

ZeroSet::Solution ZeroSet::polish(const Solution& from, const Eigen::VectorXd& goal,
                                  const std::vector<std::size_t>& movable, const Eigen::VectorXd& scales) {
  const auto m = static_cast<Eigen::Index>(movable.size());
  const auto k = static_cast<Eigen::Index>(equations_);
  Solution now = from;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(rank_tolerance);
  for (int iteration = 0; iteration < 8; ++iteration) {
    if (!evaluate(now.x)) return from;
    const Eigen::MatrixXd j = scales.cwiseInverse().asDiagonal() * columns_of(jacobian_, movable);
    const Eigen::VectorXd f = f_.cwiseQuotient(scales);
    Eigen::VectorXd pull(m);
    for (Eigen::Index i = 0; i < m; ++i) {
      const auto at = static_cast<Eigen::Index>(movable[static_cast<std::size_t>(i)]);
      pull[i] = goal[at] - now.x[at];
    }
    decomposition.compute(j.transpose());
    const Eigen::VectorXd mu = decomposition.solve(pull);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(m + k, m + k);
    K.topLeftCorner(m, m).setIdentity();
    K.topRightCorner(m, k) = j.transpose();
    K.bottomLeftCorner(k, m) = j;
    const double h = 1e-6 * (smallest_size + now.x.lpNorm<Eigen::Infinity>());
    for (Eigen::Index i = 0; i < m; ++i) {
      Eigen::VectorXd shifted = now.x;
      shifted[static_cast<Eigen::Index>(movable[static_cast<std::size_t>(i)])] += h;
      if (!evaluate(shifted)) return from;
      const Eigen::MatrixXd moved = scales.cwiseInverse().asDiagonal() * columns_of(jacobian_, movable);
      K.block(0, i, m, 1) += (moved - j).transpose() * mu / h;
    }
    Eigen::VectorXd right(m + k);
    right.head(m) = pull - j.transpose() * mu;
    right.tail(k) = -f;
    decomposition.compute(K);
    const Eigen::VectorXd step = decomposition.solve(right);
    for (Eigen::Index i = 0; i < m; ++i)
      now.x[static_cast<Eigen::Index>(movable[static_cast<std::size_t>(i)])] += step[i];
    if (step.head(m).norm() <= 1e-15 * now.x.norm()) break;
  }
  now = solve(now.x, movable, scales);
  // Newton's method finds stationary points; only one that is not further away is better.
  const bool better = now.found && length(now.x - goal) <= length(from.x - goal) * (1 + 1e-12);
  return better ? now : from;
}

std::vector<ZeroSet::Solution> ZeroSet::nearest(const Eigen::VectorXd& goal, const std::vector<std::size_t>& movable,
                                                bool affine, Solution& best) {
  const Eigen::VectorXd scales = row_scales(goal);
  const double size = 1 + (goal.size() > 0 ? goal.lpNorm<Eigen::Infinity>() : 0.0);
  Random random(2);
  std::vector<Solution> found;
  best = Solution{goal, false, HUGE_VAL};

  const auto try_from = [&](const Eigen::VectorXd& start) {
    Solution s = solve(start, movable, scales);
    if (s.residual < best.residual) best = s;
    if (!s.found) return;
    if (movable.size() > 1) s = polish(slide(s, goal, movable, scales), goal, movable, scales);
    const bool known = std::any_of(found.begin(), found.end(),
                                   [&](const Solution& other) { return length(other.x - s.x) <= 1e-6 * length(s.x); });
    if (!known) found.push_back(s);
  };

  try_from(goal);
  if (affine) return found;
  // ± along each unknown, then at random: other branches, and a way out of points where the Jacobian vanishes
  for (const double distance : {0.3 * size, 3.0 * size}) {
    for (const std::size_t k : movable) {
      if (movable.size() > largest_axis_search) break;
      for (const double sign : {1.0, -1.0}) {
        Eigen::VectorXd start = goal;
        start[static_cast<Eigen::Index>(k)] += sign * distance;
        try_from(start);
      }
    }
    for (int trial = 0; trial < 8; ++trial) {
      Eigen::VectorXd start = goal;
      for (const std::size_t k : movable) start[static_cast<Eigen::Index>(k)] += random.uniform(-distance, distance);
      try_from(start);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](const Solution& a, const Solution& b) { return length(a.x - goal) < length(b.x - goal); });
  return found;
}

Pivots pivots(Eigen::MatrixXd jacobian, const Eigen::VectorXd& scales,
              const std::vector<std::vector<std::size_t>>& column_classes) {
  Pivots result;
  std::vector<std::size_t> rows;
  for (Eigen::Index i = 0; i < jacobian.rows(); ++i) {
    const double norm = jacobian.row(i).norm();
    if (norm <= rank_tolerance * scales[i]) {
      result.vanishing_rows.push_back(static_cast<std::size_t>(i));
    } else {
      jacobian.row(i) /= norm;
      rows.push_back(static_cast<std::size_t>(i));
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
          const double entry =
              std::fabs(jacobian(static_cast<Eigen::Index>(rows[r]), static_cast<Eigen::Index>(open[c])));
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
      const auto p = static_cast<Eigen::Index>(row);
      const auto j = static_cast<Eigen::Index>(column);
      for (const std::size_t r : rows) {
        const auto i = static_cast<Eigen::Index>(r);
        jacobian.row(i) -= (jacobian(i, j) / jacobian(p, j)) * jacobian.row(p);
        jacobian(i, j) = 0;
      }
    }
  }
  return result;
}

}  // namespace cetaev
