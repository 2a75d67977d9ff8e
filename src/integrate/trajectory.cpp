// Each step of the integration is kept as polynomials through its values at Chebyshev points, in halves where one does not
// do. Evaluation by the barycentric formula (J.-P. Berrut, L. N. Trefethen, "Barycentric Lagrange interpolation", SIAM
// Review 46 (2004) 501–517).
#include "cetaev/integrate/trajectory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "accuracy.hpp"
#include "cetaev/integrate/compiled_motion.hpp"
#include "time_text.hpp"

namespace cetaev {

namespace {

constexpr std::size_t degree = 20;
constexpr std::size_t nodes = degree + 1;

// x_k = cos(kπ/degree), from 1 to −1
const std::array<double, nodes>& chebyshev_points() {
  static const std::array<double, nodes> points = [] {
    std::array<double, nodes> x{};
    for (std::size_t k = 0; k < nodes; ++k) {
      // as a sine, so that the points are symmetric to the last bit
      x[k] = std::sin(std::numbers::pi * (static_cast<double>(degree) - 2.0 * static_cast<double>(k)) / (2.0 * degree));
    }
    return x;
  }();
  return points;
}

// Weights (−1)^k, halved at both ends.
double weight(std::size_t k) { return (k % 2 == 0 ? 1.0 : -1.0) * (k == 0 || k == degree ? 0.5 : 1.0); }

// The coefficient c_j of Chebyshev's series through values at the points.
double coefficient(const double* values, std::size_t stride, std::size_t j) {
  double sum = 0;
  for (std::size_t k = 0; k < nodes; ++k) {
    const double ends = k == 0 || k == degree ? 0.5 : 1.0;
    sum += ends * values[k * stride] *
           std::cos(std::numbers::pi * static_cast<double>((j * k) % (2 * degree)) / static_cast<double>(degree));
  }
  return sum * (j == degree ? 1.0 : 2.0) / static_cast<double>(degree);
}

}  // namespace

class TrajectoryRecorder : public Recorder {
 public:
  explicit TrajectoryRecorder(Trajectory& trajectory) : trajectory_(trajectory) {}

  void sample(const MotionPoint& point) override {
    if (!trajectory_.first_.empty()) return;
    trajectory_.coordinates_ = point.q.size();
    trajectory_.first_.assign(point.q.begin(), point.q.end());
    trajectory_.first_.insert(trajectory_.first_.end(), point.v.begin(), point.v.end());
    trajectory_.t_begin_ = trajectory_.t_end_ = point.t;
  }
  bool wants_steps() const override { return true; }
  void step(double from, double to, const DenseStep& at) override {
    if (from == to) return;
    const double end = last_with_a_state(from, to, at);
    add(from, end, at, 0);
    trajectory_.t_end_ = end;
  }

  // What is said about the motion. Its last state may be the limit on a singular set, next to the last step: straight on to it.
  void ended(MotionSummary summary) {
    const State& last = summary.last;
    const double from = trajectory_.t_end_, gone = from - trajectory_.t_begin_, beyond = last.t - from;
    if (!trajectory_.ends_.empty() && beyond / gone > 0 && beyond / gone < accuracy::next_to_a_set) {
      const std::size_t n = trajectory_.coordinates_;
      const State before = trajectory_.at(from);
      for (std::size_t k = 0; k < nodes; ++k) {
        const double share = 0.5 * (1 + chebyshev_points()[k]);
        for (std::size_t i = 0; i < n; ++i) trajectory_.values_.push_back(std::lerp(before.q[i], last.q[i], share));
        for (std::size_t i = 0; i < n; ++i) trajectory_.values_.push_back(std::lerp(before.v[i], last.v[i], share));
      }
      trajectory_.begins_.push_back(from);
      trajectory_.ends_.push_back(last.t);
      trajectory_.t_end_ = last.t;
    }
    trajectory_.summary_ = std::move(summary);
  }

 private:
  static constexpr int deepest = 6;

  // On a singular set itself there are no reactions; the motion is kept up to as close to it as there are. Throws where there is nothing close.
  static double last_with_a_state(double from, double to, const DenseStep& at) {
    for (double share = 0;;) {
      try {
        (void)at(to - share * (to - from));
        return to - share * (to - from);
      } catch (const Error&) {
        if (share >= accuracy::furthest_back) throw;
        share = share > 0 ? accuracy::further_back * share : accuracy::first_back;
      }
    }
  }

  void add(double from, double to, const DenseStep& at, int depth) {
    const std::size_t n = trajectory_.coordinates_, width = 2 * n;
    std::vector<double> values(nodes * width);
    for (std::size_t k = 0; k < nodes; ++k) {
      const double x = chebyshev_points()[k];
      // The ends themselves, not what rounding makes of them.
      const double t = k == 0 ? to : k == degree ? from : 0.5 * ((1 - x) * from + (1 + x) * to);
      const MotionPoint& point = at(t);
      std::copy(point.q.begin(), point.q.end(), values.begin() + static_cast<std::ptrdiff_t>(k * width));
      std::copy(point.v.begin(), point.v.end(), values.begin() + static_cast<std::ptrdiff_t>(k * width + n));
    }
    if (depth < deepest && !resolved(values, width)) {
      const double middle = from + 0.5 * (to - from);
      if (middle != from && middle != to) {
        add(from, middle, at, depth + 1);
        add(middle, to, at, depth + 1);
        return;
      }
    }
    trajectory_.begins_.push_back(from);
    trajectory_.ends_.push_back(to);
    trajectory_.values_.insert(trajectory_.values_.end(), values.begin(), values.end());
  }

  // The last coefficients are rounding.
  static bool resolved(const std::vector<double>& values, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) {
      double size = 0;
      for (std::size_t k = 0; k < nodes; ++k) size = std::max(size, std::fabs(values[k * width + i]));
      for (const std::size_t j : {degree, degree - 1, degree - 2})
        if (std::fabs(coefficient(values.data() + i, width, j)) > accuracy::resolved_series * size) return false;
    }
    return true;
  }

  Trajectory& trajectory_;
};

State Trajectory::at(double t) const {
  std::vector<double> values(2 * coordinates_);
  at(t, values);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(coordinates_);
  return {t, {values.begin(), middle}, {middle, values.end()}};
}

void Trajectory::at(double t, std::span<double> q_and_v) const {
  const double direction = t_end_ < t_begin_ ? -1 : 1;
  if (!(direction * t >= direction * t_begin_ && direction * t <= direction * t_end_)) {
    throw Error(ErrorCode::bad_model, "the motion goes from " + time_text(t_begin_) + " to " + time_text(t_end_) +
                                          "; there is nothing at " + time_text(t));
  }
  const std::size_t width = 2 * coordinates_;
  if (ends_.empty()) {
    std::copy(first_.begin(), first_.end(), q_and_v.begin());
    return;
  }
  const auto found = std::lower_bound(ends_.begin(), ends_.end(), t,
                                      [&](double end, double time) { return direction * end < direction * time; });
  const auto piece = static_cast<std::size_t>(std::min(found, ends_.end() - 1) - ends_.begin());
  const double a = begins_[piece], b = ends_[piece];
  const double* values = values_.data() + piece * nodes * width;
  const double x = ((t - a) - (b - t)) / (b - a);
  std::fill(q_and_v.begin(), q_and_v.end(), 0.0);
  double weights = 0;
  for (std::size_t k = 0; k < nodes; ++k) {
    const double distance = x - chebyshev_points()[k];
    if (distance == 0) {
      std::copy(values + k * width, values + (k + 1) * width, q_and_v.begin());
      return;
    }
    const double w = weight(k) / distance;
    weights += w;
    for (std::size_t i = 0; i < width; ++i) q_and_v[i] += w * values[k * width + i];
  }
  for (double& sum : q_and_v) sum /= weights;
}

Trajectory compute_trajectory(const System& system, const MotionOptions& options) {
  Trajectory trajectory;
  TrajectoryRecorder recorder(trajectory);
  MotionOptions ends = options;
  ends.samples = 2;
  recorder.ended(run_motion(system, ends, recorder));
  return trajectory;
}

Trajectory compute_trajectory(const CompiledMotion& motion, const State& from) {
  Trajectory trajectory;
  TrajectoryRecorder recorder(trajectory);
  recorder.ended(motion.run(from, recorder));
  return trajectory;
}

}  // namespace cetaev
