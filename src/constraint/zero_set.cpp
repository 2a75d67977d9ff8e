#include "zero_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cetaev/detail/constraint/around.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/detail/numeric/rank.hpp"

namespace cetaev {

namespace {

// Derivatives smaller than this beside the usual size of their row are rounding: following them leads to 1e16, nowhere. Those of a double
// zero are followed until it is as near as a state is known.
constexpr double smallest_derivative = known_state / 10;

// Beyond this many unknowns other branches are looked for at random only, and beyond this many boxes are too many.
constexpr std::size_t largest_axis_search = 12, largest_box_search = 3;

// A row that is smaller than this beside its usual size may be rounding.
constexpr double doubtful_row = 1e-6;

// A row whose enclosure is wider than its derivatives make it by this is looked at sharply: enclosures of ordinary rows lose less.
constexpr double unexplained_width = 1e3;
// Of its value, that a row changes by where it comes to zero. What has a limit without reaching it changes by 1e-12 or less, a zero of
// any order by all of it and more; a direction at random may miss most of that.
constexpr double smallest_change = 1e-3;

// Instructions in balls for a state near given data, and for one of many random ones.
constexpr double search_near_data = 1e6, search_at_random = 1e5;

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

// Of two points from the goal, in those unknowns in which they are not the same.
std::pair<double, double> distances_where_they_differ(const std::vector<double>& one, const std::vector<double>& other,
                                                      const std::vector<double>& goal) {
  double first = 0, second = 0;
  for (std::size_t i = 0; i < goal.size(); ++i) {
    if (one[i] == other[i]) continue;
    first += (one[i] - goal[i]) * (one[i] - goal[i]);
    second += (other[i] - goal[i]) * (other[i] - goal[i]);
  }
  return {std::sqrt(first), std::sqrt(second)};
}

}  // namespace

bool are_equally_near(const std::vector<double>& one, const std::vector<double>& other,
                      const std::vector<double>& goal) {
  const auto [first, second] = distances_where_they_differ(one, other, goal);
  return distance(one, other) > 1e-3 * first && std::fabs(second - first) <= 1e-7 * first;
}

bool is_nearer(const std::vector<double>& one, const std::vector<double>& other, const std::vector<double>& goal) {
  const auto [first, second] = distances_where_they_differ(one, other, goal);
  return first < second;
}

ZeroSet::ZeroSet(std::size_t equations, std::size_t unknowns, Map map, std::optional<Enclosure> enclosure, Kinds kinds)
    : equations_(equations),
      unknowns_(unknowns),
      map_(std::move(map)),
      enclosure_(std::move(enclosure)),
      kinds_(std::move(kinds)),
      f_(equations),
      jacobian_(equations, unknowns) {}

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
  // A row that is much larger nearby, as an exponential, is judged by itself where its derivatives are certain.
  if (!enclosure_ || !evaluate(x)) return scales;
  Vector errors;
  for (std::size_t i = 0; i < equations_; ++i) {
    const double here = row_length(jacobian_, i);
    if (here == 0 || here >= doubtful_row * scales[i]) continue;
    if (errors.empty()) errors = row_errors(x);
    if (here > errors[i]) scales[i] = here;
  }
  return scales;
}

ZeroSet::Vector ZeroSet::row_errors(const Vector& x) {
  if (!enclosure_) {
    Vector errors = row_scales(x);
    for (double& e : errors) e *= rank_tolerance;
    return errors;
  }
  std::vector<Ball> f, j;
  enclosure_->over(all_indices(equations_), all_indices(unknowns_), x)->derivatives(around(x, kinds_), f, j);
  return cetaev::row_errors(j, unknowns_);
}

double ZeroSet::scaled_residual(const Vector& x, const Vector& scales) const {
  double largest = 0;
  for (std::size_t i = 0; i < equations_; ++i) largest = std::max(largest, std::fabs(f_[i] / scales[i]));
  return largest / (smallest_state + largest_magnitude(x));
}

bool ZeroSet::contains(const Vector& x, const Vector& scales) {
  map_(x, f_, jacobian_);
  if (!all_finite(f_)) return false;
  if (!enclosure_ || equations_ == 0) return scaled_residual(x, scales) <= known_state;
  const std::unique_ptr<EnclosedEquations> equations =
      enclosure_->over(all_indices(equations_), all_indices(unknowns_), x);
  std::vector<Ball> f, there;
  equations->values(around(x, kinds_), f);
  for (std::size_t i = 0; i < equations_; ++i) {
    if (!f[i].is_finite()) {
      // a function ends close by, as √ at 0: what it is at the point itself decides
      if (there.empty()) {
        std::vector<Ball> point;
        for (const double component : x) point.push_back(but_for_rounding(component));
        equations->values(point, there);
      }
      f[i] = there[i].is_finite() ? there[i] : Ball::from_double(f_[i]);
    }
    if (!f[i].contains_zero()) return false;
  }
  Indices doubtful;
  const Vector off = state_errors(x, kinds_);
  for (std::size_t i = 0; i < equations_; ++i) {
    double explained = 0;
    for (std::size_t j = 0; j < unknowns_; ++j) explained = std::hypot(explained, jacobian_(i, j) * off[j]);
    if (f[i].radius() > unexplained_width * explained) doubtful.push_back(i);
  }
  return doubtful.empty() || comes_to_zero(*equations, x, doubtful);
}

bool ZeroSet::comes_to_zero(EnclosedEquations& equations, const Vector& x, const Indices& rows) const {
  const auto evaluate_at = [&](const Vector& point, std::vector<Ball>& values) {
    std::vector<Ball> inputs;
    for (const double component : point) inputs.push_back(Ball::from_double(component));
    return equations.sharp_values(inputs, values);
  };
  std::vector<Ball> here, there;
  if (!evaluate_at(x, here)) return false;
  Indices open;
  for (const std::size_t i : rows)
    if (here[i].is_finite() && !here[i].contains_zero()) open.push_back(i);
  Random random(9);
  const Vector off = state_errors(x, kinds_);
  constexpr int directions = 6;
  for (int trial = 0; trial < directions && !open.empty(); ++trial) {
    Vector nearby = x;
    for (std::size_t i = 0; i < x.size(); ++i) nearby[i] += (random.uniform(-1, 1) < 0 ? -1 : 1) * off[i];
    if (!evaluate_at(nearby, there)) return false;
    std::erase_if(open, [&](std::size_t i) {
      const Ball change = there[i] - here[i];
      return !change.is_finite() || change.magnitude_log10() >= here[i].magnitude_log10() + std::log10(smallest_change);
    });
  }
  return open.empty();
}

ZeroSet::Solution ZeroSet::approach(const Vector& start, const Indices& movable, const Vector& scales) {
  Solution solution{start, false, 0};
  if (!evaluate(start)) {
    solution.residual = HUGE_VAL;
    return solution;
  }
  solution.residual = scaled_residual(start, scales);
  LeastNorm decomposition(rank_tolerance);
  Vector next;
  for (int iteration = 0; iteration < 200 && solution.residual > 0; ++iteration) {
    // x ← x − J⁺F, halved while that does not help. Near multiple zeros convergence is linear: go on until it stalls.
    DenseMatrix scaled = jacobian_.select_columns(movable);
    divide_rows(scaled, scales);
    if (largest_magnitude(scaled.entries()) < smallest_derivative) break;
    decomposition.compute(scaled);
    const Vector step = decomposition.solve(quotients(f_, scales));
    double factor = 1;
    bool improved = false;
    // what is left at the end is rounding, and no part of a step makes it less
    const int most_halvings = solution.residual > std::numeric_limits<double>::epsilon() ? 40 : 1;
    for (int halving = 0; halving < most_halvings && !improved; ++halving, factor /= 2) {
      next = solution.x;
      move_by(next, movable, -factor, step);
      if (!all_finite(next) || !evaluate(next)) continue;
      const double residual = scaled_residual(next, scales);
      if (residual < solution.residual) {
        solution.x.swap(next);
        solution.residual = residual;
        improved = true;
      }
    }
    if (!improved) break;
  }
  solution.found = solution.residual <= known_state;
  return solution;
}

ZeroSet::Solution ZeroSet::solve(const Vector& start, const Indices& movable, const Vector& scales) {
  Solution solution = approach(start, movable, scales);
  solution.found = contains(solution.x, scales);
  return solution;
}

ZeroSet::Solution ZeroSet::nearest_from(const Vector& start, const Vector& goal, const Indices& movable,
                                        const Vector& scales) {
  Solution solution = solve(start, movable, scales);
  if (!solution.found || movable.size() < 2) return solution;
  // to where Newton's method takes over, and all the way where it does not
  const Solution nearby = slide(solution, goal, movable, scales, 1e-3);
  Solution closer = polish(nearby, goal, movable, scales);
  if (closer.x == nearby.x) closer = slide(nearby, goal, movable, scales, 1e-15);
  closer.found = contains(closer.x, scales);
  return closer.found ? closer : solution;
}

bool ZeroSet::reach(Vector& x) {
  if (equations_ == 0) return true;
  Solution solution = solve(x, all_indices(unknowns_), row_scales(x));
  if (!solution.found && enclosure_) {
    for (const Block& block : blocks(all_indices(unknowns_))) {
      ZeroSet alone = part(block.equations);
      if (alone.contains(solution.x, alone.row_scales(solution.x))) continue;
      if (block.movable.empty()) return false;
      const std::vector<Vector> on_axes = alone.zeros_on_axes(x, block.movable, search_at_random);
      Vector there = on_axes.empty() ? x : on_axes.front();
      if (on_axes.empty()) {
        if (block.movable.size() > largest_box_search) return false;
        const NearZeros found = alone.search_boxes(x, block.movable, search_at_random, {});
        if (found.zeros.empty()) return false;
        for (std::size_t i = 0; i < block.movable.size(); ++i) there[block.movable[i]] = found.zeros.front()[i];
      }
      for (const std::size_t i : block.movable) solution.x[i] = there[i];
    }
    solution.found = contains(solution.x, row_scales(solution.x));
  }
  x = std::move(solution.x);
  return solution.found;
}

ZeroSet::Solution ZeroSet::slide(Solution from, const Vector& goal, const Indices& movable, const Vector& scales,
                                 double off) {
  // Gradient steps in the tangent space, each followed by a return to the set; the step adapts to the curvature.
  double factor = 1;
  LeastNorm decomposition(rank_tolerance);
  for (int iteration = 0; iteration < 500; ++iteration) {
    if (!evaluate(from.x)) break;
    DenseMatrix j = jacobian_.select_columns(movable);
    Vector tangent = pull_towards(goal, from.x, movable);
    Vector along = j * tangent;
    for (std::size_t i = 0; i < along.size(); ++i) along[i] *= 1 / scales[i];
    divide_rows(j, scales);
    decomposition.compute(j);
    const Vector normal_part = decomposition.solve(along);
    for (std::size_t i = 0; i < tangent.size(); ++i) tangent[i] -= normal_part[i];
    if (length(tangent) <= off * (length(from.x) + length(goal))) break;
    bool moved = false;
    for (; factor > 1e-6 && !moved; factor /= 2) {
      Vector start = from.x;
      move_by(start, movable, factor, tangent);
      const Solution next = approach(start, movable, scales);
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

ZeroSet::Solution ZeroSet::polish(const Solution& from, const Vector& goal, const Indices& movable,
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
    const double h = 1e-6 * (smallest_state + largest_magnitude(now.x));
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
  now = approach(now.x, movable, scales);
  // Newton's method finds stationary points; only one that is not further away is better.
  const bool better = now.found && distance(now.x, goal) <= distance(from.x, goal) * (1 + 1e-12);
  return better ? now : from;
}

ZeroSet::Vector ZeroSet::follow(Vector x, const Indices& movable, const Vector& scales) {
  // dx/ds = −J⁺F from s = 0, F shrinking like e⁻ˢ: the step is as long as F(x − h J⁺F) is (1 − h) F(x) to a quarter of h F(x).
  LeastNorm decomposition(rank_tolerance);
  for (int step = 0; step < 100 && evaluate(x); ++step) {
    DenseMatrix scaled = jacobian_.select_columns(movable);
    divide_rows(scaled, scales);
    if (largest_magnitude(scaled.entries()) < smallest_derivative) break;
    const Vector f = quotients(f_, scales);
    const double size = largest_magnitude(f);
    decomposition.compute(scaled);
    const Vector direction = decomposition.solve(f);
    bool moved = false;
    for (double h = 0.5; h > 1e-4 && !moved; h /= 2) {
      Vector next = x;
      move_by(next, movable, -h, direction);
      if (!all_finite(next) || !evaluate(next)) continue;
      const Vector there = quotients(f_, scales);
      double off = 0;
      for (std::size_t i = 0; i < f.size(); ++i) off = std::max(off, std::fabs(there[i] - (1 - h) * f[i]));
      moved = off <= 0.25 * h * size;
      if (moved) x = std::move(next);
    }
    if (!moved || size == 0) break;
  }
  return x;
}

std::vector<ZeroSet::Block> ZeroSet::blocks(const Indices& movable) const {
  if (!enclosure_) return {{all_indices(equations_), movable}};
  // Equations are joined by the unknowns that they share.
  Indices label = all_indices(equations_);
  Indices of_unknown;
  for (const std::size_t unknown : movable) {
    std::optional<std::size_t> common;
    for (std::size_t i = 0; i < equations_; ++i) {
      if (!enclosure_->occurs(i, unknown)) continue;
      if (!common) common = label[i];
      std::replace(label.begin(), label.end(), std::size_t{label[i]}, *common);
    }
    of_unknown.push_back(common.value_or(equations_));
  }
  std::vector<Block> result;
  for (std::size_t name = 0; name < equations_; ++name) {
    Block block;
    for (std::size_t i = 0; i < equations_; ++i) {
      if (label[i] == name) block.equations.push_back(i);
    }
    if (block.equations.empty()) continue;
    for (std::size_t i = 0; i < movable.size(); ++i) {
      // a label that an unknown was given may have been replaced since
      if (of_unknown[i] < equations_ && label[of_unknown[i]] == name) block.movable.push_back(movable[i]);
    }
    result.push_back(std::move(block));
  }
  return result;
}

ZeroSet ZeroSet::part(const Indices& equations) const {
  if (equations.size() == equations_) return *this;
  const auto pick = [equations](const Indices& some) {
    Indices result;
    for (const std::size_t i : some) result.push_back(equations[i]);
    return result;
  };
  std::optional<Enclosure> enclosure;
  if (enclosure_) {
    enclosure = Enclosure{[occurs = enclosure_->occurs, equations](std::size_t i, std::size_t unknown) {
                            return occurs(equations[i], unknown);
                          },
                          [over = enclosure_->over, pick](const Indices& some, const Indices& unknowns,
                                                          const Vector& x) { return over(pick(some), unknowns, x); }};
  }
  return ZeroSet(
      equations.size(), unknowns_,
      [map = map_, equations, f = f_, j = jacobian_](const Vector& x, Vector& some, DenseMatrix& rows) mutable {
        map(x, f, j);
        for (std::size_t i = 0; i < equations.size(); ++i) {
          some[i] = f[equations[i]];
          for (std::size_t c = 0; c < j.columns(); ++c) rows(i, c) = j(equations[i], c);
        }
      },
      std::move(enclosure), kinds_);
}

ZeroSet::Nearest ZeroSet::nearest(const Vector& goal, const Indices& movable, bool affine, Others others) {
  std::vector<Block> parts = blocks(movable);
  std::vector<Nearest> of_parts;
  Nearest result;
  for (const Block& block : parts) {
    of_parts.push_back(part(block.equations).nearest_of_block(goal, block.movable, affine, others));
    result.none_exists = result.none_exists || of_parts.back().none_exists;
  }
  // The nearest of every part together; and that with another choice in one of them.
  const auto put = [&](Solution& whole, std::size_t p, const Solution& own) {
    for (const std::size_t i : parts[p].movable) whole.x[i] = own.x[i];
    whole.residual = std::max(whole.residual, own.residual);
  };
  Solution first{goal, true, 0};
  for (std::size_t p = 0; p < parts.size(); ++p) {
    first.found = first.found && !of_parts[p].found.empty();
    put(first, p, of_parts[p].found.empty() ? of_parts[p].closest : of_parts[p].found.front());
  }
  result.closest = first;
  if (!first.found) return result;
  result.found.push_back(first);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::size_t other = 1; other < of_parts[p].found.size(); ++other) {
      Solution next = first;
      put(next, p, of_parts[p].found[other]);
      if (other == 1 && are_equally_near(of_parts[p].found[0].x, of_parts[p].found[1].x, goal))
        result.equally_near = next;
      result.found.push_back(std::move(next));
    }
  }
  std::stable_sort(result.found.begin(), result.found.end(),
                   [&](const Solution& a, const Solution& b) { return distance(a.x, goal) < distance(b.x, goal); });
  return result;
}

ZeroSet::Nearest ZeroSet::nearest_of_block(const Vector& goal, const Indices& movable, bool affine, Others others) {
  const Vector scales = row_scales(goal);
  const double size = 1 + largest_magnitude(goal);
  Random random(2);
  Nearest result;
  result.closest = Solution{goal, false, HUGE_VAL};

  const auto keep = [&](const Solution& s) {
    const bool known = std::any_of(result.found.begin(), result.found.end(),
                                   [&](const Solution& other) { return same_zero(s.x, other.x, goal); });
    if (!known) result.found.push_back(s);
  };
  const auto try_from = [&](const Vector& start) {
    const Solution s = nearest_from(start, goal, movable, scales);
    if (s.residual < result.closest.residual) result.closest = s;
    if (s.found) keep(s);
  };
  const auto in_boxes = [&] {
    const NearZeros boxes = search_boxes(goal, movable, search_near_data, result.found);
    for (const Vector& zero : boxes.zeros) {
      Vector x = goal;
      for (std::size_t i = 0; i < movable.size(); ++i) x[movable[i]] = zero[i];
      keep({std::move(x), true, 0});
    }
    result.none_exists = boxes.complete && boxes.zeros.empty();
    return boxes.complete;
  };
  const bool boxed = enclosure_ && !movable.empty() && movable.size() <= largest_box_search;

  // Newton's steps are normal to an affine set: they lead to what is nearest.
  if (affine) {
    result.closest = solve(goal, movable, scales);
    if (result.closest.found) result.found.push_back(result.closest);
  } else {
    try_from(goal);
  }
  if (affine || movable.empty()) {
    if (result.found.empty() && movable.empty() && enclosure_) result.none_exists = is_proved_empty(goal);
    return result;
  }
  const bool settled = boxed && movable.size() == 1 && in_boxes();
  if (!settled || others == Others::wanted) {
    try_from(follow(goal, movable, scales));
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
    if (enclosure_)
      for (const Vector& start : zeros_on_axes(goal, movable, search_near_data)) try_from(start);
    if (boxed && movable.size() > 1) in_boxes();
  }
  std::stable_sort(result.found.begin(), result.found.end(),
                   [&](const Solution& a, const Solution& b) { return distance(a.x, goal) < distance(b.x, goal); });
  return result;
}

ZeroSet::Indices ZeroSet::contradiction(const Vector& x) {
  for (const Block& block : blocks(all_indices(unknowns_))) {
    ZeroSet alone = part(block.equations);
    if (block.movable.empty()) {
      if (alone.is_proved_empty(x)) return block.equations;
      continue;
    }
    const NearZeros zeros = alone.search_boxes(x, block.movable, search_near_data, {});
    if (zeros.complete && zeros.zeros.empty()) return block.equations;
  }
  return {};
}

bool ZeroSet::is_proved_empty(const Vector& x) {
  std::vector<Ball> f;
  enclosure_->over(all_indices(equations_), {}, x)->values({}, f);
  return std::any_of(f.begin(), f.end(), [](const Ball& value) { return value.is_finite() && !value.contains_zero(); });
}

std::vector<ZeroSet::Vector> ZeroSet::zeros_on_axes(const Vector& goal, const Indices& movable, double budget) {
  std::vector<Vector> result;
  if (equations_ != 1 || movable.size() < 2 || movable.size() > largest_axis_search) return result;
  for (const std::size_t k : movable) {
    const NearZeros found = search_boxes(goal, {k}, budget / static_cast<double>(movable.size()), {});
    if (found.zeros.empty()) continue;
    result.push_back(goal);
    result.back()[k] = found.zeros.front().front();
  }
  return result;
}

NearZeros ZeroSet::search_boxes(const Vector& goal, const Indices& movable, double budget,
                                std::span<const Solution> known) {
  const auto some = [&](const Vector& x) {
    Vector result;
    for (const std::size_t i : movable) result.push_back(x[i]);
    return result;
  };
  const std::unique_ptr<EnclosedEquations> equations = enclosure_->over(all_indices(equations_), movable, goal);
  BoxSearch search{*equations, some(goal), [&](const Vector& start) -> std::optional<Vector> {
                     Vector x = goal;
                     for (std::size_t i = 0; i < movable.size(); ++i) x[movable[i]] = start[i];
                     const Solution s = nearest_from(x, goal, movable, row_scales(x));
                     return s.found ? std::optional(some(s.x)) : std::nullopt;
                   }};
  for (const Solution& s : known) search.known.push_back(some(s.x));
  search.budget = budget;
  return nearest_zeros(search);
}

}  // namespace cetaev
