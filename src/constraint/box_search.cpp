#include "box_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "cetaev/detail/numeric/dense.hpp"

namespace cetaev {

namespace {

using Coordinates = std::vector<double>;

constexpr double largest_double = std::numeric_limits<double>::max();
constexpr double smallest_double = std::numeric_limits<double>::min();

// Balls have digits to spare beside those of doubles, so that their own rounding decides nothing.
constexpr long box_bits = 128;

// Relative distances: below the first two zeros are equally near; what is as near as the second to a known zero is that zero; and
// zeros within the third of the distance from each other are not told apart as branches.
constexpr double equally_near = 1e-7, as_near = 1e-9, one_branch = 1e-3;

// Boxes of several unknowns are not cut below this size, relative to where they are: the surfaces of a set that is curved like the
// sphere around the goal stay in many boxes.
constexpr double smallest_box = 1e-7;
// What is done about a box besides evaluating the equations, in instructions.
constexpr double box_overhead = 50;
// And about one that cannot be made smaller: what looks for zeros from there, and finds out that there is none.
constexpr double settling = 5000;

// Newton's method is tried from so many boxes of several unknowns.
constexpr int most_attempts = 100;

struct Box {
  Coordinates low, high;
  double distance = 0;  // of its nearest point from the goal
};

struct Further {
  bool operator()(const Box& a, const Box& b) const { return a.distance > b.distance; }
};

class Subdivision {
 public:
  explicit Subdivision(const BoxSearch& search)
      : search_(search), equations_(search.equations), goal_(search.goal), dimension_(goal_.size()) {
    for (const Coordinates& zero : search.known) add(zero);
  }

  NearZeros run() {
    push({Coordinates(dimension_, -largest_double), Coordinates(dimension_, largest_double)});
    complete_ = true;
    while (!boxes_.empty() && nearest_ > 0) {
      Box box = boxes_.top();
      boxes_.pop();
      if (box.distance > nearest_ * (1 + equally_near)) break;
      if (around_known(box)) continue;
      if (work_ > search_.budget) {
        complete_ = false;
        break;
      }
      if (!contract(box) || around_known(box)) continue;
      if (worth_trying(box)) attempt(middle(box));
      if (is_smallest(box)) {
        settle(box);
      } else {
        cut(box);
      }
    }
    std::stable_sort(zeros_.begin(), zeros_.end(), [&](const Coordinates& a, const Coordinates& b) {
      return distance(a, goal_) < distance(b, goal_);
    });
    return {zeros_, complete_};
  }

 private:
  void push(Box box) {
    Coordinates nearest = goal_;
    for (std::size_t i = 0; i < dimension_; ++i) nearest[i] = std::clamp(goal_[i], box.low[i], box.high[i]);
    box.distance = distance(nearest, goal_);
    boxes_.push(std::move(box));
  }

  static Coordinates middle(const Box& box) {
    Coordinates result = box.low;
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = box.low[i] / 2 + box.high[i] / 2;
    return result;
  }

  static bool holds(const Box& box, const Coordinates& x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] < box.low[i] || x[i] > box.high[i]) return false;
    }
    return true;
  }

  // No nearer than a zero that is known, and no branch of its own.
  bool around_known(const Box& box) const {
    if (box.distance < nearest_ * (1 - as_near)) return false;
    return std::any_of(zeros_.begin(), zeros_.end(), [&](const Coordinates& zero) {
      double square = 0;
      for (std::size_t i = 0; i < dimension_; ++i) {
        const double far = std::max(std::fabs(box.low[i] - zero[i]), std::fabs(box.high[i] - zero[i]));
        square += far * far;
      }
      return std::sqrt(square) <= one_branch * nearest_;
    });
  }

  void add(const Coordinates& zero) {
    for (const Coordinates& other : zeros_) {
      if (same_zero(zero, other, goal_)) return;
    }
    zeros_.push_back(zero);
    nearest_ = std::min(nearest_, distance(zero, goal_));
  }

  void attempt(const Coordinates& start) {
    ++attempts_;
    if (const auto zero = search_.solve(start)) add(*zero);
  }

  // Leaves the part of the box in which there may be a zero. False when there is none.
  bool contract(Box& box) {
    steep_ = false;
    for (int round = 0; round < 4; ++round) {
      const double before = widest(box);
      std::vector<Ball> x;
      for (std::size_t i = 0; i < dimension_; ++i) x.push_back(Ball::between(box.low[i], box.high[i]));
      work_ += evaluation_cost();
      std::vector<Ball> f, j;
      const EnclosedEquations::Inside inside = equations_.derivatives(x, f, j);
      if (inside == EnclosedEquations::Inside::undefined) return false;
      for (const Ball& value : f) {
        if (value.is_finite() && !value.contains_zero()) return false;
      }
      if (inside == EnclosedEquations::Inside::may_jump) return true;
      const Coordinates center = middle(box);
      std::vector<Ball> at, there;
      for (const double c : center) at.push_back(Ball::from_double(c));
      work_ += evaluation_cost();
      equations_.values(at, there);
      for (std::size_t row = 0; row < there.size(); ++row) {
        if (!f[row].is_finite()) continue;
        if (!contract(box, x, at, there[row], std::span(j).subspan(row * dimension_, dimension_))) return false;
      }
      if (!(widest(box) < 0.5 * before)) break;
    }
    Coordinates nearest = goal_;
    for (std::size_t i = 0; i < dimension_; ++i) nearest[i] = std::clamp(goal_[i], box.low[i], box.high[i]);
    box.distance = distance(nearest, goal_);
    return true;
  }

  // By one equation: F(x) = F(c) + Σ Jᵢ (xᵢ − cᵢ) for some Jᵢ of the box; solved for each unknown in turn.
  bool contract(Box& box, std::span<const Ball> x, std::span<const Ball> center, const Ball& value,
                std::span<const Ball> slope) {
    if (!value.is_finite()) return true;
    std::vector<Ball> terms(dimension_);
    for (std::size_t i = 0; i < dimension_; ++i) {
      if (!slope[i].is_finite()) return true;
      terms[i].set_difference(x[i], center[i], box_bits);
      terms[i].set_product(terms[i], slope[i], box_bits);
    }
    Ball sum = value;
    for (const Ball& term : terms) sum.set_sum(sum, term, box_bits);
    if (sum.is_finite() && !sum.contains_zero()) return false;
    for (std::size_t i = 0; i < dimension_; ++i) {
      if (slope[i].contains_zero()) continue;
      steep_ = true;
      Ball rest = value;
      for (std::size_t k = 0; k < dimension_; ++k) {
        if (k != i) rest.set_sum(rest, terms[k], box_bits);
      }
      rest.set_quotient(rest, slope[i], box_bits);
      rest.set_difference(center[i], rest, box_bits);
      if (!rest.is_finite()) continue;
      box.low[i] = std::max(box.low[i], rest.lower());
      box.high[i] = std::min(box.high[i], rest.upper());
      if (box.low[i] > box.high[i]) return false;
    }
    return true;
  }

  double evaluation_cost() const { return box_overhead + static_cast<double>(equations_.cost()); }

  static double widest(const Box& box) {
    double result = 0;
    for (std::size_t i = 0; i < box.low.size(); ++i) result = std::max(result, box.high[i] - box.low[i]);
    return result;
  }

  // Where a derivative has one sign Newton's method is at home. Of several unknowns a box is tried when it is not large beside its
  // distance and may hold something nearer than what is known.
  bool worth_trying(const Box& box) const {
    const bool holds_known =
        std::any_of(zeros_.begin(), zeros_.end(), [&](const Coordinates& zero) { return holds(box, zero); });
    if (!steep_ || holds_known) return false;
    if (dimension_ == 1) return true;
    const double size = 1 + largest_magnitude(goal_) + box.distance;
    return attempts_ < most_attempts && box.distance < nearest_ * (1 - as_near) && widest(box) <= size;
  }

  bool is_smallest(const Box& box) const {
    if (dimension_ > 1) {
      for (std::size_t i = 0; i < dimension_; ++i) {
        const double size = std::max({std::fabs(box.low[i]), std::fabs(box.high[i]), box.distance});
        if (box.high[i] - box.low[i] > smallest_box * size && box.high[i] - box.low[i] > smallest_double) return false;
      }
      return true;
    }
    double end = box.low[0];
    for (int i = 0; i < 2; ++i) end = std::nextafter(end, HUGE_VAL);
    return box.high[0] <= end;
  }

  // A box that cannot be made smaller: a zero where F does not cross zero steeply, a pole, the edge of a domain.
  void settle(const Box& box) {
    work_ += settling;
    if (dimension_ == 1) {
      for (const double x : {box.low[0], box.low[0] / 2 + box.high[0] / 2, box.high[0]}) attempt({x});
      if (box.low[0] <= 0 && box.high[0] >= 0) attempt({0.0});
    } else if (attempts_ < most_attempts) {
      attempt(middle(box));
    }
    const bool explained = std::any_of(zeros_.begin(), zeros_.end(),
                                       [&](const Coordinates& zero) { return same_zero(zero, middle(box), goal_); });
    if (!explained) complete_ = false;
  }

  void cut(const Box& box) {
    std::size_t widest_side = 0;
    double width = -1;
    for (std::size_t i = 0; i < dimension_; ++i) {
      const double here = box.high[i] / 2 - box.low[i] / 2;
      if (here > width) {
        width = here;
        widest_side = i;
      }
    }
    const double at = where_to_cut(box.low[widest_side], box.high[widest_side], goal_[widest_side]);
    Box lower = box, upper = box;
    lower.high[widest_side] = upper.low[widest_side] = at;
    push(std::move(lower));
    push(std::move(upper));
  }

  // At the goal, then at zero, then so that both halves have as many doubles in them, until the middle is as good.
  static double where_to_cut(double low, double high, double goal) {
    if (low < goal && goal < high) return goal;
    if (low < 0 && 0 < high) return 0;
    if (high <= 0) return -where_to_cut(-high, -low, -goal);
    const double least = std::max(low, smallest_double);
    if (high > 4 * least && high > 4 * smallest_double) return std::sqrt(least) * std::sqrt(high);
    return low / 2 + high / 2;
  }

  const BoxSearch& search_;
  EnclosedEquations& equations_;
  const Coordinates& goal_;
  std::size_t dimension_;
  std::priority_queue<Box, std::vector<Box>, Further> boxes_;
  std::vector<Coordinates> zeros_;
  double nearest_ = HUGE_VAL;  // distance of the nearest zero
  double work_ = 0;
  int attempts_ = 0;
  bool complete_ = true;
  bool steep_ = false;  // a derivative has one sign in the box at hand
};

}  // namespace

NearZeros nearest_zeros(const BoxSearch& search) { return Subdivision(search).run(); }

bool same_zero(std::span<const double> one, std::span<const double> other, std::span<const double> goal) {
  // 1e-12: what counts as a zero is known to no more
  const double between = distance(one, other);
  return between <= 1e-6 * distance(one, goal) || between <= 1e-12 * (length(one) + length(goal));
}

}  // namespace cetaev
